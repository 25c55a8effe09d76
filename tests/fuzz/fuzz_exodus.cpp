// Any file as one of Exodus II: it is refused with an error of ours, or arranged and all of it read.

#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "plugins/arrays/byte_source.h"
#include "plugins/exodus/exodus_mesh.h"
#include "tests/support/arrange_all.h"
#include "tests/support/memory_file.h"

using namespace farfield;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static test::MemoryFile file;
  file.fill({data, size});
  MemoryAccount account(std::uint64_t{16} << 20);
  try {
    exodus::ExodusMesh mesh = exodus::readExodus(arrays::fileBytes(file.path(), arrays::makeFilePool()));
    // a side set may name an element more often than there are elements, once for each number in the file
    test::arrangeAndReadAll(mesh.input, std::move(mesh.times), 64 * (size + 1000), account);
  } catch (const Error&) {
  }
  return 0;
}
