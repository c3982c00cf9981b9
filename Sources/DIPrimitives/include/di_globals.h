// State of the whole process: counters and flags. C variables rather than Swift
// globals, each access to which would check whether they are initialised.

#ifndef DI_GLOBALS_H
#define DI_GLOBALS_H

#include "di_base.h"

DI_BEGIN

/// Not zero while a resolution may need more than the container's own table: start-up that has not
/// run yet, an open scope, a recorder, a container-wide decorator, an async resolution.
///
/// Async resolutions are counted in the upper half: they only matter to requests that they make.
/// Both counts are in one word, because two would be read at different moments.
extern uint64_t di_attention;

static inline uint64_t di_attention_needed(void) {
  return __atomic_load_n(&di_attention, __ATOMIC_RELAXED);
}

/// Returns whether only async resolutions require attention.
static inline bool di_attention_is_async(uint64_t attention) { return (uint32_t)attention == 0; }

/// Returns whether any async resolution is under way.
static inline bool di_attention_has_async(uint64_t attention) { return attention >> 32 != 0; }

static inline void di_attention_add(intptr_t value) {
  __atomic_fetch_add(&di_attention, (uint64_t)(int64_t)value, __ATOMIC_SEQ_CST);
}

static inline void di_attention_add_async(intptr_t value) {
  __atomic_fetch_add(&di_attention, (uint64_t)(int64_t)value << 32, __ATOMIC_SEQ_CST);
}

/// The latest serial number: registrations, keepers, frames, containers and events share one sequence.
extern uintptr_t di_serial_numbers;

static inline uintptr_t di_next_serial_number(void) {
  return __atomic_add_fetch(&di_serial_numbers, 1, __ATOMIC_ACQ_REL);
}

/// The number of changes of registries and of nested containers, for `RequestCache`.
extern uintptr_t di_generations;

static inline uintptr_t di_generation(void) {
  return __atomic_load_n(&di_generations, __ATOMIC_ACQUIRE);
}

static inline void di_begin_generation(void) {
  __atomic_fetch_add(&di_generations, 1, __ATOMIC_ACQ_REL);
}

/// Whether a test may be changing the process: unknown before the first check, and never without a
/// testing module.
extern uintptr_t di_tests;

enum { di_tests_none = 0, di_tests_unknown = 1, di_tests_known = 2 };

static inline uintptr_t di_tests_load(void) {
  return __atomic_load_n(&di_tests, __ATOMIC_ACQUIRE);
}

static inline bool di_tests_are_possible(void) { return di_tests_load() != di_tests_none; }
static inline bool di_tests_are_known(void) { return di_tests_load() == di_tests_known; }

static inline void di_tests_note(bool known) {
  __atomic_store_n(&di_tests, known ? di_tests_known : di_tests_none, __ATOMIC_RELEASE);
}

/// Whether another root than main was assigned, so that most requests need no further check.
extern uintptr_t di_root_assigned;

static inline bool di_root_is_assigned(void) {
  return __atomic_load_n(&di_root_assigned, __ATOMIC_ACQUIRE) != 0;
}

static inline void di_root_set_assigned(bool assigned) {
  __atomic_store_n(&di_root_assigned, assigned, __ATOMIC_RELEASE);
}

/// Whether any container has registered for a property of another one; never reset.
extern uintptr_t di_qualified_keys;

static inline bool di_qualified_keys_are_used(void) {
  return __atomic_load_n(&di_qualified_keys, __ATOMIC_ACQUIRE) != 0;
}

static inline void di_note_qualified_keys(void) {
  __atomic_store_n(&di_qualified_keys, 1, __ATOMIC_RELEASE);
}

DI_END

#endif
