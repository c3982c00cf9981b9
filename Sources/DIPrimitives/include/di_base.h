// Common definitions of the other headers: the C types that they use, and macros that give their
// functions C linkage in C++ and make pointers nonnull by default.

#ifndef DI_BASE_H
#define DI_BASE_H

#include <stdbool.h>
#include <stdint.h>

#if UINTPTR_MAX != UINT64_MAX
#error "DIContainer needs 64-bit words: on watchOS, build for arm64 and not for arm64_32."
#endif

#ifdef __cplusplus
#define DI_BEGIN extern "C" { _Pragma("clang assume_nonnull begin")
#define DI_END _Pragma("clang assume_nonnull end") }
#else
#define DI_BEGIN _Pragma("clang assume_nonnull begin")
#define DI_END _Pragma("clang assume_nonnull end")
#endif

#endif
