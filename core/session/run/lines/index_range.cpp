#include "core/session/run/lines/index_range.h"

#include <string>

#include "core/base/error.h"

namespace farfield::session {

IndexBox nodesOf(const IndexRange3& range, std::int64_t block, const Index3& dims) {
  IndexBox box;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto fromEnd = [&](std::int64_t index) { return index < 0 ? dims[a] + index : index; };
    const std::int64_t first = fromEnd(range[a].first), last = fromEnd(range[a].last);
    if (first >= 0 && last >= 0 && first < dims[a] && last < dims[a] && first > last)
      throw Invalid("the nodes " + std::to_string(range[a].first) + " to " + std::to_string(range[a].last) +
                        " run backwards",
                    "give the smaller one first: " + std::to_string(last) + " to " + std::to_string(first))
          .at(std::string("range.") + "ijk"[a]);
    if (first < 0 || last >= dims[a] || first > last)
      throw Invalid("the nodes " + std::to_string(range[a].first) + " to " + std::to_string(range[a].last) +
                        " are not there: block " + std::to_string(block) + " has " + std::to_string(dims[a]),
                    "choose from 0 to " + std::to_string(dims[a] - 1) + ", or from -1 backwards")
          .at(std::string("range.") + "ijk"[a]);
    box.first[a] = first;
    box.size[a] = last - first + 1;
  }
  return box;
}

}  // namespace farfield::session
