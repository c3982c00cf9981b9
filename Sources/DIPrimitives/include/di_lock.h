// A mutex, which lies in the object that it guards: it must not move.

#ifndef DI_LOCK_H
#define DI_LOCK_H

#include <pthread.h>

#include "di_base.h"

DI_BEGIN

typedef struct di_lock {
  pthread_mutex_t mutex;
} di_lock;

static inline void di_lock_init(di_lock *lock) {
  // Not by the function, whose call took longer than the lock.
  lock->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
static inline void di_lock_destroy(di_lock *lock) {
#if !defined(__GLIBC__)
  pthread_mutex_destroy(&lock->mutex);
#endif  // There a mutex is nothing but its memory, and the call takes as long as locking it.
}
static inline void di_lock_acquire(di_lock *lock) { pthread_mutex_lock(&lock->mutex); }
static inline void di_lock_release(di_lock *lock) { pthread_mutex_unlock(&lock->mutex); }

/// One of a few mutexes of the process, chosen by an address: for what has none of its own.
///
/// Whoever holds one takes no other of them, for it may be the same.
di_lock *di_shared_lock(const void *address);

DI_END

#endif
