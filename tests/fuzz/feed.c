/* A fuzzer's harness without the fuzzer: feeds it files, one by one.
 *
 *     fuzz_machine tests/fuzz/corpus/machine
 *
 * Each argument is a file or a folder of files. Says how many were fed; a
 * harness that finds something wrong aborts. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

enum { MOST_BYTES = 1 << 20 };

/* How many files were fed: 1, or 0 when it cannot be read. */
static int feed_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *room = file ? malloc(MOST_BYTES) : NULL;
    if (!room) {
        if (file)
            fclose(file);
        return 0;
    }
    size_t n_bytes = fread(room, 1, MOST_BYTES, file);
    fclose(file);
    // A block of that very size: a sanitizer sees a read behind its end.
    uint8_t *data = malloc(n_bytes ? n_bytes : 1);
    if (data) {
        memcpy(data, room, n_bytes);
        LLVMFuzzerTestOneInput(data, n_bytes);
    }
    free(data);
    free(room);
    return data != NULL;
}

static int feed(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return feed_file(path);
    int n = 0;
    for (struct dirent *entry = readdir(folder); entry;
         entry = readdir(folder)) {
        char inside[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        n += feed_file(inside);
    }
    closedir(folder);
    return n;
}

int main(int argc, char **argv)
{
    int n = 0;
    for (int i = 1; i < argc; i++)
        n += feed(argv[i]);
    printf("%d files fed\n", n);
    return n > 0 ? 0 : 1;
}
