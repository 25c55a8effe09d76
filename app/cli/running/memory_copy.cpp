#include "app/cli/running/memory_copy.h"

#include <vector>

#include "core/base/error.h"
#include "core/paging/sources/memory_reader.h"

namespace farfield::cli {
namespace {

class WithoutBoxes final : public paging::BoxReader {
 public:
  explicit WithoutBoxes(std::shared_ptr<const paging::MemoryReader> reader)
      : m_reader(std::move(reader)), m_description(m_reader->description()) {
    const auto arrays = std::move(m_description.arrays);
    m_description.arrays.clear();
    for (std::uint32_t n = 0; n < arrays.size(); ++n) {
      if (arrays[n].role == paging::ArrayRole::LocationBounds) continue;
      m_description.arrays.push_back(arrays[n]);
      m_numbers.push_back(n);
    }
  }
  const paging::DatasetDescription& description() const override { return m_description; }
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override {
    m_reader->read(m_numbers[array], step, box, out);
  }

 private:
  std::shared_ptr<const paging::MemoryReader> m_reader;
  paging::DatasetDescription m_description;
  std::vector<std::uint32_t> m_numbers;  ///< of our arrays, in the reader
};

}  // namespace

std::unique_ptr<paging::BoxReader> copyToMemory(const fields::OpenData& data, MemoryAccount& account) {
  const auto sources = data.makeSources(account, {.stagingBytes = data.largestStoredBytes()});
  if (sources.size() != 1) throw Unsupported("data from several sources are not copied");
  return std::make_unique<WithoutBoxes>(paging::MemoryReader::copyOf(*sources.front(), account));
}

}  // namespace farfield::cli
