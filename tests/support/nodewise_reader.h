#pragma once
// Data whose arrays are given node by node.

#include <cstring>
#include <memory>
#include <utility>

#include "core/paging/sources/computed_reader.h"

namespace farfield::test {

/// Appends values to a buffer; their bytes must be those that the array has.
class NodeValues {
 public:
  explicit NodeValues(std::byte* to) : m_to(to) {}
  template <class T>
  void put(const T& value) {
    std::memcpy(m_to, &value, sizeof value);
    m_to += sizeof value;
  }

 private:
  std::byte* m_to;
};

/// A reader of `description`; valuesAt(array, step, node, values) puts all components of a node into
/// `values`.
template <class ValuesAt>
std::shared_ptr<paging::ComputedReader> nodewiseReader(paging::DatasetDescription description,
                                                       ValuesAt valuesAt) {
  return std::make_shared<paging::ComputedReader>(std::move(description), [valuesAt](
                                                                              std::uint32_t array,
                                                                              std::int64_t step,
                                                                              const IndexBox& box,
                                                                              std::span<std::byte> out) {
    NodeValues values(out.data());
    for (std::int64_t n = 0; n < product(box.size); ++n) {
      const Index3 in = unlinear(n, box.size);
      valuesAt(array, step, Index3{box.first[0] + in[0], box.first[1] + in[1], box.first[2] + in[2]}, values);
    }
  });
}

}  // namespace farfield::test
