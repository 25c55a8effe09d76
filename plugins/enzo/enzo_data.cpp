#include "plugins/enzo/enzo_data.h"

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/url.h"
#include "plugins/amr/open_amr.h"
#include "plugins/enzo/enzo_grids.h"
#include "plugins/hdf5/hdf5_bytes.h"

namespace farfield::enzo {
namespace {

constexpr std::size_t kHeadBytes = 4096;
const char* const kEnding = ".hierarchy";

}  // namespace

bool EnzoDataReader::recognizes(const std::string& source) const {
  if (!m_stores->knows(source)) return false;
  const std::string head = arrays::beginning(source, *m_stores, kHeadBytes);
  if (isHierarchy(head)) return true;
  return isParameterFile(head) && isHierarchy(arrays::beginning(source + kEnding, *m_stores, kHeadBytes));
}

std::unique_ptr<fields::OpenData> EnzoDataReader::open(const fields::OpenRequest& request,
                                                       MemoryAccount& account) const {
  const std::string& source = request.sources.front();
  try {
    if (!request.solutions.empty())
      throw Invalid("Enzo's output has no solution files", "name the hierarchy file");
    if (request.sources.size() != 1)
      throw Unsupported(
          "grids of " + std::to_string(request.sources.size()) + " outputs are not read as steps",
          "name one");
    if (!request.options.empty())
      throw Invalid("there is no option '" + printable(request.options.begin()->first) + "' of this reader",
                    "leave it out");
    std::vector<MemoryClaim> claims;
    paging::ByteObjects objects;
    const auto pool = arrays::makeFilePool();
    const auto caches = std::make_shared<chunks::ChunkCaches>(account);
    std::string hierarchy = source;
    if (!isHierarchy(arrays::beginning(source, *m_stores, kHeadBytes)))
      hierarchy = fields::namedFile(request, source, lastPartOf(source) + kEnding);
    const auto text = arrays::namedBytes(hierarchy, *m_stores, pool, objects);
    std::vector<Grid> grids = readHierarchy(*text, account, claims);
    amr::AmrFiles files;
    files.names.push_back(hierarchy);
    files.storedBytes = text->size();
    const auto openFile = [&](const std::string& name) {
      if (request.stop.stop_requested()) throw Cancelled();
      const std::string path = fields::namedFile(request, hierarchy, name);
      try {
        auto object = m_stores->open(path);
        SetFile file{hdf5::openFile(path, object), {}};
        files.names.push_back(path);
        files.storedBytes += object->size();
        if (isUrl(path)) objects.push_back(object);
        file.bytesOf = [&, path, opened = file.opened.file, held = false](
                           const hdf5::Dataset& data) mutable -> std::shared_ptr<const arrays::ByteSource> {
          if (data.storage != hdf5::Storage::Row || isUrl(path)) {
            // the file stays open for where its chunks are
            if (!std::exchange(held, true))
              claims.push_back(
                  account.claimInEarnest(Purpose::Index, hdf5::File::kOpenBytes, "open HDF5 files"));
            return hdf5::bytesOf(opened, data, caches);
          }
          const auto all = arrays::fileBytes(path, pool);
          std::uint64_t bytes = static_cast<std::uint64_t>(arrays::bytesOf(data.type));
          for (const std::int64_t count : data.dims) bytes *= static_cast<std::uint64_t>(count);
          if (data.offset > all->size() || bytes > all->size() - data.offset)
            throw Corrupt("its dataset " + printable(data.path) + " lies behind its end",
                          "check that the copy is complete");
          return arrays::partOf(all, data.offset, bytes);
        };
        return file;
      } catch (Error& error) {
        if (!arrays::namesFile(error)) error.at(saidOf(path));
        throw;
      }
    };
    amr::AmrInput input = inputOf(std::move(grids), openFile, account);
    files.objects = std::move(objects);
    return amr::openBoxes(std::move(input), std::move(files), request, account, std::move(claims));
  } catch (Error& error) {
    if (!arrays::namesFile(error)) error.at(saidOf(source));
    throw;
  }
}

}  // namespace farfield::enzo
