// An errand is a function that runs on a thread of its own while the caller waits. It may give up
// midway, when it can neither return nor unwind: then the thread is parked permanently, and the
// caller continues.

#ifndef DI_ERRAND_H
#define DI_ERRAND_H

#include "di_base.h"

DI_BEGIN

/// Runs `body` on a thread of its own; returns false if it was parked before it returned.
bool di_run_errand(void (*body)(void *owner), void *owner);
/// Returns the owner of the errand that the calling thread runs, or null.
void *_Nullable di_errand_owner(void);
/// Abandons the calling thread's errand.
_Noreturn void di_park_errand(void);

DI_END

#endif
