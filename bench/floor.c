/* What starting a shell costs at least: posix_spawn of `bash -c COMMAND` in a session of its own, two pipes read to
 * their end, waitpid. The other ways are measured as ratios to this one.
 *
 *   floor latency COUNT COMMAND     one after the other; a line of microseconds for each
 *   floor drain COMMAND             once; reads its output to nowhere; seconds, bytes and peak resident KiB
 *   floor concurrent COUNT COMMAND  all at once; seconds
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef O_CLOEXEC
#define O_CLOEXEC 0
#endif

extern char **environ;
static char buffer[1 << 18];

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static int cloexec_pipe(int ends[2])
{
    if (pipe(ends))
        return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
}

/* Start it; the reading ends of its stdout and stderr. */
static pid_t start(const char *command, int out[2])
{
    int stdout_pipe[2], stderr_pipe[2];
    pid_t pid;
    char *argv[] = {"bash", "-c", "--", (char *)command, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all;

    if (cloexec_pipe(stdout_pipe) || cloexec_pipe(stderr_pipe))
        exit(1);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, stdout_pipe[1], 1);
    posix_spawn_file_actions_adddup2(&actions, stderr_pipe[1], 2);
    posix_spawnattr_init(&attributes);
    sigfillset(&all);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF
#ifdef POSIX_SPAWN_SETSID
                                              | POSIX_SPAWN_SETSID
#endif
    );
    if (posix_spawn(&pid, "/bin/bash", &actions, &attributes, argv, environ))
        exit(1);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(stdout_pipe[1]);
    close(stderr_pipe[1]);
    out[0] = stdout_pipe[0];
    out[1] = stderr_pipe[0];
    return pid;
}

/* Read pipes to their ends; how many bytes came. */
static long drain(struct pollfd *pipes, int count)
{
    long bytes = 0;
    int open = count;
    while (open > 0) {
        poll(pipes, count, -1);
        for (int number = 0; number < count; number++) {
            if (pipes[number].fd < 0 || !pipes[number].revents)
                continue;
            ssize_t came = read(pipes[number].fd, buffer, sizeof buffer);
            if (came > 0) {
                bytes += came;
                continue;
            }
            close(pipes[number].fd);
            pipes[number].fd = -1;
            open--;
        }
    }
    return bytes;
}

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "latency")) {
        for (int left = atoi(argv[2]); left > 0; left--) {
            int out[2];
            double began = now();
            pid_t pid = start(argv[3], out);
            struct pollfd pipes[2] = {{out[0], POLLIN, 0}, {out[1], POLLIN, 0}};
            drain(pipes, 2);
            waitpid(pid, NULL, 0);
            printf("%.1f\n", (now() - began) * 1e6);
        }
        return 0;
    }
    if (argc == 3 && !strcmp(argv[1], "drain")) {
        int out[2];
        struct rusage usage;
        double began = now();
        pid_t pid = start(argv[2], out);
        struct pollfd pipes[2] = {{out[0], POLLIN, 0}, {out[1], POLLIN, 0}};
        long bytes = drain(pipes, 2);
        waitpid(pid, NULL, 0);
        double took = now() - began;
        getrusage(RUSAGE_SELF, &usage);
        printf("%f %ld %ld\n", took, bytes, usage.ru_maxrss);
        return 0;
    }
    if (argc == 4 && !strcmp(argv[1], "concurrent")) {
        int count = atoi(argv[2]);
        struct pollfd *pipes = calloc(2 * count, sizeof *pipes);
        pid_t *pids = calloc(count, sizeof *pids);
        double began = now();
        for (int number = 0; number < count; number++) {
            int out[2];
            pids[number] = start(argv[3], out);
            for (int stream = 0; stream < 2; stream++)
                pipes[2 * number + stream] = (struct pollfd){out[stream], POLLIN, 0};
        }
        drain(pipes, 2 * count);
        for (int number = 0; number < count; number++)
            waitpid(pids[number], NULL, 0);
        printf("%f\n", now() - began);
        return 0;
    }
    fprintf(stderr, "usage: floor latency COUNT COMMAND | drain COMMAND | concurrent COUNT COMMAND\n");
    return 2;
}
