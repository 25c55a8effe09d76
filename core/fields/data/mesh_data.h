#pragma once
// Unstructured grids in files, opened without conversion: arranged into a temporary file
// (paging/arranging/mesh_arranger.h), while values stay where they are and are read in the arranged order.

#include <filesystem>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/fields/functions/open_data.h"
#include "core/fields/functions/reading_choices.h"
#include "core/paging/arranging/mesh_input.h"

namespace farfield::fields {

/// The option of all readers of unstructured grids by which their values of cells are shown: `cells` (default), the same all over each cell,
/// or `cells-at-nodes`.
inline constexpr const char* kValuesOption = "on";
inline constexpr const char* kCellsAtNodes = "cells-at-nodes";
/// Whether the options ask for values at nodes. Throws Invalid for another value.
bool asksForCellsAtNodes(const std::map<std::string, std::string>& options);

struct MeshDataOptions {
  std::string format;                             ///< "vtk"
  std::string name;                               ///< for errors: "file wing.vtu"
  std::vector<std::filesystem::path> files = {};  ///< all files that values come from
  paging::ByteObjects objects = {};               ///< the same where URLs named them
  std::uint64_t storedBytes = 0;
  std::vector<double> times = {0};
  std::vector<std::string> explanation = {};
  std::map<std::string, std::string> attributes = {};
  std::vector<ReadingChoice> choices = {};
  /// Values of cells are taken to the nodes, each the mean of the cells around it. Which of the two is a choice of all such data, and is added
  /// to `choices` when they are opened.
  bool cellsAtNodes = false;
  std::stop_token stop = {};
  bool forConversion = false;
};

/// What follows from the request: for a format `format` that reads the one source, of which `bytes` bytes are stored, from
/// `objects` where it is a URL.
MeshDataOptions meshOptionsOf(const OpenRequest& request, std::string format,
                              const paging::ByteObjects& objects, std::uint64_t bytes);

/// Memory for arranging is claimed from `account` while it is opened. Throws what arranging throws.
std::unique_ptr<OpenData> openMesh(std::shared_ptr<const paging::MeshInput> input, MeshDataOptions options,
                                   MemoryAccount& account);

/// The same where cells change from step to step: a grid for each of `options.times`. Throws Unsupported as well, if there are more
/// grids than are kept open.
std::unique_ptr<OpenData> openMeshes(std::vector<std::shared_ptr<const paging::MeshInput>> inputs,
                                     MeshDataOptions options, MemoryAccount& account);

}  // namespace farfield::fields
