#include "render/color/legend.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "render/color/color_map.h"
#include "render/color/color_scale.h"
#include "render/color/lettering.h"
#include "render/color/ticks.h"

namespace farfield::color {
namespace {

constexpr double kLeftEdge = 0.02;  // where placeAtLeft() puts legends
constexpr int kTitleLines = 4;
constexpr double kLeastTitle = 0.7;  // how small a title's letters become for the sake of a long word
constexpr double kLeastLetters = 8;  // pixels: smaller ones are no help
constexpr double kSizes[] = {1, 0.85, 0.7, 0.6};  // until all legends fit below one another

using scene::ColorScale;
using scene::Rgba;

// One legend without its position: its text and its size.
struct Legend {
  ColorScale scale;
  std::vector<std::string> title;
  double titleScale = 1;  // of its letters beside the others
  Ticks ticks;
  double width = 0;    // of the whole box
  double heading = 0;  // from the top of the box to the top of the bar
  double footing = 0;  // from the bottom of the bar to that of the box
};

const std::string& nameOf(const ColorScale& scale) {
  return scale.legend.title.empty() ? scale.title : scale.legend.title;
}

class Drawer {
 public:
  Drawer(Image& image, const Rgba& background, double scale)
      : m_image(image),
        m_background(background),
        m_scale(scale),
        m_letters(image, background, scale),
        m_em(m_letters.em()) {}

  double em() const { return m_em; }
  double line() const { return m_letters.lineHeight(); }
  double leastHeight(const Legend& legend) const { return legend.heading + legend.footing + 4 * line(); }

  // Chooses the text for a bar of about `bar` pixels, in a box at most `room` wide.
  Legend compose(const ColorScale& scale, double bar, double room) const {
    Legend legend;
    legend.scale = scale;
    const scene::LegendLook& look = scale.legend;
    const int most = look.labels > 0 ? std::clamp(look.labels, 2, scene::kMostLegendLabels)
                                     : std::clamp(static_cast<int>(bar / (2.2 * line())), 2, 8);
    legend.ticks = scale.map.bands > 1
                       ? bandTicks(scale.min, scale.max, scale.logarithmic, scale.map.bands, most)
                   : scale.logarithmic ? logarithmicTicks(scale.min, scale.max, most)
                                       : linearTicks(scale.min, scale.max, most);
    if (look.digits > 0) setDigits(legend.ticks, scale, std::min(look.digits, scene::kMostLegendDigits));
    if (scale.reachesDown) legend.ticks.first.insert(0, "\u2264 ");
    const double padding = 0.6 * m_em;
    double words = std::max(m_letters.width(legend.ticks.first), m_letters.width(legend.ticks.last));
    for (const Tick& tick : legend.ticks.ticks) words = std::max(words, m_letters.width(tick.label));
    const double body = barWidth() + markLength() + 0.35 * m_em + words;
    double titleWidth = 0;
    const double titleRoom = std::max(body, room - 2 * padding), widest = m_letters.widestWord(nameOf(scale));
    // A word is not broken: rather smaller letters, as long as they can be read.
    if (widest > titleRoom)
      legend.titleScale = std::max({kLeastTitle, kLeastLetters / m_em, 0.98 * titleRoom / widest});
    legend.titleScale = std::min(legend.titleScale, 1.0);
    const Lettering letters = lettersOf(legend);
    legend.title = letters.wrapped(nameOf(scale), titleRoom, kTitleLines);
    for (const std::string& text : legend.title) titleWidth = std::max(titleWidth, letters.width(text));
    legend.width = std::ceil(std::max(body, titleWidth) + 2 * padding);
    const double lines =
        double(legend.title.size()) + (legend.ticks.exponent != 0 && m_letters.hasFont() ? 1 : 0);
    // half a line more than the text: the label of the upper end extends half above the bar
    legend.heading = std::ceil(padding + lines * line() + 0.75 * line());
    legend.footing = std::ceil(0.6 * line() + padding);
    return legend;
  }

  LegendBox draw(const Legend& legend, int left, int top, int barHeight) {
    LegendBox box;
    box.left = left, box.top = top;
    box.right = left + int(legend.width);
    box.bottom = top + int(legend.heading) + barHeight + int(legend.footing);
    box.function = legend.scale.title;
    box.name = nameOf(legend.scale);
    const int x = left + static_cast<int>(std::lround(0.6 * m_em)), y = top + int(legend.heading);
    drawHeading(legend, x, top);
    drawBar(legend, x, y, barHeight);
    drawMarks(legend, x + int(barWidth()), y, barHeight);
    return box;
  }

 private:
  double barWidth() const { return std::round(1.15 * m_em); }
  double markLength() const { return std::round(0.35 * m_em); }
  double stroke() const { return m_letters.stroke(); }

  static void setDigits(Ticks& ticks, const ColorScale& scale, int digits) {
    const double unit = std::pow(10.0, ticks.exponent);
    for (Tick& tick : ticks.ticks)
      if (!tick.label.empty()) tick.label = formatNumber(tick.value / unit, digits);
    ticks.first = formatNumber(scale.min / unit, digits);
    ticks.last = formatNumber(scale.max / unit, digits);
  }

  void drawHeading(const Legend& legend, int x, int top) {
    double baseline = top + std::round(0.6 * m_em) + m_letters.ascent();
    const Lettering letters = lettersOf(legend);
    for (const std::string& text : legend.title) {
      letters.write(x, baseline, text, m_letters.ink());
      baseline += line();
    }
    if (legend.ticks.exponent != 0)
      m_letters.write(x, baseline, "\u00d7" + powerOfTen(legend.ticks.exponent), faded(0.75f));
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
    // what lies outside of the range, a little apart from the bar
    const double gap = std::round(0.15 * m_em), size = std::round(0.45 * m_em);
    if (legend.scale.above) drawBeyond(x, y - gap - size, size, *legend.scale.above);
    if (legend.scale.below) drawBeyond(x, y + height + gap, size, *legend.scale.below);
  }

  void drawBeyond(double x, double y, double size, const Rgba& color) {
    const double frame = stroke();
    m_image.fill(x, y, x + barWidth(), y + size, faded(0.7f));
    m_image.fill(x + frame, y + frame, x + barWidth() - frame, y + size - frame, color);
  }

  void drawMarks(const Legend& legend, int x, int y, int height) {
    const double frame = stroke();
    const auto rowOf = [&](double place) { return y + std::round((1 - place) * (height - frame)); };
    const auto mark = [&](double row, double part) {
      m_image.fill(x, row, x + std::round(part * markLength()), row + frame, faded(0.7f));
    };
    const auto write = [&](double row, const std::string& text, const Rgba& color) {
      const double baseline = row + 0.5 * frame + 0.5 * m_letters.capHeight();
      m_letters.write(x + markLength() + 0.35 * m_em, baseline, text, color);
    };
    const double top = rowOf(1), bottom = rowOf(0);
    mark(top, 1), mark(bottom, 1);
    write(bottom, legend.ticks.first, m_letters.ink());
    if (legend.ticks.first != legend.ticks.last || !legend.ticks.ticks.empty())
      write(top, legend.ticks.last, m_letters.ink());
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

  Rgba faded(float alpha) const { return m_letters.faded(alpha); }
  Lettering lettersOf(const Legend& legend) const {
    return Lettering(m_image, m_background, legend.titleScale * m_scale);
  }

  Image& m_image;
  Rgba m_background;
  double m_scale;
  Lettering m_letters;
  double m_em;
};

/// Where it was put by hand, as large as it would be alone.
LegendBox drawPlaced(Image& image, const ColorScale& scale, const Rgba& background) {
  const scene::LegendLook& look = scale.legend;
  Drawer drawer(image, background, look.size);
  const double wanted = 0.4 * image.height() * look.size;
  const Legend legend = drawer.compose(scale, wanted, 0.5 * image.width());
  const double bar = std::clamp(image.height() - legend.heading - legend.footing, 4.0, wanted);
  const double free[2] = {image.width() - legend.width,
                          image.height() - bar - legend.heading - legend.footing};
  const auto at = [&](int axis) {
    return static_cast<int>(std::lround(std::max(0.0, (*look.place)[std::size_t(axis)] * free[axis])));
  };
  return drawer.draw(legend, at(0), at(1), int(bar));
}

bool sameLegend(const ColorScale& a, const ColorScale& b) {
  return a.title == b.title && a.map == b.map && a.min == b.min && a.max == b.max &&
         a.logarithmic == b.logarithmic && a.below == b.below && a.above == b.above && a.legend == b.legend;
}

}  // namespace

std::vector<LegendBox> drawLegends(Image& image, std::span<const ColorScale> scales, const Rgba& background,
                                   int top) {
  std::vector<ColorScale> shown, placed;
  for (const ColorScale& scale : scales) {
    checkScale(scale);
    std::vector<ColorScale>& list = scale.legend.place ? placed : shown;
    const auto same = [&](const ColorScale& other) { return sameLegend(scale, other); };
    if (!scale.title.empty() && scale.legend.visible && std::none_of(list.begin(), list.end(), same))
      list.push_back(scale);
  }
  std::vector<LegendBox> boxes;
  for (const ColorScale& scale : placed) boxes.push_back(drawPlaced(image, scale, background));
  if (shown.empty()) return boxes;

  std::vector<Drawer> drawers;
  double largest = 0, room = 0;
  int margin = 0, from = 0, available = 0;
  const auto setSize = [&](double factor) {
    drawers.clear();
    largest = 0;
    for (const ColorScale& scale : shown) {
      drawers.emplace_back(image, background, factor * scale.legend.size);
      largest = std::max(largest, factor * scale.legend.size);
    }
    const Drawer& drawer = drawers.front();
    margin = static_cast<int>(std::lround(0.6 * drawer.em()));
    from = std::max(top, margin);
    available = image.height() - margin - from;
    // in a small picture text needs more than its share
    room = std::max(kLegendStrip * image.width() * largest - margin, 7.5 * drawer.em());
  };
  const auto leastHeight = [&](std::size_t n) {
    return drawers[n].leastHeight(drawers[n].compose(shown[n], 4 * drawers[n].line(), room)) + margin;
  };
  // Another column would lie over the data: rather smaller letters, as long as they can be read.
  bool one = false;
  for (const double factor : kSizes) {
    if (factor < 1 && factor * letterPixels(image.width(), image.height()) < kLeastLetters) break;
    setSize(factor);
    double used = 0;
    for (std::size_t n = 0; n < shown.size(); ++n) used += leastHeight(n);
    if ((one = used <= available + margin)) break;
  }
  if (!one) setSize(1);
  // as many in a column as leave at least four lines of bar each; further columns go to the left
  int right = image.width() - margin;
  for (std::size_t first = 0; first < shown.size();) {
    std::size_t count = 0;
    for (double used = 0; first + count < shown.size(); ++count)
      if ((used += leastHeight(first + count)) > available + margin) break;
    if (count == 0) return boxes;
    const int slot = (available + margin) / int(count);
    std::vector<Legend> column;
    double width = 0, needed = 0;
    for (std::size_t i = 0; i < count; ++i) {
      column.push_back(
          drawers[first + i].compose(shown[first + i], std::min(0.5 * available, 0.7 * slot), room));
      width = std::max(width, column.back().width);
      needed += column.back().heading + column.back().footing + margin;
    }
    if (right - width < 0.4 * image.width()) return boxes;
    const int bar =
        static_cast<int>(std::min(0.5 * available, (available + margin - needed) / double(count)));
    int y = from + std::max(0, int(available + margin - needed - double(bar) * double(count)) / 2);
    for (std::size_t i = 0; i < count; ++i) {
      boxes.push_back(drawers[first + i].draw(column[i], right - int(width), y, bar));
      y = boxes.back().bottom + margin;
    }
    right -= int(width) + margin;
    first += count;
  }
  return boxes;
}

namespace {

/// The items that have this bar in common, which is one: "lines, slice", or "lines and 2 more".
std::string namesOfAlike(const scene::Scene& scene, const ColorScale& scale) {
  std::vector<std::string> names;
  for (const scene::SceneItem& item : scene.items)
    if (item.colored && !item.name.empty() && sameLegend(item.scale, scale)) names.push_back(item.name);
  if (names.size() > 2) return names.front() + " and " + std::to_string(names.size() - 1) + " more";
  return names.size() == 2 ? names[0] + ", " + names[1] : names.front();
}

}  // namespace

std::vector<LegendBox> annotate(Image& image, const scene::Scene& scene) {
  int top = 0;
  if (!scene.title.empty()) {
    const Lettering letters(image, scene.background, 1.25);
    const double margin = 0.96 * letters.em();
    letters.write(margin, margin + letters.capHeight(),
                  letters.elided(scene.title, image.width() - 2 * margin), letters.ink());
    top = static_cast<int>(std::lround(2.4 * letters.em()));
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
    scene::LegendLook& look = scales.back().legend;
    if (ambiguous && !item.scale.title.empty())
      look.title =
          (look.title.empty() ? item.scale.title : look.title) + ", " + namesOfAlike(scene, item.scale);
  }
  return drawLegends(image, scales, scene.background, top);
}

void placeAtLeft(std::span<ColorScale* const> scales) {
  std::vector<ColorScale> different;
  std::vector<std::pair<ColorScale*, std::size_t>> moved;  // and which of the different ones it is
  for (ColorScale* const scale : scales) {
    if (scale->title.empty() || !scale->legend.visible || scale->legend.place) continue;
    const auto same = std::find_if(different.begin(), different.end(),
                                   [&](const ColorScale& other) { return sameLegend(other, *scale); });
    moved.emplace_back(scale, same - different.begin());
    if (same == different.end()) different.push_back(*scale);
  }
  const std::size_t count = std::max<std::size_t>(different.size(), 2);
  for (const auto& [scale, number] : moved) {
    const double down = static_cast<double>(number) / static_cast<double>(count - 1);
    scale->legend.place = {{kLeftEdge, different.size() == 1 ? 0.5 : down}};
    // two of the usual size fit below one another
    scale->legend.size = std::min(scale->legend.size, 2.0 / static_cast<double>(count));
  }
}

}  // namespace farfield::color
