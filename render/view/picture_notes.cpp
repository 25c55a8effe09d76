#include "render/view/picture_notes.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "render/color/lettering.h"
#include "render/view/marks.h"

namespace farfield::view {
namespace {

using color::Image;
using color::Lettering;

void drawText(Image& image, const scene::TextNote& note, const Lettering& letters) {
  const double room = image.width() - 2 * letters.em();
  const std::vector<std::string> lines = letters.lines(note.text, room);
  double width = 0;
  for (const std::string& line : lines) width = std::max(width, letters.width(line));
  const double margin = 0.6 * letters.em(), height = static_cast<double>(lines.size()) * letters.lineHeight();
  const double x = margin + note.place[0] * std::max(0.0, image.width() - 2 * margin - width);
  double y = margin + note.place[1] * std::max(0.0, image.height() - 2 * margin - height);
  for (const std::string& line : lines) {
    letters.write(x, y + letters.ascent(), line, letters.ink());
    y += letters.lineHeight();
  }
}

/// The height of what is written in the lower right corner, where legends would come to lie: legends that nobody has placed keep clear of it.
int heightAtLowerRight(Image& image, const scene::Scene& scene) {
  constexpr double kLower = 2.0 / 3;  // of the picture: a text above that has the middle, which legends need
  if (scene.notes.texts.empty()) return 0;
  const Lettering letters(image, scene.background);
  double height = 0;
  for (const MarkBox& box : textBoxes(scene.notes.texts, paperOf(image, scene.background, letters)))
    if (box.corner[0] + box.size[0] > (1 - color::kLegendStrip) * image.width() &&
        box.corner[1] > kLower * image.height())
      height = std::max(height, image.height() - box.corner[1]);
  return static_cast<int>(std::ceil(height));
}

/// The columns of `image` that are that part, to be put back.
Image columnsOf(const Image& image, const NotesPart& part) {
  Image columns(part.width, image.height());
  for (int y = 0; y < image.height(); ++y)
    std::copy_n(image.pixel(part.left, y), std::size_t{4} * part.width, columns.pixel(0, y));
  return columns;
}

void putColumns(const Image& columns, Image& image, int left) {
  for (int y = 0; y < image.height(); ++y)
    std::copy_n(columns.pixel(0, y), std::size_t{4} * columns.width(), image.pixel(left, y));
}

std::vector<MarkBox> moved(std::vector<MarkBox> boxes, double right) {
  for (MarkBox& each : boxes) each.corner[0] += right;
  return boxes;
}

std::vector<Mark> moved(std::vector<Mark> marks, double right) {
  for (Mark& mark : marks) {
    if (auto* const stroke = std::get_if<MarkStroke>(&mark))
      stroke->from[0] += right, stroke->to[0] += right;
    else if (auto* const box = std::get_if<MarkBox>(&mark))
      box->corner[0] += right;
    else
      std::get<MarkWords>(mark).place[0] += right;
  }
  return marks;
}

/// Below the title, and below what is in `taken`, as far as there is room. Returns what it covers.
MarkBox writeName(Image& columns, const scene::Scene& scene, const std::string& name, bool atRight,
                  std::span<const MarkBox> taken) {
  const Lettering letters(columns, scene.background);
  const double margin = 0.6 * letters.em(), height = letters.lineHeight();
  const std::string text = letters.elided(name, columns.width() - 2 * margin);
  MarkBox box{{0, margin}, {letters.width(text), height}};
  box.corner[0] = atRight ? columns.width() - margin - box.size[0] : margin;
  std::vector<MarkBox> above = writtenBoxes(scene.title, {}, paperOf(columns, scene.background, letters));
  above.insert(above.end(), taken.begin(), taken.end());
  std::sort(above.begin(), above.end(),
            [](const MarkBox& a, const MarkBox& b) { return a.corner[1] < b.corner[1]; });
  const double top = box.corner[1];
  for (const MarkBox& each : above)
    if (each.corner[0] < box.corner[0] + box.size[0] && box.corner[0] < each.corner[0] + each.size[0] &&
        each.corner[1] < box.corner[1] + height && box.corner[1] < each.corner[1] + each.size[1])
      box.corner[1] = each.corner[1] + each.size[1];
  if (box.corner[1] + height > columns.height()) box.corner[1] = top;
  letters.write(box.corner[0], box.corner[1] + letters.ascent(), text, letters.ink());
  return box;
}

}  // namespace

std::vector<color::LegendBox> writeNotes(Image& image, const scene::Scene& scene) {
  return writeNotes(image, scene, {.left = 0, .width = image.width(), .name = {}});
}

std::vector<color::LegendBox> writeNotes(Image& image, const scene::Scene& scene, const NotesPart& part) {
  const scene::Annotations& notes = scene.notes;
  const bool isAll = part.width == image.width();
  // Letters there are those of a picture of that width.
  const auto inPart = [&](const auto& write) {
    if (isAll) return write(image);
    Image columns = columnsOf(image, part);
    write(columns);
    putColumns(columns, image, part.left);
  };
  std::vector<color::LegendBox> boxes;
  // What follows keeps clear of legends, as far as there is room.
  std::vector<MarkBox> taken;
  inPart([&](Image& paper) {
    boxes = color::annotate(paper, scene, heightAtLowerRight(paper, scene));
    for (const color::LegendBox& box : boxes)
      taken.push_back({{double(box.left), double(box.top)},
                       {double(box.right - box.left), double(box.bottom - box.top)}});
    if (!part.name.empty()) taken.push_back(writeName(paper, scene, part.name, part.left == 0, taken));
  });
  taken = moved(std::move(taken), part.left);
  for (color::LegendBox& box : boxes)
    for (color::PixelBox* const each : {static_cast<color::PixelBox*>(&box), &box.group})
      each->left += part.left, each->right += part.left;
  if (notes.axes || notes.scaleBar || notes.orientation) {
    const Lettering letters(image, scene.background);
    const MarkPaper paper = paperOf(image, scene.background, letters);
    MarkPaper ofPart = paper;
    ofPart.width = part.width;
    std::vector<MarkBox> beside = taken;
    if (notes.axes) {
      std::vector<MarkBox> written = moved(writtenBoxes(scene.title, notes.texts, ofPart), part.left);
      written.insert(written.end(), taken.begin(), taken.end());
      const std::vector<Mark> axes = axesMarks(scene.bounds, scene.camera, paper, written, notes.axisNames);
      draw(image, axes, letters);
      const std::vector<MarkBox> numbers = boxesOf(axes, paper);
      beside.insert(beside.end(), numbers.begin(), numbers.end());
    }
    if (notes.scaleBar) {
      beside = moved(std::move(beside), -part.left);
      draw(image, moved(scaleBarMarks(scene.camera, ofPart, notes.texts, beside), part.left), letters);
    }
    if (notes.orientation) {
      std::vector<MarkBox> written = moved(textBoxes(notes.texts, ofPart), part.left);
      written.insert(written.end(), taken.begin(), taken.end());
      const MarkBox place{{double(part.left), 0}, {ofPart.width, paper.height}};
      draw(image, orientationMarks(scene.camera, paper, place, written), letters);
    }
  }
  for (const scene::SceneItem& item : scene.items) {
    if (item.marks.empty() || !(item.opacity > 0)) continue;
    const Lettering letters(image, scene.background, item.markLook.size);
    draw(image,
         placeMarks(item.marks, item.markLook.texts, item.color, scene.camera,
                    paperOf(image, scene.background, letters), taken),
         letters);
  }
  const bool hasTexts = std::any_of(notes.texts.begin(), notes.texts.end(),
                                    [](const scene::TextNote& note) { return !note.text.empty(); });
  if (hasTexts)
    inPart([&](Image& paper) {
      for (const scene::TextNote& note : notes.texts)
        if (!note.text.empty()) drawText(paper, note, Lettering(paper, scene.background, 1.1 * note.size));
    });
  return boxes;
}

}  // namespace farfield::view
