#include "plugins/formats/known_files.h"

#include "core/base/error.h"
#include "plugins/formats/reader_list.h"
#include "plugins/plot3d/plot3d_detect.h"
#include "plugins/plot3d/text_file.h"

namespace farfield::formats {
namespace {

/// By trying, as it has no signature.
bool mayBePlot3d(const paging::ByteObject& file) {
  if (plot3d::looksLikeText(file)) return true;
  try {
    plot3d::detectGrid(file, {});
  } catch (const Corrupt&) {
    return false;  // nothing fits
  } catch (const Error&) {
    // Several readings fit, or it is a file of values.
  }
  return true;
}

}  // namespace

bool isKnown(const std::string& file) {
  const FormatOptions options;
  for (const auto& reader : allReaders(options))
    if (reader->name() != "raw" && reader->name() != "plot3d" && reader->recognizes(file)) return true;
  try {
    return mayBePlot3d(*options.stores->open(file));
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    return true;
  }
}

}  // namespace farfield::formats
