// The part of a table of registrations that is read without a lock. The functions return the
// addresses of fields: for ThreadSanitizer, an access by one of them does not affect the others.

#ifndef DI_TABLE_H
#define DI_TABLE_H

#include "di_lock.h"

DI_BEGIN

/// The memory that readers and writers of a table of registrations share (RegistrationTable.swift).
///
/// The first block of entries is part of it: most tables hold a few doubles and never need another.
typedef struct di_table {
  /// Nothing lives at offset 0: ThreadSanitizer attributes Swift's reads of any field to it.
  uintptr_t reserved;
  /// The live block of entries.
  void *_Nullable word;
  di_lock lock;
  /// Whether the first block was ever used; for writers.
  bool is_first_block_used;

  uintptr_t first_block[3 + 8 * 3];
} di_table;

static inline void *_Nullable *_Nonnull di_table_word(di_table *table) { return &table->word; }
static inline di_lock *di_table_lock(di_table *table) { return &table->lock; }
static inline void *di_table_first_block(di_table *table) { return table->first_block; }

DI_END

#endif
