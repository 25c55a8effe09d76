#include "core/fields/data/mesh_data.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/temporary_file.h"
#include "core/base/url.h"
#include "core/fields/data/box_data.h"
#include "core/paging/arranging/arranged_reader.h"
#include "core/paging/arranging/flat_mesh.h"
#include "core/paging/arranging/mesh_arranger.h"
#include "core/paging/arranging/mesh_series.h"

namespace farfield::fields {

namespace {

constexpr const char* kCells = "cells";

ReadingChoice valuesChoice(bool atNodes) {
  ReadingChoice choice{kValuesOption, "Values", {}};
  choice.values.push_back({kCells, "of cells, the same all over each"});
  choice.values.push_back({kCellsAtNodes, "of cells, at nodes (mean of the cells around)"});
  choice.now = atNodes ? 1 : 0;
  return choice;
}

}  // namespace

bool asksForCellsAtNodes(const std::map<std::string, std::string>& options) {
  const auto told = options.find(kValuesOption);
  if (told == options.end() || told->second == kCells) return false;
  if (told->second == kCellsAtNodes) return true;
  throw Invalid("unstructured grids show values of nodes and of cells together, and have no '" +
                    printable(told->second) + "'",
                "use cells or cells-at-nodes")
      .at(std::string("option ") + kValuesOption);
}

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
  options.cellsAtNodes = asksForCellsAtNodes(request.options);
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
  std::shared_ptr<const paging::CellsAround> around;
  if (options.cellsAtNodes && paging::hasValuesOfCells(*input))
    around = std::make_shared<const paging::CellsAround>(mesh, account, folder, options.stop);
  return std::make_shared<paging::ArrangedReader>(std::move(input), std::move(mesh), options.format,
                                                  std::move(times), std::move(around));
}

/// Says how values of cells are shown, and that there is a choice.
void addValuesChoice(const std::vector<std::shared_ptr<const paging::MeshInput>>& inputs,
                     MeshDataOptions& options) {
  const bool some = std::any_of(inputs.begin(), inputs.end(),
                                [](const auto& input) { return paging::hasValuesOfCells(*input); });
  if (some) options.choices.push_back(valuesChoice(options.cellsAtNodes));
  if (!options.cellsAtNodes) return;
  options.explanation.emplace_back(
      some ? "values of cells are at the nodes: means of the cells around each"
           : "there are no values of cells, so the option on=cells-at-nodes changes nothing");
  if (some) options.attributes["cells.at"] = "nodes: means of the cells around each";
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
  addValuesChoice({input}, options);
  auto reader = arranged(std::move(input), std::move(options.times), options, account);
  return openArranged(std::move(reader), std::move(options), account);
}

std::unique_ptr<OpenData> openMeshes(std::vector<std::shared_ptr<const paging::MeshInput>> inputs,
                                     MeshDataOptions options, MemoryAccount& account) {
  if (inputs.size() > kMostGrids)
    throw Unsupported("has " + std::to_string(inputs.size()) + " grids, and up to " +
                          std::to_string(kMostGrids) + " different ones are opened together",
                      "name fewer steps, or one with --option step=N");
  addValuesChoice(inputs, options);
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
