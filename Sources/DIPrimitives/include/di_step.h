// The current resolutions of a thread, and how the registration whose factory one of them runs
// stays alive until the factory has returned, without a counted reference to it: counting takes 6
// ns.
//
//   thread:  di_pin(t); r = …find…; enter a step with r's id; di_unpin(t); …run r's factory…;
//            leave the step, and release the references left there
//   writer:  remove r from its table; di_quiesce(); di_leave_to_runners(id, r); release r
//
// Proof that r stays alive: a thread that found it has entered a step before its read section
// ends. So after di_quiesce the writer finds that step on its walk from the thread's innermost
// step to the outermost, unless the factory has returned. The walk includes steps that the thread
// enters and leaves meanwhile, but a step's parent never changes, and steps are never freed. No
// thread can find r later, because it is in no table.
//
// A thread that leaves its step during the writer's walk may miss a reference left there. It
// releases that when it next leaves a factory at that depth: never, if it does not do so again, or
// was parked in the middle of one.

#ifndef DI_STEP_H
#define DI_STEP_H

#include "di_base.h"
#include "di_thread.h"
#include "di_word.h"

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
  /// di_running. Other threads read it.
  uint64_t running;
  /// A list of registrations that writers left with it. Other threads write it.
  void *_Nullable left;
  /// The build of a keeper's instance, if the resolution is one.
  void *_Nullable build;
  /// The recorded event that the resolution belongs to, or 0.
  uint64_t event;
  /// The request, in memory of the caller, which still waits for the result.
  const void *_Nullable requested;
} di_step;

/// The content of a step's `running`: one word, because every store counts here.
static inline uint64_t di_running(uint64_t registration, bool has_arguments) {
  return registration << 1 | has_arguments;
}

/// Returns the id of the registration whose factory runs.
static inline uint64_t di_running_registration(const di_step *step) {
  return __atomic_load_n(&step->running, __ATOMIC_ACQUIRE) >> 1;
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

/// Records the running factory. A thread that reads it has seen the end of the previous one.
static inline void di_step_run(di_step *step, uint64_t running) {
  __atomic_store_n(&step->running, running, __ATOMIC_RELEASE);
}

/// Releases the references that were left with a step that the thread has left.
void di_step_release_left(di_step *step);

/// Returns whether references were left with a step.
static inline bool di_step_has_left(const di_step *step) {
  return __builtin_expect(__atomic_load_n(&step->left, __ATOMIC_RELAXED) != 0, 0);
}

/// Returns whether a thread may be running a factory, so that references may have to be left with
/// it.
bool di_is_any_factory_running(void);

/// Leaves references to a registration with all threads that run its factory.
///
/// The caller holds it, has removed it from its table and has waited for readers.
void di_leave_to_runners(
    uint64_t registration, void *object, void (*retain)(void *), void (*release)(void *));

DI_END

#endif
