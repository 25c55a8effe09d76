#pragma once
// What a picture of life lines is drawn on: rectangles and words, as pixels or as vectors. Lengths are in
// pixels, y downwards. Not thread-safe.

#include <filesystem>
#include <memory>
#include <string_view>

#include "core/scene/scene.h"

namespace farfield::lifelines {

enum class TextSize { Small, Normal, Title };
enum class TextAlign { Left, Middle, Right };

class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void fill(double left, double top, double right, double bottom, const scene::Rgba& color) = 0;
  /// `x` is where the text begins, its middle, or where it ends.
  virtual void text(double x, double baseline, std::string_view text, TextSize size, TextAlign align,
                    const scene::Rgba& color) = 0;
  /// About as wide as `text` becomes.
  virtual double textWidth(std::string_view text, TextSize size) const = 0;
  /// Writes the file, which appears whole or not at all. Throws Io.
  virtual void save(const std::filesystem::path& path) const = 0;
};

constexpr double pixelsOf(TextSize size) {
  return size == TextSize::Small ? 11 : size == TextSize::Normal ? 12.5 : 16;
}

/// With which a drawing begins, so that it is known again.
constexpr std::string_view kSvgHead =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Life lines, drawn by Farfield -->\n";

/// White all over. Scalable Vector Graphics 1.1 (W3C).
std::unique_ptr<Canvas> makeSvgCanvas(int width, int height);
/// White all over. Throws Unsupported in a build without pictures, Invalid for a size that is too large.
std::unique_ptr<Canvas> makePngCanvas(int width, int height);

}  // namespace farfield::lifelines
