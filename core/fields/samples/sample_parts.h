#pragma once
// Shared by the kinds of samples: formulas by name, checked options, and writing numbers as bytes.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/fields/samples/sample.h"

namespace farfield::samples::detail {

/// The formulas of one sample; null for what it does not have.
struct Formulas {
  std::function<Vec3(Vec3)> (*flowAt)(double time) = nullptr;  ///< the velocity
  double (*pressure)(Vec3, double) = nullptr;
  double (*density)(Vec3) = nullptr;
  Bounds box;  ///< filled by the sample; empty for one with a grid of its own
};
/// `name` is one of samples().
Formulas formulasOf(const std::string& name);

std::unique_ptr<paging::BoxReader> makeBoxSample(const Sample& sample, const SampleOptions& options);
std::unique_ptr<paging::BoxReader> makeCylinderSample(const Sample& sample, const SampleOptions& options);

/// The bounds of nodes that are stored as `type`: rounding keeps the order, so the rounded bounds.
Bounds storedBounds(const Bounds& exact, ScalarType type);

/// The description without blocks and arrays.
paging::DatasetDescription emptyDescription(const Sample& sample, const SampleOptions& options,
                                            bool conserved);
/// An array of the block `block` of `dims`.
paging::ArrayDescription arrayOf(const SampleOptions& options, int block, const Index3& dims,
                                 const std::string& name, std::vector<std::string> componentNames,
                                 ScalarType type, std::int64_t steps);
/// Adds coordinates and "q".
void addConservedArrays(paging::DatasetDescription& description, const SampleOptions& options, int block,
                        const Index3& dims, std::int64_t steps);

/// Throws Invalid unless `array` is an array of `description`, `step` one of its steps, the box inside it,
/// and `bytes` the size of the box.
void checkRead(const paging::DatasetDescription& description, std::uint32_t array, std::int64_t step,
               const IndexBox& box, std::size_t bytes);

/// density, momentum, energy of a flow of density 1.
void conserved(Vec3 velocity, double pressure, double (&values)[5]);

/// Writes numbers one after the other, rounded to a type.
class Output {
 public:
  Output(std::span<std::byte> out, ScalarType type) : m_at(out.data()), m_type(type) {}
  void put(double value);
  /// As it is, into an array of I16; put() takes a part of the type's range.
  void putNumber(std::int16_t number);

 private:
  std::byte* m_at;
  ScalarType m_type;
};

/// Calls `node(index)` for the nodes of `box`, i fastest.
template <class Node>
void forNodes(const IndexBox& box, Node node) {
  Index3 n;
  for (n[2] = box.first[2]; n[2] < box.first[2] + box.size[2]; ++n[2])
    for (n[1] = box.first[1]; n[1] < box.first[1] + box.size[1]; ++n[1])
      for (n[0] = box.first[0]; n[0] < box.first[0] + box.size[0]; ++n[0]) node(n);
}

}  // namespace farfield::samples::detail
