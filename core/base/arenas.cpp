#include "core/base/arenas.h"

#include <malloc.h>

namespace farfield {

void limitArenas([[maybe_unused]] int count) {
#if defined(M_ARENA_MAX)
  ::mallopt(M_ARENA_MAX, count);
#endif
}

}  // namespace farfield
