// Definitions of the variables. The functions that read and change them are inline, in the header.

#include "di_globals.h"

// One for start-up, which is pending when the process begins.
uint64_t di_attention = 1;

uintptr_t di_serial_numbers;
uintptr_t di_generations;
uintptr_t di_tests = di_tests_unknown;
uintptr_t di_root_assigned;
uintptr_t di_qualified_keys;
