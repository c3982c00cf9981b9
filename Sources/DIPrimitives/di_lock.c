#include "di_lock.h"

#include <stdint.h>

#if defined(__linux__)

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's numbers for what one process alone uses; its headers are not there on every Linux.
enum { futex_wait = 128 | 0, futex_wake = 128 | 1 };

// Keeps `errno`, as a mutex does: users may look at it only after they have asked for a service.
static void futex(di_lock *lock, int operation, int value) {
  int error = errno;
  // No time limit, as a pointer: what is passed for `...` is not converted.
  syscall(SYS_futex, &lock->state, operation, value, (void *)0);
  errno = error;
}

// Whoever had to wait takes the lock as one that is waited for, since others may wait still; at
// worst nobody does, and one call wakes nobody.
void di_lock_wait(di_lock *lock) {
  while (__atomic_exchange_n(&lock->state, di_lock_waited_for, __ATOMIC_ACQUIRE) != di_lock_free) {
    // Returns at once if the state is another one by now.
    futex(lock, futex_wait, di_lock_waited_for);
  }
}

void di_lock_wake(di_lock *lock) { futex(lock, futex_wake, 1); }

#endif

static struct {
  // On cache lines of their own.
  _Alignas(128) di_lock lock;
} shared_locks[64] = {[0 ... 63] = {DI_LOCK_INITIALIZER}};

di_lock *di_shared_lock(const void *address) {
  // Objects are aligned, so their low bits say nothing; the product's high bits depend on all.
  return &shared_locks[((uint64_t)(uintptr_t)address * 0x9E3779B97F4A7C15) >> 58].lock;
}
