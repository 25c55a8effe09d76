#include "render/qt3d/overlay.h"

#include <QPolygonF>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.h"
#include "render/color/color_scale.h"
#include "render/color/image.h"
#include "render/view/box_axes.h"
#include "render/view/picture_notes.h"
#include "render/view/screen_map.h"

namespace farfield::qt3d {
namespace {

bool sameScale(const scene::ColorScale& a, const scene::ColorScale& b) {
  return a.title == b.title && a.map == b.map && a.min == b.min && a.max == b.max &&
         a.logarithmic == b.logarithmic && a.reachesDown == b.reachesDown && a.below == b.below &&
         a.above == b.above && a.nanColor == b.nanColor && a.legend == b.legend;
}

bool makesSense(const scene::ColorScale& scale) {
  try {
    color::checkScale(scale);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The smallest rectangle that contains everything that is not transparent.
QRect coveredPart(const color::Image& image) {
  int left = image.width(), right = -1, top = image.height(), bottom = -1;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      if (image.pixel(x, y)[3] == 0) continue;
      left = std::min(left, x), right = std::max(right, x);
      top = std::min(top, y), bottom = y;
    }
  return right < 0 ? QRect() : QRect(QPoint(left, top), QPoint(right, bottom));
}

}  // namespace

bool LegendContents::operator==(const LegendContents& other) const {
  return title == other.title && texts == other.texts && names == other.names &&
         background == other.background && pixels == other.pixels &&
         std::equal(scales.begin(), scales.end(), other.scales.begin(), other.scales.end(), sameScale);
}

LegendPicture drawLegends(const LegendContents& contents) {
  if (contents.pixels.isEmpty() ||
      (contents.scales.empty() && contents.title.empty() && contents.texts.empty()))
    return {};
  scene::Scene scene;
  scene.title = contents.title;
  scene.background = contents.background;
  scene.notes.texts = contents.texts;
  for (std::size_t n = 0; n < contents.scales.size(); ++n) {
    if (!makesSense(contents.scales[n])) continue;
    scene.items.emplace_back();
    if (n < contents.names.size()) scene.items.back().name = contents.names[n];
    scene.items.back().colored = true;
    scene.items.back().scale = contents.scales[n];
  }
  if (std::max(contents.pixels.width(), contents.pixels.height()) > color::Image::kMaxSide) return {};
  color::Image image(contents.pixels.width(), contents.pixels.height());
  std::vector<color::LegendBox> boxes = view::writeNotes(image, scene);
  const QRect part = coveredPart(image);
  if (part.isEmpty()) return {};
  const QImage whole(image.bytes().data(), image.width(), image.height(), 4 * image.width(),
                     QImage::Format_RGBA8888);
  return {whole.copy(part).convertToFormat(QImage::Format_ARGB32_Premultiplied), part.topLeft(),
          std::move(boxes)};
}

QColor inkOn(const scene::Rgba& background) {
  const float luma = 0.2126f * background[0] + 0.7152f * background[1] + 0.0722f * background[2];
  return luma > 0.45f ? QColor::fromRgbF(0.12f, 0.13f, 0.15f) : QColor::fromRgbF(0.93f, 0.94f, 0.95f);
}

void paintAxes(QPainter& painter, const scene::Camera& camera, QPointF center, double radius,
               const QColor& ink) {
  const scene::CameraAxes axes = scene::axesOf(camera);
  struct Arrow {
    const char* name;
    QColor color;
    Vec3 way;  // right, down and towards the eye on the screen
  };
  std::array<Arrow, 3> arrows{{{"x", QColor(0xd6, 0x3b, 0x2f), {}},
                               {"y", QColor(0x2f, 0x9e, 0x44), {}},
                               {"z", QColor(0x2f, 0x6f, 0xd6), {}}}};
  for (int axis = 0; axis < 3; ++axis)
    arrows[std::size_t(axis)].way = {axes.right[axis], -axes.up[axis], axes.back[axis]};
  // what points away from the eye is painted first
  std::sort(arrows.begin(), arrows.end(), [](const Arrow& a, const Arrow& b) { return a.way.z < b.way.z; });

  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  QFont font = painter.font();
  font.setPixelSize(std::max(8, int(std::lround(0.36 * radius))));
  font.setBold(true);
  painter.setFont(font);
  const double stroke = 0.075 * radius;
  for (const Arrow& arrow : arrows) {
    // darker if it points away
    const QColor color = arrow.way.z < 0 ? arrow.color.darker(100 + int(-45 * arrow.way.z)) : arrow.color;
    const QPointF way(arrow.way.x, arrow.way.y), tip = center + radius * way;
    const double size = std::hypot(way.x(), way.y());
    painter.setPen(QPen(color, stroke, Qt::SolidLine, Qt::RoundCap));
    if (size > 0.12) {
      const QPointF along = way / size, across(-along.y(), along.x());
      const double head = std::min(0.28 * radius, 0.8 * size * radius);
      painter.drawLine(center, tip - 0.7 * head * along);
      painter.setPen(Qt::NoPen);
      painter.setBrush(color);
      painter.drawPolygon(QPolygonF{tip, tip - head * along + 0.42 * head * across,
                                    tip - head * along - 0.42 * head * across});
    } else {  // seen end-on
      painter.setPen(Qt::NoPen);
      painter.setBrush(color);
      painter.drawEllipse(tip, 1.5 * stroke, 1.5 * stroke);
    }
    const double beyond = 0.3 * radius;
    const QPointF label = size > 0.12 ? tip + beyond * way / size : tip + QPointF(beyond, -0.6 * beyond);
    QColor text = ink;
    text.setAlphaF(arrow.way.z < -0.5 ? 0.6f : 1.0f);
    painter.setPen(text);
    painter.drawText(QRectF(label - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)), Qt::AlignCenter,
                     QString::fromLatin1(arrow.name));
  }
  painter.restore();
}

namespace {

/// As large as the letters of legends.
double letterSize(QSizeF size) {
  return std::max(9.5, 0.0195 * std::min(size.height(), 0.75 * size.width()));
}

void writeAround(QPainter& painter, QPointF at, const QString& text, const QColor& ink) {
  const QRectF box(at - QPointF(200, 50), QSizeF(400, 100));
  painter.setPen(ink);
  painter.drawText(box, Qt::AlignCenter, text);
}

}  // namespace

void paintBoxAxes(QPainter& painter, const Bounds& bounds, const scene::Camera& camera, QSizeF size,
                  const QColor& ink) {
  const double em = letterSize(size);
  const view::BoxAxes axes =
      view::boxAxes(bounds, camera, std::max(1, int(size.width())), std::max(1, int(size.height())), em);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  QFont font = painter.font();
  font.setPixelSize(std::max(8, int(std::lround(em))));
  painter.setFont(font);
  for (const bool faint : {true, false})
    for (const view::AxisStroke& stroke : axes.strokes) {
      if (stroke.faint != faint) continue;
      QColor color = ink;
      color.setAlphaF(faint ? 0.25f : 0.8f);
      painter.setPen(QPen(color, std::max(1.0, em / 16)));
      painter.drawLine(QPointF(stroke.from[0], stroke.from[1]), QPointF(stroke.to[0], stroke.to[1]));
    }
  for (const view::AxisLabel& label : axes.labels)
    writeAround(painter, {label.place[0], label.place[1]}, QString::fromStdString(label.text), ink);
  painter.restore();
}

void paintScaleBar(QPainter& painter, const scene::Camera& camera, QSizeF size, const QColor& ink) {
  const double em = letterSize(size);
  const auto bar = view::scaleBar(camera, size.width(), size.height());
  if (!bar) return;
  painter.save();
  QFont font = painter.font();
  font.setPixelSize(std::max(8, int(std::lround(em))));
  painter.setFont(font);
  painter.setPen(QPen(ink, std::max(1.0, em / 16)));
  const double y = size.height() - 1.4 * em, x = 0.5 * (size.width() - bar->pixels), end = 0.35 * em;
  painter.drawLine(QPointF(x, y), QPointF(x + bar->pixels, y));
  for (const double at : {x, x + bar->pixels}) painter.drawLine(QPointF(at, y - end), QPointF(at, y + end));
  writeAround(painter, {x + 0.5 * bar->pixels, y - 0.9 * em}, QString::fromStdString(bar->text), ink);
  painter.restore();
}

}  // namespace farfield::qt3d
