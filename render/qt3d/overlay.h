#pragma once
// What lies over the picture and does not turn with it: legends and title, the same as in batch pictures, and
// the axes that show the orientation.

#include <QColor>
#include <QImage>
#include <QPainter>
#include <QRegion>
#include <QString>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/scene/scene.h"
#include "render/color/legend.h"

namespace farfield::qt3d {

/// Everything that legends depend on.
struct LegendContents {
  std::vector<scene::ColorScale> scales;
  std::vector<std::string> names,
      owners;  ///< of the items of these scales, and whose legends they are: one each
  std::string title;
  std::vector<scene::TextNote> texts = {};
  scene::Rgba background{1, 1, 1, 1};
  QSize pixels;
  bool operator==(const LegendContents&) const;
};

/// Title and legends on a transparent picture, and its position. Takes milliseconds, much more when fonts are
/// first looked for: not for the thread of the user interface. Invalid scales are left out.
struct LegendPicture {
  QImage image;
  QPoint place;
  std::vector<color::LegendBox> boxes;           ///< of the legends, in the whole picture
  std::vector<std::vector<std::string>> owners;  ///< whose they are, of each
};
LegendPicture drawLegends(const LegendContents& contents);
/// How large the legends of `function` at `place` are together, in pixels (color::placedSize); none where there are none.
/// Milliseconds at most once legends were drawn.
std::optional<std::array<double, 2>> placedSize(const LegendContents& contents, const std::string& function,
                                                const std::array<double, 2>& place);

/// Readable on `background`.
QColor inkOn(const scene::Rgba& background);

/// Paints the directions x, y, z as the camera sees them over a view of `size`, where and as pictures of as many pixels have them
/// (`pixelRatio`: for each unit of the painter), but in `part` of the view, and clear of `legends` and of the `texts` written there, as far
/// as there is room.
void paintOrientation(QPainter& painter, const scene::Camera& camera, const scene::Rgba& background,
                      QSizeF size, double pixelRatio, const QRectF& part, const std::vector<QRectF>& legends,
                      std::span<const scene::TextNote> texts);

/// Paints what moves with the camera of `scene` over a view of `size`, as batch pictures have it: axes with numbers
/// along the edges of its bounds and a bar of a round length, where it wants them, and the marks of its items. The bar
/// lies in `notes`, the part of the view where nothing hides it. Words of marks keep clear of `legends`, those of places
/// of `knobs` of handles as well, as far as there is room. Returns what the words of places cover.
QRegion paintMarks(QPainter& painter, const scene::Scene& scene, QSizeF size, const QRectF& notes,
                   const std::vector<QRectF>& legends, const std::vector<QRectF>& knobs = {});

}  // namespace farfield::qt3d
