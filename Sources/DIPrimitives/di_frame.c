// Creates frames, and leaves references to registrations with the threads that run their factories.

#include "di_frame.h"

#include <stdlib.h>

typedef struct left_object {
  void *object;
  void (*release)(void *object);
  uint64_t registration;
  struct left_object *next;
} left_object;

di_frame *di_frame_make(di_thread *thread, di_frame *parent) {
  di_frame *frame = calloc(1, sizeof(di_frame));
  if (!frame) abort();
  frame->parent = parent;
  if (parent) {
    parent->next = frame;
  } else {
    di_set_first_frame(thread, frame);
  }
  return frame;
}

static void leave(left_object *left, di_frame *frame) {
  left->next = __atomic_load_n(&frame->left, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(
      &frame->left, (void **)&left->next, left, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
  }
}

static void release(left_object *left) {
  left->release(left->object);
  free(left);
}

void di_frame_let_go(di_frame *frame) {
  left_object *left = __atomic_exchange_n(&frame->left, 0, __ATOMIC_ACQ_REL);
  while (left) {
    left_object *next = left->next;
    release(left);
    left = next;
  }
}

// Whether a thread is in a frame and runs a registration's factory there.
static bool runs(const di_thread *thread, const di_frame *frame, uint64_t registration) {
  if (di_running_registration(frame) != registration) return false;
  const di_frame *next = di_frames(thread);
  while (next && next != frame) next = next->parent;
  return next != 0;
}

// Releases references whose factory no longer runs in the frame where they were left.
static void sort_out(const di_thread *thread, di_frame *frame) {
  bool is_settled;
  do {
    is_settled = true;
    left_object *left = __atomic_exchange_n(&frame->left, 0, __ATOMIC_ACQ_REL);
    while (left) {
      left_object *next = left->next;
      uint64_t registration = left->registration;
      if (runs(thread, frame, registration)) {
        leave(left, frame);
        // The factory may have returned just now.
        is_settled = is_settled && runs(thread, frame, registration);
      } else {
        release(left);
      }
      left = next;
    }
  } while (!is_settled);
}

bool di_is_any_factory_running(void) {
  for (di_thread *thread = di_thread_first(); thread; thread = thread->next) {
    if (di_frames(thread)) return true;
  }
  return false;
}

void di_leave_to_runners(
    uint64_t registration, void *object, void (*retain)(void *), void (*release)(void *)) {
  for (di_thread *thread = di_thread_first(); thread; thread = thread->next) {
    for (di_frame *frame = di_frames(thread); frame; frame = frame->parent) {
      if (di_running_registration(frame) != registration) continue;
      left_object *left = malloc(sizeof(left_object));
      if (!left) abort();
      retain(object);
      *left = (left_object){object, release, registration, 0};
      leave(left, frame);
      if (!runs(thread, frame, registration)) sort_out(thread, frame);
    }
  }
}
