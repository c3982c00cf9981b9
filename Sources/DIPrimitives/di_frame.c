// Makes frames, and leaves registrations to those that run their factories.

#include "di_frame.h"

#include <stdlib.h>

extern void *swift_retain(void *object);
extern void swift_release(void *object);

typedef struct left_object {
  void *object;
  uintptr_t registration;
  struct left_object *next;
} left_object;

di_frame *di_frame_make(di_thread *thread, di_frame *parent) {
  di_frame *frame = calloc(1, sizeof(di_frame));
  if (!frame) abort();
  frame->parent = parent;
  // Other threads follow it.
  if (parent) {
    __atomic_store_n(&parent->next, frame, __ATOMIC_RELEASE);
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
  swift_release(left->object);
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

// What a frame has stopped running while it was left there goes at once.
static void sort_out(di_frame *frame) {
  left_object *left = __atomic_exchange_n(&frame->left, 0, __ATOMIC_ACQ_REL);
  while (left) {
    left_object *next = left->next;
    if (di_load_word(&frame->registration) == left->registration) {
      leave(left, frame);
    } else {
      release(left);
    }
    left = next;
  }
}

bool di_is_any_factory_running(void) {
  for (di_thread *thread = di_thread_first(); thread; thread = thread->next) {
    if (di_frames(thread)) return true;
  }
  return false;
}

void di_leave_to_runners(uintptr_t registration, void *object) {
  for (di_thread *thread = di_thread_first(); thread; thread = thread->next) {
    if (!di_frames(thread)) continue;
    di_frame *frame = di_first_frame(thread);
    // A frame is in use only if all before it are.
    for (; frame; frame = __atomic_load_n(&frame->next, __ATOMIC_ACQUIRE)) {
      uintptr_t running = di_load_word(&frame->registration);
      if (running == 0) break;
      if (running != registration) continue;
      left_object *left = malloc(sizeof(left_object));
      if (!left) abort();
      *left = (left_object){swift_retain(object), registration, 0};
      leave(left, frame);
      if (di_load_word(&frame->registration) != registration) sort_out(frame);
    }
  }
}
