// The record that every thread has: its identity for others that wait for it, and a slot for the
// chain of its requests.

#ifndef DI_THREAD_H
#define DI_THREAD_H

#include "di_base.h"

DI_BEGIN

/// The state of a thread, made at its first request and freed at its end.
typedef struct di_thread {
  /// Nothing lives at offset 0: ThreadSanitizer attributes Swift's reads of any field to it.
  uintptr_t reserved;
  /// The thread's chain, which the record holds, and what releases it.
  void *_Nullable chain;
  void (*_Nullable release)(void *chain);
  /// The lowest stack address at which a factory may start.
  uintptr_t stack_limit;
  /// The turn that the thread waits for; guarded by the build lock.
  void *_Nullable waiting_for;
  /// The condition to wait on for a build by another thread; made on first use.
  void *_Nullable wake;
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

static inline uintptr_t di_stack_limit(const di_thread *thread) { return thread->stack_limit; }

static inline void *_Nullable di_chain(const di_thread *thread) { return thread->chain; }

static inline void di_set_chain(di_thread *thread, void *chain, void (*release)(void *)) {
  thread->chain = chain;
  thread->release = release;
}

static inline void *_Nullable di_waiting_for(const di_thread *thread) {
  return thread->waiting_for;
}

static inline void di_set_waiting_for(di_thread *thread, void *_Nullable turn) {
  thread->waiting_for = turn;
}

DI_END

#endif
