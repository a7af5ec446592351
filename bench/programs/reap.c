/* Runs a command and is told of everything that it leaves behind: reap FILE COMMAND…
 * Waits for the command and for every orphan of it. FILE gets a line for each: pid, and its CPU time in microseconds
 * with that of the children it waited for. Ends with the command's exit code. */
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long long microseconds(struct timeval time) {
  return time.tv_sec * 1000000LL + time.tv_usec;
}

int main(int argc, char **argv) {
  if (argc < 3 || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return 2;
  FILE *file = fopen(argv[1], "w");
  if (!file) return 2;
  pid_t command = fork();
  if (command < 0) return 2;
  if (command == 0) {
    execvp(argv[2], argv + 2);
    _exit(127);
  }
  int code = 2, status;
  struct rusage usage;
  for (pid_t pid; (pid = wait4(-1, &status, 0, &usage)) > 0;) {
    fprintf(file, "%d %lld\n", (int)pid, microseconds(usage.ru_utime) + microseconds(usage.ru_stime));
    if (pid == command) code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  }
  return fclose(file) == 0 ? code : 2;
}
