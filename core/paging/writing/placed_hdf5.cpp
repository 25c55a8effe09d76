#include "core/paging/writing/placed_hdf5.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/base/spare_memory.h"
#include "core/hdf5/file_driver.h"
#include "core/hdf5/quiet_calls.h"
#include "core/paging/store/store_format.h"

namespace farfield::paging::detail {
namespace {

using Driver = hdf5::FileDriver<PlacedFile>;

haddr_t allocate(H5FD_t* file, H5FD_mem_t type, hid_t, hsize_t size) {
  PlacedFile& placed = Driver::ownerOf(file);
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
  const PlacedFile& placed = Driver::ownerOf(file);
  return placed.created ? placed.end : 0;
}

herr_t setEndOfAllocation(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  PlacedFile& placed = Driver::ownerOf(file);
  placed.end = std::max<std::uint64_t>(placed.end, address);
  return 0;
}

herr_t readDriver(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  const PlacedFile& placed = Driver::ownerOf(file);
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
  PlacedFile& placed = Driver::ownerOf(file);
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
    static H5FD_class_t driver = Driver::described("farfield_placed");
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

}  // namespace

void checkHdf5(herr_t status, const char* what) {
  if (status >= 0) return;
  const std::string words = hdf5::lastError();
  throw Io(std::string("HDF5 could not ") + what + (words.empty() ? "" : ": " + words));
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
  const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make a file access list");
  checkHdf5(Driver::use(access, driverId(), placed), "set the file driver");
  // The earliest structures that suffice: every reader of HDF5 knows them, and 75 bytes of B-tree per page
  // are little.
  checkHdf5(H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18), "bound the file format");
  ensureSpareMemory(kHdf5OpenBytes);
  return H5Fcreate(placed.file->path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
}

}  // namespace farfield::paging::detail
