// The records of threads, and the lock under which they wait for each other.

#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "DIPrimitives.h"

#include <stdlib.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

_Thread_local di_thread *di_current_thread;

static pthread_key_t exit_key;
static pthread_once_t exit_once = PTHREAD_ONCE_INIT;

static void thread_ended(void *record) {
  di_thread *thread = record;
  di_current_thread = 0;
  if (thread->chain) thread->release(thread->chain);
  if (thread->wake) pthread_cond_destroy(thread->wake);
  free(thread->wake);
  free(thread);
}

static void make_exit_key(void) { pthread_key_create(&exit_key, thread_ended); }

// Leaves room below the limit to compose and print a diagnosis.
static uintptr_t lowest_usable_stack_address(void) {
  uintptr_t low = 0;
  size_t size = 0;
#if defined(__APPLE__)
  size = pthread_get_stacksize_np(pthread_self());
  low = (uintptr_t)pthread_get_stackaddr_np(pthread_self()) - size;
#elif defined(__linux__)
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void *address = 0;
    if (pthread_attr_getstack(&attributes, &address, &size) == 0) low = (uintptr_t)address;
    pthread_attr_destroy(&attributes);
  }
#endif
  if (low == 0) return 0;
  // A quarter is plenty on a large stack; a small one needs a larger share.
  size_t quarter = size / 4 < 192 * 1024 ? size / 4 : 192 * 1024;
  size_t half = size / 2 < 64 * 1024 ? size / 2 : 64 * 1024;
  size_t reserve = quarter > half ? quarter : half;
  return low + reserve;
}

di_thread *di_thread_make(void) {
  pthread_once(&exit_once, make_exit_key);
  di_thread *thread = calloc(1, sizeof(di_thread));
  if (!thread) abort();
  thread->stack_limit = lowest_usable_stack_address();
  pthread_setspecific(exit_key, thread);
  di_current_thread = thread;
  return thread;
}

bool di_is_main_thread(void) {
#if defined(__APPLE__)
  return pthread_main_np() != 0;
#elif defined(__linux__)
  return syscall(SYS_gettid) == getpid();
#else
  return false;
#endif
}

// One mutex, and a condition variable for each thread that has ever waited.
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
