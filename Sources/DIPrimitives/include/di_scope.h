// The plain data of a context frame, which usual requests read without touching the object, and the
// list of the frames that are open (OpenScopes.swift).

#ifndef DI_SCOPE_H
#define DI_SCOPE_H

#include "di_table.h"

DI_BEGIN

/// What is changeable of a scope, and what usual requests read of it (PlainScope.swift).
typedef struct di_scope {
  /// Nothing lives at offset 0: ThreadSanitizer attributes Swift's reads of any field to it.
  uintptr_t reserved;
  /// A sandbox's overlays: a list that grows in front.
  void *_Nullable overlays;
  /// The once-states that the scope has in the place of others.
  void *_Nullable slots;
  /// The container that stands in the root's place.
  void *_Nullable root;
  /// The innermost scope that was pushed on this one.
  void *_Nullable top;
  /// What few scopes have.
  void *_Nullable extras;
  /// The notes about instances that were handed out in the scope.
  void *_Nullable handed_out;
  /// How many things there are that a plain request has to look at. An async resolution under way
  /// is one, for the request may be part of it; to look at the task for that takes some 12 ns.
  uintptr_t oddities;
  uintptr_t has_ended;
  /// Not zero as long as the scope asks for the attention of requests.
  uintptr_t is_counted;
  /// Not zero once there is something to note when the scope ends: see SandboxLoss.swift.
  uintptr_t has_losses;
  di_lock lock;
  /// Neighbours in the list of open scopes; guarded by that list's lock.
  struct di_scope *_Nullable previous;
  struct di_scope *_Nullable next;

  // What never changes:

  /// The scope outside, which outlives this one.
  struct di_scope *_Nullable parent;
  /// The innermost sandbox: this scope or one outside.
  struct di_scope *_Nullable sandbox;
  /// The innermost sandbox, layer or scoped root: this scope or one outside.
  struct di_scope *_Nullable innermost;
  /// The frame that the scope belongs to.
  void *_Nullable frame;
  /// The container that a layer or a scoped root installs.
  void *_Nullable installed;
  bool is_layer;
  bool brings_caches;
  /// Whether this scope and all outside are of plain kinds.
  bool is_plain;
  /// Whether this scope or one outside is a layer.
  bool has_layers;
  /// The events of the scope's own recorder.
  void *_Nullable log;
  /// The innermost scope that has a recorder: this scope or one outside.
  struct di_scope *_Nullable listener;
  /// The next one outside it, if that is to hear, too.
  struct di_scope *_Nullable next_listener;

  /// The first of a sandbox's overlays: most have doubles in one container only.
  di_table overlay;
} di_scope;

static inline void *_Nullable *_Nonnull di_scope_overlays(di_scope *scope) {
  return &scope->overlays;
}
/// The overlay that is part of the scope.
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

/// The scopes that are open (OpenScopes.swift).
di_scope_list *di_open_scopes(void);

static inline void di_scope_list_add(di_scope_list *list, di_scope *scope) {
  scope->previous = list->last;
  scope->next = 0;
  *(list->last ? &list->last->next : &list->first) = scope;
  list->last = scope;
}

/// Takes a scope out; false if it is not there.
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
