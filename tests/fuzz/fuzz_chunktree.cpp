// Any structures of HDF5 around a dataset in chunks: its header, and the index of its chunks. The input is a line "base|address
// bytes|length bytes|entries of a node|header|bytes of an element|1 if it cannot grow|dims|chunks" and then the file. Whatever it holds, places
// come back or an error of ours, and what is known without reading is what reading gives.

#include <cstdlib>
#include <string>

#include "core/base/error.h"
#include "plugins/hdf5/chunk_index.h"
#include "tests/support/memory_file.h"
#include "tests/support/text_hdf5.h"

using namespace farfield;

namespace {

hdf5::IndexedDataset datasetIn(std::string_view line) {
  hdf5::IndexedDataset dataset;
  const auto words = test::split(line, '|');
  const auto number = [&](std::size_t word) {
    return word < words.size() ? test::numberIn(words[word]) : std::int64_t{0};
  };
  const auto list = [&](std::size_t word) {
    std::vector<std::int64_t> numbers;
    if (word < words.size())
      for (const std::string_view text : test::split(words[word], ','))
        numbers.push_back(test::numberIn(text));
    return numbers;
  };
  dataset.base = static_cast<std::uint64_t>(number(0));
  dataset.addressBytes = static_cast<int>(number(1));
  dataset.lengthBytes = static_cast<int>(number(2));
  dataset.treeEntries = static_cast<unsigned>(number(3));
  dataset.header = static_cast<std::uint64_t>(number(4));
  dataset.elementBytes = static_cast<int>(number(5));
  dataset.hasFixedDims = number(6) != 0;
  dataset.dims = list(7);
  dataset.chunks = list(8);
  return dataset;
}

/// Chunks of the dataset; 0 if there are too many for a number.
std::int64_t countOf(const hdf5::IndexedDataset& dataset) {
  std::int64_t count = 1;
  for (std::size_t d = 0; d < dataset.dims.size(); ++d)
    if (__builtin_mul_overflow(count, (dataset.dims[d] - 1) / dataset.chunks[d] + 1, &count)) return 0;
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static test::MemoryFile file;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(input.find('\n'), input.size());
  hdf5::IndexedDataset dataset = datasetIn(input.substr(0, end));
  const std::size_t begin = std::min(size, end + 1);
  file.fill({data + begin, size - begin});
  try {
    dataset.object = paging::ByteStores().open(file.path());
    const auto index = hdf5::chunkIndexOf(dataset);
    if (!index) return 0;
    const std::int64_t count = countOf(dataset), step = std::max<std::int64_t>(1, count / 50);
    for (std::int64_t chunk = 0; chunk < count; chunk += step) try {
        const auto before = index->placeIfKnown(chunk);
        index->expect(chunk);
        const auto place = index->place(chunk);
        const auto after = index->placeIfKnown(chunk);
        const auto same = [&](const auto& its) {
          return its->offset == place.offset && its->bytes == place.bytes && its->skipped == place.skipped;
        };
        if (!after || !same(after) || (before && !same(before))) std::abort();
      } catch (const Error&) {
      }
  } catch (const Error&) {
  }
  return 0;
}
