#pragma once
// Requests that wait at a modelled device until they may start, by priority.

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/paging/pages/page_text.h"

namespace farfield::paging {

/// `Item` is a PageRequest or has one as `request`. Not thread-safe. Each queue is first in, first out.
template <class Item>
class WaitingRequests {
 public:
  using Queue = std::deque<Item>;

  void push(const Item& item) { queueOf(requestOf(item)).push_back(item); }
  /// The queue of the highest priority that is not empty, else null.
  Queue* next() {
    for (Queue& queue : m_queues)
      if (!queue.empty()) return &queue;
    return nullptr;
  }
  bool isEmpty() const {
    return std::all_of(m_queues.begin(), m_queues.end(), [](const Queue& queue) { return queue.empty(); });
  }
  /// Moves a request of a lower priority than `request.priority` behind those that have it.
  void hurry(const PageRequest& request) {
    for (std::size_t n = static_cast<std::size_t>(request.priority) + 1; n < m_queues.size(); ++n) {
      const auto at = find(m_queues[n], request);
      if (at == m_queues[n].end()) continue;
      Item item = *at;
      m_queues[n].erase(at);
      requestOf(item).priority = request.priority;
      return push(item);
    }
  }
  /// Removes the request and returns it.
  std::optional<Item> remove(const PageRequest& request) {
    for (Queue& queue : m_queues) {
      const auto at = find(queue, request);
      if (at == queue.end()) continue;
      const Item item = *at;
      queue.erase(at);
      return item;
    }
    return std::nullopt;
  }
  /// Removes and returns the requests of `sink`, or all for null.
  std::vector<Item> remove(const PageSink* sink) {
    std::vector<Item> removed;
    for (Queue& queue : m_queues) {
      const auto isIts = [sink](const Item& item) { return !sink || requestOf(item).sink == sink; };
      std::copy_if(queue.begin(), queue.end(), std::back_inserter(removed), isIts);
      std::erase_if(queue, isIts);
    }
    return removed;
  }

 private:
  template <class Its>
  static auto& requestOf(Its& item) {
    if constexpr (std::is_same_v<std::remove_const_t<Its>, PageRequest>)
      return item;
    else
      return item.request;
  }
  Queue& queueOf(const PageRequest& request) { return m_queues[static_cast<std::size_t>(request.priority)]; }
  static auto find(Queue& queue, const PageRequest& request) {
    return std::find_if(queue.begin(), queue.end(),
                        [&](const Item& item) { return isSame(requestOf(item), request); });
  }

  std::array<Queue, kPriorityCount> m_queues;
};

}  // namespace farfield::paging
