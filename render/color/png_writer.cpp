#include "render/color/png_writer.h"

#include <png.h>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/stoppable_waits.h"
#include "core/base/told_progress.h"

namespace farfield::color {
namespace {

// libpng is C and returns errors by longjmp, which must not skip C++ destructors; nor may an exception pass
// through libpng. So errors are stored and thrown after leaving libpng.
struct Sink {
  NewFile& file;
  std::exception_ptr failure;
  std::string message;
};

constexpr int kRowsPerLook = 64;

/// Between rows; false where nobody wants the rest.
bool goesOn(Sink& sink, int row, int rows) {
  if (row % kRowsPerLook != 0) return true;
  try {
    StoppableWaits::throwIfStopped();
    ToldProgress::tell(static_cast<double>(row) / rows);
    return true;
  } catch (...) {
    sink.failure = std::current_exception();
    return false;
  }
}

void onWrite(png_structp png, png_bytep data, png_size_t size) {
  auto* const sink = static_cast<Sink*>(png_get_io_ptr(png));
  bool failed = false;
  try {
    sink->file.write(std::span(reinterpret_cast<const std::byte*>(data), size));
  } catch (...) {
    sink->failure = std::current_exception();
    failed = true;
  }
  if (failed) png_error(png, "write failed");
}
void onFlush(png_structp) {}
void onError(png_structp png, png_const_charp message) {
  static_cast<Sink*>(png_get_error_ptr(png))->message = message;
  png_longjmp(png, 1);
}
void onWarning(png_structp, png_const_charp) {}

bool isOpaque(const Image& image) {
  const auto bytes = image.bytes();
  for (std::size_t i = 3; i < bytes.size(); i += 4)
    if (bytes[i] != 255) return false;
  return true;
}

/// Refers to `texts`, which libpng does not change.
std::vector<png_text> pngTexts(const PngTexts& texts) {
  std::vector<png_text> chunks;
  for (const auto& [key, text] : texts) {
    const bool isAscii =
        std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 128; });
    png_text chunk{};
    chunk.compression = isAscii ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
    chunk.key = const_cast<char*>(key.c_str());
    chunk.text = const_cast<char*>(text.c_str());
    chunk.text_length = isAscii ? text.size() : 0;
    chunk.itxt_length = isAscii ? 0 : text.size();
    chunks.push_back(chunk);
  }
  return chunks;
}

// Everything between setjmp and the end is plain data, so that a longjmp skips no destructor.
bool encode(Sink& sink, png_structp png, png_infop info, const Image& image, bool opaque, png_bytep row,
            const png_text* texts, int textCount) {
  if (setjmp(png_jmpbuf(png))) return false;
  const int width = image.width(), height = image.height();
  png_set_IHDR(png, info, png_uint_32(width), png_uint_32(height), 8,
               opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  if (textCount > 0) png_set_text(png, info, texts, textCount);
  png_write_info(png, info);
  for (int y = 0; y < height; ++y) {
    if (!goesOn(sink, y, height)) return false;
    const std::uint8_t* from = image.pixel(0, y);
    png_bytep to = row;
    for (int x = 0; x < width; ++x, from += 4) {
      *to++ = from[0], *to++ = from[1], *to++ = from[2];
      if (!opaque) *to++ = from[3];
    }
    png_write_row(png, row);
  }
  png_write_end(png, nullptr);
  return true;
}

}  // namespace

void writePng(const Image& image, const std::filesystem::path& path, const PngTexts& texts) {
  NewFile file(path);
  Sink sink{file, nullptr, {}};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &sink, onError, onWarning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (!info) {
    png_destroy_write_struct(&png, nullptr);
    throw Io("libpng could not be started").at("file " + path.string());
  }
  png_set_write_fn(png, &sink, onWrite, onFlush);
  std::vector<png_byte> row(std::size_t(4) * image.width());
  const std::vector<png_text> chunks = pngTexts(texts);
  const bool done = encode(sink, png, info, image, isOpaque(image), row.data(), chunks.data(),
                           static_cast<int>(chunks.size()));
  png_destroy_write_struct(&png, &info);
  if (sink.failure) std::rethrow_exception(sink.failure);
  if (!done) throw Io("libpng: " + sink.message).at("file " + path.string());
  file.commit();
}

}  // namespace farfield::color
