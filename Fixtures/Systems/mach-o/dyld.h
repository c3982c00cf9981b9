// What the C sources call of Apple's loader, for a compiler that runs on Linux.
#include <stdint.h>

struct mach_header;
uint32_t _dyld_image_count(void);
const struct mach_header *_dyld_get_image_header(uint32_t image);
