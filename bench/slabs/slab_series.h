#pragma once
// A series of one variable as data to open, of any length: one step in memory, the others the same moved on along k, a page at a
// time. Pages come as from a device of a given bandwidth, of which each who opens the data has a share.

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/fields/functions/open_data.h"
#include "core/paging/pages/box_reader.h"

namespace farfield::bench {

class SlabSeries final : public fields::OpenData {
 public:
  /// The first component of the first array of `from`, whose dims are whole numbers of pages (kPage).
  SlabSeries(const paging::BoxReader& from, std::int64_t steps);
  static constexpr Index3 kPage{32, 32, 8};

  /// Of each source that is made from now on; 0: pages are there when they are asked for.
  void setBytesPerSecond(double bytes) { m_bytesPerSecond = bytes; }
  std::uint64_t bytesOfStep() const { return m_values->size() * sizeof(float); }
  /// By all sources so far.
  std::uint64_t bytesServed() const { return *m_served; }

  const paging::DatasetDescription& description() const override { return m_description; }
  std::uint64_t largestStoredBytes() const override;
  std::vector<std::unique_ptr<paging::PageSource>> makeSources(
      MemoryAccount& account, const fields::SourceOptions& options) const override;

 private:
  paging::DatasetDescription m_description;
  std::shared_ptr<const std::vector<float>> m_values;  ///< page after page
  std::shared_ptr<std::atomic<std::uint64_t>> m_served = std::make_shared<std::atomic<std::uint64_t>>(0);
  double m_bytesPerSecond = 0;
  /// memory of the model of the device, not of the program
  mutable MemoryAccount m_ownAccount{std::uint64_t{1} << 40};
};

}  // namespace farfield::bench
