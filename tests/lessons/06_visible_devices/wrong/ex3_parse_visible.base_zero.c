/* A wrong answer, kept to be recognised: strtol may guess the base. */
#include <stdlib.h> // defines: strtol
#include <string.h> // defines: strchr

int my_parse_visible(const char *value, int n_gpus, int *physical)
{
    int n = 0;
    if (!value) {
        for (int i = 0; i < n_gpus; i++)
            physical[n++] = i;
        return n;
    }
    for (const char *at = value; at; at = strchr(at, ',')) {
        at += at != value; // past the comma
        char *end = NULL;
        long gpu = strtol(at, &end, 0);
        if (end == at || gpu < 0 || gpu >= n_gpus)
            break;
        for (int i = 0; i < n; i++)
            if (physical[i] == gpu)
                return 0;
        physical[n++] = (int)gpu;
    }
    return n;
}
