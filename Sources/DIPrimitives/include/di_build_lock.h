// The single lock of all keepers, and a way to wait under it. No user code runs while it is held.

#ifndef DI_BUILD_LOCK_H
#define DI_BUILD_LOCK_H

#include "di_thread.h"

DI_BEGIN

void di_build_lock_acquire(void);
void di_build_lock_release(void);
/// Sleeps until `di_wake`, or wakes spuriously; the build lock is held before and after.
void di_wait(di_thread *thread);
/// Wakes the thread of a record; the caller holds the build lock.
void di_wake(di_thread *thread);

DI_END

#endif
