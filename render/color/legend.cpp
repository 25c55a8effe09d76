#include "render/color/legend.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "core/base/error.h"
#include "core/base/log.h"
#include "render/color/color_map.h"
#include "render/color/color_scale.h"
#include "render/color/text.h"
#include "render/color/ticks.h"

namespace farfield::color {
namespace {

using scene::ColorScale;
using scene::Rgba;

// Labels grow with the picture, but stay legible in a small one.
double fontPixels(const Image& image) {
  return std::max(9.5, 0.0195 * std::min<double>(image.height(), 0.75 * image.width()));
}

std::optional<Font> openFont(double pixels, bool bold) {
  try {
    return Font(pixels, bold);
  } catch (const Unsupported& error) {
    static std::once_flag once;  // a run makes many pictures
    std::call_once(once, [&] { log::warning(std::string("pictures have no labels: ") + error.what()); });
    return std::nullopt;
  }
}

// dark on light backgrounds, light on dark ones
Rgba inkOn(const Rgba& background) {
  const float luma = 0.2126f * background[0] + 0.7152f * background[1] + 0.0722f * background[2];
  return luma * background[3] + (1 - background[3]) > 0.45f ? Rgba{0.12f, 0.13f, 0.15f, 1}
                                                            : Rgba{0.93f, 0.94f, 0.95f, 1};
}

// One legend without its position: its text and its size.
struct Legend {
  ColorScale scale;
  std::vector<std::string> title;
  Ticks ticks;
  double width = 0;    // of the whole box
  double heading = 0;  // from the top of the box to the top of the bar
  double footing = 0;  // from the bottom of the bar to that of the box
};

class Drawer {
 public:
  Drawer(Image& image, const Rgba& background)
      : m_image(image),
        m_background(background),
        m_ink(inkOn(background)),
        m_em(fontPixels(image)),
        m_font(openFont(m_em, false)) {}

  double em() const { return m_em; }
  double line() const { return m_font ? std::ceil(m_font->lineHeight()) : m_em; }
  double leastHeight(const Legend& legend) const { return legend.heading + legend.footing + 4 * line(); }

  // Chooses the text for a bar of about `bar` pixels, in a box at most `room` wide.
  Legend compose(const ColorScale& scale, double bar, double room) const {
    Legend legend;
    legend.scale = scale;
    const int most = std::clamp(static_cast<int>(bar / (2.2 * line())), 2, 8);
    legend.ticks = scale.map.bands > 1
                       ? bandTicks(scale.min, scale.max, scale.logarithmic, scale.map.bands, most)
                   : scale.logarithmic ? logarithmicTicks(scale.min, scale.max, most)
                                       : linearTicks(scale.min, scale.max, most);
    const double padding = 0.6 * m_em;
    double words = 0;
    if (m_font) {
      words = std::max(m_font->width(legend.ticks.first), m_font->width(legend.ticks.last));
      for (const Tick& tick : legend.ticks.ticks) words = std::max(words, m_font->width(tick.label));
    }
    const double body = barWidth() + markLength() + 0.35 * m_em + words;
    double titleWidth = 0;
    if (m_font) {
      legend.title = m_font->wrapped(scale.title, std::max(body, room - 2 * padding), 3);
      for (const std::string& text : legend.title) titleWidth = std::max(titleWidth, m_font->width(text));
    }
    legend.width = std::ceil(std::max(body, titleWidth) + 2 * padding);
    const double lines = double(legend.title.size()) + (legend.ticks.exponent != 0 && m_font ? 1 : 0);
    // half a line more than the text: the label of the upper end extends half above the bar
    legend.heading = std::ceil(padding + lines * line() + 0.75 * line());
    legend.footing = std::ceil(0.6 * line() + padding);
    return legend;
  }

  PixelBox draw(const Legend& legend, int left, int top, int barHeight) {
    const PixelBox box{left, top, left + int(legend.width),
                       top + int(legend.heading) + barHeight + int(legend.footing)};
    Rgba veil = m_background;
    veil[3] *= 0.8f;
    m_image.fill(box.left, box.top, box.right, box.bottom, veil);
    const int x = left + static_cast<int>(std::lround(0.6 * m_em)), y = top + int(legend.heading);
    drawHeading(legend, x, top);
    drawBar(legend, x, y, barHeight);
    drawMarks(legend, x + int(barWidth()), y, barHeight);
    return box;
  }

  void drawTitle(const std::string& title) {
    if (auto font = openFont(1.25 * m_em, false)) {
      const double margin = 1.2 * m_em;
      font->draw(m_image, margin, margin + font->capHeight(),
                 font->elided(title, m_image.width() - 2 * margin), m_ink);
    }
  }

 private:
  double barWidth() const { return std::round(1.15 * m_em); }
  double markLength() const { return std::round(0.35 * m_em); }
  double stroke() const { return std::max(1.0, std::round(m_em / 16)); }

  void drawHeading(const Legend& legend, int x, int top) {
    if (!m_font) return;
    double baseline = top + std::round(0.6 * m_em) + m_font->ascent();
    for (const std::string& text : legend.title) {
      m_font->draw(m_image, x, baseline, text, m_ink);
      baseline += line();
    }
    if (legend.ticks.exponent != 0)
      m_font->draw(m_image, x, baseline, "\u00d7" + powerOfTen(legend.ticks.exponent), faded(0.75f));
  }

  void drawBar(const Legend& legend, int x, int y, int height) {
    const ColorMap map = ColorMap::of(legend.scale.map);
    const bool flat = legend.scale.min == legend.scale.max;
    const double frame = stroke();
    m_image.fill(x, y, x + barWidth(), y + height, faded(0.7f));
    for (int row = 0; row < height; ++row) {
      if (row < frame || row >= height - frame) continue;
      const auto [r, g, b] = map.at(flat ? 0.5 : 1 - (row + 0.5) / height);
      m_image.fill(x + frame, y + row, x + barWidth() - frame, y + row + 1, {r, g, b, 1});
    }
  }

  void drawMarks(const Legend& legend, int x, int y, int height) {
    const double frame = stroke();
    const auto rowOf = [&](double place) { return y + std::round((1 - place) * (height - frame)); };
    const auto mark = [&](double row, double part) {
      m_image.fill(x, row, x + std::round(part * markLength()), row + frame, faded(0.7f));
    };
    const auto write = [&](double row, const std::string& text, const Rgba& color) {
      if (!m_font) return;
      const double baseline = row + 0.5 * frame + 0.5 * m_font->capHeight();
      m_font->draw(m_image, x + markLength() + 0.35 * m_em, baseline, text, color);
    };
    const double top = rowOf(1), bottom = rowOf(0);
    mark(top, 1), mark(bottom, 1);
    write(bottom, legend.ticks.first, m_ink);
    if (legend.ticks.first != legend.ticks.last || !legend.ticks.ticks.empty())
      write(top, legend.ticks.last, m_ink);
    double last = bottom;
    for (const Tick& tick : legend.ticks.ticks) {
      const double row = rowOf(tick.place);
      mark(row, tick.label.empty() ? 0.6 : 1);
      // a label that would touch its neighbour or an end of the range is left out
      if (tick.label.empty() || last - row < 0.95 * line() || row - top < 0.95 * line()) continue;
      write(row, tick.label, faded(0.85f));
      last = row;
    }
  }

  Rgba faded(float alpha) const { return {m_ink[0], m_ink[1], m_ink[2], alpha}; }

  Image& m_image;
  Rgba m_background, m_ink;
  double m_em;
  std::optional<Font> m_font;
};

bool sameLegend(const ColorScale& a, const ColorScale& b) {
  return a.title == b.title && a.map == b.map && a.min == b.min && a.max == b.max &&
         a.logarithmic == b.logarithmic;
}

}  // namespace

std::vector<PixelBox> drawLegends(Image& image, std::span<const ColorScale> scales, const Rgba& background,
                                  int top) {
  std::vector<ColorScale> shown;
  for (const ColorScale& scale : scales) {
    checkScale(scale);
    const auto same = [&](const ColorScale& other) { return sameLegend(scale, other); };
    if (!scale.title.empty() && std::none_of(shown.begin(), shown.end(), same)) shown.push_back(scale);
  }
  std::vector<PixelBox> boxes;
  if (shown.empty()) return boxes;

  Drawer drawer(image, background);
  const int margin = static_cast<int>(std::lround(0.6 * drawer.em()));
  const int from = std::max(top, margin), available = image.height() - margin - from;
  // in a small picture text needs more than its share
  const double room = std::max(kLegendStrip * image.width() - margin, 7.5 * drawer.em());
  const auto leastHeight = [&](const ColorScale& scale) {
    return drawer.leastHeight(drawer.compose(scale, 4 * drawer.line(), room)) + margin;
  };
  // as many in a column as leave at least four lines of bar each; further columns go to the left
  int right = image.width() - margin;
  for (std::size_t first = 0; first < shown.size();) {
    std::size_t count = 0;
    for (double used = 0; first + count < shown.size(); ++count)
      if ((used += leastHeight(shown[first + count])) > available + margin) break;
    if (count == 0) return boxes;
    const int slot = (available + margin) / int(count);
    std::vector<Legend> column;
    double width = 0, needed = 0;
    for (std::size_t i = 0; i < count; ++i) {
      column.push_back(drawer.compose(shown[first + i], std::min(0.5 * available, 0.7 * slot), room));
      width = std::max(width, column.back().width);
      needed += column.back().heading + column.back().footing + margin;
    }
    if (right - width < 0.4 * image.width()) return boxes;
    const int bar =
        static_cast<int>(std::min(0.5 * available, (available + margin - needed) / double(count)));
    int y = from + std::max(0, int(available + margin - needed - double(bar) * double(count)) / 2);
    for (const Legend& legend : column) {
      boxes.push_back(drawer.draw(legend, right - int(width), y, bar));
      y = boxes.back().bottom + margin;
    }
    right -= int(width) + margin;
    first += count;
  }
  return boxes;
}

std::vector<PixelBox> annotate(Image& image, const scene::Scene& scene) {
  int top = 0;
  if (!scene.title.empty()) {
    Drawer drawer(image, scene.background);
    drawer.drawTitle(scene.title);
    top = static_cast<int>(std::lround(3 * drawer.em()));
  }
  std::vector<ColorScale> scales;
  for (const scene::SceneItem& item : scene.items) {
    if (!item.colored) continue;
    scales.push_back(item.scale);
    // bars of one quantity with different colours need the names of their items
    const bool ambiguous =
        !item.name.empty() && std::any_of(scene.items.begin(), scene.items.end(), [&](const auto& other) {
          return other.colored && other.scale.title == item.scale.title &&
                 !sameLegend(other.scale, item.scale);
        });
    if (ambiguous && !item.scale.title.empty()) scales.back().title += ", " + item.name;
  }
  return drawLegends(image, scales, scene.background, top);
}

}  // namespace farfield::color
