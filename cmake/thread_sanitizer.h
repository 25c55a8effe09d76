// Included first everywhere with the thread sanitizer. That of GCC 12 does not see pthread_mutex_clocklock, with which
// std::timed_mutex waits: without it a mutex is waited for with pthread_mutex_timedlock, which it sees.
#ifdef __cplusplus
#include <bits/c++config.h>
#undef _GLIBCXX_USE_PTHREAD_MUTEX_CLOCKLOCK
#endif
