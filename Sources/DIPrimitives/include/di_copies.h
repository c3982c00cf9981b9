// Copies of the library in one process, as when it is linked into an app and into its test bundle.
// Each has registrations of its own, so that a test's doubles never reach the app: worth a report.

#ifndef DI_COPIES_H
#define DI_COPIES_H

#include "di_base.h"

DI_BEGIN

/// The path of another image that brought a copy of this library into the process, or null if
/// there is none, or if it was asked for before, in either copy.
const char *_Nullable di_other_runtime(void);
/// The path of the image that this copy of the library is in.
const char *di_own_runtime(void);

DI_END

#endif
