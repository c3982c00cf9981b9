// What the operating system and the C library offer: memory, the main thread, standard error.

#ifndef DI_SYSTEM_H
#define DI_SYSTEM_H

#include "di_base.h"

DI_BEGIN

/// Zeroed memory. Swift's `allocate` is `posix_memalign` on Linux, at thrice the price.
void *di_memory_make(intptr_t bytes);
void di_memory_free(void *memory);

/// Whether as many bytes are the same in two places.
static inline bool di_same_bytes(const void *_Nullable one, const void *two, intptr_t count) {
  return __builtin_memcmp(one, two, (unsigned long)count) == 0;
}

/// Whether the calling thread is the one that the process began with.
bool di_is_main_thread(void);

/// Writes a text and a line end to standard error.
void di_print_error(const char *text);

DI_END

#endif
