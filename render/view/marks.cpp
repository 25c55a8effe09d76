#include "render/view/marks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "render/color/lettering.h"
#include "render/color/ticks.h"
#include "render/view/screen_map.h"

namespace farfield::view {
namespace {

constexpr int kDigits = 5;
constexpr int kRingSides = 24;

scene::Rgba faded(scene::Rgba color, float alpha) {
  color[3] *= alpha;
  return color;
}

/// Of the background, also where that is clear: words are read on it.
scene::Rgba ground(scene::Rgba background, float alpha) {
  background[3] = alpha;
  return background;
}

/// What two boxes cover together.
double overlapOf(const MarkBox& a, const MarkBox& b) {
  double area = 1;
  for (std::size_t axis = 0; axis < 2; ++axis)
    area *= std::max(0.0, std::min(a.corner[axis] + a.size[axis], b.corner[axis] + b.size[axis]) -
                              std::max(a.corner[axis], b.corner[axis]));
  return area;
}

/// The nearest point of a box.
PixelPoint nearestIn(const MarkBox& box, PixelPoint to) {
  return {std::clamp(to[0], box.corner[0], box.corner[0] + box.size[0]),
          std::clamp(to[1], box.corner[1], box.corner[1] + box.size[1])};
}

constexpr double kLineHeight = 1.3;  // of letters

struct Extent {
  double width = 0, lines = 0;
};
/// Of a text whose letters are `larger` than those of the paper, broken where it has no more room.
Extent extentOf(const std::string& text, double larger, double room, const MarkPaper& paper) {
  Extent made;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const double its = larger * (paper.widthOf ? paper.widthOf(text.substr(from, end - from)) : 0.0);
    made.lines += std::max(1.0, std::ceil(its / std::max(1.0, room)));
    made.width = std::max(made.width, std::min(its, room));
    from = end + 1;
  }
  return made;
}

/// Where a text is written, as nearly as it matters: see drawText() of picture notes.
MarkBox boxOf(const scene::TextNote& note, const MarkPaper& paper) {
  const double larger = 1.1 * note.size, em = larger * paper.em, margin = 0.6 * em;
  const auto [width, lines] = extentOf(note.text, larger, paper.width - 2 * em, paper);
  const double height = lines * kLineHeight * em;
  return {{margin + note.place[0] * std::max(0.0, paper.width - 2 * margin - width),
           margin + note.place[1] * std::max(0.0, paper.height - 2 * margin - height)},
          {width, height}};
}

/// Moves `bar`, which words stand with, to where it lies on nothing of `taken`: along its row, else upwards, as near to where it was as
/// there is room. Where there is none it stays.
MarkBox movedBeside(std::span<const MarkBox> taken, const MarkBox& bar, const MarkPaper& paper) {
  constexpr double kMostAside = 0.25;  // in the corners are other things
  const double step = 0.5 * paper.em, most = 10 * paper.em;
  const auto isFree = [&](const MarkBox& at) {
    return std::none_of(taken.begin(), taken.end(),
                        [&](const MarkBox& other) { return overlapOf(at, other) > 0; });
  };
  for (double up = 0; up <= most && bar.corner[1] - up >= 0; up += step)
    for (double way = 0; way <= kMostAside * paper.width; way += step)
      for (const double along : {way, -way}) {
        const MarkBox at{{bar.corner[0] + along, bar.corner[1] - up}, bar.size};
        if (at.corner[0] >= 0 && at.corner[0] + at.size[0] <= paper.width && isFree(at)) return at;
      }
  return bar;
}

/// Lines of at most `room`, broken at spaces; a word that is wider ends in dots.
std::vector<std::string> broken(const std::vector<std::string>& lines, double room, const MarkPaper& paper) {
  if (!paper.widthOf) return lines;
  std::vector<std::string> made;
  for (const std::string& line : lines) {
    std::string now;
    for (std::size_t from = 0; from < line.size();) {
      const std::size_t end = std::min(line.find(' ', from), line.size());
      std::string word = line.substr(from, end - from);
      from = end + 1;
      if (!now.empty() && paper.widthOf(now + " " + word) <= room) {
        now += " " + word;
        continue;
      }
      if (!now.empty()) made.push_back(std::exchange(now, {}));
      const auto isInside = [&](std::size_t at) {  // of a letter of several bytes
        return at < word.size() && (static_cast<unsigned char>(word[at]) >> 6) == 2;
      };
      for (std::size_t keep = word.size(); keep > 1 && paper.widthOf(word) > room;) {
        do --keep;
        while (keep > 1 && isInside(keep));
        word = word.substr(0, keep) + "\u2026";
      }
      now = std::move(word);
    }
    if (!now.empty()) made.push_back(std::move(now));
  }
  return made;
}

void addRing(std::vector<Mark>& marks, PixelPoint middle, double radius, double width,
             const scene::Rgba& color) {
  const auto at = [&](int n) {
    const double angle = 2 * std::numbers::pi * n / kRingSides;
    return PixelPoint{middle[0] + radius * std::cos(angle), middle[1] + radius * std::sin(angle)};
  };
  for (int n = 0; n < kRingSides; ++n) marks.push_back(MarkStroke{at(n), at(n + 1), width, color});
}

}  // namespace

std::vector<Mark> axesMarks(const Bounds& bounds, const scene::Camera& camera, const MarkPaper& paper,
                            std::span<const MarkBox> taken, const std::array<std::string, 3>& names) {
  std::vector<Mark> marks;
  if (!isUsable(camera)) return marks;
  std::vector<PixelRect> kept;
  for (const MarkBox& box : taken) kept.push_back({box.corner, box.size});
  const BoxAxes axes = boxAxes(bounds, camera, std::max(1, static_cast<int>(paper.width)),
                               std::max(1, static_cast<int>(paper.height)), paper.em, kept, names);
  for (const bool faint : {true, false})
    for (const AxisStroke& stroke : axes.strokes)
      if (stroke.faint == faint)
        marks.push_back(
            MarkStroke{stroke.from, stroke.to, paper.stroke, faded(paper.ink, faint ? 0.25f : 0.8f)});
  for (const AxisLabel& label : axes.labels) marks.push_back(MarkWords{label.place, label.text});
  return marks;
}

std::vector<Mark> scaleBarMarks(const scene::Camera& camera, const MarkPaper& paper,
                                std::span<const scene::TextNote> texts, std::span<const MarkBox> taken) {
  std::vector<Mark> marks;
  if (!isUsable(camera)) return marks;
  const auto bar = scaleBar(camera, paper.width, paper.height);
  if (!bar) return marks;
  double x = 0.5 * (paper.width - bar->pixels);
  // With a rim, as words have it: it may lie over anything.
  const double rim = std::max(1.0, paper.em / 12);
  const std::vector<std::string> lines = broken({bar->text}, paper.width - paper.em, paper);
  const double lineHeight = kLineHeight * paper.em;
  const double half = 0.5 * paper.stroke, end = 0.35 * paper.em + rim;
  const double above = 1.7 * paper.em + static_cast<double>(lines.size() - 1) * lineHeight;
  double y = paper.height - 1.4 * paper.em;
  std::vector<MarkBox> boxes = textBoxes(texts, paper);
  // The lowest first: who gives way to one may come to lie over the next.
  std::sort(boxes.begin(), boxes.end(),
            [](const MarkBox& a, const MarkBox& b) { return a.corner[1] > b.corner[1]; });
  for (const MarkBox& box : boxes) {
    const bool beside = box.corner[0] > x + bar->pixels || box.corner[0] + box.size[0] < x;
    const bool over = box.corner[1] < y + end && box.corner[1] + box.size[1] > y - above;
    if (!beside && over) y = std::max(above, box.corner[1] - 0.3 * paper.em - end);
  }
  double words = 0;
  for (const std::string& line : lines)
    if (paper.widthOf) words = std::max(words, paper.widthOf(line));
  const double over = 0.5 * paper.em + std::max(0.0, 0.5 * (words - bar->pixels));
  const MarkBox wanted{{x - over, y - above}, {bar->pixels + 2 * over, above + end}};
  boxes.insert(boxes.end(), taken.begin(), taken.end());
  const MarkBox free = movedBeside(boxes, wanted, paper);
  x += free.corner[0] - wanted.corner[0];
  y += free.corner[1] - wanted.corner[1];
  if (bar->pixels > 0) {
    std::vector<MarkBox> parts{{{x, y - half}, {bar->pixels, paper.stroke}, paper.ink}};
    for (const double at : {x, x + bar->pixels - paper.stroke})
      parts.push_back({{at, y - end + rim}, {paper.stroke, 2 * (end - rim)}, paper.ink});
    for (MarkBox part : parts) {
      for (std::size_t axis = 0; axis < 2; ++axis) {
        part.corner[axis] -= rim;
        part.size[axis] += 2 * rim;
      }
      part.color = faded(paper.background, 0.6f);
      marks.push_back(part);
    }
    marks.insert(marks.end(), parts.begin(), parts.end());
  }
  double lineY = y - 0.9 * paper.em - static_cast<double>(lines.size() - 1) * lineHeight;
  for (const std::string& line : lines) {
    marks.push_back(MarkWords{{x + 0.5 * bar->pixels, lineY}, line});
    lineY += lineHeight;
  }
  return marks;
}

std::vector<MarkBox> textBoxes(std::span<const scene::TextNote> texts, const MarkPaper& paper) {
  std::vector<MarkBox> boxes;
  for (const scene::TextNote& note : texts)
    if (!note.text.empty()) boxes.push_back(boxOf(note, paper));
  return boxes;
}

std::vector<MarkBox> writtenBoxes(const std::string& title, std::span<const scene::TextNote> texts,
                                  const MarkPaper& paper) {
  std::vector<MarkBox> boxes = textBoxes(texts, paper);
  if (title.empty()) return boxes;
  // See color::annotate().
  constexpr double kLarger = 1.25, kFirstLine = 2.4, kMostLines = 3;
  const double em = kLarger * paper.em, margin = 0.96 * em;
  const auto [width, lines] = extentOf(title, kLarger, paper.width - 2 * margin, paper);
  boxes.push_back(
      {{margin, 0}, {width, (kFirstLine + (std::min(lines, kMostLines) - 1) * kLineHeight) * em}});
  return boxes;
}

std::vector<MarkBox> boxesOf(std::span<const Mark> marks, const MarkPaper& paper) {
  constexpr float kFaint = 0.5f;
  std::vector<MarkBox> boxes;
  for (const Mark& mark : marks) {
    if (const auto* const words = std::get_if<MarkWords>(&mark); words && words->around) {
      const double width = paper.widthOf ? paper.widthOf(words->text) : 0, height = 1.2 * paper.em;
      boxes.push_back({{words->place[0] - 0.5 * width, words->place[1] - 0.5 * height}, {width, height}});
    }
    const auto* const stroke = std::get_if<MarkStroke>(&mark);
    if (!stroke || stroke->color[3] < kFaint * paper.ink[3]) continue;
    // In pieces, which cover little beside a line that is aslant.
    const PixelPoint way{stroke->to[0] - stroke->from[0], stroke->to[1] - stroke->from[1]};
    const int pieces =
        static_cast<int>(std::clamp(std::ceil(std::hypot(way[0], way[1]) / paper.em), 1.0, 1000.0));
    for (int n = 0; n < pieces; ++n) {
      MarkBox box;
      for (std::size_t axis = 0; axis < 2; ++axis) {
        const double from = stroke->from[axis] + way[axis] * n / pieces, size = way[axis] / pieces;
        box.corner[axis] = std::min(from, from + size) - 0.5 * stroke->width;
        box.size[axis] = std::abs(size) + stroke->width;
      }
      boxes.push_back(box);
    }
  }
  return boxes;
}

double placeOfOrientation(double x, double y, double reach, double width, std::span<const MarkBox> taken) {
  double at = x;
  for (bool moved = true; moved;) {
    moved = false;
    for (const MarkBox& other : taken)
      if (overlapOf({{at - reach, y - reach}, {2 * reach, 2 * reach}}, other) > 0) {
        at = other.corner[0] + other.size[0] + 1.01 * reach;
        moved = true;
      }
    if (at + reach > width) return x;
  }
  return at;
}

std::vector<Mark> orientationMarks(const scene::Camera& camera, const MarkPaper& paper, const MarkBox& part,
                                   std::span<const MarkBox> taken) {
  std::vector<Mark> marks;
  if (!isUsable(camera)) return marks;
  const scene::CameraAxes axes = scene::axesOf(camera);
  constexpr double kStroke = 0.075, kReach = 1.7, kLetter = 1.3;  // of the radius
  const double radius = 2.6 * paper.em, reach = kReach * radius;
  const double y = part.corner[1] + part.size[1] - reach;
  const double x = placeOfOrientation(part.corner[0] + reach, y, reach, part.corner[0] + part.size[0], taken);
  const scene::Rgba colors[] = {{0.84f, 0.23f, 0.18f, 1}, {0.18f, 0.62f, 0.27f, 1}, {0.18f, 0.44f, 0.84f, 1}};
  std::array<int, 3> order{0, 1, 2};
  // what points away from the eye is drawn first
  std::sort(order.begin(), order.end(), [&](int a, int b) { return axes.back[a] < axes.back[b]; });
  for (const int axis : order) {
    const double right = axes.right[axis], down = -axes.up[axis];
    marks.push_back(MarkStroke{{x, y},
                               {x + radius * right, y + radius * down},
                               kStroke * radius,
                               colors[static_cast<std::size_t>(axis)]});
    marks.push_back(
        MarkWords{{x + kLetter * radius * right, y + kLetter * radius * down}, std::string(1, "xyz"[axis])});
  }
  return marks;
}

std::vector<std::string> linesOf(const scene::PlaceMark& place) {
  std::vector<std::string> lines;
  if (!place.found) return {place.name + ": outside of the data"};
  for (const auto& [name, numbers] : place.values) {
    std::string text = name + " ";
    if (numbers.size() > 1) text += '(';
    for (std::size_t n = 0; n < numbers.size(); ++n)
      text += (n > 0 ? ", " : "") + color::formatNumber(numbers[n], kDigits);
    if (numbers.empty()) text += "\u2026";  // being read
    if (numbers.size() > 1) text += ')';
    lines.push_back(std::move(text));
  }
  if (lines.empty())
    lines.push_back(place.name);
  else
    lines.front() = place.name + ": " + lines.front();
  return lines;
}

namespace {

/// What is seen of the way between two places, without the rings at its ends; nothing where none of it is.
std::optional<std::array<PixelPoint, 2>> wayBetween(Vec3 from, Vec3 to, double ring, const ScreenMap& map,
                                                    const MarkPaper& paper) {
  // In front of the eye.
  constexpr double kNearest = 1e-3;  // of how far the farther end is away
  const double near = map.depth(from), far = map.depth(to), least = kNearest * std::max(near, far);
  if (!(std::max(near, far) > 0)) return std::nullopt;
  const auto cut = [&](Vec3 end, double depth, Vec3 other, double otherDepth) {
    return depth >= least ? end : end + (least - depth) / (otherDepth - depth) * (other - end);
  };
  const auto a = map.project(cut(from, near, to, far)), b = map.project(cut(to, far, from, near));
  if (!a || !b) return std::nullopt;
  // Within the picture and a little beside it.
  const PixelPoint start{a->x, a->y}, way{b->x - a->x, b->y - a->y}, size{paper.width, paper.height};
  const double length = std::hypot(way[0], way[1]);
  double first = near >= least ? ring / length : 0, last = far >= least ? 1 - ring / length : 1;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const double low = -ring - start[axis], high = size[axis] + ring - start[axis];
    if (way[axis] == 0 && (low > 0 || high < 0)) return std::nullopt;
    if (way[axis] == 0) continue;
    first = std::max(first, std::min(low / way[axis], high / way[axis]));
    last = std::min(last, std::max(low / way[axis], high / way[axis]));
  }
  if (!(first < last)) return std::nullopt;
  const auto at = [&](double part) { return PixelPoint{start[0] + part * way[0], start[1] + part * way[1]}; };
  return std::array{at(first), at(last)};
}

}  // namespace

std::vector<Mark> placeMarks(std::span<const scene::PlaceMark> places, bool texts, const scene::Rgba& color,
                             const scene::Camera& camera, const MarkPaper& paper,
                             std::vector<MarkBox>& taken) {
  std::vector<Mark> marks;
  if (places.empty() || !isUsable(camera) || !(paper.width > 0) || !(paper.height > 0)) return marks;
  const ScreenMap map(camera, paper.width, paper.height);
  const double em = paper.em, stroke = paper.stroke;
  const double radius = 0.38 * em, pad = 0.35 * em, line = 1.3 * em, gap = 1.1 * em;
  // All rings first: no words are to lie on them.
  struct Seen {
    const scene::PlaceMark* place;
    PixelPoint at;
  };
  std::vector<Seen> seen;
  const std::size_t before = taken.size();
  for (const scene::PlaceMark& place : places) {
    const auto on = map.project(place.place);
    if (!on || on->x < 0 || on->y < 0 || on->x > paper.width || on->y > paper.height) continue;
    seen.push_back({&place, {on->x, on->y}});
    taken.push_back({{on->x - radius, on->y - radius}, {2 * radius, 2 * radius}});
  }
  if (!texts && places.size() == 2)
    if (const auto way = wayBetween(places[0].place, places[1].place, radius, map, paper)) {
      marks.push_back(MarkStroke{way->front(), way->back(), 3.2 * stroke, ground(paper.background, 0.8f)});
      marks.push_back(MarkStroke{way->front(), way->back(), 1.6 * stroke, color});
    }
  for (const auto& [mark, at] : seen) {
    const scene::PlaceMark& place = *mark;
    addRing(marks, at, radius, 3.2 * stroke, ground(paper.background, 0.8f));
    addRing(marks, at, radius, 1.6 * stroke, color);
    if (!texts) continue;
    const std::vector<std::string> lines = broken(linesOf(place), paper.width - 2 * pad, paper);
    MarkBox box{{}, {0, 2 * pad + line * static_cast<double>(lines.size())}, ground(paper.background, 0.82f)};
    for (const std::string& text : lines)
      box.size[0] = std::max(box.size[0], paper.widthOf ? paper.widthOf(text) : 0.0);
    box.size[0] += 2 * pad;
    // Where it covers least of what is written already: near and upwards to the right first.
    std::vector<PixelPoint> choices;
    for (const double away : {gap, 2.5 * gap, 5 * gap}) {
      const double up = at[1] - away - box.size[1], down = at[1] + away, middle = at[1] - 0.5 * box.size[1];
      const double right = at[0] + away, left = at[0] - away - box.size[0];
      const double center = at[0] - 0.5 * box.size[0];
      choices.insert(choices.end(), {{right, up},
                                     {right, down},
                                     {left, up},
                                     {left, down},
                                     {right, middle},
                                     {left, middle},
                                     {center, up - gap},
                                     {center, down + gap}});
    }
    // and beside what is there from before, which may be larger than these ways
    for (std::size_t n = 0; n < before; ++n) {
      const MarkBox& other = taken[n];
      const double left = other.corner[0] - pad - box.size[0], right = other.corner[0] + other.size[0] + pad;
      const double up = other.corner[1] - pad - box.size[1], down = other.corner[1] + other.size[1] + pad;
      const double middle = at[1] - 0.5 * box.size[1], center = at[0] - 0.5 * box.size[0];
      choices.insert(choices.end(), {{left, middle}, {right, middle}, {center, up}, {center, down}});
    }
    double least = INFINITY;
    PixelPoint best{};
    for (std::size_t n = 0; n < choices.size(); ++n) {
      PixelPoint choice = choices[n];
      const PixelPoint wanted = choice;
      choice[0] = std::clamp(choice[0], 0.0, std::max(0.0, paper.width - box.size[0]));
      choice[1] = std::clamp(choice[1], 0.0, std::max(0.0, paper.height - box.size[1]));
      box.corner = choice;
      double covered = static_cast<double>(n) * 1e-3 +
                       0.01 * (std::abs(choice[0] - wanted[0]) + std::abs(choice[1] - wanted[1]));
      for (const MarkBox& other : taken) covered += overlapOf(box, other);
      if (covered >= least) continue;
      least = covered;
      best = choice;
    }
    box.corner = best;
    taken.push_back(box);
    const PixelPoint near = nearestIn(box, at);
    const double way = std::hypot(near[0] - at[0], near[1] - at[1]);
    if (way > radius)
      marks.push_back(
          MarkStroke{{at[0] + radius / way * (near[0] - at[0]), at[1] + radius / way * (near[1] - at[1])},
                     near,
                     stroke,
                     color});
    marks.push_back(box);
    double y = box.corner[1] + pad + 0.5 * line;
    for (const std::string& text : lines) {
      marks.push_back(MarkWords{{box.corner[0] + pad, y}, text, false});
      y += line;
    }
  }
  return marks;
}

void draw(color::Image& image, std::span<const Mark> marks, const color::Lettering& letters) {
  for (const Mark& mark : marks) {
    if (const auto* const stroke = std::get_if<MarkStroke>(&mark)) {
      image.line(stroke->from, stroke->to, stroke->width, stroke->color);
    } else if (const auto* const box = std::get_if<MarkBox>(&mark)) {
      image.fill(box->corner[0], box->corner[1], box->corner[0] + box->size[0], box->corner[1] + box->size[1],
                 box->color);
    } else {
      const auto& words = std::get<MarkWords>(mark);
      if (words.around)
        letters.writeAround(words.place[0], words.place[1], words.text);
      else
        letters.write(words.place[0], words.place[1] + 0.5 * letters.capHeight(), words.text, letters.ink());
    }
  }
}

MarkPaper paperOf(const color::Image& image, const scene::Rgba& background, const color::Lettering& letters) {
  return {.width = static_cast<double>(image.width()),
          .height = static_cast<double>(image.height()),
          .em = letters.em(),
          .stroke = letters.stroke(),
          .ink = letters.ink(),
          .background = background,
          .widthOf = [&letters](const std::string& text) { return letters.width(text); }};
}

}  // namespace farfield::view
