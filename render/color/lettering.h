#pragma once
// Words on a picture: in a size that goes with the picture's, in a colour readable on its background, with a rim of
// the background's colour around the letters, so that they can be read over what is drawn there and hide little.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/color/image.h"
#include "render/color/text.h"

namespace farfield::color {

/// Dark on light backgrounds, light on dark ones. A transparent background still has a colour: that of what the picture is laid
/// over, and of the view in which it was set.
scene::Rgba inkOn(const scene::Rgba& background);

/// Of letters of the usual size in a picture of so many pixels: they grow with it, but stay legible in a small one.
double letterPixels(double width, double height);
/// Of lines beside letters of that size.
double strokePixels(double em);

/// Refers to its picture. Without any font it writes nothing, and a warning says so once.
class Lettering {
 public:
  /// `scale`: beside the usual size of letters.
  Lettering(Image& image, const scene::Rgba& background, double scale = 1);

  /// The size of letters in pixels, whether there is a font or not.
  double em() const { return m_em; }
  double stroke() const;
  double lineHeight() const;
  double ascent() const;
  double capHeight() const;
  double width(std::string_view text) const;
  bool hasFont() const { return m_font.has_value(); }
  const scene::Rgba& ink() const { return m_ink; }
  scene::Rgba faded(float alpha) const { return {m_ink[0], m_ink[1], m_ink[2], alpha}; }

  /// With its left end at `x`, on `baseline`.
  void write(double x, double baseline, std::string_view text, const scene::Rgba& color) const;
  /// With its middle there, as far as it stays in the picture.
  void writeAround(double x, double y, std::string_view text) const;
  /// Of at most `room`, at line breaks and where it is too long.
  std::vector<std::string> lines(const std::string& text, double room) const;
  /// Broken between words into at most `most` lines; words that are too long are elided.
  std::vector<std::string> wrapped(const std::string& text, double room, int most) const;
  double widestWord(const std::string& text) const;
  std::string elided(const std::string& text, double room) const;

 private:
  Image& m_image;
  scene::Rgba m_background, m_ink;
  double m_em;
  std::optional<Font> m_font;
};

}  // namespace farfield::color
