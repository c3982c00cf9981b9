// The current resolutions of a thread.

#ifndef DI_STEP_H
#define DI_STEP_H

#include "di_base.h"
#include "di_thread.h"

DI_BEGIN

/// A current resolution.
///
/// A thread's steps form a list as long as its deepest resolution was. They are reused and stay
/// with the thread's record, so that the machine's stack, of which deep chains need every byte,
/// only holds the stack frames of the factories themselves.
typedef struct di_step {
  /// Nothing lives at offset 0: ThreadSanitizer attributes Swift's reads of any field to it.
  uintptr_t reserved;
  /// The enclosing resolution, whose factory requested this one.
  struct di_step *_Nullable parent;
  /// The step for a resolution nested in this one, once there was one.
  struct di_step *_Nullable next;
  /// The registration whose factory runs, and whether the request has arguments: see
  /// di_running.
  uint64_t running;
  /// The build of a keeper's instance, if the resolution is one.
  void *_Nullable build;
  /// The recorded event that the resolution belongs to, or 0.
  uint64_t event;
  /// The request, in memory of the caller, which still waits for the result.
  const void *_Nullable requested;
} di_step;

/// The content of a step's `running`.
static inline uint64_t di_running(uint64_t registration, bool has_arguments) {
  return registration << 1 | has_arguments;
}

/// Creates the step for resolutions nested in another one, or for outermost ones.
di_step *di_step_make(di_thread *thread, di_step *_Nullable parent);

/// Returns the step for a resolution nested in another one, or for an outermost one.
static inline di_step *di_step_after(di_thread *thread, di_step *_Nullable parent) {
  di_step *next;
  if (__builtin_expect(parent == 0, 1)) {
    next = di_first_step(thread);
  } else {
    next = parent->next;
  }
  return __builtin_expect(next != 0, 1) ? next : di_step_make(thread, parent);
}

DI_END

#endif
