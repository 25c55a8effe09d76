#include "render/color/legend.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/scene/legend_title.h"
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
constexpr double kBarLines = 4, kShortBarLines = 2;  // of text, that a bar is high at least
constexpr int kMostColumns = 100, kPictureTitleLines = 3;
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

  // Chooses the text for a bar of about `bar` pixels, in a box at most `room` wide.
  Legend compose(const ColorScale& scale, double bar, double room, int titleLines = kTitleLines) const {
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
    legend.title = letters.wrapped(nameOf(scale), titleRoom, titleLines);
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
    box.scale = legend.scale;
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

/// Says of boxes of one function what they cover together.
void joinBoxes(std::span<LegendBox> boxes) {
  for (LegendBox& box : boxes) {
    box.group = box;
    for (const LegendBox& other : boxes) {
      if (other.function != box.function) continue;
      box.group = {std::min(box.group.left, other.left), std::min(box.group.top, other.top),
                   std::max(box.group.right, other.right), std::max(box.group.bottom, other.bottom)};
    }
  }
}

/// Legends that have one place in common, which is that of all of them below one another.
struct PlacedGroup {
  std::vector<std::pair<Legend, int>> legends;  ///< and how high its bar is
  double left = 0, top = 0, width = 0, height = 0, gap = 0;
};

/// Whether placeAtLeft() has put them there, and not a hand.
bool isAtLeft(const ColorScale& scale) {
  return (*scale.legend.place)[0] == kLeftEdge;
}

/// Where they were put, as large as they would be alone; of `count` below one another no higher than their share. Those that no hand has put
/// there begin below `top` pixels.
PlacedGroup arrange(const Image& image, const Drawer& drawer, std::span<const ColorScale> scales, int count,
                    int top) {
  const scene::LegendLook& look = scales.front().legend;
  PlacedGroup group;
  const double gap = group.gap = 0.3 * drawer.em();
  double from = 0, height = image.height();
  if (isAtLeft(scales.front())) {
    const double margin = 0.6 * drawer.em();
    from = std::max<double>(top, margin);
    height = std::max(0.0, height - from - margin);
  }
  group.height = -gap;
  for (const ColorScale& scale : scales) {
    double wanted = 0.4 * image.height() * look.size;
    Legend legend = drawer.compose(scale, wanted, 0.5 * image.width());
    if (count > 1) {
      const double share = height / count - gap;
      const auto left = [&] { return share - legend.heading - legend.footing; };
      for (const int lines : {2, 1}) {
        if (left() >= kShortBarLines * drawer.line()) break;
        legend = drawer.compose(scale, wanted, 0.5 * image.width(), lines);
      }
      if (left() < wanted) {
        wanted = std::max(4.0, left());
        legend = drawer.compose(scale, wanted, 0.5 * image.width(), static_cast<int>(legend.title.size()));
      }
    }
    const double bar = std::clamp(height - legend.heading - legend.footing, 4.0, std::max(4.0, wanted));
    group.width = std::max(group.width, legend.width);
    group.height += gap + bar + legend.heading + legend.footing;
    group.legends.emplace_back(std::move(legend), int(bar));
  }
  group.left = std::max(0.0, (*look.place)[0] * (image.width() - group.width));
  group.top = from + std::max(0.0, (*look.place)[1] * (height - group.height));
  return group;
}

std::vector<LegendBox> drawPlaced(Drawer& drawer, const PlacedGroup& group) {
  std::vector<LegendBox> boxes;
  double top = group.top;
  for (const auto& [legend, bar] : group.legends) {
    boxes.push_back(drawer.draw(legend, int(std::lround(group.left)), int(std::lround(top)), bar));
    top += boxes.back().bottom - boxes.back().top + group.gap;
  }
  joinBoxes(boxes);
  return boxes;
}

/// A legend, and where it is to be drawn.
struct PlacedLegend {
  Legend legend;
  double scale = 1;  ///< of its letters
  int left = 0, top = 0, bar = 0;
};

/// How much room legends take.
struct Fit {
  double factor = 1;  ///< of their usual size
  double barLines = kBarLines;
  int titleLines = kTitleLines;
};

/// Legends below one another on the right; further columns to the left.
class Columns {
 public:
  Columns(Image& image, std::span<const ColorScale> scales, const Rgba& background, int top, int bottom,
          const Fit& fit)
      : m_image(image), m_scales(scales), m_fit(fit) {
    double largest = 0;
    for (const ColorScale& scale : scales) {
      m_drawers.emplace_back(image, background, fit.factor * scale.legend.size);
      largest = std::max(largest, fit.factor * scale.legend.size);
    }
    const Drawer& drawer = m_drawers.front();
    m_margin = static_cast<int>(std::lround(0.6 * drawer.em()));
    m_from = std::max(top, m_margin);
    m_whole = image.height() - m_margin - m_from;
    m_available = std::max(0, std::min(m_whole, image.height() - bottom - m_from));
    // in a small picture text needs more than its share
    m_room = std::max(kLegendStrip * image.width() * largest - m_margin, 7.5 * drawer.em());
  }

  /// As many as have room in at most `most` columns.
  std::vector<PlacedLegend> placed(int most) const {
    std::vector<PlacedLegend> all;
    int right = m_image.width() - m_margin;
    for (std::size_t first = 0; first < m_scales.size() && most > 0; --most) {
      std::size_t count = 0;
      for (double used = 0; first + count < m_scales.size(); ++count)
        if ((used += leastHeight(first + count)) > m_available + m_margin) break;
      if (count == 0) return all;
      const int slot = (m_available + m_margin) / int(count);
      std::vector<Legend> column;
      double width = 0, needed = 0;
      for (std::size_t i = 0; i < count; ++i) {
        column.push_back(m_drawers[first + i].compose(
            m_scales[first + i], std::min(0.5 * m_whole, 0.7 * slot), m_room, m_fit.titleLines));
        width = std::max(width, column.back().width);
        needed += column.back().heading + column.back().footing + m_margin;
      }
      if (right - width < 0.4 * m_image.width()) return all;
      const int bar =
          static_cast<int>(std::min(0.5 * m_whole, (m_available + m_margin - needed) / double(count)));
      // In the middle, unless they would reach into what is free for others below.
      const double needs = needed + double(bar) * double(count) - m_margin;
      int y = m_from + std::clamp(int(m_whole - needs) / 2, 0, std::max(0, int(m_available - needs)));
      for (std::size_t i = 0; i < count; ++i) {
        const int height = int(column[i].heading) + bar + int(column[i].footing);
        all.push_back({std::move(column[i]), m_fit.factor * m_scales[first + i].legend.size,
                       right - int(width), y, bar});
        y += height + m_margin;
      }
      right -= int(width) + m_margin;
      first += count;
    }
    return all;
  }

 private:
  double leastHeight(std::size_t n) const {
    const Drawer& drawer = m_drawers[n];
    const double bar = m_fit.barLines * drawer.line();
    const Legend legend = drawer.compose(m_scales[n], bar, m_room, m_fit.titleLines);
    return legend.heading + legend.footing + bar + m_margin;
  }

  Image& m_image;
  std::span<const ColorScale> m_scales;
  Fit m_fit;
  std::vector<Drawer> m_drawers;
  int m_margin = 0, m_from = 0;
  int m_whole = 0;      ///< pixels of the picture below what is at the top
  int m_available = 0;  ///< of these, for legends
  double m_room = 0;
};

/// Scales with legends, each of them once: that somebody placed, and others.
struct Different {
  std::vector<ColorScale> shown, placed;
};

bool sameLegend(const ColorScale& a, const ColorScale& b) {
  return a.title == b.title && a.map == b.map && a.min == b.min && a.max == b.max &&
         a.logarithmic == b.logarithmic && a.below == b.below && a.above == b.above && a.legend == b.legend;
}

/// Those of `shown` that have room.
std::vector<PlacedLegend> placedAtRight(Image& image, std::span<const ColorScale> shown,
                                        const Rgba& background, int top, int bottom) {
  // Another column would lie over the data: rather smaller letters, as long as they can be read.
  std::vector<PlacedLegend> found;
  const double letters = letterPixels(image.width(), image.height());
  double smallest = 1;
  for (const double factor : kSizes) {
    if (factor < 1 && factor * letters < kLeastLetters) break;
    smallest = factor;
    found = Columns(image, shown, background, top, bottom, {factor}).placed(1);
    if (found.size() == shown.size()) break;
  }
  if (found.size() < shown.size())
    found = Columns(image, shown, background, top, bottom, {}).placed(kMostColumns);
  // A short bar is better than none, and so is a name of which the middle is left out.
  for (const int lines : {kTitleLines, 2, 1}) {
    if (found.size() == shown.size()) break;
    auto shorter = Columns(image, shown, background, top, bottom, {smallest, kShortBarLines, lines})
                       .placed(kMostColumns);
    if (shorter.size() > found.size()) found = std::move(shorter);
  }
  return found;
}

Different differentScales(std::span<const ColorScale> scales) {
  Different all;
  for (const ColorScale& scale : scales) {
    checkScale(scale);
    std::vector<ColorScale>& list = scale.legend.place ? all.placed : all.shown;
    const auto same = [&](const ColorScale& other) { return sameLegend(scale, other); };
    if (!scale.title.empty() && scale.legend.visible && std::none_of(list.begin(), list.end(), same))
      list.push_back(scale);
  }
  return all;
}

/// Calls `use` with each group of them that has one place, and with how many share the height of the picture there. What is said of a
/// function's legend is said of all that it has: one place for legends that differ.
template <class Use>
void forPlaced(std::vector<ColorScale> placed, Use&& use) {
  const auto atLeft = static_cast<int>(std::count_if(placed.begin(), placed.end(), isAtLeft));
  while (!placed.empty()) {
    const ColorScale first = placed.front();
    const auto others = std::stable_partition(placed.begin(), placed.end(), [&](const ColorScale& scale) {
      return scale.title == first.title && scale.legend.place == first.legend.place;
    });
    const auto number = static_cast<int>(others - placed.begin());
    use(std::span<const ColorScale>(placed.begin(), others),
        isAtLeft(first) ? std::max(atLeft, number) : number);
    placed.erase(placed.begin(), others);
  }
}

}  // namespace

double partBesideLegends(double width, double height) {
  constexpr double kLetters = 8.7;  // widths of the letter m: a legend's, with its margins
  const double letters = kLetters * letterPixels(width, height);
  return std::clamp((1 - letters / width) / (1 - kLegendStrip), 0.5, 1.0);
}

std::vector<LegendBox> drawLegends(Image& image, std::span<const ColorScale> scales, const Rgba& background,
                                   int top, int bottom) {
  const Different different = differentScales(scales);
  const std::vector<ColorScale>& shown = different.shown;
  std::vector<LegendBox> boxes;
  forPlaced(different.placed, [&](std::span<const ColorScale> group, int count) {
    Drawer drawer(image, background, group.front().legend.size);
    for (LegendBox& box : drawPlaced(drawer, arrange(image, drawer, group, count, top)))
      boxes.push_back(std::move(box));
  });
  if (shown.empty()) return boxes;

  std::vector<PlacedLegend> found = placedAtRight(image, shown, background, top, bottom);
  // Rather beside what is written below than not at all.
  if (found.size() < shown.size() && bottom > 0) found = placedAtRight(image, shown, background, top, 0);
  for (const PlacedLegend& each : found)
    boxes.push_back(Drawer(image, background, each.scale).draw(each.legend, each.left, each.top, each.bar));
  joinBoxes(std::span(boxes).last(found.size()));
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

const std::string& titleOf(const ColorScale& scale) {
  return scale.legend.title.empty() ? scale.title : scale.legend.title;
}

/// Whether nothing in the titles tells the bars apart: they are of one quantity and named by it, or somebody has called them the same.
bool haveOneName(const ColorScale& a, const ColorScale& b) {
  return a.title == b.title &&
         (scene::isNamedByFunction(a) || (b.legend.visible && titleOf(a) == titleOf(b)));
}

/// Of all coloured items that have values. Different bars that have one name have the names of their items in their titles.
std::vector<ColorScale> scalesOf(const scene::Scene& scene) {
  std::vector<ColorScale> scales;
  for (const scene::SceneItem& item : scene.items) {
    if (!item.colored || !item.scale.hasValues) continue;
    scales.push_back(item.scale);
    const bool ambiguous = !item.name.empty() && !item.scale.title.empty() &&
                           std::any_of(scene.items.begin(), scene.items.end(), [&](const auto& other) {
                             return other.colored && other.scale.hasValues &&
                                    haveOneName(item.scale, other.scale) &&
                                    !sameLegend(other.scale, item.scale);
                           });
    if (ambiguous) scales.back().legend.title = titleOf(item.scale) + ", " + namesOfAlike(scene, item.scale);
  }
  return scales;
}

}  // namespace

std::vector<LegendBox> annotate(Image& image, const scene::Scene& scene, int bottom) {
  int top = 0;
  if (!scene.title.empty()) {
    const Lettering letters(image, scene.background, 1.25);
    const double margin = 0.96 * letters.em();
    double baseline = margin + letters.capHeight();
    top = static_cast<int>(std::lround(2.4 * letters.em() - letters.lineHeight()));
    for (const std::string& line :
         letters.wrapped(scene.title, image.width() - 2 * margin, kPictureTitleLines)) {
      letters.write(margin, baseline, line, letters.ink());
      baseline += letters.lineHeight();
      top += static_cast<int>(letters.lineHeight());
    }
  }
  return drawLegends(image, scalesOf(scene), scene.background, top, bottom);
}

std::optional<std::array<double, 2>> placedSize(const scene::Scene& scene, const std::string& function,
                                                const std::array<double, 2>& place, int width, int height) {
  Image image(width, height);
  std::optional<std::array<double, 2>> size;
  forPlaced(differentScales(scalesOf(scene)).placed, [&](std::span<const ColorScale> group, int count) {
    if (size || group.front().title != function || group.front().legend.place != place) return;
    const PlacedGroup its =
        arrange(image, Drawer(image, scene.background, group.front().legend.size), group, count, 0);
    size = {its.width, its.height};
  });
  return size;
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
