// A guarded function runs on a thread of its own while the caller waits. If it would trap midway,
// where it can neither return nor unwind, its thread is parked permanently and the caller continues.

#ifndef DI_TRAP_GUARD_H
#define DI_TRAP_GUARD_H

#include "di_base.h"

DI_BEGIN

/// Runs `body` on a thread of its own; returns false if it was parked before it returned.
bool di_run_guarded(void (*body)(void *owner), void *owner);
/// Returns the owner of the guarded function that the calling thread runs, or null.
void *_Nullable di_guarded_owner(void);
/// Parks the calling thread, which runs a guarded function.
_Noreturn void di_park_guarded(void);

DI_END

#endif
