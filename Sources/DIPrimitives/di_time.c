// The system's clock, and its relation to the processor's counter.

#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "di_time.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <time.h>

bool di_has_tick_counter;

#if defined(__x86_64__)
__attribute__((constructor)) static void look_for_tick_counter(void) {
  unsigned a, b, c, d;
  // "Invariant TSC".
  di_has_tick_counter = __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1 << 8);
}
#endif

uint64_t di_now(void) {
#if defined(CLOCK_BOOTTIME)
  const clockid_t clock = CLOCK_BOOTTIME;
#else
  const clockid_t clock = CLOCK_MONOTONIC;
#endif
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

di_moment di_moment_now(void) {
  uint64_t before, nanoseconds, after;
  // The thread may be preempted between reading the two clocks.
  const uint64_t long_pause = 20000;
  int tries = 0;
  do {
    before = di_ticks();
    nanoseconds = di_now();
    after = di_ticks();
  } while (after - before > long_pause && ++tries < 8);
  return (di_moment){before + (after - before) / 2, nanoseconds};
}

double di_tick_length(di_moment since) {
  if (!di_has_tick_counter) return 1;
  const di_moment now = di_moment_now();
  // A counter that was reset, as when the machine slept, is unusable.
  if (now.ticks <= since.ticks) return 0;
  return (double)(now.nanoseconds - since.nanoseconds) / (double)(now.ticks - since.ticks);
}
