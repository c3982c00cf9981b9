// What the C sources call of Apple's object files, for a compiler that runs on Linux.
#include <stdint.h>

uint8_t *getsectiondata(
    const void *header, const char *segment, const char *section, unsigned long *size);
