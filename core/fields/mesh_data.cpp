#include "core/fields/mesh_data.h"

#include <utility>

#include "core/base/error.h"
#include "core/base/temporary_file.h"
#include "core/base/url.h"
#include "core/fields/box_data.h"
#include "core/paging/arranging/arranged_reader.h"
#include "core/paging/arranging/flat_mesh.h"
#include "core/paging/arranging/mesh_arranger.h"
#include "core/paging/arranging/mesh_series.h"

namespace farfield::fields {

MeshDataOptions meshOptionsOf(const OpenRequest& request, std::string format,
                              const paging::ByteObjects& objects, std::uint64_t bytes) {
  const std::string& source = request.sources.front();
  MeshDataOptions options;
  options.format = std::move(format);
  options.name = saidOf(source);
  options.files = {source};
  if (isUrl(source)) options.objects = objects;
  options.storedBytes = bytes;
  options.stop = request.stop;
  options.forConversion = request.forConversion;
  return options;
}

namespace {

/// Each has a temporary file that is open.
constexpr std::size_t kMostGrids = 256;

/// Puts a grid in order; says how in options.explanation.
std::shared_ptr<paging::ArrangedReader> arranged(std::shared_ptr<const paging::MeshInput> input,
                                                 std::vector<double> times, MeshDataOptions& options,
                                                 MemoryAccount& account) {
  const std::filesystem::path folder = temporaryFolder();
  input = paging::withThickness(std::move(input), options.explanation);
  paging::ArrangedMesh mesh =
      paging::arrangeMesh(*input, makeTemporaryFile(folder), account, folder, options.stop);
  options.explanation.push_back(mesh.shapesText());
  return std::make_shared<paging::ArrangedReader>(std::move(input), std::move(mesh), options.format,
                                                  std::move(times));
}

template <class Reader>
std::unique_ptr<OpenData> openArranged(std::shared_ptr<Reader> reader, MeshDataOptions options,
                                       MemoryAccount& account) {
  options.explanation.emplace_back("cells are ordered along a space-filling curve, in a temporary file");
  paging::DatasetDescription& description = reader->changeDescription();
  description.storedBytes = options.storedBytes;
  description.attributes.merge(options.attributes);
  if (!options.files.empty()) description.attributes["source"] = lastPartOf(options.files.front().string());
  BoxDataOptions box;
  box.name = options.name;
  box.choices = std::move(options.choices);
  box.files = std::move(options.files);
  if (!options.objects.empty()) box.origin = originOf(options.objects);
  box.objects = std::move(options.objects);
  box.locate = !options.forConversion;
  return openBoxes(std::move(reader), box, std::move(options.explanation), account);
}

}  // namespace

std::unique_ptr<OpenData> openMesh(std::shared_ptr<const paging::MeshInput> input, MeshDataOptions options,
                                   MemoryAccount& account) {
  auto reader = arranged(std::move(input), std::move(options.times), options, account);
  return openArranged(std::move(reader), std::move(options), account);
}

std::unique_ptr<OpenData> openMeshes(std::vector<std::shared_ptr<const paging::MeshInput>> inputs,
                                     MeshDataOptions options, MemoryAccount& account) {
  if (inputs.size() > kMostGrids)
    throw Unsupported("has " + std::to_string(inputs.size()) + " grids, and up to " +
                          std::to_string(kMostGrids) + " different ones are opened together",
                      "name fewer steps, or one with --option step=N");
  std::vector<std::shared_ptr<const paging::ArrangedReader>> grids;
  std::vector<std::string> said = std::move(options.explanation);
  for (auto& input : inputs) {
    options.explanation.clear();
    grids.push_back(arranged(std::move(input), {0}, options, account));
    for (const std::string& line : options.explanation)
      said.push_back("step " + std::to_string(grids.size() - 1) + ": " + line);
  }
  options.explanation = std::move(said);
  auto reader = std::make_shared<paging::MeshSeriesReader>(std::move(grids), std::move(options.times));
  for (const std::string& name : reader->leftOut())
    options.explanation.push_back("left out: " + name + ", which not all steps have");
  return openArranged(std::move(reader), std::move(options), account);
}

}  // namespace farfield::fields
