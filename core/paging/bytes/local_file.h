#pragma once
// A file of this machine, as the byte layer reads it.

#include <string>

namespace farfield::paging {

/// Open for reading; whoever hands it out keeps it open.
struct LocalFile {
  int descriptor = -1;
  std::string path;  ///< for opening it a second time, for direct reads

  /// For messages: "file /data/x.h5".
  std::string name() const { return "file " + path; }
};

}  // namespace farfield::paging
