// The record that every thread has, and read sections.
//
// The rest of the package reads shared tables without a lock like this:
//
//   reader:  di_pin(t); p = di_load(&word); …copy out of *p, never calling user code…; di_unpin(t)
//   writer:  old = di_exchange(&word, new); di_quiesce(); …*old is now private to the writer…
//
// Proof that the writer may free *old: di_exchange, di_pin and the loads inside di_quiesce are
// sequentially consistent. If di_quiesce sees a thread unpinned, that thread's next di_pin comes
// later in the single total order than the exchange, so it cannot load the old pointer. If it sees
// the thread pinned, it waits until that very pin is released.

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
  /// Odd while the thread is inside a read section. Written by its own thread only.
  uint64_t pin;
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
  /// The number of the last recorded event, and how many more the thread may use without
  /// `di_events`.
  uint64_t last_event;
  uint64_t events_left;
  uint64_t padding[4];
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

static inline void di_pin(di_thread *thread) {
  __asm__ volatile("" ::: "memory");  // See di_unpin.
  __atomic_exchange_n(&thread->pin, thread->pin + 1, __ATOMIC_SEQ_CST);
  __asm__ volatile("" ::: "memory");
}

static inline void di_unpin(di_thread *thread) {
  // The optimiser does not treat a store as a possible release of an object, so it moves a reader's
  // retain past the store that ends the section, and a later release up into it. It moves neither
  // past this barrier, which costs no instruction.
  __asm__ volatile("" ::: "memory");
  __atomic_store_n(&thread->pin, thread->pin + 1, __ATOMIC_RELEASE);
  __asm__ volatile("" ::: "memory");
}

/// Returns the first of all records, live and idle; follow `next`.
di_thread *_Nullable di_thread_first(void);

/// Returns once every thread that was inside a read section at the call has left it.
void di_quiesce(void);

// Fields of other threads' records: the innermost step is read to find running factories
// (di_step.h), the others are read under the build lock. For ThreadSanitizer, Swift's access to a
// field counts as one to the record's first address; these count as what they are.

static inline void *_Nullable di_waiting_for(const di_thread *thread) {
  return thread->waiting_for;
}

static inline void di_set_waiting_for(di_thread *thread, void *_Nullable turn) {
  thread->waiting_for = turn;
}

static inline struct di_step *_Nullable di_steps(const di_thread *thread) {
  return __atomic_load_n(&thread->steps, __ATOMIC_ACQUIRE);
}

static inline void di_set_steps(di_thread *thread, struct di_step *_Nullable step) {
  __atomic_store_n(&thread->steps, step, __ATOMIC_RELEASE);
}

static inline struct di_step *_Nullable di_first_step(const di_thread *thread) {
  return thread->first_step;
}

static inline void di_set_first_step(di_thread *thread, struct di_step *step) {
  thread->first_step = step;
}

DI_END

#endif
