#include "plugins/hdf5/hdf5_file.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/base/error.h"
#include "core/base/spare_memory.h"
#include "core/hdf5/file_driver.h"
#include "plugins/hdf5/outside.h"

namespace farfield::hdf5 {
namespace {

/// Structures are read in blocks of so many bytes, of which some are kept: objects far away answer slowly.
constexpr std::uint64_t kBlockBytes = 16 << 10;
constexpr std::size_t kMostBlocks = 64;  ///< while it is listed
constexpr std::size_t kFewBlocks = 8;    ///< later
using Driver = FileDriver<File>;

haddr_t endOfFile(const H5FD_t* driver, H5FD_mem_t) {
  return Driver::ownerOf(driver).object()->size();
}
/// Values that are only noted may lie anywhere: whoever reads them there says what is wrong.
haddr_t endOfAddresses(const H5FD_t* driver, H5FD_mem_t type) {
  return Driver::ownerOf(driver).isNoting() ? kMostAddress : endOfFile(driver, type);
}
herr_t setEnd(H5FD_t*, H5FD_mem_t, haddr_t) {
  return 0;
}
herr_t readDriver(H5FD_t* driver, H5FD_mem_t type, hid_t, haddr_t address, size_t size, void* buffer) {
  return Driver::ownerOf(driver).read(type == H5FD_MEM_DRAW, address, size, buffer) ? 0 : -1;
}
herr_t writeDriver(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, size_t, const void*) {
  return -1;
}

hid_t driverId() {
  static const hid_t id = [] {
    static H5FD_class_t driver = Driver::described("farfield_bytes");
    driver.get_eoa = endOfAddresses;
    driver.set_eoa = setEnd;
    driver.get_eof = endOfFile;
    driver.read = readDriver;
    driver.write = writeDriver;
    return H5FDregister(&driver);
  }();
  return id;
}

/// The library says of a file that is cut off: "truncated file: eof = N, sblock->base_addr = N, stored_eof = N".
Corrupt cannotOpen(const std::string& why) {
  unsigned long long has = 0, begin = 0, end = 0;
  if (std::sscanf(why.c_str(), "truncated file: eof = %llu, sblock->base_addr = %llu, stored_eof = %llu",
                  &has, &begin, &end) == 3)
    return Corrupt("is an HDF5 file that is cut off: it has " + std::to_string(has + begin) + " of " +
                       std::to_string(end) + " bytes",
                   "check that the copy is complete");
  return Corrupt("is an HDF5 file that the library cannot open (" + why + ")",
                 "check that the copy is complete (h5dump -H)");
}

}  // namespace

File::File(std::shared_ptr<const paging::ByteObject> object, Looking looking) : m_object(std::move(object)) {
  if (looking == Looking::OtherProcess)
    lookBy(Outside::ofThisProgram());
  else
    open();
}

File::File(std::shared_ptr<const paging::ByteObject> object, Outside& outside) : m_object(std::move(object)) {
  lookBy(outside);
}

void File::lookBy(Outside& outside) {
  m_head = outside.head(*m_object);
  if (m_head)
    m_outside = &outside;
  else
    open();
}

void File::open() {
  const Quiet quiet;
  const std::lock_guard lock(m_mutex);
  m_id = opened();
}

hid_t File::id() const {
  if (!m_id.isValid()) m_id = opened();
  return m_id;
}

Handle File::opened() const {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  Driver::use(access, driverId(), const_cast<File&>(*this));
  // values never go through the library's cache of chunks
  H5Pset_cache(access, 0, 0, 0, 0);
  // its cache of structures has a fixed size
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Pget_mdc_config(access, &cache) >= 0) {
    cache.set_initial_size = true;
    cache.initial_size = cache.max_size = kOpenBytes / 2;
    cache.min_size = std::min(cache.min_size, cache.max_size);
    H5Pset_mdc_config(access, &cache);
  }
  ensureSpareMemory(kHdf5OpenBytes);
  Handle id(H5Fopen(m_object->name().c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  if (!id.isValid()) throwFailure();
  if (!id.isValid()) throw cannotOpen(lastError());
  return id;
}

File::~File() {
  const Quiet quiet;
  const std::lock_guard lock(m_mutex);
  m_id = Handle();
}

bool File::has(const char* name) const {
  if (m_head) {
    if (std::find(m_head->names.begin(), m_head->names.end(), name) != m_head->names.end()) return true;
    if (m_head->all) return false;
    LookJob job(LookKind::Has);
    job.object = name;
    if (const auto bytes = m_outside->look(std::move(job), *m_object)) return decodedFlag(*bytes);
  }
  const Quiet quiet;
  const std::lock_guard lock(m_mutex);
  return H5Lexists(id(), name, H5P_DEFAULT) > 0;
}

std::vector<std::string> File::someNames(std::size_t most) const {
  if (m_head) {
    const auto& all = m_head->names;
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()))};
  }
  struct Names {
    std::vector<std::string> found;
    std::size_t most;
  } names{{}, most};
  const Quiet quiet;
  const std::lock_guard lock(m_mutex);
  const auto take = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
    auto& its = *static_cast<Names*>(data);
    if (its.found.size() >= its.most) return 1;
    try {
      its.found.emplace_back(name);
      return 0;
    } catch (...) {  // must not go through the library
      return -1;
    }
  };
  H5Literate(id(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, take, &names);
  return names.found;
}

File::Sizes File::sizes() const {
  if (m_head) return m_head->sizes;
  const Quiet quiet;
  const std::lock_guard lock(m_mutex);
  const Handle creation(H5Fget_create_plist(id()), H5Pclose);
  hsize_t base = 0;
  std::size_t address = 0, length = 0;
  unsigned half = 0;
  if (!creation.isValid() || H5Pget_userblock(creation, &base) < 0 ||
      H5Pget_sizes(creation, &address, &length) < 0 || H5Pget_istore_k(creation, &half) < 0)
    throw Corrupt("HDF5 cannot say how it is written (" + lastError() + ")",
                  "check that the copy is complete");
  return {base, static_cast<int>(address), static_cast<int>(length), 2 * half};
}

void File::startNoting() {
  m_isNoting = true;
  m_noted.reset();
}
std::optional<RawRange> File::noted() {
  const std::optional<RawRange> range = m_noted;
  m_noted.reset();
  return range;
}
void File::stopNoting() {
  m_isNoting = false;
}

bool File::read(bool isValues, std::uint64_t offset, std::uint64_t bytes, void* out) noexcept try {
  if (isValues && m_isNoting) {
    m_noted = {offset, bytes};
    return true;
  }
  if (offset > m_object->size() || bytes > m_object->size() - offset) return false;
  auto* to = static_cast<std::byte*>(out);
  if (isValues || bytes > kBlockBytes) {
    m_object->readAt(offset, {to, static_cast<std::size_t>(bytes)});
    return true;
  }
  while (bytes > 0) {
    const std::uint64_t within = offset % kBlockBytes, now = std::min(bytes, kBlockBytes - within);
    std::memcpy(to, block(offset / kBlockBytes).bytes.data() + within, static_cast<std::size_t>(now));
    to += now;
    offset += now;
    bytes -= now;
  }
  return true;
} catch (...) {
  m_failure = std::current_exception();
  return false;
}

void File::dropBlocks() {
  const std::lock_guard lock(m_mutex);
  m_blocks = {};
  m_isListed = true;
}

void File::throwFailure() const {
  if (const std::exception_ptr failure = std::exchange(m_failure, nullptr)) std::rethrow_exception(failure);
}

const File::Block& File::block(std::uint64_t number) {
  const auto found =
      std::find_if(m_blocks.begin(), m_blocks.end(), [&](const Block& its) { return its.number == number; });
  if (found != m_blocks.end()) {
    found->lastUse = ++m_uses;
    return *found;
  }
  const std::uint64_t offset = number * kBlockBytes;
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(kBlockBytes, m_object->size() - offset)));
  m_object->readAt(offset, bytes);
  if (m_blocks.size() < (m_isListed ? kFewBlocks : kMostBlocks)) {
    m_blocks.push_back({number, ++m_uses, std::move(bytes)});
    return m_blocks.back();
  }
  Block& oldest = *std::min_element(m_blocks.begin(), m_blocks.end(),
                                    [](const Block& a, const Block& b) { return a.lastUse < b.lastUse; });
  oldest = {number, ++m_uses, std::move(bytes)};
  return oldest;
}

}  // namespace farfield::hdf5
