// A system that is neither Linux nor Apple's, on a processor other than x86-64: the headers of this
// one are read first, since they need to know where they are.
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#undef CLOCK_BOOTTIME
#undef __x86_64__
