// Any lists as grids of VTKHDF: refused with an error of ours, or all of it read; meshes are arranged first. The lists are in the input, and
// behind an empty line the bytes in which the numbers lie. The first line has the type ("-": it is not said, as in drafts of the format), each that follows a
// list "path|type|dims|place" or the numbers of an attribute "@path|1,2,3". A line "=" begins the lists of another file: files named together
// are steps.

#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "plugins/amr/amr_dataset.h"
#include "plugins/vtkfile/vtk_mesh.h"
#include "plugins/vtkhdf/vtkhdf_amr.h"
#include "plugins/vtkhdf/vtkhdf_grid.h"
#include "tests/support/arrange_all.h"
#include "tests/support/memory_file.h"
#include "tests/support/text_hdf5.h"

using namespace farfield;

namespace {

constexpr std::size_t kMostLines = 100, kMostFiles = 3, kLongestPath = 100;

/// With the groups that its path leads through. The last part of the path is not one.
hdf5::Group& groupAround(hdf5::Contents& contents, const std::string& path) {
  const auto named = [&](const std::string& name) {
    return std::find_if(contents.groups.begin(), contents.groups.end(),
                        [&](const hdf5::Group& group) { return group.path == name; });
  };
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    if (named(path.substr(0, slash)) == contents.groups.end())
      contents.groups.push_back({path.substr(0, slash), {}});
  return *named(path.substr(0, path.rfind('/')));
}

hdf5::Contents contentsIn(std::span<const std::string_view> lines) {
  hdf5::Contents contents;
  contents.groups.push_back({"", {}});
  contents.groups.push_back({"/VTKHDF", {}});
  if (!lines.empty() && lines.front() != "-") {
    cf::Attribute type;
    type.name = "Type";
    type.text = lines.front();
    contents.groups.back().attributes.push_back(type);
  }
  for (std::size_t n = 1; n < std::min(lines.size(), kMostLines); ++n) {
    const auto words = test::split(lines[n], '|');
    if (words[0].size() > kLongestPath) continue;
    if (words.size() == 2 && words[0].starts_with('@')) {
      cf::Attribute attribute;
      const std::string path = "/VTKHDF/" + std::string(words[0].substr(1));
      attribute.name = path.substr(path.rfind('/') + 1);
      for (const std::string_view text : test::split(words[1], ',')) {
        double number = 0;
        std::from_chars(text.data(), text.data() + text.size(), number);
        attribute.numbers.push_back(number);
      }
      groupAround(contents, path).attributes.push_back(attribute);
    }
    if (words.size() != 4) continue;
    const std::string path = "/VTKHDF/" + std::string(words[0]);
    groupAround(contents, path);
    if (const auto number = arrays::numberTypeNamed(words[1]))
      contents.datasets.push_back(test::datasetIn(path, *number, words[2], words[3]));
  }
  return contents;
}

/// The lists of each file.
std::vector<hdf5::Contents> filesIn(std::string_view lists) {
  std::vector<hdf5::Contents> files;
  const auto lines = test::split(lists, '\n');
  for (auto first = lines.begin(); files.size() < kMostFiles;) {
    const auto end = std::find(first, lines.end(), "=");
    files.push_back(contentsIn({first, end}));
    if (end == lines.end()) break;
    first = end + 1;
  }
  return files;
}

/// Coordinates that are computed may be of any number.
void readStored(const arrays::ArrayReader& reader, std::uint64_t mostBytes) {
  for (std::uint32_t a = 0; a < reader.description().arrays.size(); ++a) {
    const auto& array = reader.description().arrays[a];
    if (std::holds_alternative<arrays::ComputedArray>(reader.places()[a])) continue;
    const Index3 dims = array.layout.dims();
    const auto bytes = static_cast<std::uint64_t>(product(dims) * array.nodeBytes());
    if (bytes > mostBytes) std::abort();
    std::vector<std::byte> nodes(static_cast<std::size_t>(bytes));
    for (const std::int64_t step : {std::int64_t{0}, array.steps - 1})
      reader.read(a, step, {{0, 0, 0}, dims}, nodes);
  }
}

/// All that is in `files`, whose numbers lie in `file`.
void open(std::vector<hdf5::Contents> files, const test::MemoryFile& file, const char* on,
          std::uint64_t mostBytes) {
  MemoryAccount account(std::uint64_t{16} << 20);
  const paging::ByteStores stores;
  const auto caches = std::make_shared<chunks::ChunkCaches>(account);
  std::vector<MemoryClaim> claims;
  std::vector<vtkfile::VtkGrid> grids;
  for (hdf5::Contents& contents : files) {
    const hdf5::OpenedHdf5 found{file.path(), std::make_shared<hdf5::File>(stores.open(file.path())),
                                 std::move(contents)};
    if (vtkhdf::isOverlappingAmr(found.contents)) {
      amr::AmrData amr = amr::datasetOf(vtkhdf::amrOf(found, caches, account), account);
      return readStored({std::move(amr.description), std::move(amr.places), std::move(amr.claims)},
                        mostBytes);
    }
    for (vtkfile::VtkGrid& grid : vtkhdf::gridsOf(found, caches, account, claims))
      if (grids.empty() || grid.kind == grids.front().kind) grids.push_back(std::move(grid));
  }
  const std::vector<std::string> names(grids.size(), file.path());
  if (grids.front().kind != vtkfile::VtkKind::Unstructured) {
    vtkfile::VtkData data = vtkfile::datasetOf(std::move(grids), names, {{"on", on}}, account);
    return readStored({std::move(data.description), std::move(data.places), std::move(data.claims)},
                      mostBytes);
  }
  fields::MeshDataOptions options;
  options.format = options.name = "vtkhdf";
  options.forConversion = true;
  const auto opened = vtkfile::openSteps(std::move(grids), names, std::move(options), account);
  test::readAll(*opened->boxReader(), mostBytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static test::MemoryFile file;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(input.find("\n\n"), input.size());
  const std::string bytes = test::emptyHdf5() + std::string(input.substr(std::min(input.size(), end + 2)));
  file.fill({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  for (const char* on : {"nodes", "cells"}) try {
      const std::vector<hdf5::Contents> files = filesIn(input.substr(0, end));
      open(files, file, on, 4096 * (size + 1000));
      // values of cells are chosen for images alone
      if (!files.front().datasets.empty() && files.front().dataset("/VTKHDF/Points")) break;
    } catch (const Error&) {
    }
  return 0;
}
