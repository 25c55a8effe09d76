#include "core/base/foreign_file.h"

#include <span>
#include <string_view>

#include "core/base/error.h"
#include "core/base/file.h"

namespace farfield {
namespace {

using namespace std::string_view_literals;

struct Mark {
  std::string_view bytes;
  const char* kind;
  std::size_t at = 0;
};
constexpr Mark kMarks[] = {{"\x89PNG\r\n"sv, "a picture (PNG)"},
                           {"\xff\xd8\xff"sv, "a picture (JPEG)"},
                           {"GIF87a"sv, "a picture (GIF)"},
                           {"GIF89a"sv, "a picture (GIF)"},
                           {"II*\0"sv, "a picture (TIFF)"},
                           {"MM\0*"sv, "a picture (TIFF)"},
                           {"WEBPVP8"sv, "a picture (WebP)", 8},
                           {"%PDF-"sv, "a PDF document"},
                           {"%!PS-"sv, "a PostScript document"},
                           {"PK\x03\x04"sv, "a ZIP archive"},
                           {"\x1f\x8b"sv, "a file packed with gzip"},
                           {"\x7f"
                            "ELF"sv,
                            "a program"}};

}  // namespace

std::string foreignKindByMark(const std::filesystem::path& path) {
  char bytes[16] = {};
  std::size_t count = 0;
  try {
    count = File::openForReading(path).readSomeAt(0, std::as_writable_bytes(std::span(bytes)));
  } catch (const Error&) {
    return {};
  }
  const std::string_view start(bytes, count);
  for (const Mark& mark : kMarks)
    if (start.size() >= mark.at && start.substr(mark.at).starts_with(mark.bytes)) return mark.kind;
  return {};
}

std::string foreignMessage(const std::string& kind) {
  const bool isPacked = kind.ends_with("gzip") || kind.ends_with("archive");
  return "is " + kind + ", " + kForeign + (isPacked ? " before it is unpacked" : "");
}

}  // namespace farfield
