// The plain data of a context frame, which usual requests read without touching the object, and the
// list of the open frames (OpenScopes.swift).

#ifndef DI_SCOPE_H
#define DI_SCOPE_H

#include "di_table.h"

DI_BEGIN

/// The mutable part of a scope, and the fields that usual requests read (PlainScope.swift).
typedef struct di_scope {
  /// Nothing lives at offset 0: ThreadSanitizer attributes Swift's reads of any field to it.
  uintptr_t reserved;
  /// A sandbox's overlays: a list that grows at the front.
  void *_Nullable overlays;
  /// The slots that the scope has in place of others.
  void *_Nullable slots;
  /// The container that replaces the root.
  void *_Nullable root;
  /// The innermost scope that was pushed on this one.
  void *_Nullable top;
  /// State that few scopes have.
  void *_Nullable extras;
  /// The notes about instances that were resolved in the scope.
  void *_Nullable handed_out;
  /// The number of reasons for requests to take the slow path. An async resolution in progress is
  /// one, because the request may be part of it; to check the task for that takes some 12 ns.
  uintptr_t oddities;
  uintptr_t has_ended;
  /// Not zero as long as the scope counts in `di_attention`.
  uintptr_t is_counted;
  /// Not zero once losses may have to be noted when the scope ends: see SandboxLoss.swift.
  uintptr_t has_losses;
  di_lock lock;
  /// Neighbours in the list of open scopes; guarded by that list's lock.
  struct di_scope *_Nullable previous;
  struct di_scope *_Nullable next;

  // The immutable part:

  /// The enclosing scope, which outlives this one.
  struct di_scope *_Nullable parent;
  /// The innermost sandbox: this scope or an enclosing one.
  struct di_scope *_Nullable sandbox;
  /// The innermost sandbox, layer or scoped root: this scope or an enclosing one.
  struct di_scope *_Nullable innermost;
  /// The frame that the scope belongs to.
  void *_Nullable frame;
  /// The container that a layer or a scoped root installs.
  void *_Nullable installed;
  bool is_layer;
  bool brings_caches;
  /// Whether this scope and all enclosing ones are of plain kinds.
  bool is_plain;
  /// Whether this scope or an enclosing one is a layer.
  bool has_layers;
  /// The events of the scope's own recorder.
  void *_Nullable log;
  /// The innermost scope that has a recorder: this scope or an enclosing one.
  struct di_scope *_Nullable listener;
  /// The next one outside it, if that is to record too.
  struct di_scope *_Nullable next_listener;

  /// The first of a sandbox's overlays: most sandboxes have doubles in one container only.
  di_table overlay;
} di_scope;

static inline void *_Nullable *_Nonnull di_scope_overlays(di_scope *scope) {
  return &scope->overlays;
}
/// Returns the overlay that is part of the scope.
static inline di_table *di_scope_overlay(di_scope *scope) { return &scope->overlay; }
static inline void *_Nullable *_Nonnull di_scope_slots(di_scope *scope) { return &scope->slots; }
static inline void *_Nullable *_Nonnull di_scope_root(di_scope *scope) { return &scope->root; }
static inline void *_Nullable *_Nonnull di_scope_top(di_scope *scope) { return &scope->top; }
static inline void *_Nullable *_Nonnull di_scope_extras(di_scope *scope) { return &scope->extras; }
static inline void *_Nullable *_Nonnull di_scope_handed_out(di_scope *scope) {
  return &scope->handed_out;
}
static inline uintptr_t *di_scope_oddities(di_scope *scope) { return &scope->oddities; }
static inline uintptr_t *di_scope_has_ended(di_scope *scope) { return &scope->has_ended; }
static inline uintptr_t *di_scope_is_counted(di_scope *scope) { return &scope->is_counted; }
static inline uintptr_t *di_scope_has_losses(di_scope *scope) { return &scope->has_losses; }
static inline di_lock *di_scope_lock(di_scope *scope) { return &scope->lock; }

/// A list of scopes, in the order added, under its lock.
typedef struct di_scope_list {
  di_scope *_Nullable first;
  di_scope *_Nullable last;
  di_lock lock;
} di_scope_list;

static inline di_lock *di_scope_list_lock(di_scope_list *list) { return &list->lock; }

/// Returns the list of open scopes (OpenScopes.swift).
di_scope_list *di_open_scopes(void);

static inline void di_scope_list_add(di_scope_list *list, di_scope *scope) {
  scope->previous = list->last;
  scope->next = 0;
  *(list->last ? &list->last->next : &list->first) = scope;
  list->last = scope;
}

/// Removes a scope; returns false if it is not in the list.
static inline bool di_scope_list_remove(di_scope_list *list, di_scope *scope) {
  if (!scope->previous && list->first != scope) return false;
  *(scope->previous ? &scope->previous->next : &list->first) = scope->next;
  *(scope->next ? &scope->next->previous : &list->last) = scope->previous;
  scope->previous = scope->next = 0;
  return true;
}

static inline di_scope *_Nullable di_scope_next(const di_scope *scope) { return scope->next; }

DI_END

#endif
