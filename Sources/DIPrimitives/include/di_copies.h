// Copies of the library in one process, as when it is linked into an app and into its test bundle.
// Each has registrations of its own, so that a test's doubles never reach the app: this is
// reported.

#ifndef DI_COPIES_H
#define DI_COPIES_H

#include "di_base.h"

DI_BEGIN

/// Returns the path of another image with a copy of this library in the process.
///
/// It returns null if there is none, or if either copy has already reported one.
const char *_Nullable di_other_runtime(void);
/// Returns the path of the image that contains this copy of the library.
const char *di_own_runtime(void);

DI_END

#endif
