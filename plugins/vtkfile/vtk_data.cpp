#include "plugins/vtkfile/vtk_data.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/url.h"
#include "core/fields/data/box_data.h"
#include "core/fields/data/mesh_data.h"
#include "plugins/arrays/values_on.h"
#include "plugins/vtkfile/displaced_mesh.h"
#include "plugins/vtkfile/step_option.h"
#include "plugins/vtkfile/vtk_files.h"
#include "plugins/vtkfile/vtk_grid.h"
#include "plugins/vtkfile/vtk_joined.h"
#include "plugins/vtkfile/vtk_mesh.h"
#include "plugins/vtkfile/vtk_xml.h"

namespace farfield::vtkfile {
namespace {

/// Without those that choose what is read.
arrays::Options withoutChoices(arrays::Options options) {
  options.erase("block");
  options.erase(kStepOption);
  options.erase(kBadStepsOption);
  return options;
}

std::vector<std::string> namesOfSteps(const VtkFiles& files) {
  std::vector<std::string> names;
  for (const VtkStep& step : files.steps) names.push_back(step.file);
  return names;
}

/// Unstructured blocks of a step become one grid.
std::unique_ptr<fields::OpenData> openMesh(VtkFiles files, const fields::OpenRequest& request,
                                           MemoryAccount& account) {
  const DisplacementOptions displacement = displacementOptions(request.options);
  arrays::Options others = withoutChoices(request.options);
  for (const std::string& name : displacementOptionNames()) others.erase(name);
  others.erase(fields::kValuesOption);
  if (!others.empty())
    throw Invalid("unstructured grids take no option '" + others.begin()->first + "'", "leave it out");
  const std::vector<std::string> names = namesOfSteps(files);
  std::vector<std::string> titles;
  std::vector<VtkGrid> grids;
  for (VtkStep& step : files.steps) {
    std::vector<VtkGrid> blocks;
    for (VtkBlock& block : step.blocks) {
      if (grids.empty()) titles.push_back(block.title);
      blocks.push_back(std::move(block.grid));
    }
    grids.push_back(joinedBlocks(std::move(blocks)));
  }
  grids.front().memory = std::make_shared<const std::vector<MemoryClaim>>(std::move(files.memory));
  fields::MeshDataOptions options;
  options.format = "vtk";
  options.name = saidOf(request.sources.front());
  options.files.assign(files.names.begin(), files.names.end());
  options.objects = std::move(files.objects);
  options.storedBytes = files.storedBytes;
  options.stop = request.stop;
  options.explanation = files.notes;
  sayTitles(titles, options.explanation, options.attributes);
  options.forConversion = request.forConversion;
  options.cellsAtNodes = fields::asksForCellsAtNodes(request.options);
  return openSteps(std::move(grids), names, std::move(options), account, displacement);
}

/// Structured blocks, each with all its steps.
VtkData datasetOf(VtkFiles& files, const fields::OpenRequest& request, MemoryAccount& account) {
  const std::size_t count = files.steps.front().blocks.size();
  for (const VtkStep& step : files.steps)
    if (step.blocks.size() != count)
      throw Unsupported("has " + std::to_string(step.blocks.size()) + " blocks where the first step has " +
                            std::to_string(count) + ", and grids that change are not read",
                        "open the steps one at a time, with --option step=N")
          .at(saidOf(step.file));
  arrays::Options options = withoutChoices(request.options);
  if (count > 1)
    for (const char* const key : {"origin", "spacing"})
      if (options.contains(key))
        throw Invalid("several blocks cannot have one " + std::string(key),
                      "choose one with --option block=N")
            .at("option " + std::string(key));
  // all blocks show the same values
  const auto& blocks = files.steps.front().blocks;
  std::array<std::vector<std::string>, 2> valueNames;
  for (const VtkBlock& block : blocks)
    for (const VtkArray& array : block.grid.arrays) {
      std::vector<std::string>& its = valueNames[array.onCells ? 1 : 0];
      if (std::find(its.begin(), its.end(), array.name) == its.end()) its.push_back(array.name);
    }
  arrays::ValuesOn values = arrays::valuesOn(options, valueNames[0], valueNames[1]);
  if (count > 1 && !options.contains("on")) options["on"] = valueNames[0].empty() ? "cells" : "nodes";
  const std::vector<std::string> names = namesOfSteps(files);
  std::vector<VtkData> data;
  std::vector<std::string> titles;
  for (std::size_t b = 0; b < count; ++b) {
    std::vector<VtkGrid> grids;
    for (VtkStep& step : files.steps) grids.push_back(std::move(step.blocks[b].grid));
    titles.push_back(files.steps.front().blocks[b].title);
    data.push_back(datasetOf(std::move(grids), names, options, account));
  }
  VtkData all = joined(std::move(data), titles);
  all.choice = std::move(values.choice);
  all.explain.insert(all.explain.end(), files.notes.begin(), files.notes.end());
  for (MemoryClaim& claim : files.memory) all.claims.push_back(std::move(claim));
  all.description.attributes["source"] = lastPartOf(request.sources.front());
  return all;
}

}  // namespace

bool VtkDataReader::recognizes(const std::string& source) const {
  const std::string head = arrays::beginning(source, *m_stores, 14);
  if (head == "# vtk DataFile" || head.starts_with("<VTKFile")) return true;
  if (!head.starts_with("<?xml") && !head.starts_with("<!--")) return false;
  try {
    paging::ByteObjects objects;
    return !xmlTypeOf(*arrays::namedBytes(source, *m_stores, arrays::makeFilePool(), objects)).empty();
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    return false;
  }
}

std::unique_ptr<fields::OpenData> VtkDataReader::open(const fields::OpenRequest& request,
                                                      MemoryAccount& account) const {
  const std::string first = saidOf(request.sources.front());
  if (!request.solutions.empty())
    throw Invalid("a file of VTK has no solution files", "name all files as data").at(first);
  std::vector<std::string> known = gridOptions();
  known.insert(known.end(), displacementOptionNames().begin(), displacementOptionNames().end());
  known.emplace_back("block");
  known.emplace_back(kStepOption);
  known.emplace_back(kBadStepsOption);
  arrays::checkOptions(request.options, known);
  const bool copy = !account.onlyCounts();
  try {
    VtkFiles files = readFiles(request, *m_stores, account, copy);
    if (files.areListed()) {
      // such a grid is arranged in a rehearsal, too, because what it needs follows from its cells
      if (!copy) files = readFiles(request, *m_stores, account, true);
      keepChosenStep(files.steps, request.options);
      return openMesh(std::move(files), request, account);
    }
    keepChosenStep(files.steps, request.options);
    for (const std::string& name : displacementOptionNames())
      if (request.options.contains(name))
        throw Invalid("structured grids take no option '" + name + "', and their nodes stay where they are",
                      "leave it out");
    VtkData data = datasetOf(files, request, account);
    data.description.storedBytes = files.storedBytes;
    fields::BoxDataOptions options;
    if (!files.objects.empty()) options.origin = fields::originOf(files.objects);
    auto reader = std::make_shared<arrays::ArrayReader>(std::move(data.description), std::move(data.places),
                                                        std::move(data.claims), std::move(files.objects));
    options.locate = !request.forConversion;
    options.ranges = request.keptRanges;
    options.files.assign(files.names.begin(), files.names.end());
    options.name = first;
    if (copy && m_kept) {
      options.kept = m_kept;
      options.identity = m_kept->identityOf({files.names.begin(), files.names.end()}, reader->description());
      if (auto found = options.identity.empty()
                           ? std::nullopt
                           : m_kept->find(options.identity, reader->description().blocks)) {
        options.found = std::make_shared<const paging::KeptScans::Kept>(std::move(*found));
        data.explain.emplace_back("bounds and location bounds were kept from an earlier opening");
      }
    }
    if (data.choice) options.choices.push_back(std::move(*data.choice));
    return fields::openBoxes(std::move(reader), options, std::move(data.explain), account);
  } catch (Error& error) {
    if (!arrays::namesFile(error)) error.at(first);
    throw;
  }
}

}  // namespace farfield::vtkfile
