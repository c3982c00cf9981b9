#include "di_lock.h"

#include <stdint.h>

#if defined(__linux__)

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's constants for process-private futexes; not every Linux has its headers installed.
enum { futex_wait = 128 | 0, futex_wake = 128 | 1 };

// Preserves `errno`, as a mutex does: users may read it after they have resolved a service.
static void futex(di_lock *lock, int operation, int value) {
  int error = errno;
  // No time limit, passed as a pointer: arguments for `...` are not converted.
  syscall(SYS_futex, &lock->state, operation, value, (void *)0);
  errno = error;
}

// A thread that had to wait marks the lock as waited for, since others may still be waiting; at
// worst none is, and one call wakes no thread.
void di_lock_wait(di_lock *lock) {
  while (__atomic_exchange_n(&lock->state, di_lock_waited_for, __ATOMIC_ACQUIRE) != di_lock_free) {
    // Returns at once if the state has changed meanwhile.
    futex(lock, futex_wait, di_lock_waited_for);
  }
}

void di_lock_wake(di_lock *lock) { futex(lock, futex_wake, 1); }

#endif

static struct {
  // On separate cache lines.
  _Alignas(128) di_lock lock;
} shared_locks[64] = {[0 ... 63] = {DI_LOCK_INITIALIZER}};

di_lock *di_shared_lock(const void *address) {
  // Objects are aligned, so their low bits carry no information; the product's high bits depend on
  // all bits.
  return &shared_locks[((uint64_t)(uintptr_t)address * 0x9E3779B97F4A7C15) >> 58].lock;
}
