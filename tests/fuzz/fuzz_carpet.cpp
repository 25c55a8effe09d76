// Any list of components as those of Carpet's files: names, sizes and places from the bytes. It is refused with an error of ours, or all of it
// can be read.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/base/error.h"
#include "plugins/amr/amr_series.h"
#include "plugins/carpet/carpet_grid.h"

using namespace farfield;

namespace {

/// Zeros, as many as are asked for.
class Zeros final : public arrays::ByteSource {
 public:
  explicit Zeros(std::uint64_t size) : m_size(size) {}
  std::uint64_t size() const override { return m_size; }
  void readAt(std::uint64_t offset, std::span<std::byte> out) const override {
    if (offset > m_size || out.size() > m_size - offset) std::abort();
    std::fill(out.begin(), out.end(), std::byte{0});
  }

 private:
  std::uint64_t m_size;
};

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : m_data(data), m_left(size) {}
  bool empty() const { return m_left == 0; }
  std::uint8_t next() { return m_left == 0 ? 0 : (--m_left, *m_data++); }
  /// Mostly a small multiple of a half, seldom anything.
  double number() {
    const std::uint8_t kind = next();
    if (kind < 250) return static_cast<double>(static_cast<std::int8_t>(next())) / (kind % 2 ? 1 : 2);
    std::uint64_t bits = 0;
    for (int n = 0; n < 8; ++n) bits = bits << 8 | next();
    return std::bit_cast<double>(bits);
  }

 private:
  const std::uint8_t* m_data;
  std::size_t m_left;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // the bytes as a name, too
  const std::string text(reinterpret_cast<const char*>(data), size);
  carpet::datasetName(text);
  carpet::isPartOfSet(text);
  if (const auto name = carpet::fileName(text); name && name->process < 0) std::abort();
  Bytes bytes(data, size);
  std::vector<carpet::Component> components;
  while (!bytes.empty() && components.size() < 40) {
    carpet::Component part;
    const std::string name = "A::" + std::string(1, static_cast<char>('a' + bytes.next() % 3)) +
                             " it=" + std::to_string(bytes.next() % 3) +
                             " tl=0 rl=" + std::to_string(bytes.next() % 3) +
                             " c=" + std::to_string(bytes.next() % 4);
    part.name = *carpet::datasetName(name);
    part.rank = bytes.next() % 8 == 0 ? 2 : 3;
    std::uint64_t count = 8;
    for (std::size_t a = 0; a < 3; ++a) {
      part.dims[a] = static_cast<int>(a) < part.rank ? 1 + bytes.next() % 12 : 1;
      part.origin[static_cast<int>(a)] = bytes.number();
      part.delta[static_cast<int>(a)] = static_cast<int>(a) < part.rank ? bytes.number() : 1;
      count *= static_cast<std::uint64_t>(part.dims[a]);
      if (!std::isfinite(part.origin[static_cast<int>(a)]) || !(part.delta[static_cast<int>(a)] > 0) ||
          !std::isfinite(part.delta[static_cast<int>(a)]))
        return 0;  // which the reader of files refuses
      part.trim[2 * a] = bytes.next() % 3;
      part.trim[2 * a + 1] = bytes.next() % 3;
    }
    part.time = bytes.number();
    part.bytes = std::make_shared<Zeros>(count);
    components.push_back(std::move(part));
  }
  try {
    MemoryAccount account(std::uint64_t{16} << 20);
    amr::AmrData amr = amr::seriesOf(carpet::inputsOf(std::move(components), {}, account), account);
    const arrays::ArrayReader reader(std::move(amr.description), std::move(amr.places),
                                     std::move(amr.claims));
    for (std::uint32_t a = 0; a < reader.description().arrays.size(); ++a) {
      const auto& array = reader.description().arrays[a];
      const Index3 dims = array.layout.dims();
      if (product(dims) > 20 * 20 * 20) std::abort();
      std::vector<std::byte> nodes(static_cast<std::size_t>(product(dims) * array.nodeBytes()));
      for (std::int64_t step = 0; step < array.steps; ++step) reader.read(a, step, {{0, 0, 0}, dims}, nodes);
    }
  } catch (const Error&) {
  }
  return 0;
}
