// Creates steps, and leaves references to registrations with the threads that run their factories.

#include "di_step.h"

#include <stdlib.h>

typedef struct left_object {
  void *object;
  void (*release)(void *object);
  uint64_t registration;
  struct left_object *next;
} left_object;

di_step *di_step_make(di_thread *thread, di_step *parent) {
  di_step *step = calloc(1, sizeof(di_step));
  if (!step) abort();
  step->parent = parent;
  if (parent) {
    parent->next = step;
  } else {
    di_set_first_step(thread, step);
  }
  return step;
}

static void leave(left_object *left, di_step *step) {
  left->next = __atomic_load_n(&step->left, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(
      &step->left, (void **)&left->next, left, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
  }
}

static void release(left_object *left) {
  left->release(left->object);
  free(left);
}

void di_step_release_left(di_step *step) {
  left_object *left = __atomic_exchange_n(&step->left, 0, __ATOMIC_ACQ_REL);
  while (left) {
    left_object *next = left->next;
    release(left);
    left = next;
  }
}

// Whether a thread is in a step and runs a registration's factory there.
static bool runs(const di_thread *thread, const di_step *step, uint64_t registration) {
  if (di_running_registration(step) != registration) return false;
  const di_step *next = di_steps(thread);
  while (next && next != step) next = next->parent;
  return next != 0;
}

// Releases references whose factory no longer runs in the step where they were left.
static void sort_out(const di_thread *thread, di_step *step) {
  bool is_settled;
  do {
    is_settled = true;
    left_object *left = __atomic_exchange_n(&step->left, 0, __ATOMIC_ACQ_REL);
    while (left) {
      left_object *next = left->next;
      uint64_t registration = left->registration;
      if (runs(thread, step, registration)) {
        leave(left, step);
        // The factory may have returned just now.
        is_settled = is_settled && runs(thread, step, registration);
      } else {
        release(left);
      }
      left = next;
    }
  } while (!is_settled);
}

bool di_is_any_factory_running(void) {
  for (di_thread *thread = di_thread_first(); thread; thread = thread->next) {
    if (di_steps(thread)) return true;
  }
  return false;
}

void di_leave_to_runners(
    uint64_t registration, void *object, void (*retain)(void *), void (*release)(void *)) {
  for (di_thread *thread = di_thread_first(); thread; thread = thread->next) {
    for (di_step *step = di_steps(thread); step; step = step->parent) {
      if (di_running_registration(step) != registration) continue;
      left_object *left = malloc(sizeof(left_object));
      if (!left) abort();
      retain(object);
      *left = (left_object){object, release, registration, 0};
      leave(left, step);
      if (!runs(thread, step, registration)) sort_out(thread, step);
    }
  }
}
