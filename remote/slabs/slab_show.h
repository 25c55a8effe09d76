#pragma once
// What a viewer has got so far of what it asked to see: slabs, or rows of a frame. Filled by the threads that receive, each
// part whole; what does not belong to it is refused.

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/base/memory_account.h"
#include "core/scene/slabs.h"
#include "remote/slabs/slab_messages.h"

namespace farfield::remote {

/// Not thread-safe. The account outlives it and the sets that it gives.
class SlabShow {
 public:
  /// `bounds` of the volume. Throws OverBudget.
  SlabShow(std::uint64_t number, const ShowRequest& request, const Bounds& bounds, MemoryAccount& account);

  std::uint64_t number() const { return m_number; }
  std::int64_t step() const { return m_request.step; }
  // What comes. They throw Protocol for what cannot be, OverBudget.
  void takePlan(const Planned& plan);
  void takeHead(std::uint32_t rank, const SlabHead& head);
  void takePixels(std::uint32_t rank, const SlabPixels& pixels);
  void takeRows(const FrameRows& rows);
  /// Nothing more comes from this rank.
  void lose(std::uint32_t rank);
  void fail(const std::exception_ptr& error) {
    if (!m_error) m_error = error;
  }

  /// Nothing more will come, or it has failed.
  bool isDone() const;
  const std::exception_ptr& error() const { return m_error; }
  /// Parts that will not come.
  std::size_t missing() const;
  std::size_t parts() const { return m_plan ? m_plan->ranks.size() : 0; }
  std::uint64_t samples() const { return m_samples; }
  /// The slabs; where one is missing a hatched plane. Once it is done.
  std::shared_ptr<const scene::SlabSet> slabs() const;
  /// The frame: red, green, blue (times alpha), alpha, a byte each. Once it is done.
  const std::vector<std::uint8_t>& frame() const { return m_frame; }

 private:
  struct Part {
    SlabHead head;
    std::uint32_t rank = 0;
    MemoryClaim claim;
    std::shared_ptr<const scene::SlabImage> image;  ///< null until its pixels are there
    std::vector<float> offsets;
  };
  bool isThere(std::uint32_t part) const;
  scene::Slab slabOf(const Part& part) const;

  const std::uint64_t m_number;
  const ShowRequest m_request;
  const Bounds m_bounds;
  MemoryAccount& m_account;
  std::optional<Planned> m_plan;
  std::map<std::uint32_t, std::shared_ptr<Part>> m_slabs;
  std::set<std::uint32_t> m_gone;  ///< ranks
  MemoryClaim m_frameClaim;
  std::vector<std::uint8_t> m_frame;
  std::vector<bool> m_rowsThere;
  std::size_t m_rowsMissing = 0;
  std::uint64_t m_samples = 0;
  std::exception_ptr m_error;
};

}  // namespace farfield::remote
