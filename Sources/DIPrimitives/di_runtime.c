// State of the whole process, and entry points of the Swift runtime that no system header declares.

#include "DIPrimitives.h"

#include <stddef.h>
#include <stdio.h>

// One for start-up, which is pending when the process begins.
uint64_t di_attention = 1;
uintptr_t di_serial_numbers;
uintptr_t di_generations;
uintptr_t di_facts[di_fact_count];

void di_print_error(const char *text) { fprintf(stderr, "%s\n", text); }

// Part of the Swift runtime's stable ABI.
extern void *swift_tryRetain(const void *object);
extern void *swift_unownedRetain(const void *object);
extern void swift_unownedRelease(const void *object);
extern const void *swift_conformsToProtocol(const void *type, const void *descriptor);

bool di_try_retain(const void *object) { return swift_tryRetain(object) != 0; }
void di_unowned_retain(const void *object) { swift_unownedRetain(object); }
void di_unowned_release(const void *object) { swift_unownedRelease(object); }

bool di_conforms(const void *type, const void *descriptor) {
  return swift_conformsToProtocol(type, descriptor) != 0;
}

// Part of the Swift runtime's ABI since 6.2. The function above considers the calling context; this
// one considers all, and describes the required context in memory of the given size, zero for any.
extern const void *swift_conformsToProtocolWithExecutionContext(
    const void *type, const void *descriptor, void *context) __attribute__((weak));
extern const size_t swift_ConformanceExecutionContextSize __attribute__((weak));

bool di_conforms_isolated(const void *type, const void *descriptor) {
  uintptr_t context[8] = {0};
  if (!swift_conformsToProtocolWithExecutionContext || !&swift_ConformanceExecutionContextSize ||
      swift_ConformanceExecutionContextSize > sizeof context) {
    return false;
  }
  if (!swift_conformsToProtocolWithExecutionContext(type, descriptor, context)) return false;
  for (size_t word = 0; word < sizeof context / sizeof *context; word++) {
    if (context[word]) return true;
  }
  return false;
}
