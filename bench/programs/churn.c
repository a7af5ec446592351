/* A machine on which other things go on: churn IDLE EVERY_MS
 * Keeps IDLE processes that sleep, and has one born, which ends at once, every EVERY_MS. Ends with its standard input. */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  signal(SIGCHLD, SIG_IGN);
  for (int left = atoi(argv[1]); left > 0; left--) {
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      pause();
      _exit(0);
    }
  }
  struct pollfd input = {.fd = 0, .events = POLLIN};
  while (poll(&input, 1, atoi(argv[2])) == 0)
    if (fork() == 0) _exit(0);
  return 0;
}
