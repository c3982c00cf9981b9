// Primitives that Swift cannot express on the oldest supported systems, or not as fast. Functions on
// hot paths are `static inline`, so that they cost no call.

#ifndef DI_PRIMITIVES_H
#define DI_PRIMITIVES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#if UINTPTR_MAX != UINT64_MAX
#error "DIContainer needs 64-bit words: on watchOS, build for arm64 and not for arm64_32."
#endif

#ifdef __cplusplus
extern "C" {
#endif
_Pragma("clang assume_nonnull begin")

// MARK: Words that several threads read and write

static inline uintptr_t di_load_word(const uintptr_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void di_store_word(uintptr_t *word, uintptr_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/// A mutex, which is part of the object that it guards: it must not move. Beside it is a word that
/// is read without it.
typedef struct di_lock {
  pthread_mutex_t mutex;
  uintptr_t word;
} di_lock;

static inline void di_lock_init(di_lock *lock) { pthread_mutex_init(&lock->mutex, 0); }
static inline void di_lock_destroy(di_lock *lock) { pthread_mutex_destroy(&lock->mutex); }
static inline void di_lock_acquire(di_lock *lock) { pthread_mutex_lock(&lock->mutex); }
static inline void di_lock_release(di_lock *lock) { pthread_mutex_unlock(&lock->mutex); }

// MARK: Threads

/// The state of a thread, made at its first request and freed at its end.
typedef struct di_thread {
  /// The lowest stack address at which a factory may start.
  uintptr_t stack_limit;
  /// The chain of its requests, which the record holds, and what releases it.
  void *_Nullable chain;
  void (*_Nullable release)(void *chain);
  /// The condition to wait on for a build by another thread; made on first use.
  pthread_cond_t *_Nullable wake;
} di_thread;

extern _Thread_local di_thread *_Nullable di_current_thread;
di_thread *di_thread_make(void);

/// Returns the calling thread's record.
static inline di_thread *di_thread_get(void) {
  di_thread *thread = di_current_thread;
  return __builtin_expect(thread != 0, 1) ? (di_thread *)thread : di_thread_make();
}

/// Returns an address in the caller's stack frame.
static inline uintptr_t di_stack_address(void) { return (uintptr_t)__builtin_frame_address(0); }

/// Returns whether the calling thread is the main thread.
bool di_is_main_thread(void);

/// The lock of all builds and turns. No user code runs while it is held.
void di_build_lock_acquire(void);
void di_build_lock_release(void);
/// Sleeps until `di_wake`, or wakes spuriously; the build lock is held before and after.
void di_wait(di_thread *thread);
/// Wakes the thread of a record; the caller holds the build lock.
void di_wake(di_thread *thread);

// MARK: State of the whole process

// C variables rather than Swift globals, each access to which would check whether they are
// initialised.

/// Not zero while a resolution may need more than the container's own table: start-up that has not
/// run yet, an open scope, a recorder, the process's decorator, a testing module that watches, an
/// async resolution.
///
/// Async resolutions are counted in the upper half: they only matter to requests that they make.
/// Both counts are in one word, because two would be read at different moments.
extern uint64_t di_attention;

static inline uint64_t di_attention_needed(void) {
  return __atomic_load_n(&di_attention, __ATOMIC_RELAXED);
}

/// Returns whether only async resolutions require attention.
static inline bool di_attention_is_async(uint64_t attention) { return (uint32_t)attention == 0; }

/// Returns whether any async resolution is under way.
static inline bool di_attention_has_async(uint64_t attention) { return attention >> 32 != 0; }

static inline void di_attention_add(intptr_t value) {
  __atomic_fetch_add(&di_attention, (uint64_t)(int64_t)value, __ATOMIC_SEQ_CST);
}

static inline void di_attention_add_async(intptr_t value) {
  __atomic_fetch_add(&di_attention, (uint64_t)(int64_t)value << 32, __ATOMIC_SEQ_CST);
}

/// The latest serial number: registrations, keepers, frames, containers and events share one
/// sequence.
extern uintptr_t di_serial_numbers;

static inline uintptr_t di_next_serial_number(void) {
  return __atomic_add_fetch(&di_serial_numbers, 1, __ATOMIC_ACQ_REL);
}

/// The number of changes of registries and of nested containers, for `RequestCache`.
extern uintptr_t di_generations;

static inline uintptr_t di_generation(void) { return di_load_word(&di_generations); }

static inline void di_begin_generation(void) {
  __atomic_fetch_add(&di_generations, 1, __ATOMIC_ACQ_REL);
}

/// Facts about the process, which spare most requests further checks.
typedef enum di_fact {
  /// Whether another root than main is assigned.
  di_root_is_assigned,
  /// Whether any container has registered for a property of another one; never reset.
  di_qualified_keys_are_used,
  /// Whether a testing module has installed the delegate.
  di_tests_are_known,
  /// Whether it was checked that there is no testing module.
  di_tests_are_impossible,
  /// How many there are.
  di_fact_count,
} di_fact;

extern uintptr_t di_facts[di_fact_count];

static inline bool di_holds(di_fact fact) { return di_load_word(&di_facts[fact]) != 0; }
static inline void di_note(di_fact fact, bool holds) { di_store_word(&di_facts[fact], holds); }

// MARK: Swift's runtime

// HowTheKernelWorks lists which of these are stable ABI, and how the others are guarded.

/// Retains an object that may be being deallocated; returns false if it is.
///
/// The caller ensures that its memory is valid.
bool di_try_retain(const void *object);

/// Holds the memory of an object, which may be deinitialised meanwhile, or lets go of it.
void di_unowned_retain(const void *object);
void di_unowned_release(const void *object);

/// Returns whether a type conforms to a protocol, both given by metadata.
bool di_conforms(const void *type, const void *descriptor);

/// Returns whether it conforms on a global actor only: a cast elsewhere fails.
///
/// It returns false if the runtime is too old to have such conformances.
bool di_conforms_isolated(const void *type, const void *descriptor);

// MARK: Copies of the library in one process, and what they say

/// Returns the path of another image with a copy of this library in the process.
///
/// It returns null if there is none, or if either copy has already reported one.
const char *_Nullable di_other_runtime(void);
/// Returns the path of the image that contains this copy of the library.
const char *di_own_runtime(void);

/// Writes a text and a line break to standard error.
void di_print_error(const char *text);

_Pragma("clang assume_nonnull end")
#ifdef __cplusplus
}
#endif

#endif
