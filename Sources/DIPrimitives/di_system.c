// Functions that differ between systems, or cost more when called from Swift directly.

#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "di_system.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

void *di_memory_make(intptr_t bytes) {
  // Not `calloc`, which has no per-thread cache in glibc; nor may the compiler make it one.
  void *memory = malloc((size_t)bytes);
  __asm__ volatile("" : "+r"(memory));
  if (!memory) abort();
  return memset(memory, 0, (size_t)bytes);
}

void di_memory_free(void *memory) { free(memory); }

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
