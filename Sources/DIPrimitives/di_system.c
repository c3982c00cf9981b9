// Functions that differ between systems, or cost more when called from Swift directly.

#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "di_system.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

bool di_is_main_thread(void) {
#if defined(__APPLE__)
  return pthread_main_np() != 0;
#elif defined(__linux__)
  return syscall(SYS_gettid) == getpid();
#else
  return false;
#endif
}

void di_print_error(const char *text) { fprintf(stderr, "%s\n", text); }
