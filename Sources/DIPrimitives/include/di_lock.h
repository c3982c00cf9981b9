// A mutex, which is part of the object that it guards: it must not move. Beside it is a word that is
// read without it.

#ifndef DI_LOCK_H
#define DI_LOCK_H

#include "di_base.h"

#include <pthread.h>

DI_BEGIN

typedef struct di_lock {
  pthread_mutex_t mutex;
  uintptr_t word;
} di_lock;

static inline void di_lock_init(di_lock *lock) { pthread_mutex_init(&lock->mutex, 0); }
static inline void di_lock_destroy(di_lock *lock) { pthread_mutex_destroy(&lock->mutex); }
static inline void di_lock_acquire(di_lock *lock) { pthread_mutex_lock(&lock->mutex); }
static inline void di_lock_release(di_lock *lock) { pthread_mutex_unlock(&lock->mutex); }

DI_END

#endif
