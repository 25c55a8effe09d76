#include "render/qt3d/overlay.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/error.h"
#include "render/color/color_scale.h"
#include "render/color/image.h"
#include "render/color/lettering.h"
#include "render/view/marks.h"
#include "render/view/picture_notes.h"

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

QColor asColor(const scene::Rgba& color) {
  return QColor::fromRgbF(color[0], color[1], color[2], color[3]);
}

void paintMark(QPainter& painter, const view::Mark& mark, const view::MarkPaper& paper) {
  const auto at = [](view::PixelPoint point) { return QPointF(point[0], point[1]); };
  if (const auto* const stroke = std::get_if<view::MarkStroke>(&mark)) {
    painter.setPen(QPen(asColor(stroke->color), stroke->width, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(at(stroke->from), at(stroke->to));
  } else if (const auto* const box = std::get_if<view::MarkBox>(&mark)) {
    painter.fillRect(QRectF(at(box->corner), QSizeF(box->size[0], box->size[1])), asColor(box->color));
  } else {
    // A box larger than any text.
    const auto& words = std::get<view::MarkWords>(mark);
    QPointF place = at(words.place);
    painter.setPen(asColor(paper.ink));
    if (words.around) {  // as Lettering::writeAround() has it: all of it in the picture
      const double half = 0.5 * paper.widthOf(words.text) + 0.2 * paper.em;
      place.setX(std::clamp(place.x(), half, std::max(half, paper.width - half)));
      place.setY(
          std::clamp(place.y(), 0.7 * paper.em, std::max(0.7 * paper.em, paper.height - 0.7 * paper.em)));
    }
    painter.drawText(words.around ? QRectF(place.x() - 1000, place.y() - 50, 2000, 100)
                                  : QRectF(place.x(), place.y() - 50, 2000, 100),
                     words.around ? Qt::AlignCenter : Qt::AlignLeft | Qt::AlignVCenter,
                     QString::fromStdString(words.text));
  }
}

/// Around words that may lie over anything, as letters of pictures have it.
void paintRim(QPainter& painter, const view::MarkWords& words, const view::MarkPaper& paper) {
  const double ratio = painter.device()->devicePixelRatio();
  view::MarkPaper pale = paper;
  pale.ink = paper.background;
  pale.ink[3] = 0.6f;
  for (const double rim : {std::max(1 / ratio, paper.em / 12), std::max(2 / ratio, paper.em / 6)})
    for (int step = 0; step < 8; ++step) {
      view::MarkWords beside = words;
      beside.place[0] += rim * std::cos(step * std::numbers::pi / 4);
      beside.place[1] += rim * std::sin(step * std::numbers::pi / 4);
      paintMark(painter, beside, pale);
    }
}

/// With letters of that size, which the painter has from now on.
view::MarkPaper paperOf(QPainter& painter, const scene::Rgba& background, QSizeF size, double em) {
  QFont font = painter.font();
  font.setPixelSize(std::max(8, int(std::lround(em))));
  painter.setFont(font);
  return {.width = size.width(),
          .height = size.height(),
          .em = em,
          .stroke = color::strokePixels(em),
          .ink = color::inkOn(background),
          .background = background,
          .widthOf = [metrics = QFontMetricsF(font)](const std::string& text) {
            return metrics.horizontalAdvance(QString::fromStdString(text));
          }};
}

view::MarkBox markBox(const QRectF& box) {
  return {{box.x(), box.y()}, {box.width(), box.height()}};
}

std::vector<view::MarkBox> markBoxes(const std::vector<QRectF>& boxes) {
  std::vector<view::MarkBox> made;
  for (const QRectF& each : boxes) made.push_back(markBox(each));
  return made;
}

/// What legends are drawn of; none where there is nothing to draw, or nowhere.
std::optional<scene::Scene> sceneOf(const LegendContents& contents) {
  if (contents.pixels.isEmpty() ||
      std::max(contents.pixels.width(), contents.pixels.height()) > color::Image::kMaxSide ||
      (contents.scales.empty() && contents.title.empty() && contents.texts.empty()))
    return std::nullopt;
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
  return scene;
}

/// Whose legend this is; of several where one bar does for all of them.
std::vector<std::string> ownersOf(const color::LegendBox& box, const LegendContents& contents) {
  std::vector<std::string> owners;
  for (std::size_t n = 0; n < contents.scales.size() && n < contents.owners.size(); ++n) {
    scene::ColorScale scale = contents.scales[n];
    scale.legend.title = box.scale.legend.title;  // there with the names of items, where that is needed
    scale.nanColor = box.scale.nanColor;          // nor seen in legends
    scale.reachesDown = box.scale.reachesDown;
    if (sameScale(scale, box.scale) &&
        std::find(owners.begin(), owners.end(), contents.owners[n]) == owners.end())
      owners.push_back(contents.owners[n]);
  }
  std::sort(owners.begin(), owners.end());
  return owners;
}

}  // namespace

bool LegendContents::operator==(const LegendContents& other) const {
  return title == other.title && texts == other.texts && names == other.names && owners == other.owners &&
         background == other.background && pixels == other.pixels &&
         std::equal(scales.begin(), scales.end(), other.scales.begin(), other.scales.end(), sameScale);
}

LegendPicture drawLegends(const LegendContents& contents) {
  const std::optional<scene::Scene> scene = sceneOf(contents);
  if (!scene) return {};
  color::Image image(contents.pixels.width(), contents.pixels.height());
  std::vector<color::LegendBox> boxes = view::writeNotes(image, *scene);
  const QRect part = coveredPart(image);
  if (part.isEmpty()) return {};
  const QImage whole(image.bytes().data(), image.width(), image.height(), 4 * image.width(),
                     QImage::Format_RGBA8888);
  std::vector<std::vector<std::string>> owners;
  for (const color::LegendBox& box : boxes) owners.push_back(ownersOf(box, contents));
  return {whole.copy(part).convertToFormat(QImage::Format_ARGB32_Premultiplied), part.topLeft(),
          std::move(boxes), std::move(owners)};
}

std::optional<std::array<double, 2>> placedSize(const LegendContents& contents, const std::string& function,
                                                const std::array<double, 2>& place) {
  const std::optional<scene::Scene> scene = sceneOf(contents);
  if (!scene) return std::nullopt;
  return color::placedSize(*scene, function, place, contents.pixels.width(), contents.pixels.height());
}

QColor inkOn(const scene::Rgba& background) {
  return asColor(color::inkOn(background));
}

void paintOrientation(QPainter& painter, const scene::Camera& camera, const scene::Rgba& background,
                      QSizeF size, double pixelRatio, const QRectF& part, const std::vector<QRectF>& legends,
                      std::span<const scene::TextNote> texts) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const double em = color::letterPixels(pixelRatio * size.width(), pixelRatio * size.height()) / pixelRatio;
  const view::MarkPaper paper = paperOf(painter, background, size, em);
  view::MarkPaper ofPart = paper;
  ofPart.width = part.width(), ofPart.height = part.height();
  std::vector<view::MarkBox> taken = view::textBoxes(texts, ofPart);
  for (view::MarkBox& each : taken) each.corner[0] += part.left(), each.corner[1] += part.top();
  for (const QRectF& legend : legends) taken.push_back(markBox(legend));
  for (const view::Mark& mark : view::orientationMarks(camera, paper, markBox(part), taken)) {
    if (const auto* const words = std::get_if<view::MarkWords>(&mark)) paintRim(painter, *words, paper);
    paintMark(painter, mark, paper);
  }
  painter.restore();
}

QRegion paintMarks(QPainter& painter, const scene::Scene& scene, QSizeF size, const QRectF& notes,
                   const std::vector<QRectF>& legends, const std::vector<QRectF>& knobs) {
  const scene::Annotations& wanted = scene.notes;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const auto paperFor = [&](double scale) {
    return paperOf(painter, scene.background, size, scale * color::letterPixels(size.width(), size.height()));
  };
  const auto paint = [&](const std::vector<view::Mark>& marks, const view::MarkPaper& paper) {
    for (const view::Mark& mark : marks) {
      // Those beside a box of their own are read on that.
      if (const auto* const words = std::get_if<view::MarkWords>(&mark); words && words->around)
        paintRim(painter, *words, paper);
      paintMark(painter, mark, paper);
    }
  };
  std::vector<view::MarkBox> taken = markBoxes(legends);
  if (wanted.axes || wanted.scaleBar) {
    view::MarkPaper paper = paperFor(1);
    std::vector<view::MarkBox> beside = taken;
    if (wanted.axes) {
      view::MarkPaper ofNotes = paper;
      ofNotes.width = notes.width(), ofNotes.height = notes.height();
      std::vector<view::MarkBox> written = view::writtenBoxes(scene.title, wanted.texts, ofNotes);
      for (view::MarkBox& each : written) each.corner[0] += notes.left(), each.corner[1] += notes.top();
      written.insert(written.end(), taken.begin(), taken.end());
      const std::vector<view::Mark> axes =
          view::axesMarks(scene.bounds, scene.camera, paper, written, wanted.axisNames);
      paint(axes, paper);
      const std::vector<view::MarkBox> numbers = view::boxesOf(axes, paper);
      beside.insert(beside.end(), numbers.begin(), numbers.end());
    }
    if (wanted.scaleBar) {
      for (view::MarkBox& each : beside) each.corner[0] -= notes.left();
      paper.width = notes.width();
      painter.translate(notes.left(), 0);
      paint(view::scaleBarMarks(scene.camera, paper, wanted.texts, beside), paper);
      painter.translate(-notes.left(), 0);
    }
  }
  for (const QRectF& knob : knobs) taken.push_back(markBox(knob));
  QRegion words;
  for (const scene::SceneItem& item : scene.items) {
    if (item.marks.empty() || !(item.opacity > 0)) continue;
    const view::MarkPaper paper = paperFor(item.markLook.size);
    const std::vector<view::Mark> marks =
        view::placeMarks(item.marks, item.markLook.texts, item.color, scene.camera, paper, taken);
    paint(marks, paper);
    for (const view::Mark& mark : marks)
      if (const auto* const box = std::get_if<view::MarkBox>(&mark))
        words += QRectF(box->corner[0], box->corner[1], box->size[0], box->size[1]).toAlignedRect();
  }
  painter.restore();
  return words;
}

}  // namespace farfield::qt3d
