// Two copies of the library in one process (linked statically into an app and into its test bundle,
// say) have separate state: registrations in one are unknown to the other. Neither copy's data
// reveals the other, so each writes a line to the environment when its image is loaded: its
// process, its address, whether it was reported, its image's path. The address of `di_attention`
// identifies a copy: if the dynamic linker has merged two copies, it is the same.
//
// A line alone proves nothing: child processes inherit it, as does a program started with exec, and
// an image may have been unloaded since. So a line counts only if its address lies, in this
// process, in an image of that path other than this one's own.

#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "di_copies.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "di_globals.h"

static const char note_name[] = "DICONTAINER_RUNTIMES";
static pthread_mutex_t note_lock = PTHREAD_MUTEX_INITIALIZER;
static char other_runtime[1024];
static char own_runtime[1024];

typedef struct {
  long process;
  uintptr_t address;
  int is_reported;
  char path[1024];
} runtime_note;

// Reads the first line and advances to the next.
static bool next_note(const char **text, runtime_note *note) {
  while (**text) {
    int length = 0;
    int fields = sscanf(
        *text, "%ld %" SCNuPTR " %d %1023[^\n]%n", &note->process, &note->address,
        &note->is_reported, note->path, &length);
    const char *end = strchr(*text, '\n');
    *text = end ? end + 1 : *text + strlen(*text);
    if (fields == 4) return true;
  }
  return false;
}

static bool is_own(const runtime_note *note) {
  return note->process == (long)getpid() && note->address == (uintptr_t)&di_attention;
}

static bool is_another(const runtime_note *note) {
  Dl_info theirs, ours;
  if (note->process != (long)getpid() || is_own(note)) return false;
  if (!dladdr((const void *)note->address, &theirs) || !theirs.dli_fname) return false;
  if (!dladdr((const void *)&next_note, &ours) || theirs.dli_fbase == ours.dli_fbase) return false;
  return strcmp(theirs.dli_fname, note->path) == 0;
}

// Writes the lines that count, and this copy's own. With `report`, all are marked as reported.
static void write_notes(bool report) {
  char text[8192];
  size_t used = 0;
  const char *old = getenv(note_name);
  runtime_note note;
  bool is_noted = false;
  while (old && next_note(&old, &note) && used + 1100 < sizeof text) {
    if (!is_own(&note) && !is_another(&note)) continue;
    is_noted = is_noted || is_own(&note);
    used += (size_t)snprintf(
        text + used, sizeof text - used, "%ld %" PRIuPTR " %d %s\n", note.process, note.address,
        report || note.is_reported, note.path);
  }
  if (!is_noted) {
    snprintf(
        text + used, sizeof text - used, "%ld %" PRIuPTR " %d %s\n", (long)getpid(),
        (uintptr_t)&di_attention, report, own_runtime);
  }
  setenv(note_name, text, 1);
}

__attribute__((constructor)) static void note_runtime(void) {
  Dl_info info;
  const char *path = "unknown image";
  if (dladdr((const void *)&note_runtime, &info) && info.dli_fname) path = info.dli_fname;
  snprintf(own_runtime, sizeof own_runtime, "%s", path);
  write_notes(false);
}

const char *di_other_runtime(void) {
  pthread_mutex_lock(&note_lock);
  const char *text = getenv(note_name);
  runtime_note note;
  bool is_reported = false;
  other_runtime[0] = 0;
  while (text && next_note(&text, &note)) {
    if (is_own(&note)) is_reported = note.is_reported;
    if (is_another(&note) && !other_runtime[0]) {
      snprintf(other_runtime, sizeof other_runtime, "%s", note.path);
    }
  }
  bool is_found = other_runtime[0] && !is_reported;
  if (is_found) write_notes(true);
  pthread_mutex_unlock(&note_lock);
  return is_found ? other_runtime : 0;
}

const char *di_own_runtime(void) { return own_runtime; }
