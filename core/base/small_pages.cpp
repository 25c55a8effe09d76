#include "core/base/small_pages.h"

#include <sys/prctl.h>

#include <mutex>

namespace farfield {
namespace {

std::mutex s_mutex;
int s_wanted = 0;
bool s_changed = false;  ///< by this program, which changes it back

void forbidHugePages(bool forbid) {
  ::prctl(PR_SET_THP_DISABLE, forbid ? 1 : 0, 0, 0, 0);
}

}  // namespace

SmallPages::SmallPages() {
  const std::lock_guard lock(s_mutex);
  if (s_wanted++ > 0) return;
  s_changed = ::prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 0;
  if (s_changed) forbidHugePages(true);
}

SmallPages::~SmallPages() {
  const std::lock_guard lock(s_mutex);
  if (--s_wanted == 0 && s_changed) forbidHugePages(false);
}

}  // namespace farfield
