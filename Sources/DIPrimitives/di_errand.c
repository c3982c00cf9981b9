// The caller and its thread synchronise by the errand's lock. The caller joins a thread that has
// returned before it frees the shared state; a parked thread keeps its errand forever.

#include "di_errand.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct di_errand {
  pthread_mutex_t mutex;
  pthread_cond_t ended;
  bool is_done;
  bool is_parked;
  void (*body)(void *);
  void *owner;
};

static _Thread_local struct di_errand *current_errand;

static void end_errand(struct di_errand *errand, bool parked) {
  pthread_mutex_lock(&errand->mutex);
  errand->is_done = true;
  errand->is_parked = parked;
  pthread_cond_signal(&errand->ended);
  pthread_mutex_unlock(&errand->mutex);
}

static void *run_errand(void *argument) {
  struct di_errand *errand = argument;
  current_errand = errand;
  errand->body(errand->owner);
  end_errand(errand, false);
  return 0;
}

bool di_run_errand(void (*body)(void *), void *owner) {
  struct di_errand *errand = calloc(1, sizeof *errand);
  if (!errand) abort();
  pthread_mutex_init(&errand->mutex, 0);
  pthread_cond_init(&errand->ended, 0);
  errand->body = body;
  errand->owner = owner;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 8 * 1024 * 1024);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, run_errand, errand) != 0) abort();
  pthread_attr_destroy(&attributes);
  pthread_mutex_lock(&errand->mutex);
  while (!errand->is_done) pthread_cond_wait(&errand->ended, &errand->mutex);
  bool parked = errand->is_parked;
  pthread_mutex_unlock(&errand->mutex);
  if (parked) {
    pthread_detach(thread);
    return false;
  }
  pthread_join(thread, 0);
  pthread_cond_destroy(&errand->ended);
  pthread_mutex_destroy(&errand->mutex);
  free(errand);
  return true;
}

void *di_errand_owner(void) { return current_errand ? current_errand->owner : 0; }

void di_park_errand(void) {
  end_errand(current_errand, true);
  while (true) pause();
}
