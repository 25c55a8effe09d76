#include "remote/server/set_table.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace farfield::remote {
namespace {

/// A series that grows is opened by all its clients again and again.
constexpr std::chrono::seconds kTrusted{1};
/// Looking whether all is as it was is opening it once more: at most a thirtieth of the time, but for what takes very long.
constexpr int kTimesTrusted = 30;
constexpr std::chrono::minutes kMostTrusted{2};

}  // namespace

std::shared_ptr<ServedSet> SetTable::open(const RootFolder& root, const OpenRequestMessage& request) {
  return open(
      identityOf(root, request), [&] { return openSet(root, request, m_surroundings); },
      [&](const Entry& entry) { return entry.set->isCurrent(root, request); });
}

std::shared_ptr<ServedSet> SetTable::open(Upstream& upstream, const OpenRequestMessage& request) {
  std::shared_ptr<ServedSet> fresh;
  const auto make = [&] { return fresh ? std::exchange(fresh, nullptr) : upstream.open(request); };
  const auto isCurrent = [&](Entry& entry) {
    if (entry.set->isOver()) return false;
    const auto began = std::chrono::steady_clock::now();
    const std::chrono::steady_clock::duration trusted = kTimesTrusted * entry.took;
    if (began - entry.looked <
        std::clamp<std::chrono::steady_clock::duration>(trusted, kTrusted, kMostTrusted))
      return true;
    const auto looked = [&] {
      entry.looked = std::chrono::steady_clock::now();
      entry.took = entry.looked - began;
    };
    try {
      try {
        fresh = upstream.open(request);
      } catch (const OverBudget&) {
        sweep(0);
        fresh = upstream.open(request);
      }
    } catch (const Io&) {
      looked();
      return true;  // that server is away
    } catch (const OverBudget&) {
      looked();
      return true;  // there is no room for both, and this one is open
    }
    looked();
    return fresh->identity() == entry.set->identity();
  };
  return open(paging::checksum(bytesOf(request)), make, isCurrent);
}

std::shared_ptr<ServedSet> SetTable::open(std::uint64_t key, const Make& make,
                                          const std::function<bool(Entry&)>& isCurrent) {
  const auto isFull = [&] {
    const std::lock_guard lock(m_mutex);
    return m_entries.size() + m_replaced.size() >= kMostSets && !m_entries.contains(key);
  };
  if (isFull()) {
    sweep(0);
    if (isFull())
      throw Io("the server has " + std::to_string(kMostSets) + " data sets open, the most it keeps",
               "try again when others have closed theirs");
  }
  std::shared_ptr<Entry> entry;
  {
    const std::lock_guard lock(m_mutex);
    auto& its = m_entries[key];
    if (!its) its = std::make_shared<Entry>();
    its->used = ++m_uses;
    entry = its;
  }
  const std::lock_guard opening(entry->opening);
  if (entry->set && isCurrent(*entry)) return entry->set;
  const auto began = std::chrono::steady_clock::now();
  std::shared_ptr<ServedSet> made;
  try {
    try {
      made = make();
    } catch (const OverBudget&) {
      sweep(0);
      made = make();
    }
  } catch (const OverBudget&) {
    throw Io("the server has no memory left for another data set",
             "try again when others have closed theirs");
  }
  const auto now = std::chrono::steady_clock::now();
  entry->took = std::max(entry->took, now - began);
  entry->looked = now;
  if (entry->set) {
    const std::lock_guard lock(m_mutex);
    m_replaced.push_back(entry->set);
  }
  entry->set = std::move(made);
  return entry->set;
}

void SetTable::sweep(std::size_t kept) {
  std::vector<std::shared_ptr<Entry>> gone;
  std::vector<std::shared_ptr<ServedSet>> replaced;
  {
    const std::lock_guard lock(m_mutex);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> unused;  // when, which
    for (const auto& [identity, entry] : m_entries)
      if (entry.use_count() == 1 && (!entry->set || entry->set.use_count() == 1))
        unused.emplace_back(entry->used, identity);
    std::sort(unused.rbegin(), unused.rend());
    for (std::size_t n = kept; n < unused.size(); ++n)
      gone.push_back(std::move(m_entries.extract(unused[n].second).mapped()));
    const auto inUse = std::partition(m_replaced.begin(), m_replaced.end(),
                                      [](const auto& set) { return set.use_count() == 1; });
    std::move(m_replaced.begin(), inUse, std::back_inserter(replaced));
    m_replaced.erase(m_replaced.begin(), inUse);
  }
}

std::size_t SetTable::size() const {
  const std::lock_guard lock(m_mutex);
  return m_entries.size() + m_replaced.size();
}

}  // namespace farfield::remote
