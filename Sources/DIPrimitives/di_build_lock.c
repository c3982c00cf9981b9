// One mutex, and a condition variable for each thread that has ever waited.

#include "di_build_lock.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t build_lock = PTHREAD_MUTEX_INITIALIZER;

void di_build_lock_acquire(void) { pthread_mutex_lock(&build_lock); }
void di_build_lock_release(void) { pthread_mutex_unlock(&build_lock); }

void di_wait(di_thread *thread) {
  if (!thread->wake) {
    thread->wake = malloc(sizeof(pthread_cond_t));
    if (!thread->wake || pthread_cond_init(thread->wake, 0) != 0) abort();
  }
  pthread_cond_wait(thread->wake, &build_lock);
}

void di_wake(di_thread *thread) {
  if (thread->wake) pthread_cond_signal(thread->wake);
}
