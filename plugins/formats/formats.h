#pragma once
// The formats that open in place, in one list: the program, the paging server and a server in front of a web server know the
// same ones. A reader of this list opens no file but those of the request and, where data name other files in themselves,
// what OpenRequest::findNamed finds: a server shares one folder, and data below it may have been written by anyone.

#include <memory>

#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"
#include "core/paging/location/kept_scans.h"

namespace farfield::formats {

struct FormatOptions {
  /// Open files and URLs by their names.
  std::shared_ptr<const paging::ByteStores> stores = std::make_shared<const paging::ByteStores>();
  /// Results of reading all coordinates are kept here for the next opening; null: nowhere.
  std::shared_ptr<const paging::KeptScans> kept = nullptr;
};

/// Adds a reader for each format, in the order in which they are asked.
void addFormats(fields::ReaderRegistry& readers, const FormatOptions& options = {});

}  // namespace farfield::formats
