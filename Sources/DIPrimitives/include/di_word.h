// Words that several threads read and write concurrently: atomic accesses to plain
// memory, which Swift cannot express on the oldest supported systems.

#ifndef DI_WORD_H
#define DI_WORD_H

#include "di_base.h"

DI_BEGIN

static inline uintptr_t di_load_word(const uintptr_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void di_store_word(uintptr_t *word, uintptr_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static inline uintptr_t di_add_word(uintptr_t *word, uintptr_t value) {
  return __atomic_fetch_add(word, value, __ATOMIC_ACQ_REL);
}

DI_END

#endif
