#include "plugins/hdf5/hdf5_data.h"

#include <cstring>

#include "core/base/error.h"
#include "core/base/url.h"
#include "plugins/chunks/open_chunked.h"
#include "plugins/hdf5/hdf5_reader.h"

namespace farfield::hdf5 {

bool isHdf5(const paging::ByteStores& stores, const std::string& source) {
  constexpr unsigned char kSignature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  // the signature lies at the beginning, or at a power of two behind a user block
  constexpr std::uint64_t kFurthest = 8192;
  if (!stores.knows(source)) return false;
  try {
    const auto object = stores.open(source);
    char head[sizeof kSignature]{};
    for (std::uint64_t at = 0; at <= kFurthest && at + sizeof head <= object->size();
         at = at == 0 ? 512 : 2 * at) {
      object->readAt(at, std::as_writable_bytes(std::span(head)));
      if (std::memcmp(head, kSignature, sizeof head) == 0) return true;
    }
    return false;
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    return false;
  }
}

bool isHdf5(const paging::ByteStores& stores, const std::string& source,
            const std::function<bool(const File&)>& isOurs) {
  if (!isHdf5(stores, source)) return false;
  try {
    return isOurs(File(stores.open(source)));
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    return false;
  }
}

std::unique_ptr<fields::OpenData> Hdf5DataReader::open(const fields::OpenRequest& request,
                                                       MemoryAccount& account) const {
  const std::string first = saidOf(request.sources.front());
  if (!request.solutions.empty())
    throw Invalid("an HDF5 file has no solution files", "name all files as data").at(first);
  std::vector<OpenedHdf5> files;
  paging::ByteObjects objects;
  for (const std::string& source : request.sources) try {
      objects.push_back(m_stores->open(source));
      files.push_back(openFile(source, objects.back(), account));
    } catch (Error& error) {
      if (!arrays::namesFile(error)) error.at(saidOf(source));
      throw;
    }
  try {
    auto caches = std::make_shared<chunks::ChunkCaches>(account);
    bool inChunks = false;
    cf::CfData data = describeHdf5(files, request.options, caches, account, &inChunks);
    auto reader = std::make_shared<arrays::ArrayReader>(std::move(data.description), std::move(data.places),
                                                        std::move(data.claims), objects);
    return chunks::openChunked(std::move(reader), objects, inChunks, request, std::move(data.explain),
                               account, std::move(data.choices));
  } catch (Error& error) {
    if (!arrays::namesFile(error)) error.at(first);
    throw;
  }
}

}  // namespace farfield::hdf5
