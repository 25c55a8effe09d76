#include "core/base/niceness.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace farfield {

void beNice(int niceness) {
  // always granted; if not, the thread just competes with the others
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), niceness);
}

}  // namespace farfield
