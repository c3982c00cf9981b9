// An errand is a function that runs on a thread of its own while the caller waits. It may give up
// in the middle of what it does, where it can neither return nor unwind: the thread is parked for
// good then, and the caller goes on.

#ifndef DI_ERRAND_H
#define DI_ERRAND_H

#include "di_base.h"

DI_BEGIN

/// Runs `body` on a thread of its own; false if it was parked before it returned.
bool di_run_errand(void (*body)(void *owner), void *owner);
/// The owner of the errand that the calling thread runs.
void *_Nullable di_errand_owner(void);
/// Gives the calling thread's errand up.
_Noreturn void di_park_errand(void);

DI_END

#endif
