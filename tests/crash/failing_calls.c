/* Preloaded into a process, makes its calls on files below one directory fail from the k-th on, or kills the process
 * at the k-th. Only counts where no k is given. Set by the environment:
 *
 *   FAILING_BELOW   the directory, by its real path
 *   FAILING_CALLS   which calls count, for instance "write,fsync": write fsync truncate rename unlink create
 *   FAILING_FROM    k, counted from 1; 0 or nothing: none fails
 *   FAILING_HOW     ENOSPC, EIO, EDQUOT, or kill; a write that is killed has written its first half
 *   FAILING_COUNT   a file that is told, at each counted call, of the call's name
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static long counted;

static int lies_below(const char *path) {
    const char *below = getenv("FAILING_BELOW");
    if (below == NULL) {
        return 0;
    }
    const size_t length = strlen(below);
    return strncmp(path, below, length) == 0 && path[length] == '/';
}

static int is_open_below(int descriptor) {
    char link[64];
    char path[PATH_MAX + 1];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(link, path, PATH_MAX);
    if (length < 0) {
        return 0;
    }
    path[length] = '\0';
    const char *below = getenv("FAILING_BELOW");
    return lies_below(path) || (below != NULL && strcmp(path, below) == 0);
}

static void tell(const char *call) {
    const char *path = getenv("FAILING_COUNT");
    if (path == NULL) {
        return;
    }
    const int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (descriptor >= 0) {
        char line[32];
        const int length = snprintf(line, sizeof line, "%s\n", call);
        syscall(SYS_write, descriptor, line, (size_t)length);
        syscall(SYS_close, descriptor);
    }
}

/* 0: goes on; 1: fails, with errno set; 2: is to be killed. */
static int fate(const char *call) {
    const char *calls = getenv("FAILING_CALLS");
    if (calls == NULL || strstr(calls, call) == NULL) {
        return 0;
    }
    tell(call);
    const char *from = getenv("FAILING_FROM");
    const long k = from == NULL ? 0 : atol(from);
    if (k == 0 || __sync_add_and_fetch(&counted, 1) < k) {
        return 0;
    }
    const char *how = getenv("FAILING_HOW");
    if (how != NULL && strcmp(how, "kill") == 0) {
        return 2;
    }
    errno = EIO;
    if (how != NULL && strcmp(how, "ENOSPC") == 0) {
        errno = ENOSPC;
    }
    if (how != NULL && strcmp(how, "EDQUOT") == 0) {
        errno = EDQUOT;
    }
    return 1;
}

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) {
        pause();
    }
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define WITHIN(is_ours, call, failed)                                                              \
    if (is_ours) {                                                                                 \
        switch (fate(call)) {                                                                      \
            case 1: return failed;                                                                 \
            case 2: die();                                                                         \
        }                                                                                          \
    }

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (is_open_below(descriptor)) {
        switch (fate("write")) {
            case 1: return -1;
            case 2: syscall(SYS_write, descriptor, bytes, count / 2); die();
        }
    }
    return syscall(SYS_write, descriptor, bytes, count);
}

static ssize_t write_at(int descriptor, const void *bytes, size_t count, off_t offset) {
    if (is_open_below(descriptor)) {
        switch (fate("write")) {
            case 1: return -1;
            case 2: syscall(SYS_pwrite64, descriptor, bytes, count / 2, offset); die();
        }
    }
    return syscall(SYS_pwrite64, descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return write_at(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    return write_at(descriptor, bytes, count, offset);
}

int fsync(int descriptor) {
    WITHIN(is_open_below(descriptor), "fsync", -1)
    return REAL(fsync)(descriptor);
}

int fdatasync(int descriptor) {
    WITHIN(is_open_below(descriptor), "fsync", -1)
    return REAL(fdatasync)(descriptor);
}

int ftruncate(int descriptor, off_t length) {
    WITHIN(is_open_below(descriptor), "truncate", -1)
    return REAL(ftruncate)(descriptor, length);
}

int ftruncate64(int descriptor, off64_t length) {
    WITHIN(is_open_below(descriptor), "truncate", -1)
    return REAL(ftruncate64)(descriptor, length);
}

int rename(const char *former, const char *path) {
    WITHIN(lies_below(path), "rename", -1)
    return REAL(rename)(former, path);
}

int unlink(const char *path) {
    WITHIN(lies_below(path), "unlink", -1)
    return REAL(unlink)(path);
}

static int open_there(const char *path, int flags, mode_t mode) {
    if ((flags & O_CREAT) != 0 && access(path, F_OK) != 0) {
        WITHIN(lies_below(path), "create", -1)
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list given;
    va_start(given, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(given, mode_t) : 0;
    va_end(given);
    return open_there(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list given;
    va_start(given, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(given, mode_t) : 0;
    va_end(given);
    return open_there(path, flags, mode);
}
