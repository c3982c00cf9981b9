#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "DIPrimitives.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

_Thread_local di_thread *di_current_thread;
// One for start-up, which is pending when the process begins.
uintptr_t di_attention = 1;
uintptr_t di_changes;
uintptr_t di_root_assigned;

static di_thread *all_threads;
static pthread_key_t exit_key;
static pthread_once_t exit_once = PTHREAD_ONCE_INIT;

struct di_lock {
  pthread_mutex_t mutex;
};

static void thread_ended(void *record) {
  di_thread *thread = record;
  di_current_thread = 0;
  __atomic_store_n(&thread->in_use, 0, __ATOMIC_RELEASE);
}

static void make_exit_key(void) { pthread_key_create(&exit_key, thread_ended); }

// Leaves room below the limit for a diagnosis to be put together and printed.
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
  // A quarter of it is plenty on a large stack; a small one needs a larger part.
  size_t quarter = size / 4 < 192 * 1024 ? size / 4 : 192 * 1024;
  size_t half = size / 2 < 64 * 1024 ? size / 2 : 64 * 1024;
  size_t reserve = quarter > half ? quarter : half;
  return low + reserve;
}

di_thread *di_thread_make(void) {
  pthread_once(&exit_once, make_exit_key);
  di_thread *thread = 0;
  for (di_thread *t = __atomic_load_n(&all_threads, __ATOMIC_ACQUIRE); t; t = t->next) {
    uint64_t idle = 0;
    if (__atomic_compare_exchange_n(
            &t->in_use, &idle, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      thread = t;
      break;
    }
  }
  if (!thread) {
    // On cache lines of its own: every resolution writes to its thread's record.
    if (posix_memalign((void **)&thread, 128, sizeof(di_thread)) != 0) abort();
    memset(thread, 0, sizeof(di_thread));
    thread->in_use = 1;
    thread->next = __atomic_load_n(&all_threads, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(
        &all_threads, &thread->next, thread, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
    }
  }
  thread->stack_limit = lowest_usable_stack_address();
  pthread_setspecific(exit_key, thread);
  di_current_thread = thread;
  return thread;
}

di_thread *di_thread_first(void) { return __atomic_load_n(&all_threads, __ATOMIC_SEQ_CST); }

void di_quiesce(void) {
  for (di_thread *t = di_thread_first(); t; t = t->next) {
    uint64_t seen = __atomic_load_n(&t->pin, __ATOMIC_SEQ_CST);
    if ((seen & 1) == 0) continue;
    while (__atomic_load_n(&t->pin, __ATOMIC_SEQ_CST) == seen) sched_yield();
  }
}

di_lock *di_lock_make(void) {
  di_lock *lock = malloc(sizeof(di_lock));
  if (!lock || pthread_mutex_init(&lock->mutex, 0) != 0) abort();
  return lock;
}

void di_lock_free(di_lock *lock) {
  pthread_mutex_destroy(&lock->mutex);
  free(lock);
}

void di_lock_acquire(di_lock *lock) { pthread_mutex_lock(&lock->mutex); }
void di_lock_release(di_lock *lock) { pthread_mutex_unlock(&lock->mutex); }

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

// Part of the Swift runtime's stable ABI.
extern const void *swift_conformsToProtocol(const void *type, const void *descriptor);

bool di_conforms(const void *type, const void *descriptor) {
  return swift_conformsToProtocol(type, descriptor) != 0;
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

void di_print_error(const char *text) { fprintf(stderr, "%s\n", text); }

// Two copies of the library in one process (linked statically into an app and into its test
// bundle, say) have two of everything: what is registered in one is unknown to the other. Nothing
// that either copy keeps can tell it of the other, so each leaves a note in the environment when
// its image is loaded. The address of `di_attention` tells copies apart: where the dynamic linker
// has merged them, it is the same.

static char own_runtime[1024];
static char other_runtime[1024];

static const char note_name[] = "DICONTAINER_RUNTIME";

__attribute__((constructor)) static void note_runtime(void) {
  Dl_info info;
  const char *path = "unknown image";
  if (dladdr((const void *)&note_runtime, &info) != 0 && info.dli_fname) path = info.dli_fname;
  snprintf(own_runtime, sizeof own_runtime, "%s", path);

  long process = 0;
  uintptr_t address = 0;
  int rest = 0;
  const char *note = getenv(note_name);
  bool is_read = note && sscanf(note, "%ld %" SCNuPTR " %n", &process, &address, &rest) == 2;
  // A parent process leaves its note too: only one of this process counts.
  if (is_read && rest > 0 && process == (long)getpid()) {
    if (address != (uintptr_t)&di_attention) {
      snprintf(other_runtime, sizeof other_runtime, "%s", note + rest);
    }
    return;
  }
  char text[1100];
  snprintf(
      text, sizeof text, "%ld %" PRIuPTR " %s", (long)getpid(), (uintptr_t)&di_attention, path);
  setenv(note_name, text, 1);
}

const char *di_other_runtime(void) { return other_runtime[0] ? other_runtime : 0; }
const char *di_own_runtime(void) { return own_runtime; }
