// A mutex, which is part of the object that it guards: it must not move.
//
// On Linux it is a word on which threads sleep (a futex) only under contention, which is rare: the
// C library's mutex is five words that have to be set up, and two calls.

#ifndef DI_LOCK_H
#define DI_LOCK_H

#include "di_base.h"

#if !defined(__linux__)
#include <pthread.h>
#endif

DI_BEGIN

typedef struct di_lock {
#if defined(__linux__)
  /// Free, held, or held and possibly waited for.
  uint32_t state;
#else
  pthread_mutex_t mutex;
#endif
} di_lock;

#if defined(__linux__)

#define DI_LOCK_INITIALIZER {0}

enum { di_lock_free, di_lock_held, di_lock_waited_for };

/// Waits for a lock that is held, and acquires it.
void di_lock_wait(di_lock *lock);

/// Wakes one of the threads that wait for a lock that was released.
void di_lock_wake(di_lock *lock);

static inline void di_lock_init(di_lock *lock) {
  __atomic_store_n(&lock->state, di_lock_free, __ATOMIC_RELAXED);
}

static inline void di_lock_destroy(di_lock *lock) { (void)lock; }

static inline void di_lock_acquire(di_lock *lock) {
  uint32_t free = di_lock_free;
  if (!__atomic_compare_exchange_n(
          &lock->state, &free, di_lock_held, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    di_lock_wait(lock);
  }
}

static inline void di_lock_release(di_lock *lock) {
  if (__atomic_exchange_n(&lock->state, di_lock_free, __ATOMIC_RELEASE) == di_lock_waited_for) {
    di_lock_wake(lock);
  }
}

#else

#define DI_LOCK_INITIALIZER {PTHREAD_MUTEX_INITIALIZER}

static inline void di_lock_init(di_lock *lock) { pthread_mutex_init(&lock->mutex, 0); }
static inline void di_lock_destroy(di_lock *lock) { pthread_mutex_destroy(&lock->mutex); }
static inline void di_lock_acquire(di_lock *lock) { pthread_mutex_lock(&lock->mutex); }
static inline void di_lock_release(di_lock *lock) { pthread_mutex_unlock(&lock->mutex); }

#endif

/// Returns one of a few mutexes of the process, chosen by an address: for objects without their
/// own.
///
/// A thread that holds one must not acquire another, which may be the same.
di_lock *di_shared_lock(const void *address);

DI_END

#endif
