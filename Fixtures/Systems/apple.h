// What the C sources call on Apple's systems, for a compiler that runs on Linux.
#include <pthread.h>

int pthread_main_np(void);
size_t pthread_get_stacksize_np(pthread_t thread);
void *pthread_get_stackaddr_np(pthread_t thread);
