#include "render/view/picture_notes.h"

#include <algorithm>
#include <cmath>

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

}  // namespace

std::vector<color::LegendBox> writeNotes(Image& image, const scene::Scene& scene) {
  const scene::Annotations& notes = scene.notes;
  std::vector<color::LegendBox> boxes = color::annotate(image, scene, heightAtLowerRight(image, scene));
  // What follows keeps clear of legends, as far as there is room.
  std::vector<MarkBox> taken;
  for (const color::LegendBox& box : boxes)
    taken.push_back(
        {{double(box.left), double(box.top)}, {double(box.right - box.left), double(box.bottom - box.top)}});
  if (notes.axes || notes.scaleBar || notes.orientation) {
    const Lettering letters(image, scene.background);
    const MarkPaper paper = paperOf(image, scene.background, letters);
    std::vector<MarkBox> beside = taken;
    if (notes.axes) {
      std::vector<MarkBox> written = writtenBoxes(scene.title, notes.texts, paper);
      written.insert(written.end(), taken.begin(), taken.end());
      const std::vector<Mark> axes = axesMarks(scene.bounds, scene.camera, paper, written, notes.axisNames);
      draw(image, axes, letters);
      const std::vector<MarkBox> numbers = boxesOf(axes, paper);
      beside.insert(beside.end(), numbers.begin(), numbers.end());
    }
    if (notes.scaleBar) draw(image, scaleBarMarks(scene.camera, paper, notes.texts, beside), letters);
    if (notes.orientation) {
      std::vector<MarkBox> written = textBoxes(notes.texts, paper);
      written.insert(written.end(), taken.begin(), taken.end());
      draw(image, orientationMarks(scene.camera, paper, {{0, 0}, {paper.width, paper.height}}, written),
           letters);
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
  for (const scene::TextNote& note : notes.texts)
    if (!note.text.empty()) drawText(image, note, Lettering(image, scene.background, 1.1 * note.size));
  return boxes;
}

}  // namespace farfield::view
