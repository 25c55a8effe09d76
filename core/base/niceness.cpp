#include "core/base/niceness.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace farfield {

void beNice(int niceness) {
  // Refused nowhere; should it be, the thread merely competes with the others.
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), niceness);
}

}  // namespace farfield
