#include "di_lock.h"

#include <stdint.h>

static struct {
  // On separate cache lines.
  _Alignas(128) di_lock lock;
} shared_locks[64] = {[0 ... 63] = {DI_LOCK_INITIALIZER}};

di_lock *di_shared_lock(const void *address) {
  // Objects are aligned, so their low bits carry no information; the product's high bits depend on
  // all bits.
  return &shared_locks[((uint64_t)(uintptr_t)address * 0x9E3779B97F4A7C15) >> 58].lock;
}
