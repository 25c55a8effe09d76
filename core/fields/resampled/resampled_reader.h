#pragma once
// Data of any grid as values on one regular grid over their bounds, for whoever takes boxes of nodes: conversion. A node is blank, and
// its values are NaN, where no cell of the data holds it.
//
// Where blocks overlap, which of them a node's values come from follows from the nodes of its row alone, not from the boxes that are
// asked for: rows are gone through in pieces of kPiece nodes, each of which begins with a search through all blocks.

#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

#include "core/fields/cells/regular_grid.h"
#include "core/fields/paged/paged_data.h"
#include "core/paging/pages/box_reader.h"

namespace farfield::fields {

struct ResampleOptions {
  int alongLongest = 0;  ///< nodes along the longest axis; 0: regularGridOver()'s choice
  int processors = 1;
  double shareOfFree = 0.5;  ///< of the account's free bytes, for pages; the rest is for who asks
  std::stop_token stop = {};
};

/// One block. Its arrays are the variables that all blocks have, f64 where they are f64 or i32 and else f32, and the blanking.
class ResampledReader final : public paging::BoxReader {
 public:
  /// `data`, opened for paging, and `account` outlive it. Throws Unsupported for data without a volume or without variables,
  /// OverBudget.
  ResampledReader(const OpenData& data, MemoryAccount& account, const ResampleOptions& options);

  const paging::DatasetDescription& description() const override { return m_description; }
  /// Boxes are sampled one after the other, each by all processors. Throws Cancelled and OverBudget, too.
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override;
  void checkUnchanged() const override { m_data.checkUnchanged(); }
  /// Variables that not all blocks have.
  const std::vector<std::string>& leftOut() const { return m_leftOut; }

 private:
  struct Piece;
  void choose();
  void describe(const ResampleOptions& options);
  void samplePiece(std::uint32_t array, std::int64_t step, const IndexBox& box, const Piece& piece,
                   tasks::TaskContext& context, std::span<std::byte> out) const;
  Vec3 nodeAt(const Index3& node) const;

  const OpenData& m_data;
  const std::stop_token m_stop;
  paging::DatasetDescription m_description;
  std::vector<std::string> m_leftOut;
  std::vector<paging::ArrayDescription> m_variables;  ///< of the data, those that are resampled
  /// By number in the description: what is sampled for it.
  std::vector<std::shared_ptr<const FunctionPlan>> m_functions;
  mutable std::mutex m_mutex;  ///< of sampling
  std::unique_ptr<PagedData> m_paged;
};

}  // namespace farfield::fields
