// Creates steps.

#include "di_step.h"

#include <stdlib.h>

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
