// The primitives that Swift cannot express on the platform floors: atomics on plain memory, one
// thread-local record, a lock, and "wait until every reader that was inside has left".
//
// The rest of the package reads shared tables without a lock like this:
//
//   reader:  di_pin(t); p = di_load(&word); …copy out of *p, never calling user code…; di_unpin(t)
//   writer:  old = di_exchange(&word, new); di_quiesce(); …*old is now private to the writer…
//
// Proof that the writer may free *old: di_exchange, di_pin and the loads inside di_quiesce are
// sequentially consistent. If di_quiesce sees a thread unpinned, that thread's next di_pin comes
// later in the single total order than the exchange, so it cannot load the old pointer. If it sees
// the thread pinned, it waits until that very pin is released.

#ifndef DI_PRIMITIVES_H
#define DI_PRIMITIVES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

/// What a thread keeps between resolutions. Records are never freed: they are handed to the next
/// new thread when theirs ends, so a walk over all of them needs no lock.
typedef struct di_thread {
  /// Nothing lives at offset 0: ThreadSanitizer attributes Swift's reads of any field to it.
  uint64_t reserved;
  /// Odd while the thread is inside a read section. Written by its own thread only.
  uint64_t pin;
  /// The innermost resolution under way on the thread.
  void *_Nullable frames;
  /// The instances that the running resolution cycle shares.
  void *_Nullable graph;
  /// The lowest stack address that a factory may still start at.
  uintptr_t stack_limit;
  /// The once-state the thread waits for; guarded by the build lock.
  void *_Nullable waiting_for;
  /// Woken when what the thread waits for has been built or given up; made on first use.
  void *_Nullable wake;
  struct di_thread *_Nullable next;
  uint64_t in_use;
  /// The record of an outermost resolution; those of nested ones follow from it.
  void *_Nullable first_frame;
  /// The number of the last recorded event, and how many more the thread may number by itself.
  uint64_t last_event;
  uint64_t events_left;
  uint64_t padding[4];
} di_thread;

extern _Thread_local di_thread *_Nullable di_current_thread;
di_thread *di_thread_make(void);

/// The calling thread's record.
static inline di_thread *di_thread_get(void) {
  di_thread *thread = di_current_thread;
  return __builtin_expect(thread != 0, 1) ? (di_thread *)thread : di_thread_make();
}

/// An address in the caller's stack frame.
static inline uintptr_t di_stack_address(void) { return (uintptr_t)__builtin_frame_address(0); }

/// The first of all records, live and idle; follow `next`.
di_thread *_Nullable di_thread_first(void);

static inline void di_pin(di_thread *thread) {
  __asm__ volatile("" ::: "memory");  // See di_unpin.
  __atomic_exchange_n(&thread->pin, thread->pin + 1, __ATOMIC_SEQ_CST);
  __asm__ volatile("" ::: "memory");
}

static inline void di_unpin(di_thread *thread) {
  // The optimiser counts no store among what may release an object, so it moves a reader's retain
  // past the store that ends the section, and somebody's release up into it. Past this it moves
  // neither. It costs no instruction.
  __asm__ volatile("" ::: "memory");
  __atomic_store_n(&thread->pin, thread->pin + 1, __ATOMIC_RELEASE);
  __asm__ volatile("" ::: "memory");
}

/// Returns once every thread that was inside a read section at the call has left it.
void di_quiesce(void);

// Fields of other threads' records, under the build lock. Swift's access to a field counts, for
// ThreadSanitizer, as one to the record's first address; these count as what they are.

static inline void *_Nullable di_waiting_for(const di_thread *thread) {
  return thread->waiting_for;
}

static inline void di_set_waiting_for(di_thread *thread, void *_Nullable slot) {
  thread->waiting_for = slot;
}

static inline void *_Nullable di_frames(const di_thread *thread) { return thread->frames; }

static inline void di_set_frames(di_thread *thread, void *_Nullable frame) {
  thread->frames = frame;
}

static inline void *_Nullable di_first_frame(const di_thread *thread) {
  return thread->first_frame;
}

static inline void di_set_first_frame(di_thread *thread, void *_Nullable frame) {
  thread->first_frame = frame;
}

/// The last of the numbers that were given to threads for events.
extern uint64_t di_events;

/// A number that no other event of the process has; never 0.
///
/// Threads take many at a time, so that they do not wait for one another at every event.
static inline uint64_t di_next_event(di_thread *thread) {
  if (thread->events_left == 0) {
    thread->events_left = 1024;
    thread->last_event = __atomic_fetch_add(&di_events, thread->events_left, __ATOMIC_RELAXED);
  }
  thread->events_left--;
  return ++thread->last_event;
}

/// Whether the processor counts ticks that are all equally long, on all cores.
extern bool di_has_tick_counter;

/// Nanoseconds of the system's clock, which never goes back.
uint64_t di_now(void);

/// How long something takes, in ticks: with a counter, twice a look of 11 ns, not of 27 (measured).
static inline uint64_t di_ticks(void) {
#if defined(__x86_64__)
  if (di_has_tick_counter) return __builtin_ia32_rdtsc();
#endif
  return di_now();
}

/// A moment, by both clocks.
typedef struct di_moment {
  uint64_t ticks;
  uint64_t nanoseconds;
} di_moment;

di_moment di_moment_now(void);

/// The nanoseconds of a tick, from how far both clocks have come since a moment.
double di_tick_length(di_moment since);

// Pointers that readers load inside a read section.

static inline void *_Nullable di_load(void *_Nullable const *_Nonnull word) {
  return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static inline void di_store(void *_Nullable *_Nonnull word, void *_Nullable value) {
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

/// Stores a pointer where there is none: there is no older one to keep readers from, so its place in
/// the total order does not matter.
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

/// Puts `desired` in a word's place if it is `expected`; answers what it was.
static inline uintptr_t di_exchange_word_if(
    uintptr_t *word, uintptr_t expected, uintptr_t desired) {
  __atomic_compare_exchange_n(
      word, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return expected;
}

/// Not zero while anything may make a resolution differ from the plain one: start-up that has not
/// run yet, an open scope, a recorder, a decoration, an async resolution.
///
/// Async resolutions are counted in the upper half: they matter to what they ask for, and to nobody
/// else. In one word, because two would be read at two moments.
extern uint64_t di_attention;

static inline uint64_t di_attention_needed(void) {
  return __atomic_load_n(&di_attention, __ATOMIC_RELAXED);
}

/// Whether nothing but async resolutions asks for attention.
static inline bool di_attention_is_async(uint64_t attention) { return (uint32_t)attention == 0; }

static inline void di_attention_add(intptr_t value) {
  __atomic_fetch_add(&di_attention, (uint64_t)(int64_t)value, __ATOMIC_SEQ_CST);
}

static inline void di_attention_add_async(intptr_t value) {
  __atomic_fetch_add(&di_attention, (uint64_t)(int64_t)value << 32, __ATOMIC_SEQ_CST);
}

/// Counts every change to any container, so that what was looked up across containers can tell
/// whether it still holds.
extern uintptr_t di_changes;

static inline void di_note_change(void) {
  __atomic_fetch_add(&di_changes, 1, __ATOMIC_SEQ_CST);
}

static inline uintptr_t di_change_count(void) {
  return __atomic_load_n(&di_changes, __ATOMIC_SEQ_CST);
}

/// The table of the places that declare services as properties (Kernel/DeclarationTable.swift).
extern void *_Nullable di_declarations;

static inline void *_Nullable di_declarations_load(void) {
  return __atomic_load_n(&di_declarations, __ATOMIC_ACQUIRE);
}

static inline void di_declarations_store(void *value) {
  __atomic_store_n(&di_declarations, value, __ATOMIC_RELEASE);
}

/// Retains an object that may be going at this moment; false if it is.
///
/// The caller makes sure that its memory stays.
bool di_try_retain(const void *object);

/// Keeps the memory of an object, not the object; for objects of Swift classes.
void di_hold_memory(void *object);
void di_let_memory_go(void *object);

/// Whether as many bytes are the same in two places.
static inline bool di_same_bytes(const void *_Nullable one, const void *two, intptr_t count) {
  return __builtin_memcmp(one, two, (unsigned long)count) == 0;
}

/// Not zero while requests inside scopes have to look beyond them: start-up is pending, a
/// decoration is set for the process, or an async resolution is under way that is in no scope.
extern uintptr_t di_odd_scopes;

static inline bool di_scopes_are_odd(void) {
  return __atomic_load_n(&di_odd_scopes, __ATOMIC_ACQUIRE) != 0;
}

static inline void di_odd_scopes_add(intptr_t value) {
  __atomic_fetch_add(&di_odd_scopes, (uintptr_t)value, __ATOMIC_SEQ_CST);
}

/// The number of the last registration. Not a Swift global, which each access would ask whether it
/// is initialised; nor are the two below.
extern uintptr_t di_registrations;

static inline uintptr_t di_next_registration(void) {
  return __atomic_add_fetch(&di_registrations, 1, __ATOMIC_ACQ_REL);
}

/// A word that is always null: where scopes that keep nothing keep it.
extern void *_Nullable di_nothing_kept;

static inline void *_Nullable *_Nonnull di_nothing_kept_word(void) { return &di_nothing_kept; }

/// Whether a default scope was set for the process.
extern uintptr_t di_default_scope_is_set;

static inline bool di_default_scope_was_set(void) {
  return __atomic_load_n(&di_default_scope_is_set, __ATOMIC_ACQUIRE) != 0;
}

static inline void di_note_default_scope(void) {
  __atomic_store_n(&di_default_scope_is_set, 1, __ATOMIC_RELEASE);
}

/// Whether another root than main was assigned, so that nobody needs to look otherwise.
extern uintptr_t di_root_assigned;

static inline bool di_root_is_assigned(void) {
  return __atomic_load_n(&di_root_assigned, __ATOMIC_ACQUIRE) != 0;
}

static inline void di_root_set_assigned(bool assigned) {
  __atomic_store_n(&di_root_assigned, assigned, __ATOMIC_RELEASE);
}

// A mutex, which lies in the object that it guards: it must not move.

typedef struct di_lock {
  pthread_mutex_t mutex;
} di_lock;

static inline void di_lock_init(di_lock *lock) {
  // Not by the function, whose call took longer than the lock.
  lock->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
static inline void di_lock_destroy(di_lock *lock) {
#if !defined(__GLIBC__)
  pthread_mutex_destroy(&lock->mutex);
#endif  // There a mutex is nothing but its memory, and the call takes as long as locking it.
}
static inline void di_lock_acquire(di_lock *lock) { pthread_mutex_lock(&lock->mutex); }
static inline void di_lock_release(di_lock *lock) { pthread_mutex_unlock(&lock->mutex); }

/// What readers and writers of a table of registrations share (Kernel/RegistrationTable.swift).
///
/// The first block of entries is part of it: most tables hold a few doubles and never need
/// another.
typedef struct di_table {
  /// Nothing lives at offset 0: ThreadSanitizer attributes Swift's reads of any field to it.
  uintptr_t reserved;
  /// The live block of entries.
  void *_Nullable word;
  /// What readers have to know beside the entries.
  uintptr_t marks;
  /// The children that a sandbox gave to the container it stands over, or null.
  void *_Nullable children;
  di_lock lock;

  // For what a sandbox puts over a container, otherwise null. Only `next` changes:

  /// What the sandbox put over another container before.
  void *_Nullable next;
  /// The container.
  void *_Nullable over;
  /// The object that the table is part of.
  void *_Nullable owner;

  uintptr_t first_block[3 + 8 * 3];
} di_table;

static inline void *_Nullable *_Nonnull di_table_word(di_table *table) { return &table->word; }
static inline void *_Nullable *_Nonnull di_table_children(di_table *table) {
  return &table->children;
}
static inline uintptr_t *di_table_marks(di_table *table) { return &table->marks; }
static inline void *_Nullable *_Nonnull di_table_next(di_table *table) { return &table->next; }
static inline di_lock *di_table_lock(di_table *table) { return &table->lock; }
static inline void *di_table_first_block(di_table *table) { return table->first_block; }

/// What is changeable of a scope, and what usual requests read of it (Kernel/PlainScope.swift).
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
  /// Whether the list of open scopes holds the frame while it is in it.
  bool is_held_by_list;
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
} di_scope;

static inline void *_Nullable *_Nonnull di_scope_overlays(di_scope *scope) {
  return &scope->overlays;
}
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

/// Zeroed memory. Swift's `allocate` is `posix_memalign` on Linux, at thrice the price.
void *di_memory_make(intptr_t bytes);
void di_memory_free(void *memory);

/// Gives an object that nobody else has yet the reference count of `immortal`, one of the runtime's
/// own objects that live for ever; see Immortal.swift. Answers whether the runtime leaves it alone.
bool di_immortalize(void *object, const void *immortal);

/// A list of scopes, in the order added; for its owner, under a lock.
typedef struct di_scope_list {
  di_scope *_Nullable first;
  di_scope *_Nullable last;
} di_scope_list;

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

// Part of the Swift concurrency runtime's stable ABI: what `TaskLocal` calls in its inlined code.
extern const void *_Nullable swift_task_localValueGet(const void *key)
    __attribute__((swiftcall));

/// The memory of the value that is bound to the task for a `TaskLocal`, given by its address, or
/// null. It stays as long as the binding does.
static inline const void *_Nullable di_task_local(const void *key) {
  return swift_task_localValueGet(key);
}

extern const void *_Nullable swift_task_getCurrent(void) __attribute__((swiftcall));

/// Whether the calling code runs in a task. (`withUnsafeCurrentTask` takes thirty times as long.)
static inline bool di_is_in_task(void) { return swift_task_getCurrent() != 0; }

// The one lock of all once-states, and the way to wait under it.

void di_build_lock_acquire(void);
void di_build_lock_release(void);
/// Sleeps until `di_wake`, or without a reason; the build lock is held before and after.
void di_wait(di_thread *thread);
/// Wakes the thread of a record; the caller holds the build lock.
void di_wake(di_thread *thread);

/// Whether the Swift runtime finds that a type conforms to a protocol, both given by metadata.
bool di_conforms(const void *type, const void *descriptor);

// The process.

/// Whether the calling thread is the one that the process began with.
bool di_is_main_thread(void);

/// Whether the calling code runs on a serial executor, given by the words of Swift's reference to
/// it. Where the Swift runtime is too old to say, only the main thread is known to run on one.
bool di_runs_on(uintptr_t identity, uintptr_t implementation, bool is_main);

/// The path of another image that brought a copy of this library into the process, or null if
/// there is none, or if it was asked for before, in either copy.
const char *_Nullable di_other_runtime(void);
/// The path of the image that this copy of the library is in.
const char *di_own_runtime(void);

/// Writes a text and a line end to standard error.
void di_print_error(const char *text);

// An errand is a function that runs on a thread of its own while the caller waits. It may give up
// in the middle of what it does, where it can neither return nor unwind: the thread is parked for
// good then, and the caller goes on.

/// Runs `body` on a thread of its own; false if it was parked before it returned.
bool di_run_errand(void (*body)(void *owner), void *owner);
/// The owner of the errand that the calling thread runs.
void *_Nullable di_errand_owner(void);
/// Gives the calling thread's errand up.
_Noreturn void di_park_errand(void);

/// Where the calling thread notes the containers that it is about to let go of.
void *_Nullable *_Nonnull di_containers_going(void);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

#endif
