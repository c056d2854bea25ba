/* Preloaded into a process, gives it a file system that has no shared memory: what SQLite maps beside a database
 * cannot be mapped. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static int is_shared_memory(int descriptor) {
    static const char kSuffix[] = "-shm";
    char link[64];
    char path[PATH_MAX + 1];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(link, path, PATH_MAX);
    const ssize_t suffix = sizeof kSuffix - 1;
    return length >= suffix && strncmp(path + length - suffix, kSuffix, (size_t)suffix) == 0;
}

static void *map(void *at, size_t length, int protection, int flags, int descriptor, off_t offset) {
    if (descriptor >= 0 && is_shared_memory(descriptor)) {
        errno = ENODEV;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, at, length, protection, flags, descriptor, offset);
}

void *mmap(void *at, size_t length, int protection, int flags, int descriptor, off_t offset) {
    return map(at, length, protection, flags, descriptor, offset);
}

void *mmap64(void *at, size_t length, int protection, int flags, int descriptor, off64_t offset) {
    return map(at, length, protection, flags, descriptor, offset);
}
