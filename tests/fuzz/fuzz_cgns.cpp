// Any tree of nodes as CGNS: refused with an error of ours, or all of it read. The input is a file of ADF, or the tree of one of HDF5,
// as lines of text "path|label|type|dims|place" and an empty line, and then the bytes in which the numbers lie; what HDF5's structures
// hold is up to its library, so they are not in it.

#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "core/fields/data/mesh_data.h"
#include "plugins/cgns/cgns_mesh.h"
#include "plugins/cgns/cgns_structured.h"
#include "tests/support/arrange_all.h"
#include "tests/support/memory_file.h"
#include "tests/support/text_hdf5.h"

using namespace farfield;

namespace {

hdf5::Contents contentsIn(std::string_view tree) {
  hdf5::Contents contents;
  contents.groups.push_back({"", {}});
  for (const std::string_view line : test::split(tree, '\n')) {
    const auto words = test::split(line, '|');
    if (words.size() != 5 || contents.groups.size() > 300) continue;
    cf::Attribute label;
    label.name = "label";
    label.text = words[1];
    contents.groups.push_back({"/" + std::string(words[0]), {label}});
    const auto type = arrays::numberTypeNamed(words[2]);
    if (!type) continue;
    contents.datasets.push_back(
        test::datasetIn(contents.groups.back().path + "/ data", *type, words[3], words[4]));
  }
  return contents;
}

void readAll(const paging::BoxReader& reader) {
  for (std::uint32_t a = 0; a < reader.description().arrays.size(); ++a) {
    const auto& array = reader.description().arrays[a];
    const Index3 dims = array.layout.dims();
    std::vector<std::byte> nodes(static_cast<std::size_t>(product(dims) * array.nodeBytes()));
    reader.read(a, array.steps - 1, {{0, 0, 0}, dims}, nodes);
  }
}

std::shared_ptr<const cgns::Tree> adfTree(const std::uint8_t* data, std::size_t size, test::MemoryFile& file,
                                          MemoryAccount& account) {
  file.fill({data, size});
  const paging::ByteStores stores;
  if (!cgns::isAdf(file.path(), stores)) throw Invalid("not ADF");
  return std::make_shared<const cgns::Tree>(cgns::readAdf(stores.open(file.path())), account);
}

std::shared_ptr<const cgns::Tree> hdf5Tree(std::string_view input, test::MemoryFile& file,
                                           MemoryAccount& account) {
  const std::size_t end = std::min(input.find("\n\n"), input.size());
  const std::string bytes = test::emptyHdf5() + std::string(input.substr(std::min(input.size(), end + 2)));
  file.fill({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  const paging::ByteStores stores;
  auto opened = std::make_shared<hdf5::File>(stores.open(file.path()));
  return std::make_shared<const cgns::Tree>(
      hdf5::OpenedHdf5{file.path(), std::move(opened), contentsIn(input.substr(0, end))},
      std::make_shared<chunks::ChunkCaches>(account), account);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static test::MemoryFile file;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  MemoryAccount account(std::uint64_t{16} << 20);
  try {
    const auto tree =
        input.starts_with("@(#)") ? adfTree(data, size, file, account) : hdf5Tree(input, file, account);
    const cgns::Base base = cgns::readBase(*tree, "");
    if (base.zones.front().isStructured) {
      cgns::CgnsBlocks blocks = cgns::blocksOf(*tree, base, {});
      readAll(arrays::ArrayReader(std::move(blocks.description), std::move(blocks.places)));
      return 0;
    }
    cgns::CgnsMesh mesh = cgns::meshOf(tree, base);
    test::arrangeAndReadAll(mesh.input, base.times, 4096 * (size + 1000), account);
  } catch (const Error&) {
  }
  return 0;
}
