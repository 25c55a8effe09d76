#pragma once
// Values of boxes of nodes, requested from a server as hyperslabs: what conversion reads.

#include <stop_token>

#include "core/paging/pages/box_reader.h"
#include "remote/client/remote_source.h"

namespace farfield::remote {

class RemoteBoxes final : public paging::BoxReader {
 public:
  /// `stop` ends waits with Cancelled.
  RemoteBoxes(std::shared_ptr<const RemoteSet> set, const std::stop_token& stop)
      : m_set(std::move(set)), m_stop(stop) {}
  const paging::DatasetDescription& description() const override { return m_set->description; }
  /// Requests many parts of a large box at a time.
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override;

 private:
  std::shared_ptr<const RemoteSet> m_set;
  const std::stop_token m_stop;
};

}  // namespace farfield::remote
