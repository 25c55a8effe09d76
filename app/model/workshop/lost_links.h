#pragma once
// Which servers were lost and have not been heard of since. A link that nothing is asked of does not tell: it is made again with the next
// request, and who stopped what waited for it has not brought it back.

#include <cstdint>
#include <map>
#include <string>

#include "app/model/workshop/workshop_types.h"

namespace farfield::app {

class LostLinks {
 public:
  /// How `link` fares now, which is known as `name`. Whether it was lost, nothing waits for it, and it has told nothing since.
  bool isLeft(const std::string& name, const LinkSight& link) {
    const std::uint64_t heard = link.bytesRead + link.reconnects;
    // A server that is silent is slow, and there.
    if (link.lostSeconds > 0) {
      m_heard[name] = heard;
      return false;
    }
    const auto known = m_heard.find(name);
    if (known == m_heard.end()) return false;
    if (known->second == heard) return true;
    m_heard.erase(known);
    return false;
  }
  /// The same of the servers of the data under `key`, of which one is enough.
  bool isLeft(const std::string& key, const WorkshopCounters& counters) {
    const auto links = counters.links.find(key);
    bool isIt = false, isAnyThere = false;
    if (links != counters.links.end())
      for (const LinkSight& link : links->second) {
        if (link.name.empty()) continue;  // what is kept on disk
        const bool its = isLeft(key + '\n' + link.name, link);
        isIt |= its;
        isAnyThere |= !its && !link.isLost();
      }
    return isIt && !isAnyThere;
  }

 private:
  std::map<std::string, std::uint64_t> m_heard;  ///< when they were lost, by name
};

}  // namespace farfield::app
