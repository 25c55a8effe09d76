#include "core/paging/writing/placed_hdf5.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/base/error.h"
#include "core/base/spare_memory.h"
#include "core/paging/store/store_format.h"

namespace farfield::paging::detail {
namespace {

/// The library uses this as its own H5FD_t, which must come first.
struct Driver {
  H5FD_t base;
  PlacedFile* placed;
};
struct DriverInfo {
  PlacedFile* placed;
};

PlacedFile& placedOf(H5FD_t* file) {
  return *reinterpret_cast<Driver*>(file)->placed;
}
const PlacedFile& placedOf(const H5FD_t* file) {
  return *reinterpret_cast<const Driver*>(file)->placed;
}

// HDF5 is C: no exception may leave these functions. A failed one makes the library's function fail.

H5FD_t* openDriver(const char*, unsigned, hid_t accessList, haddr_t) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(accessList));
  if (!info) return nullptr;
  auto* driver = static_cast<Driver*>(std::calloc(1, sizeof(Driver)));
  if (driver) driver->placed = info->placed;
  return reinterpret_cast<H5FD_t*>(driver);
}

herr_t closeDriver(H5FD_t* file) {
  std::free(file);
  return 0;
}

herr_t queryDriver(const H5FD_t*, unsigned long* flags) {
  // no aggregation, no sieving: every allocation comes here separately
  if (flags) *flags = 0;
  return 0;
}

haddr_t allocate(H5FD_t* file, H5FD_mem_t type, hid_t, hsize_t size) {
  PlacedFile& placed = placedOf(file);
  if (type == H5FD_MEM_SUPER) {
    if (placed.created || size > kPayloadStart) return HADDR_UNDEF;
    placed.created = true;
    return 0;
  }
  if (type == H5FD_MEM_DRAW && placed.next) {
    const haddr_t address = *placed.next;
    placed.next.reset();
    return address;
  }
  const haddr_t address = placed.end;
  placed.end += (size + 7) / 8 * 8;
  return address;
}

// An empty file makes the library create its structures rather than look for them.
haddr_t endOfAllocation(const H5FD_t* file, H5FD_mem_t) {
  const PlacedFile& placed = placedOf(file);
  return placed.created ? placed.end : 0;
}

herr_t setEndOfAllocation(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  PlacedFile& placed = placedOf(file);
  placed.end = std::max<std::uint64_t>(placed.end, address);
  return 0;
}

herr_t readDriver(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  const PlacedFile& placed = placedOf(file);
  try {
    const std::span out(static_cast<std::byte*>(buffer), size);
    // what was allocated and never written reads as zeros
    if (address + size <= kPayloadStart) {
      std::fill(out.begin(), out.end(), std::byte{0});
      if (address < placed.superblock.size())
        std::copy_n(placed.superblock.begin() + static_cast<std::ptrdiff_t>(address),
                    std::min<std::size_t>(size, placed.superblock.size() - address), out.begin());
      return 0;
    }
    const std::size_t got = placed.file->readSomeAt(address, out);
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(got), out.end(), std::byte{0});
    return 0;
  } catch (...) {
    return -1;
  }
}

herr_t writeDriver(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t address, size_t size, const void* buffer) {
  PlacedFile& placed = placedOf(file);
  try {
    const std::span from(static_cast<const std::byte*>(buffer), size);
    if (address >= placed.begin) {
      placed.file->writeAt(address, from);
    } else if (address + size <= kPayloadStart) {
      if (placed.superblock.size() < address + size) placed.superblock.resize(address + size);
      std::copy(from.begin(), from.end(), placed.superblock.begin() + static_cast<std::ptrdiff_t>(address));
    } else if (type != H5FD_MEM_DRAW || address + size > placed.begin) {
      return -1;
    }
    return 0;
  } catch (...) {
    return -1;
  }
}

herr_t truncateDriver(H5FD_t*, hid_t, hbool_t) {
  return 0;
}

hid_t driverId() {
  static const hid_t id = [] {
    static H5FD_class_t driver;  // the library keeps the pointer's contents
    std::memset(&driver, 0, sizeof driver);
    driver.name = "farfield_placed";
    driver.maxaddr = static_cast<haddr_t>((std::uint64_t{1} << 62) - 1);
    driver.fc_degree = H5F_CLOSE_STRONG;
    driver.fapl_size = sizeof(DriverInfo);
    driver.open = openDriver;
    driver.close = closeDriver;
    driver.query = queryDriver;
    driver.alloc = allocate;
    driver.get_eoa = endOfAllocation;
    driver.set_eoa = setEndOfAllocation;
    driver.get_eof = endOfAllocation;
    driver.read = readDriver;
    driver.write = writeDriver;
    driver.truncate = truncateDriver;
    return H5FDregister(&driver);
  }();
  return id;
}

herr_t keepInnermost(unsigned, const H5E_error2_t* error, void* words) {
  if (error->desc && static_cast<std::string*>(words)->empty())
    *static_cast<std::string*>(words) = error->desc;
  return 0;
}

}  // namespace

void checkHdf5(herr_t status, const char* what) {
  if (status >= 0) return;
  std::string words;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keepInnermost, &words);
  H5Eclear2(H5E_DEFAULT);
  throw Io(std::string("HDF5 could not ") + what + (words.empty() ? "" : ": " + words));
}

QuietHdf5::QuietHdf5() {
  // Files whose closing failed, on a full disk for example, stay half open inside the library, and its
  // clean-up at exit would use them and crash.
  [[maybe_unused]] static const herr_t s_noCleanUp = H5dont_atexit();
  H5Eget_auto2(H5E_DEFAULT, &m_function, &m_data);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
QuietHdf5::~QuietHdf5() {
  H5Eset_auto2(H5E_DEFAULT, m_function, m_data);
}

Hdf5Id::Hdf5Id(hid_t id, Closer closer, const char* what) : m_id(id), m_closer(closer) {
  checkHdf5(id < 0 ? -1 : 0, what);
}

Hdf5Id::~Hdf5Id() {
  if (m_id >= 0) m_closer(m_id);
}

void Hdf5Id::close(const char* what) {
  const hid_t id = m_id;
  m_id = -1;
  if (id >= 0) checkHdf5(m_closer(id), what);
}

void PlacedFile::writeSuperblock() {
  file->writeAt(0, superblock);
}

hid_t createPlacedFile(PlacedFile& placed) {
  const DriverInfo info{&placed};
  const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make a file access list");
  checkHdf5(H5Pset_driver(access, driverId(), &info), "set the file driver");
  // The earliest structures that suffice: every reader of HDF5 knows them, and 75 bytes of B-tree per page
  // are little.
  checkHdf5(H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18), "bound the file format");
  ensureSpareMemory(kHdf5OpenBytes);
  return H5Fcreate(placed.file->path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
}

}  // namespace farfield::paging::detail
