/* A command that says when it ended: stamp FILE DELAY_MS CODE
 * Sleeps, writes the monotonic clock in nanoseconds (what Node's hrtime reads) to FILE, and exits with CODE. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  FILE *file = fopen(argv[1], "w");
  if (!file) return 2;
  usleep(atoi(argv[2]) * 1000);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  fprintf(file, "%lld\n", now.tv_sec * 1000000000LL + now.tv_nsec);
  fflush(file);
  _exit(atoi(argv[3]));
}
