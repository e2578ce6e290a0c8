/* Runs a program and writes what it cost to a file.
 *
 *   launch REPORT PROGRAM [ARGUMENT...]
 *
 * REPORT becomes one line: wall ns, user us, system us, peak RSS as
 * ru_maxrss gives it, exit status (128 and more: killed by a signal). A process of its own does this because
 * Linux hands the peak RSS of the process that forked to its child: a child
 * of a Go program never seems smaller than the Go program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static long long microseconds(struct timeval t) { return t.tv_sec * 1000000LL + t.tv_usec; }

int main(int argc, char **argv) {
  if (argc < 3) return 125;
  long long start = nanoseconds();
  pid_t child = fork();
  if (child == 0) {
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    _exit(127);
  }
  int status = 0;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
    perror("launch");
    return 125;
  }
  long long wall = nanoseconds() - start;
  FILE *report = fopen(argv[1], "w");
  if (report == NULL) {
    perror(argv[1]);
    return 125;
  }
  int exited = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  fprintf(report, "%lld %lld %lld %ld %d\n", wall, microseconds(usage.ru_utime), microseconds(usage.ru_stime), usage.ru_maxrss, exited);
  return fclose(report) == 0 ? 0 : 125;
}
