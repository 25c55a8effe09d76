#pragma once
// A file driver of the HDF5 library (its virtual file layer) whose files are objects of ours: what each such driver has, so that who makes one
// writes how its files are read and written, and nothing else.
//
// HDF5 is C: no exception may leave a driver's functions. One that fails makes the library's function fail.

#include <hdf5.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace farfield::hdf5 {

constexpr auto kMostAddress = static_cast<haddr_t>((std::uint64_t{1} << 62) - 1);

/// `Owner`: what stands for a file. It outlives the library's file.
template <class Owner>
class FileDriver {
 public:
  /// With the functions that open, close and describe a file; the others are the caller's to set, and then H5FDregister() takes it. The
  /// library keeps a pointer to it.
  static H5FD_class_t described(const char* name) {
    H5FD_class_t driver;
    std::memset(&driver, 0, sizeof driver);
    driver.name = name;
    driver.maxaddr = kMostAddress;
    driver.fc_degree = H5F_CLOSE_STRONG;
    driver.fapl_size = sizeof(Info);
    driver.open = open;
    driver.close = close;
    driver.query = query;
    return driver;
  }
  /// What is opened or created with `accessList` is `owner`'s. Negative if the library refuses.
  static herr_t use(hid_t accessList, hid_t driver, Owner& owner) {
    const Info info{&owner};
    return H5Pset_driver(accessList, driver, &info);
  }
  static Owner& ownerOf(H5FD_t* file) { return *reinterpret_cast<Opened*>(file)->owner; }
  static const Owner& ownerOf(const H5FD_t* file) { return *reinterpret_cast<const Opened*>(file)->owner; }

 private:
  /// The library uses this as its own H5FD_t, which must come first.
  struct Opened {
    H5FD_t base;
    Owner* owner;
  };
  struct Info {
    Owner* owner;
  };

  static H5FD_t* open(const char*, unsigned, hid_t accessList, haddr_t) {
    const auto* info = static_cast<const Info*>(H5Pget_driver_info(accessList));
    if (!info) return nullptr;
    auto* opened = static_cast<Opened*>(std::calloc(1, sizeof(Opened)));
    if (opened) opened->owner = info->owner;
    return reinterpret_cast<H5FD_t*>(opened);
  }
  static herr_t close(H5FD_t* file) {
    std::free(file);
    return 0;
  }
  static herr_t query(const H5FD_t*, unsigned long* flags) {
    // no sieving, no gathering of reads and no aggregation: each read and each allocation comes by itself
    if (flags) *flags = 0;
    return 0;
  }
};

}  // namespace farfield::hdf5
