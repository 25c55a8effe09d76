#pragma once
// All that follows from an unstructured grid of a file, for tests with any files: it is arranged, and everything is read.

#include <cstdlib>
#include <filesystem>

#include "core/base/temporary_file.h"
#include "core/paging/arranging/arranged_reader.h"
#include "core/paging/arranging/flat_mesh.h"
#include "core/paging/arranging/mesh_arranger.h"

namespace farfield::test {

/// Reads all arrays, at their first and their last step. Ends the program if one has more than `mostBytes` bytes.
inline void readAll(const paging::BoxReader& reader, std::uint64_t mostBytes) {
  for (std::uint32_t a = 0; a < reader.description().arrays.size(); ++a) {
    const auto& array = reader.description().arrays[a];
    const Index3 dims = array.layout.dims();
    const auto bytes = static_cast<std::uint64_t>(product(dims) * array.nodeBytes());
    if (bytes > mostBytes) std::abort();
    std::vector<std::byte> values(static_cast<std::size_t>(bytes));
    for (const std::int64_t step : {std::int64_t{0}, array.steps - 1})
      reader.read(a, step, {{0, 0, 0}, dims}, values);
  }
}

/// Once as it is, and once with values of cells at the nodes. Ends the program if an array has more than `mostBytes` bytes. Throws what
/// arranging and reading throw.
inline void arrangeAndReadAll(std::shared_ptr<const paging::MeshInput> input, std::vector<double> times,
                              std::uint64_t mostBytes, MemoryAccount& account) {
  std::vector<std::string> ignored;
  input = paging::withThickness(std::move(input), ignored);
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const paging::ArrangedMesh mesh =
      paging::arrangeMesh(*input, makeTemporaryFile(folder), account, folder, {});
  readAll(paging::ArrangedReader(input, mesh, "test", times), mostBytes);
  if (!paging::hasValuesOfCells(*input)) return;
  const auto around = std::make_shared<const paging::CellsAround>(mesh, account, folder, std::stop_token());
  readAll(paging::ArrangedReader(input, mesh, "test", std::move(times), around), mostBytes);
}

}  // namespace farfield::test
