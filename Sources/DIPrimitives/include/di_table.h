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
  /// The flags that readers need besides the entries.
  uintptr_t marks;
  /// The nested containers that a sandbox gave to the overlay's container, or null.
  void *_Nullable children;
  /// The registrations that share a key with one in the table, or null; for writers.
  void *_Nullable beside;
  di_lock lock;

  // For a sandbox's overlay, otherwise null. Only `next` changes:

  /// The sandbox's previous overlay, for another container.
  void *_Nullable next;
  /// The container.
  void *_Nullable over;
  /// The object that the table is part of: a storage of its own, or a sandbox.
  void *_Nullable owner;

  uintptr_t first_block[3 + 8 * 3];
} di_table;

static inline void *_Nullable *_Nonnull di_table_word(di_table *table) { return &table->word; }
static inline void *_Nullable *_Nonnull di_table_children(di_table *table) {
  return &table->children;
}
static inline void *_Nullable *_Nonnull di_table_beside(di_table *table) {
  return &table->beside;
}
static inline uintptr_t *di_table_marks(di_table *table) { return &table->marks; }
static inline void *_Nullable *_Nonnull di_table_next(di_table *table) { return &table->next; }
static inline di_lock *di_table_lock(di_table *table) { return &table->lock; }
static inline void *di_table_first_block(di_table *table) { return table->first_block; }

DI_END

#endif
