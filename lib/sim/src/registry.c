/* What running programs use of a machine's memory. */
#include "registry.h" // defines: this file's interface

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 512 };

#define REGISTRY_MAGIC UINT64_C(0x6375646173696d31)

static RegistryEntry *mine; // mapped; NULL before the first use, or never
static bool has_tried;
static pid_t owner;
static char my_path[PATH_ROOM];

/* The directory, made if asked to. False: there is none that we may use. */
static bool directory(char *path, bool make)
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    int n = runtime && *runtime == '/'
                ? snprintf(path, PATH_ROOM, "%s/cudasim", runtime)
                : snprintf(path, PATH_ROOM, "/tmp/cudasim-%ld", (long)getuid());
    if (n < 0 || n >= PATH_ROOM - 32)
        return false;
    if (make && mkdir(path, 0700) != 0 && errno != EEXIST)
        return false;
    struct stat is; // in /tmp anybody may have been here first
    return lstat(path, &is) == 0 && S_ISDIR(is.st_mode) &&
           is.st_uid == getuid();
}

/* When the process began, in clock ticks since boot; 0 where /proc does not
 * say. With the pid it names one process for good. */
static uint64_t start_of(pid_t pid)
{
    char path[64], text[1024];
    snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    size_t n = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[n] = '\0';
    char *at = strrchr(text, ')'); // the program's name may hold anything
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at + 1, NULL, 10) : 0;
}

static void own_name(char out[REGISTRY_PROGRAM])
{
    ssize_t n = readlink("/proc/self/exe", out, REGISTRY_PROGRAM - 1);
    snprintf(out + (n > 0 ? n : 0), REGISTRY_PROGRAM - (size_t)(n > 0 ? n : 0),
             "%s", n > 0 ? "" : "program");
}

static void withdraw(void)
{
    if (!mine || getpid() != owner)
        return;
    unlink(my_path);
    char *slash = strrchr(my_path, '/');
    *slash = '\0';
    rmdir(my_path); // goes when it is empty
    mine = NULL;
}

static void announce(const char *machine)
{
    char path[PATH_ROOM];
    has_tried = true;
    owner = getpid();
    if (!directory(path, true))
        return;
    snprintf(my_path, sizeof(my_path), "%.480s/%ld", path, (long)owner);
    unlink(my_path); // of a dead process with our number
    int file =
        open(my_path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    void *map = MAP_FAILED;
    if (ftruncate(file, sizeof(*mine)) == 0)
        map = mmap(NULL, sizeof(*mine), PROT_READ | PROT_WRITE, MAP_SHARED,
                   file, 0);
    close(file);
    if (map == MAP_FAILED) {
        unlink(my_path);
        return;
    }
    mine = map;
    mine->pid = owner;
    mine->started = start_of(owner);
    snprintf(mine->machine, sizeof(mine->machine), "%s", machine);
    own_name(mine->program);
    mine->magic = REGISTRY_MAGIC;
    atexit(withdraw);
}

void registry_publish(const char *machine, int physical, uint64_t bytes)
{
    if (!has_tried)
        announce(machine);
    if (mine && mine->used_bytes[physical] != bytes)
        mine->used_bytes[physical] = bytes;
}

/* False: not an entry, or its process is gone; then the file goes too. */
static bool read_entry(const char *path, RegistryEntry *out)
{
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return false;
    ssize_t n = read(file, out, sizeof(*out));
    close(file);
    if (n != (ssize_t)sizeof(*out) || out->magic != REGISTRY_MAGIC)
        return false;
    out->machine[sizeof(out->machine) - 1] = '\0';
    out->program[sizeof(out->program) - 1] = '\0';
    pid_t pid = (pid_t)out->pid;
    bool is_live = pid > 0 && (kill(pid, 0) == 0 || errno == EPERM) &&
                   start_of(pid) == out->started;
    if (!is_live)
        unlink(path);
    return is_live;
}

static int by_pid(const void *a, const void *b)
{
    int64_t left = ((const RegistryEntry *)a)->pid;
    int64_t right = ((const RegistryEntry *)b)->pid;
    return (left > right) - (left < right);
}

int registry_read(const char *machine, RegistryEntry *out, int room)
{
    char path[PATH_ROOM], name[PATH_ROOM + 300];
    int n = 0;
    DIR *folder = directory(path, false) ? opendir(path) : NULL;
    if (!folder)
        return 0;
    for (struct dirent *at; n < room && (at = readdir(folder));) {
        if (at->d_name[strspn(at->d_name, "0123456789")] != '\0')
            continue;
        snprintf(name, sizeof(name), "%s/%s", path, at->d_name);
        if (read_entry(name, &out[n]) && strcmp(out[n].machine, machine) == 0)
            n++;
    }
    closedir(folder);
    qsort(out, (size_t)n, sizeof(*out), by_pid);
    return n;
}
