// The current resolutions of a thread, and how the registration whose factory one of them runs
// stays alive until the factory has returned, without a counted reference to it: counting takes 6
// ns.
//
//   thread:  di_pin(t); r = …find…; enter a frame with r's id; di_unpin(t); …run r's factory…;
//            leave the frame, and release the references left there
//   writer:  remove r from its table; di_quiesce(); di_leave_to_runners(id, r); release r
//
// Proof that r stays alive: a thread that found it has entered a frame before its read section
// ends. So after di_quiesce the writer finds that frame on its walk from the thread's innermost
// frame to the outermost, unless the factory has returned. The walk includes frames that the thread
// enters and leaves meanwhile, but a frame's parent never changes, and frames are never freed. No
// thread can find r later, because it is in no table.
//
// A thread that leaves its frame during the writer's walk may miss a reference left there. It
// releases that when it next leaves a factory at that depth: never, if it does not do so again, or
// was parked in the middle of one.

#ifndef DI_FRAME_H
#define DI_FRAME_H

#include "di_base.h"
#include "di_thread.h"
#include "di_word.h"

DI_BEGIN

/// A current resolution.
///
/// A thread's frames form a list as long as its deepest resolution was. They are reused and stay
/// with the thread's record, so that the machine's stack, of which deep chains need every byte,
/// only holds the frames of the factories themselves.
typedef struct di_frame {
  /// Nothing lives at offset 0: ThreadSanitizer attributes Swift's reads of any field to it.
  uintptr_t reserved;
  /// The enclosing resolution, whose factory requested this one.
  struct di_frame *_Nullable parent;
  /// The frame for a resolution nested in this one, once there was one.
  struct di_frame *_Nullable next;
  /// The registration whose factory runs, and whether the request has arguments: see
  /// di_running. Other threads read it.
  uint64_t running;
  /// A list of registrations that writers left with it. Other threads write it.
  void *_Nullable left;
  /// The keeper that the resolution builds for, if any.
  void *_Nullable keeper;
  /// The recorded event that the resolution belongs to, or 0.
  uint64_t event;
  /// The request, in memory of the caller, which still waits for the result.
  const void *_Nullable requested;
} di_frame;

/// The content of a frame's `running`: one word, because every store counts here.
static inline uint64_t di_running(uint64_t registration, bool has_arguments) {
  return registration << 1 | has_arguments;
}

/// Returns the id of the registration whose factory runs.
static inline uint64_t di_running_registration(const di_frame *frame) {
  return __atomic_load_n(&frame->running, __ATOMIC_ACQUIRE) >> 1;
}

/// Creates the frame for resolutions nested in another one, or for outermost ones.
di_frame *di_frame_make(di_thread *thread, di_frame *_Nullable parent);

/// Returns the frame for a resolution nested in another one, or for an outermost one.
static inline di_frame *di_frame_after(di_thread *thread, di_frame *_Nullable parent) {
  di_frame *next;
  if (__builtin_expect(parent == 0, 1)) {
    next = di_first_frame(thread);
  } else {
    next = parent->next;
  }
  return __builtin_expect(next != 0, 1) ? next : di_frame_make(thread, parent);
}

/// Records the running factory. A thread that reads it has seen the end of the previous one.
static inline void di_frame_run(di_frame *frame, uint64_t running) {
  __atomic_store_n(&frame->running, running, __ATOMIC_RELEASE);
}

/// Releases the references that were left with a frame that the thread has left.
void di_frame_let_go(di_frame *frame);

/// Returns whether references were left with a frame.
static inline bool di_frame_was_left_something(const di_frame *frame) {
  return __builtin_expect(__atomic_load_n(&frame->left, __ATOMIC_RELAXED) != 0, 0);
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
