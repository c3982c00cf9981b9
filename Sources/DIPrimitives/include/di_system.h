// Functions of the operating system and the C library: the main thread, standard error.

#ifndef DI_SYSTEM_H
#define DI_SYSTEM_H

#include "di_base.h"

DI_BEGIN

/// Returns whether two places have the same bytes.
static inline bool di_same_bytes(const void *_Nullable one, const void *two, intptr_t count) {
  return __builtin_memcmp(one, two, (unsigned long)count) == 0;
}

/// Returns whether the calling thread is the main thread.
bool di_is_main_thread(void);

/// Writes a text and a line break to standard error.
void di_print_error(const char *text);

DI_END

#endif
