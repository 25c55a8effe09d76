#include "plugins/zarr/zarr_data.h"

#include "core/base/error.h"
#include "core/base/url.h"
#include "core/fields/data/box_data.h"
#include "plugins/chunks/chunk_sources.h"
#include "plugins/zarr/zarr_reader.h"

namespace farfield::zarr {
namespace {

std::unique_ptr<fields::OpenData> openZarr(const std::shared_ptr<const paging::ByteStores>& stores,
                                           const fields::OpenRequest& request, MemoryAccount& account) {
  const std::string root = folderOf(request.sources.front());
  const std::string name = saidOf(root);
  try {
    const auto caches = std::make_shared<chunks::ChunkCaches>(account);
    ZarrData made = describeZarr(stores, root, request.options, caches, account);
    fields::BoxDataOptions options;
    options.pagesAsDescribed = made.inChunks;
    options.locate = !request.forConversion;
    options.name = name;
    options.choices = std::move(made.data.choices);
    if (made.levels > 1 && !request.options.contains("level"))
      options.openLevel = [stores, request, levels = made.levels](
                              int level, MemoryAccount& its) -> std::unique_ptr<fields::OpenData> {
        if (level < 0 || level >= levels) return nullptr;
        fields::OpenRequest coarse = request;
        coarse.findNamed = nullptr;  // of the first opening, as what stops it
        coarse.stop = {};
        coarse.options["level"] = std::to_string(level);
        return openZarr(stores, coarse, its);
      };
    auto reader = std::make_shared<arrays::ArrayReader>(
        std::move(made.data.description), std::move(made.data.places), std::move(made.data.claims));
    if (options.pagesAsDescribed) options.sources = chunks::chunkSources(reader, name);
    return fields::openBoxes(std::move(reader), options, std::move(made.data.explain), account);
  } catch (Error& error) {
    if (!arrays::namesFile(error)) error.at(name);
    throw;
  }
}

}  // namespace

bool ZarrDataReader::recognizes(const std::string& source) const {
  // Who names a file of Zarr's on a web server has said what it is.
  const std::string folder = folderOf(source);
  return isZarr(*m_stores, folder, folder != source);
}

std::unique_ptr<fields::OpenData> ZarrDataReader::open(const fields::OpenRequest& request,
                                                       MemoryAccount& account) const {
  const std::string first = saidOf(request.sources.front());
  if (request.sources.size() != 1)
    throw Unsupported("has all steps, and " + std::to_string(request.sources.size()) + " are named",
                      "name one")
        .at(first);
  if (!request.solutions.empty()) throw Invalid("Zarr has no solution files", "name one folder").at(first);
  return openZarr(m_stores, request, account);
}

}  // namespace farfield::zarr
