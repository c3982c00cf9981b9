// The uses of Swift's runtime beyond the language. HowTheKernelWorks lists which of these are
// stable ABI, and how the others are guarded.

#ifndef DI_SWIFT_H
#define DI_SWIFT_H

#include "di_base.h"

DI_BEGIN

/// Retains an object that may be being deallocated; returns false if it is.
///
/// The caller ensures that its memory is valid.
bool di_try_retain(const void *object);

/// Holds the memory of an object, which may be deinitialised meanwhile, or lets go of it.
void di_unowned_retain(const void *object);
void di_unowned_release(const void *object);

/// Returns whether a type conforms to a protocol, both given by metadata.
bool di_conforms(const void *type, const void *descriptor);

/// Returns whether it conforms on a global actor only: a cast elsewhere fails.
///
/// It returns false if the runtime is too old to have such conformances.
bool di_conforms_isolated(const void *type, const void *descriptor);

DI_END

#endif
