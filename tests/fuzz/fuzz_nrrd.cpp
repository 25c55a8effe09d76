// Any file as a NRRD file: it is refused with an error of ours, or all of it can be read.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "plugins/nrrd/nrrd_reader.h"
#include "tests/support/memory_file.h"

using namespace farfield;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static test::MemoryFile file;
  // The first byte chooses options.
  if (size < 1) return 0;
  file.fill({data + 1, size - 1});
  arrays::Options options;
  if ((data[0] & 1) != 0) options["endian"] = "big";
  if ((data[0] & 2) != 0) options["axes"] = "ckji";
  if ((data[0] & 4) != 0) options["spacing"] = "1,2,3";
  try {
    nrrd::NrrdData nrrd = nrrd::describeNrrd({.sources = {file.path()}, .options = options}, true);
    const arrays::ArrayReader reader(std::move(nrrd.description), std::move(nrrd.places));
    for (std::uint32_t a = 0; a < reader.description().arrays.size(); ++a) {
      const auto& array = reader.description().arrays[a];
      const Index3 dims = array.layout.dims();
      // Values come from the file or its copy. A compressed one may be a thousand times its size.
      if (array.name == "xyz") continue;
      if (static_cast<std::uint64_t>(product(dims) * array.nodeBytes() * array.steps) >
          1100 * 8 * (size + 1000))
        std::abort();
      std::vector<std::byte> nodes(static_cast<std::size_t>(product(dims) * array.nodeBytes()));
      reader.read(a, array.steps - 1, {{0, 0, 0}, dims}, nodes);
    }
  } catch (const Error&) {
  }
  return 0;
}
