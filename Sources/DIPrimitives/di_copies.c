// Two copies of the library in one process (linked statically into an app and into its test bundle,
// say) have separate state: registrations in one are unknown to the other. Each copy has a marker,
// by which it is found among the loaded images: a note on ELF systems, elsewhere a section of its
// own. Nothing happens when an image is loaded.

#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "DIPrimitives.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#if defined(__APPLE__)
#include <mach-o/dyld.h>
#include <mach-o/getsect.h>
#define MARKER_SECTION "__DATA,__di_copy"
#else
#include <link.h>
#define MARKER_SECTION ".note.dicontainer"
#endif

// Laid out as an ELF note.
typedef struct {
  uint32_t name_size, content_size, type;
  char name[12];
  uint32_t is_reported;
} di_marker;

// What AddressSanitizer would put around it is no note.
__attribute__((used, section(MARKER_SECTION), aligned(4), no_sanitize("address")))
static di_marker own_marker = {
    .name_size = 12, .content_size = 4, .type = 1, .name = "DIContainer"};

// Returns the marker at the beginning of some bytes, unless it is this copy's own.
static di_marker *marker_at(char *bytes, size_t size) {
  di_marker *marker = (di_marker *)bytes;
  if (size < sizeof *marker || marker == &own_marker) return NULL;
  bool is_marker = marker->name_size == sizeof marker->name &&
      memcmp(marker->name, own_marker.name, sizeof marker->name) == 0;
  return is_marker ? marker : NULL;
}

#if defined(__APPLE__)
static di_marker *other_marker(void) {
  for (uint32_t image = 0; image < _dyld_image_count(); image++) {
    const void *header = _dyld_get_image_header(image);
    unsigned long size = 0;
    char *bytes = header ? (char *)getsectiondata(header, "__DATA", "__di_copy", &size) : NULL;
    di_marker *marker = bytes ? marker_at(bytes, size) : NULL;
    if (marker) return marker;
  }
  return NULL;
}
#else
static size_t padded(uint32_t size) { return ((size_t)size + 3) & ~(size_t)3; }

static int find_marker(struct dl_phdr_info *image, size_t size, void *found) {
  (void)size;
  for (int part = 0; part < image->dlpi_phnum; part++) {
    if (image->dlpi_phdr[part].p_type != PT_NOTE) continue;
    char *note = (char *)(uintptr_t)image->dlpi_addr + image->dlpi_phdr[part].p_vaddr;
    char *end = note + image->dlpi_phdr[part].p_memsz;
    while (note + offsetof(di_marker, name) <= end) {
      di_marker *marker = marker_at(note, (size_t)(end - note));
      if (marker) {
        *(di_marker **)found = marker;
        return 1;
      }
      di_marker *head = (di_marker *)note;
      note += offsetof(di_marker, name) + padded(head->name_size) + padded(head->content_size);
    }
  }
  return 0;
}

static di_marker *other_marker(void) {
  di_marker *found = NULL;
  dl_iterate_phdr(find_marker, &found);
  return found;
}
#endif

static const char *path_of(const void *address) {
  Dl_info image;
  return dladdr(address, &image) && image.dli_fname ? image.dli_fname : "unknown image";
}

const char *di_other_runtime(void) {
  di_marker *other = other_marker();
  if (!other) return NULL;
  bool is_reported = __atomic_exchange_n(&other->is_reported, 1, __ATOMIC_ACQ_REL);
  is_reported |= __atomic_exchange_n(&own_marker.is_reported, 1, __ATOMIC_ACQ_REL);
  return is_reported ? NULL : path_of(other);
}

const char *di_own_runtime(void) { return path_of(&own_marker); }
