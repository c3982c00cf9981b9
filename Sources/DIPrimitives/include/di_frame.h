// The resolutions under way on a thread, and how the registration whose factory one of them runs
// stays until the factory has returned, although nobody counts a reference to it: that takes 6 ns.
//
//   thread:  di_pin(t); r = …find…; enter a frame, which says r's id; di_unpin(t); …run r's factory…;
//            leave the frame, and let go of what was left there
//   writer:  take r out of its table; di_quiesce(); di_leave_to_runners(id, r); release r
//
// Proof that r stays: a thread that found it has entered a frame before its read section ends. So
// after di_quiesce the writer meets that frame on its way from the thread's innermost frame to the
// outermost, unless the factory has returned. That way leads through what the thread enters and
// leaves meanwhile, but a frame's parent never changes, and frames are never freed. No thread comes
// to r later, for it is in no table.
//
// A thread that leaves while the writer looks may miss what was left. It lets go of it when it next
// leaves a factory at that depth: never, if it does so no more, or was parked in the middle of one.

#ifndef DI_FRAME_H
#define DI_FRAME_H

#include "di_base.h"
#include "di_thread.h"
#include "di_word.h"

DI_BEGIN

/// One resolution under way.
///
/// A thread's frames form a list that is as long as its deepest resolution was. They are reused and
/// stay with the thread's record, so that the machine's stack, of which deep chains need every
/// byte, has only what the factories themselves put there.
typedef struct di_frame {
  /// Nothing lives at offset 0: ThreadSanitizer attributes Swift's reads of any field to it.
  uintptr_t reserved;
  /// The resolution in whose factory this one was asked for.
  struct di_frame *_Nullable parent;
  /// The frame for a resolution inside this one, once there was one.
  struct di_frame *_Nullable next;
  /// The registration whose factory runs, and whether the request has arguments: see
  /// di_running. Other threads read it.
  uint64_t running;
  /// Registrations that writers left to it: a list. Other threads write it.
  void *_Nullable left;
  /// The once-state that the resolution builds for, if any.
  void *_Nullable slot;
  /// The recorded event that the resolution belongs to, or 0.
  uint64_t event;
  /// With whoever asked, who is still waiting for the answer.
  const void *_Nullable requested;
} di_frame;

/// What a frame says is running: one word, for every store counts here.
static inline uint64_t di_running(uint64_t registration, bool has_arguments) {
  return registration << 1 | has_arguments;
}

/// The id of the registration whose factory runs.
static inline uint64_t di_running_registration(const di_frame *frame) {
  return __atomic_load_n(&frame->running, __ATOMIC_ACQUIRE) >> 1;
}

/// Makes the frame for resolutions inside another one, or for outermost ones.
di_frame *di_frame_make(di_thread *thread, di_frame *_Nullable parent);

/// The frame for a resolution inside another one, or for an outermost one.
static inline di_frame *di_frame_after(di_thread *thread, di_frame *_Nullable parent) {
  di_frame *next;
  if (__builtin_expect(parent == 0, 1)) {
    next = di_first_frame(thread);
  } else {
    next = parent->next;
  }
  return __builtin_expect(next != 0, 1) ? next : di_frame_make(thread, parent);
}

/// Says what runs. Whoever sees that has seen the end of what ran there before.
static inline void di_frame_run(di_frame *frame, uint64_t running) {
  __atomic_store_n(&frame->running, running, __ATOMIC_RELEASE);
}

/// Lets go of what was left to a frame that the thread has left.
void di_frame_let_go(di_frame *frame);

/// Whether something was left to a frame.
static inline bool di_frame_was_left_something(const di_frame *frame) {
  return __builtin_expect(__atomic_load_n(&frame->left, __ATOMIC_RELAXED) != 0, 0);
}

/// Whether a thread may be running a factory, so that something may have to be left to it.
bool di_is_any_factory_running(void);

/// Leaves references to a registration to all threads that run its factory.
///
/// The caller holds it, has taken it out of its table and has waited for readers.
void di_leave_to_runners(uint64_t registration, void *object);

DI_END

#endif
