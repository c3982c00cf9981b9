// The primitives that Swift cannot express on the oldest systems that the package supports, or not
// as fast: a header for each role. What is hot is `static inline`, so that it costs no call.

#ifndef DI_PRIMITIVES_H
#define DI_PRIMITIVES_H

// Reading what others write:
#include "di_thread.h"  // the record of a thread; read sections
#include "di_frame.h"   // the resolutions under way on a thread
#include "di_word.h"    // words and pointers
#include "di_lock.h"    // a mutex
#include "di_globals.h"  // what the whole process shares

// What containers and contexts are made of:
#include "di_table.h"       // tables of registrations
#include "di_scope.h"       // what is plain of a context frame; the list of the open ones
#include "di_build_lock.h"  // the lock of all once-states

// What lies below:
#include "di_swift.h"   // Swift's runtime
#include "di_system.h"  // memory, the main thread, standard error
#include "di_time.h"    // clocks
#include "di_copies.h"  // copies of the library in one process
#include "di_errand.h"  // threads that may be parked

#endif
