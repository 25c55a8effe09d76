#include "plugins/enzo/enzo_data.h"

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/url.h"
#include "plugins/amr/open_amr.h"
#include "plugins/arrays/option_words.h"
#include "plugins/enzo/enzo_grids.h"
#include "plugins/hdf5/hdf5_bytes.h"

namespace farfield::enzo {
namespace {

constexpr std::size_t kHeadBytes = 4096;
const char* const kEnding = ".hierarchy";

/// Opens outputs, one after the other.
class Opener {
 public:
  Opener(const fields::OpenRequest& request, const paging::ByteStores& stores, MemoryAccount& account)
      : m_request(request),
        m_stores(stores),
        m_account(account),
        m_pool(arrays::makeFilePool()),
        m_caches(std::make_shared<chunks::ChunkCaches>(account)) {}

  std::unique_ptr<fields::OpenData> open() {
    std::vector<amr::AmrInput> steps =
        amr::readSteps(m_request, [&](const std::string& source) { return read(source); });
    m_caches->prepareAll();
    return amr::openBoxes(std::move(steps), std::move(m_files), m_request, m_account, std::move(m_claims));
  }

 private:
  amr::AmrInput read(const std::string& source) {
    std::string hierarchy = source;
    if (!isHierarchy(arrays::beginning(source, m_stores, kHeadBytes)))
      hierarchy = fields::namedFile(m_request, source, lastPartOf(source) + kEnding);
    const auto text = arrays::namedBytes(hierarchy, m_stores, m_pool, m_files.objects);
    std::vector<Grid> grids = readHierarchy(*text, m_account, m_claims);
    m_files.names.push_back(hierarchy);
    m_files.storedBytes += text->size();
    return inputOf(
        std::move(grids), [&](const std::string& name) { return openFile(hierarchy, name); }, m_account);
  }

  SetFile openFile(const std::string& hierarchy, const std::string& name) {
    if (m_request.stop.stop_requested()) throw Cancelled();
    const std::string path = fields::namedFile(m_request, hierarchy, name);
    try {
      auto object = m_stores.open(path);
      SetFile file{hdf5::openFile(path, object, m_account), {}};
      m_files.names.push_back(path);
      m_files.storedBytes += object->size();
      if (isUrl(path)) m_files.objects.push_back(object);
      file.bytesOf = [this, path, opened = file.opened.file, held = false](
                         const hdf5::Dataset& data) mutable { return bytesOf(path, opened, data, held); };
      return file;
    } catch (Error& error) {
      if (!arrays::namesFile(error)) error.at(saidOf(path));
      throw;
    }
  }

  std::shared_ptr<const arrays::ByteSource> bytesOf(const std::string& path,
                                                    const std::shared_ptr<hdf5::File>& opened,
                                                    const hdf5::Dataset& data, bool& held) {
    if (data.storage != hdf5::Storage::Row || isUrl(path)) {
      // the file stays open for where its chunks are
      if (!std::exchange(held, true))
        m_claims.push_back(
            m_account.claimInEarnest(Purpose::Index, hdf5::File::kOpenBytes, "open HDF5 files"));
      return hdf5::bytesOf(opened, data, m_caches);
    }
    const auto all = arrays::fileBytes(path, m_pool);
    std::uint64_t bytes = static_cast<std::uint64_t>(arrays::bytesOf(data.type));
    for (const std::int64_t count : data.dims) bytes *= static_cast<std::uint64_t>(count);
    if (data.offset > all->size() || bytes > all->size() - data.offset)
      throw Corrupt("its dataset " + printable(data.path) + " lies behind its end",
                    "check that the copy is complete");
    return arrays::partOf(all, data.offset, bytes);
  }

  const fields::OpenRequest& m_request;
  const paging::ByteStores& m_stores;
  MemoryAccount& m_account;
  std::shared_ptr<arrays::FilePool> m_pool;
  std::shared_ptr<chunks::ChunkCaches> m_caches;
  std::vector<MemoryClaim> m_claims;
  amr::AmrFiles m_files;
};

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
    arrays::checkOptions(request.options, {});
    return Opener(request, *m_stores, account).open();
  } catch (Error& error) {
    if (!arrays::namesFile(error)) error.at(saidOf(source));
    throw;
  }
}

}  // namespace farfield::enzo
