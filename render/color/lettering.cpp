#include "render/color/lettering.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/base/error.h"
#include "core/base/log.h"

namespace farfield::color {
namespace {

std::optional<Font> openFont(double pixels) {
  try {
    return Font(std::clamp(pixels, 4.0, 1000.0));
  } catch (const Unsupported& error) {
    static std::once_flag once;  // a run makes many pictures
    std::call_once(once, [&] { log::warning(std::string("pictures have no labels: ") + error.what()); });
    return std::nullopt;
  }
}

}  // namespace

scene::Rgba inkOn(const scene::Rgba& background) {
  const float luma = 0.2126f * background[0] + 0.7152f * background[1] + 0.0722f * background[2];
  return luma > 0.45f ? scene::Rgba{0.12f, 0.13f, 0.15f, 1} : scene::Rgba{0.93f, 0.94f, 0.95f, 1};
}

double letterPixels(double width, double height) {
  return std::max(9.5, 0.0195 * std::min(height, 0.75 * width));
}

double strokePixels(double em) {
  return std::max(1.0, std::round(em / 16));
}

Lettering::Lettering(Image& image, const scene::Rgba& background, double scale)
    : m_image(image),
      m_background(background),
      m_ink(inkOn(background)),
      m_em(scale * letterPixels(image.width(), image.height())),
      m_font(openFont(m_em)) {}

double Lettering::stroke() const {
  return strokePixels(m_em);
}
double Lettering::lineHeight() const {
  return m_font ? std::ceil(m_font->lineHeight()) : m_em;
}
double Lettering::ascent() const {
  return m_font ? m_font->ascent() : m_em;
}
double Lettering::capHeight() const {
  return m_font ? m_font->capHeight() : m_em;
}
double Lettering::width(std::string_view text) const {
  return m_font ? m_font->width(text) : 0;
}

void Lettering::write(double x, double baseline, std::string_view text, const scene::Rgba& color) const {
  if (!m_font || text.empty()) return;
  // On a transparent background nothing is known of what will lie below, but what is drawn may lie below as well.
  const Font::Upon upon = m_background[3] > 0 ? Font::Upon::All : Font::Upon::Drawn;
  scene::Rgba pale = m_background;
  pale[3] = 0.6f;
  // As wide as the strokes of letters at least, or dark ones on what is dark would be seen by an outline alone.
  for (const double rim : {std::max(1.0, m_em / 12), std::max(2.0, m_em / 6)})
    for (int step = 0; step < 8; ++step) {
      const double angle = step * M_PI / 4;
      m_font->draw(m_image, x + rim * std::cos(angle), baseline + rim * std::sin(angle), text, pale, upon);
    }
  m_font->draw(m_image, x, baseline, text, color);
}

void Lettering::writeAround(double x, double y, std::string_view text) const {
  if (!m_font) return;
  const double width = m_font->width(text), height = m_font->capHeight(), margin = 0.2 * m_em;
  const double left = std::clamp(x - 0.5 * width, margin, std::max(margin, m_image.width() - width - margin));
  const double base = std::clamp(y + 0.5 * height, height + margin,
                                 std::max(height + margin, m_image.height() - m_font->descent() - margin));
  write(left, base, text, m_ink);
}

std::vector<std::string> Lettering::lines(const std::string& text, double room) const {
  constexpr int kMostLines = 40;
  std::vector<std::string> all;
  for (std::size_t at = 0; at <= text.size() && all.size() < static_cast<std::size_t>(kMostLines);) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (m_font)
      for (std::string& line : m_font->wrapped(text.substr(at, end - at), room, kMostLines))
        all.push_back(std::move(line));
    at = end + 1;
  }
  if (all.size() > static_cast<std::size_t>(kMostLines)) all.resize(kMostLines);
  return all;
}

std::vector<std::string> Lettering::wrapped(const std::string& text, double room, int most) const {
  return m_font ? m_font->wrapped(text, room, most, Font::LongWords::Elide) : std::vector<std::string>{};
}

double Lettering::widestWord(const std::string& text) const {
  return m_font ? m_font->widestWord(text) : 0;
}

std::string Lettering::elided(const std::string& text, double room) const {
  return m_font ? m_font->elided(text, room) : std::string();
}

}  // namespace farfield::color
