#include "app/cli/files/own_files.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "app/lifelines/canvas.h"
#include "core/base/error.h"
#include "core/base/file.h"

namespace farfield::cli {
namespace {

constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);
constexpr std::string_view kMaker("Software\0Farfield", 17);
/// Texts come first; a file with more before its pixels is another's.
constexpr int kMostChunks = 100;

std::string bytesAt(const File& file, std::uint64_t offset, std::size_t count) {
  std::string bytes(count, '\0');
  bytes.resize(file.readSomeAt(offset, std::as_writable_bytes(std::span(bytes))));
  return bytes;
}

std::uint32_t bigEndian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char byte : bytes.substr(0, 4)) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

}  // namespace

bool isOwnPicture(const std::filesystem::path& path) {
  try {
    const File file = File::openForReading(path);
    if (bytesAt(file, 0, kSignature.size()) != kSignature) return false;
    std::uint64_t at = kSignature.size();
    for (int chunk = 0; chunk < kMostChunks; ++chunk) {
      const std::string head = bytesAt(file, at, 8);
      if (head.size() < 8 || head.ends_with("IDAT")) return false;
      const std::uint32_t size = bigEndian(head);
      if (head.ends_with("tEXt") && size == kMaker.size() && bytesAt(file, at + 8, size) == kMaker)
        return true;
      at += 12 + std::uint64_t{size};  // with length, type and checksum
    }
  } catch (const Error&) {
    // What cannot be read is taken for another's.
  }
  return false;
}

bool isOwnGeometry(const std::filesystem::path& path) {
  // VTK's writers indent, and name their compressor.
  const std::string type = path.extension() == ".pvtp" ? "PPolyData" : "PolyData";
  const std::string behind = path.extension() == ".pvtp" ? " GhostLevel=\"0\">\n<PPointData" : ">\n<";
  return fileStartsWith(
      path, "<?xml version=\"1.0\"?>\n<VTKFile type=\"" + type +
                "\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<" + type + behind);
}

bool isOwnDrawing(const std::filesystem::path& path) {
  return fileStartsWith(path, lifelines::kSvgHead);
}

}  // namespace farfield::cli
