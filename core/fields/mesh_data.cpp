#include "core/fields/mesh_data.h"

#include <utility>

#include "core/base/temporary_file.h"
#include "core/base/url.h"
#include "core/fields/box_data.h"
#include "core/paging/arranging/arranged_reader.h"
#include "core/paging/arranging/flat_mesh.h"
#include "core/paging/arranging/mesh_arranger.h"

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

std::unique_ptr<OpenData> openMesh(std::shared_ptr<const paging::MeshInput> input, MeshDataOptions options,
                                   MemoryAccount& account) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  input = paging::withThickness(std::move(input), options.explanation);
  paging::ArrangedMesh mesh =
      paging::arrangeMesh(*input, makeTemporaryFile(folder), account, folder, options.stop);
  options.explanation.push_back(mesh.shapesText());
  options.explanation.emplace_back("cells are ordered along a space-filling curve, in a temporary file");
  auto reader = std::make_shared<paging::ArrangedReader>(std::move(input), std::move(mesh), options.format,
                                                         std::move(options.times));
  paging::DatasetDescription& description = reader->changeDescription();
  description.storedBytes = options.storedBytes;
  description.attributes = std::move(options.attributes);
  if (!options.files.empty()) description.attributes["source"] = lastPartOf(options.files.front().string());
  BoxDataOptions box;
  box.name = options.name;
  box.files = std::move(options.files);
  if (!options.objects.empty()) box.origin = originOf(options.objects);
  box.objects = std::move(options.objects);
  box.locate = !options.forConversion;
  return openBoxes(std::move(reader), box, std::move(options.explanation), account);
}

}  // namespace farfield::fields
