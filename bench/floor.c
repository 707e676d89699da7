/* What starting a program costs at least. The other ways are measured as ratios to this one.
 *
 *   floor latency COUNT COMMAND       `bash -c COMMAND` in a session of its own by posix_spawn, two pipes read to their
 *                                     end, waitpid; one after the other
 *   floor concurrent COUNT COMMAND    the same, all at once
 *   floor start INPUT CODE PROGRAM…   a whole program with a file as its standard input; it must exit with CODE
 *
 * Prints the seconds of each, one a line, and then the most memory that it had, for `start` that its program had, in KiB.
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

/* The most memory that this program itself had; rusage would count what its parent had before the exec. */
static long peak(void)
{
    char line[256];
    long kib = 0;
    FILE *status = fopen("/proc/self/status", "r");
    struct rusage usage;
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %ld", &kib) == 1)
            break;
    if (status)
        fclose(status);
    if (kib)
        return kib;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* Run a whole program; its exit code, or -1. */
static int program(const char *input, char **argv)
{
    posix_spawn_file_actions_t actions;
    struct rusage usage;
    int status;
    pid_t pid;
    double began = now();

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ))
        return -1;
    if (wait4(pid, &status, 0, &usage) < 0)
        return -1;
    printf("%.7f\n%ld\n", now() - began, usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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

/* Read pipes to their ends. */
static void drain(struct pollfd *pipes, int count)
{
    int open = count;
    while (open > 0) {
        poll(pipes, count, -1);
        for (int number = 0; number < count; number++) {
            if (pipes[number].fd < 0 || !pipes[number].revents)
                continue;
            ssize_t came = read(pipes[number].fd, buffer, sizeof buffer);
            if (came > 0)
                continue;
            close(pipes[number].fd);
            pipes[number].fd = -1;
            open--;
        }
    }
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
            printf("%.7f\n", now() - began);
        }
        printf("%ld\n", peak());
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
        printf("%.7f\n%ld\n", now() - began, peak());
        return 0;
    }
    if (argc >= 5 && !strcmp(argv[1], "start"))
        return program(argv[2], argv + 4) != atoi(argv[3]);
    fprintf(stderr, "usage: floor latency|concurrent COUNT COMMAND | start INPUT CODE PROGRAM...\n");
    return 2;
}
