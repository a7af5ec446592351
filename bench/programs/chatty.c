/* A command that prints a lot: chatty BYTES block|line CPU_FILE
 * Writes BYTES of text, in blocks of 64 KB or each line of 100 bytes by a write of its own, and leaves its own CPU time
 * in microseconds in CPU_FILE, so that it can be told from its supervisor's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LINE = 100, BLOCK = 64 * 1024 };

static long long microseconds(struct timeval time) {
  return time.tv_sec * 1000000LL + time.tv_usec;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  long long left = atoll(argv[1]);
  size_t piece = strcmp(argv[2], "block") == 0 ? BLOCK : LINE;
  static char text[BLOCK];
  for (size_t at = 0; at < piece; at++) text[at] = at % LINE == LINE - 1 ? '\n' : 'a' + at % 26;
  while (left > 0) {
    ssize_t written = write(1, text, left < (long long)piece ? (size_t)left : piece);
    if (written < 0) return 1;
    left -= written;
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  FILE *file = fopen(argv[3], "w");
  if (!file) return 1;
  fprintf(file, "%lld\n", microseconds(usage.ru_utime) + microseconds(usage.ru_stime));
  return fclose(file) == 0 ? 0 : 1;
}
