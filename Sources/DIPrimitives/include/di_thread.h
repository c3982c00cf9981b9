// The record that every thread has.

#ifndef DI_THREAD_H
#define DI_THREAD_H

#include "di_base.h"

DI_BEGIN

struct di_step;

/// The state that a thread keeps between resolutions. Records are never freed: each is reused by a
/// new thread when its own ends, so a walk over all of them needs no lock.
typedef struct di_thread {
  /// Nothing lives at offset 0: ThreadSanitizer attributes Swift's reads of any field to it.
  uint64_t reserved;
  /// The innermost current resolution of the thread.
  struct di_step *_Nullable steps;
  /// The instances that the running object graph shares.
  void *_Nullable graph;
  /// The lowest stack address at which a factory may start.
  uintptr_t stack_limit;
  /// The turn that the thread waits for; guarded by the build lock.
  void *_Nullable waiting_for;
  /// The condition to wait on for a build by another thread; made on first use.
  void *_Nullable wake;
  struct di_thread *_Nullable next;
  uint64_t in_use;
  /// The step of an outermost resolution; those of nested ones follow from it.
  struct di_step *_Nullable first_step;
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

// Fields of other threads' records, which are read under the build lock. For ThreadSanitizer, Swift's
// access to a field counts as one to the record's first address; these count as what they are.

static inline void *_Nullable di_waiting_for(const di_thread *thread) {
  return thread->waiting_for;
}

static inline void di_set_waiting_for(di_thread *thread, void *_Nullable turn) {
  thread->waiting_for = turn;
}

static inline struct di_step *_Nullable di_steps(const di_thread *thread) {
  return thread->steps;
}

static inline void di_set_steps(di_thread *thread, struct di_step *_Nullable step) {
  thread->steps = step;
}

static inline struct di_step *_Nullable di_first_step(const di_thread *thread) {
  return thread->first_step;
}

static inline void di_set_first_step(di_thread *thread, struct di_step *step) {
  thread->first_step = step;
}

DI_END

#endif
