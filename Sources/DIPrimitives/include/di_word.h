// Words and pointers that several threads read and write concurrently: atomic accesses to plain
// memory, which Swift cannot express on the oldest supported systems.

#ifndef DI_WORD_H
#define DI_WORD_H

#include "di_base.h"

DI_BEGIN

// Pointers that readers load inside a read section.

static inline void *_Nullable di_load(void *_Nullable const *_Nonnull word) {
  return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static inline void di_store(void *_Nullable *_Nonnull word, void *_Nullable value) {
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

/// Stores a pointer in a place that has none: no older one has to be kept from readers, so its
/// position in the total order does not matter.
static inline void di_publish(void *_Nullable *_Nonnull word, void *value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static inline void *_Nullable di_exchange(void *_Nullable *_Nonnull word, void *_Nullable value) {
  return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
}

// Plain words.

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
