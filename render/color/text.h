#pragma once
// Text in pictures: fonts found by fontconfig and rasterized by FreeType, without a toolkit, so that a
// picture made without a display has the same labels as the viewport.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "render/color/image.h"

namespace farfield::color {

/// A sans-serif face at one size. Text is UTF-8 (an invalid byte shows as a replacement mark); a character
/// that the face lacks is taken from another installed one. Lengths are in pixels. Not thread-safe.
class Font {
 public:
  /// `pixels` is the size of the em square, 4 ... 1000. Throws Unsupported where no outline font is
  /// installed.
  explicit Font(double pixels, bool bold = false);
  Font(Font&&) noexcept;
  Font& operator=(Font&&) noexcept;
  ~Font();

  double pixels() const;
  /// From the base line up to the top of capitals, and of the highest letters; and down to the lowest.
  double capHeight() const;
  double ascent() const;
  double descent() const;
  /// From one base line to the next.
  double lineHeight() const;
  /// Width of `text`.
  double width(std::string_view text) const;
  /// Draws `text` with its left end at `x` and its base line at `baseline` (rounded to a whole pixel, so that
  /// all letters are equally sharp), clipped to the image; or where something is drawn already alone.
  enum class Upon { All, Drawn };
  void draw(Image& image, double x, double baseline, std::string_view text, const scene::Rgba& color,
            Upon upon = Upon::All) const;

  /// `text`, or as much of its beginning as fits into `width` with an ellipsis.
  std::string elided(std::string_view text, double width) const;
  /// The same of its beginning and its end, which tell long names apart.
  std::string elidedInMiddle(std::string_view text, double width) const;
  /// `text` broken at spaces, hyphens, underscores and what separates the parts of an expression (within brackets where there is no other way), into at most `lines` lines of
  /// `width`; the last may be elided in its middle. What is longer alone is broken anywhere, or else elided in its middle, too.
  enum class LongWords { Break, Elide };
  std::vector<std::string> wrapped(std::string_view text, double width, int lines,
                                   LongWords words = LongWords::Break) const;
  /// The width of the longest piece of `text` that has no place to break it.
  double widestWord(std::string_view text) const;

 private:
  struct Face;
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace farfield::color
