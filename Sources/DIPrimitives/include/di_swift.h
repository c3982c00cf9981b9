// What the kernel asks of Swift's runtime beyond what the language offers. HowTheKernelWorks lists
// which of it is stable ABI, and what guards the rest.

#ifndef DI_SWIFT_H
#define DI_SWIFT_H

#include "di_base.h"

DI_BEGIN

/// Retains an object that may be going at this moment; false if it is.
///
/// The caller makes sure that its memory stays.
bool di_try_retain(const void *object);

/// Keeps the memory of an object, not the object; for objects of Swift classes.
void di_hold_memory(void *object);
void di_let_memory_go(void *object);

/// Gives an object that nobody else has yet the reference count of `immortal`, one of the runtime's
/// own objects that live for ever; see Immortal.swift. Answers whether the runtime leaves it alone.
bool di_immortalize(void *object, const void *immortal);

/// Whether the Swift runtime finds that a type conforms to a protocol, both given by metadata.
bool di_conforms(const void *type, const void *descriptor);

// Part of the Swift concurrency runtime's stable ABI: what `TaskLocal` calls in its inlined code.
extern const void *_Nullable swift_task_localValueGet(const void *key)
    __attribute__((swiftcall));

/// The memory of the value that is bound to the task for a `TaskLocal`, given by its address, or
/// null. It stays as long as the binding does.
static inline const void *_Nullable di_task_local(const void *key) {
  return swift_task_localValueGet(key);
}

extern const void *_Nullable swift_task_getCurrent(void) __attribute__((swiftcall));

/// Whether the calling code runs in a task. (`withUnsafeCurrentTask` takes thirty times as long.)
static inline bool di_is_in_task(void) { return swift_task_getCurrent() != 0; }

/// Whether the calling code runs on a serial executor, given by the words of Swift's reference to
/// it. Where the Swift runtime is too old to say, only the main thread is known to run on one.
bool di_runs_on(uintptr_t identity, uintptr_t implementation, bool is_main);

DI_END

#endif
