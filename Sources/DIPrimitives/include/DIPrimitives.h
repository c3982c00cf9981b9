// Primitives that Swift cannot express on the oldest supported systems, or not as fast: one header
// per role. Functions on hot paths are `static inline`, so that they cost no call.

#ifndef DI_PRIMITIVES_H
#define DI_PRIMITIVES_H

// Lock-free reading:
#include "di_thread.h"  // the record of a thread
#include "di_word.h"    // words and pointers
#include "di_lock.h"    // a mutex
#include "di_globals.h"  // state of the whole process

// State of containers and contexts:
#include "di_build_lock.h"  // the lock of all keepers

// Platform:
#include "di_swift.h"   // Swift's runtime
#include "di_system.h"  // the main thread, standard error
#include "di_copies.h"  // copies of the library in one process
#include "di_trap_guard.h"  // threads that may be parked

#endif
