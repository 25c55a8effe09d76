#pragma once
// What is drawn over a picture and moves with the camera, laid out once for all that draws it: axes with numbers, a bar
// of known length, places with their values. A list of boxes, strokes and words in pixels, from what is drawn first to
// what is drawn last.

#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/scene/scene.h"
#include "render/color/image.h"
#include "render/view/box_axes.h"

namespace farfield::color {
class Lettering;
}

namespace farfield::view {

struct MarkStroke {
  PixelPoint from{}, to{};
  double width = 1;
  scene::Rgba color{0, 0, 0, 1};
};
struct MarkBox {
  PixelPoint corner{}, size{};
  scene::Rgba color{1, 1, 1, 1};
};
struct MarkWords {
  PixelPoint place{};
  std::string text;
  bool around = true;  ///< its middle is there; else the middle of its left end
};
using Mark = std::variant<MarkStroke, MarkBox, MarkWords>;

/// The picture that is drawn on, in its pixels, and how words are there.
struct MarkPaper {
  double width = 0, height = 0;
  double em = 12, stroke = 1;  ///< of letters and lines
  scene::Rgba ink{0, 0, 0, 1}, background{1, 1, 1, 1};
  /// Of a text.
  std::function<double(const std::string&)> widthOf = {};
};

/// All below: nothing where the camera cannot be drawn with.
/// Labels keep off `taken`.
std::vector<Mark> axesMarks(const Bounds& bounds, const scene::Camera& camera, const MarkPaper& paper,
                            std::span<const MarkBox> taken = {},
                            const std::array<std::string, 3>& names = {"x", "y", "z"});
/// At the bottom, above such of the texts as would be written over it, and beside or above what is in `taken`, as far as there is room.
std::vector<Mark> scaleBarMarks(const scene::Camera& camera, const MarkPaper& paper,
                                std::span<const scene::TextNote> texts = {},
                                std::span<const MarkBox> taken = {});
/// Where texts are written, as nearly as it matters.
std::vector<MarkBox> textBoxes(std::span<const scene::TextNote> texts, const MarkPaper& paper);
/// The same with the title, which may be empty.
std::vector<MarkBox> writtenBoxes(const std::string& title, std::span<const scene::TextNote> texts,
                                  const MarkPaper& paper);
/// What words that are written around their place cover, and strokes that are not faint.
std::vector<MarkBox> boxesOf(std::span<const Mark> marks, const MarkPaper& paper);
/// A ring around each place that is seen, and, with `texts`, what is known there beside it: in a box that lies in the
/// picture and, as far as there is room, on nothing of `taken`, to which rings and boxes are added. The letters of `paper` are those
/// of the places. Two places without texts are the ends of a plot's line, which is drawn between them.
std::vector<Mark> placeMarks(std::span<const scene::PlaceMark> places, bool texts, const scene::Rgba& color,
                             const scene::Camera& camera, const MarkPaper& paper,
                             std::vector<MarkBox>& taken);
/// Where the middle of the directions is, which is to be at `x` and reaches to `reach` on all sides: farther to the right where
/// something of `taken` is there.
double placeOfOrientation(double x, double y, double reach, double width, std::span<const MarkBox> taken);
/// The directions x, y, z as the camera sees them, in the lower left corner of `part` of the paper; farther to the right where
/// something of `taken` is there.
std::vector<Mark> orientationMarks(const scene::Camera& camera, const MarkPaper& paper, const MarkBox& part,
                                   std::span<const MarkBox> taken);
/// What stands beside a place: its name, then a line for each value. On a picture such lines are broken where they are wider than it.
std::vector<std::string> linesOf(const scene::PlaceMark& place);

/// In these letters, which refer to the picture.
void draw(color::Image& image, std::span<const Mark> marks, const color::Lettering& letters);
MarkPaper paperOf(const color::Image& image, const scene::Rgba& background, const color::Lettering& letters);

}  // namespace farfield::view
