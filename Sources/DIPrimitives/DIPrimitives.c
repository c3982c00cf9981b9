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

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__linux__)
#include <sys/syscall.h>
#endif
#include <time.h>

_Thread_local di_thread *di_current_thread;
// One for start-up, which is pending when the process begins.
uint64_t di_attention = 1;
void *di_declarations = 0;
uintptr_t di_changes;
uint64_t di_events;
uintptr_t di_registrations = 0;
void *di_nothing_kept = 0;
uintptr_t di_default_scope_is_set = 0;
uintptr_t di_root_assigned;
// One for start-up.
uintptr_t di_odd_scopes = 1;

static di_thread *all_threads;
static pthread_key_t exit_key;
static pthread_once_t exit_once = PTHREAD_ONCE_INIT;

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
  // Somebody else may get the processor between the two clocks.
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
  // A counter that was set back, as when the machine slept, says nothing.
  if (now.ticks <= since.ticks) return 0;
  return (double)(now.nanoseconds - since.nanoseconds) / (double)(now.ticks - since.ticks);
}

void di_quiesce(void) {
  for (di_thread *t = di_thread_first(); t; t = t->next) {
    uint64_t seen = __atomic_load_n(&t->pin, __ATOMIC_SEQ_CST);
    if ((seen & 1) == 0) continue;
    while (__atomic_load_n(&t->pin, __ATOMIC_SEQ_CST) == seen) sched_yield();
  }
}

void *di_memory_make(intptr_t bytes) {
  // Not `calloc`, which has no per-thread cache in glibc; nor may the compiler make it one.
  void *memory = malloc((size_t)bytes);
  __asm__ volatile("" : "+r"(memory));
  if (!memory) abort();
  return memset(memory, 0, (size_t)bytes);
}

void di_memory_free(void *memory) { free(memory); }

extern void *swift_retain(void *object);

bool di_immortalize(void *object, const void *immortal) {
  // An object's second word is its reference count: that is part of Swift's ABI. What the word says
  // is not, so it is copied, and what retaining does to it shows whether it was understood.
  volatile uintptr_t *count = (volatile uintptr_t *)object + 1;
  uintptr_t mortal = *count;
  uintptr_t forever = ((const uintptr_t *)immortal)[1];
  *count = forever;
  swift_retain(object);
  if (*count == forever) return true;
  *count = mortal;
  return false;
}

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
extern void *swift_tryRetain(const void *object);

bool di_try_retain(const void *object) { return swift_tryRetain(object) != 0; }

extern void *swift_unownedRetain(void *object);
extern void swift_unownedRelease(void *object);

void di_hold_memory(void *object) { swift_unownedRetain(object); }
void di_let_memory_go(void *object) { swift_unownedRelease(object); }

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

// Part of the Swift runtime's ABI since 6.0. Without a flag it answers and never traps.
extern bool swift_task_isCurrentExecutorWithFlags(
    void *identity, void *implementation, uint64_t flags) __attribute__((swiftcall, weak));

bool di_runs_on(uintptr_t identity, uintptr_t implementation, bool is_main) {
  if (swift_task_isCurrentExecutorWithFlags) {
    return swift_task_isCurrentExecutorWithFlags((void *)identity, (void *)implementation, 0);
  }
  return is_main && di_is_main_thread();
}

void di_print_error(const char *text) { fprintf(stderr, "%s\n", text); }

// Two copies of the library in one process (linked statically into an app and into its test
// bundle, say) have two of everything: what is registered in one is unknown to the other. Nothing
// that either copy keeps can tell it of the other, so each leaves a line in the environment when
// its image is loaded: its process, its address, whether it was reported, its image's path. The
// address of `di_attention` tells copies apart: where the dynamic linker has merged them, it is
// the same.
//
// A line proves nothing by itself: child processes inherit it, as does the program that a process
// turns into with exec, and an image may have been unloaded since. So a line counts only if its
// address lies, in this process, in an image of that path other than this one's own.

static const char note_name[] = "DICONTAINER_RUNTIMES";
static pthread_mutex_t note_lock = PTHREAD_MUTEX_INITIALIZER;
static char other_runtime[1024];
static char own_runtime[1024];

typedef struct {
  long process;
  uintptr_t address;
  int is_reported;
  char path[1024];
} runtime_note;

// Reads the first line and moves on to the next.
static bool next_note(const char **text, runtime_note *note) {
  while (**text) {
    int length = 0;
    int fields = sscanf(
        *text, "%ld %" SCNuPTR " %d %1023[^\n]%n", &note->process, &note->address,
        &note->is_reported, note->path, &length);
    const char *end = strchr(*text, '\n');
    *text = end ? end + 1 : *text + strlen(*text);
    if (fields == 4) return true;
  }
  return false;
}

static bool is_own(const runtime_note *note) {
  return note->process == (long)getpid() && note->address == (uintptr_t)&di_attention;
}

static bool is_another(const runtime_note *note) {
  Dl_info theirs, ours;
  if (note->process != (long)getpid() || is_own(note)) return false;
  if (!dladdr((const void *)note->address, &theirs) || !theirs.dli_fname) return false;
  if (!dladdr((const void *)&next_note, &ours) || theirs.dli_fbase == ours.dli_fbase) return false;
  return strcmp(theirs.dli_fname, note->path) == 0;
}

// Writes the lines that count, and this copy's own. With `report`, all count as reported.
static void write_notes(bool report) {
  char text[8192];
  size_t used = 0;
  const char *old = getenv(note_name);
  runtime_note note;
  bool is_noted = false;
  while (old && next_note(&old, &note) && used + 1100 < sizeof text) {
    if (!is_own(&note) && !is_another(&note)) continue;
    is_noted = is_noted || is_own(&note);
    used += (size_t)snprintf(
        text + used, sizeof text - used, "%ld %" PRIuPTR " %d %s\n", note.process, note.address,
        report || note.is_reported, note.path);
  }
  if (!is_noted) {
    snprintf(
        text + used, sizeof text - used, "%ld %" PRIuPTR " %d %s\n", (long)getpid(),
        (uintptr_t)&di_attention, report, own_runtime);
  }
  setenv(note_name, text, 1);
}

__attribute__((constructor)) static void note_runtime(void) {
  Dl_info info;
  const char *path = "unknown image";
  if (dladdr((const void *)&note_runtime, &info) && info.dli_fname) path = info.dli_fname;
  snprintf(own_runtime, sizeof own_runtime, "%s", path);
  write_notes(false);
}

const char *di_other_runtime(void) {
  pthread_mutex_lock(&note_lock);
  const char *text = getenv(note_name);
  runtime_note note;
  bool is_reported = false;
  other_runtime[0] = 0;
  while (text && next_note(&text, &note)) {
    if (is_own(&note)) is_reported = note.is_reported;
    if (is_another(&note) && !other_runtime[0]) {
      snprintf(other_runtime, sizeof other_runtime, "%s", note.path);
    }
  }
  bool is_found = other_runtime[0] && !is_reported;
  if (is_found) write_notes(true);
  pthread_mutex_unlock(&note_lock);
  return is_found ? other_runtime : 0;
}

const char *di_own_runtime(void) { return own_runtime; }

// Errands. Who waits and who runs meet under the errand's lock. The caller joins a thread that came
// to its end before it frees what they share; a parked thread keeps its errand for ever.

struct di_errand {
  pthread_mutex_t mutex;
  pthread_cond_t ended;
  bool is_done;
  bool is_parked;
  void (*body)(void *);
  void *owner;
};

static _Thread_local struct di_errand *current_errand;

static void end_errand(struct di_errand *errand, bool parked) {
  pthread_mutex_lock(&errand->mutex);
  errand->is_done = true;
  errand->is_parked = parked;
  pthread_cond_signal(&errand->ended);
  pthread_mutex_unlock(&errand->mutex);
}

static void *run_errand(void *argument) {
  struct di_errand *errand = argument;
  current_errand = errand;
  errand->body(errand->owner);
  end_errand(errand, false);
  return 0;
}

bool di_run_errand(void (*body)(void *), void *owner) {
  struct di_errand *errand = calloc(1, sizeof *errand);
  if (!errand) abort();
  pthread_mutex_init(&errand->mutex, 0);
  pthread_cond_init(&errand->ended, 0);
  errand->body = body;
  errand->owner = owner;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 8 * 1024 * 1024);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, run_errand, errand) != 0) abort();
  pthread_attr_destroy(&attributes);
  pthread_mutex_lock(&errand->mutex);
  while (!errand->is_done) pthread_cond_wait(&errand->ended, &errand->mutex);
  bool parked = errand->is_parked;
  pthread_mutex_unlock(&errand->mutex);
  if (parked) {
    pthread_detach(thread);
    return false;
  }
  pthread_join(thread, 0);
  pthread_cond_destroy(&errand->ended);
  pthread_mutex_destroy(&errand->mutex);
  free(errand);
  return true;
}

void *di_errand_owner(void) { return current_errand ? current_errand->owner : 0; }

void di_park_errand(void) {
  end_errand(current_errand, true);
  while (true) pause();
}

static _Thread_local void *containers_going;

void **di_containers_going(void) { return &containers_going; }
