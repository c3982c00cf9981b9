// Functions of the operating system and the C library: the main thread, standard error.

#ifndef DI_SYSTEM_H
#define DI_SYSTEM_H

#include "di_base.h"

DI_BEGIN

/// Returns whether the calling thread is the main thread.
bool di_is_main_thread(void);

/// Writes a text and a line break to standard error.
void di_print_error(const char *text);

DI_END

#endif
