// The caller and its thread synchronise by the lock. The caller joins a thread that has returned
// before it frees the shared state; a parked thread keeps that state forever.

#include "di_trap_guard.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct di_guarded {
  pthread_mutex_t mutex;
  pthread_cond_t ended;
  bool is_done;
  bool is_parked;
  void (*body)(void *);
  void *owner;
};

static _Thread_local struct di_guarded *current;

static void end_guarded(struct di_guarded *guarded, bool parked) {
  pthread_mutex_lock(&guarded->mutex);
  guarded->is_done = true;
  guarded->is_parked = parked;
  pthread_cond_signal(&guarded->ended);
  pthread_mutex_unlock(&guarded->mutex);
}

static void *run_guarded(void *argument) {
  struct di_guarded *guarded = argument;
  current = guarded;
  guarded->body(guarded->owner);
  end_guarded(guarded, false);
  return 0;
}

bool di_run_guarded(void (*body)(void *), void *owner) {
  struct di_guarded *guarded = calloc(1, sizeof *guarded);
  if (!guarded) abort();
  pthread_mutex_init(&guarded->mutex, 0);
  pthread_cond_init(&guarded->ended, 0);
  guarded->body = body;
  guarded->owner = owner;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 8 * 1024 * 1024);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, run_guarded, guarded) != 0) abort();
  pthread_attr_destroy(&attributes);
  pthread_mutex_lock(&guarded->mutex);
  while (!guarded->is_done) pthread_cond_wait(&guarded->ended, &guarded->mutex);
  bool parked = guarded->is_parked;
  pthread_mutex_unlock(&guarded->mutex);
  if (parked) {
    pthread_detach(thread);
    return false;
  }
  pthread_join(thread, 0);
  pthread_cond_destroy(&guarded->ended);
  pthread_mutex_destroy(&guarded->mutex);
  free(guarded);
  return true;
}

void *di_guarded_owner(void) { return current ? current->owner : 0; }

void di_park_guarded(void) {
  end_guarded(current, true);
  while (true) pause();
}
