#include "app/ui/widgets/map_swatch.h"

#include <QImage>
#include <cmath>

#include "core/base/error.h"
#include "render/color/color_map.h"

namespace farfield::ui {

QPixmap swatchOf(const scene::MapChoice& choice, const QSize& size, color::Vision vision, double pixelRatio) {
  QImage image(size * pixelRatio, QImage::Format_RGB32);
  image.fill(Qt::gray);
  try {
    const color::ColorMap map = color::ColorMap::of(choice);
    const color::VisionFilter filter(vision);
    for (int x = 0; x < image.width(); ++x) {
      const auto exact = map.at((x + 0.5) / image.width());
      color::Rgb8 color;
      for (std::size_t c = 0; c < 3; ++c) color[c] = static_cast<std::uint8_t>(std::lround(255 * exact[c]));
      const color::Rgb8 seen = filter(color);
      for (int y = 0; y < image.height(); ++y) image.setPixel(x, y, qRgb(seen[0], seen[1], seen[2]));
    }
  } catch (const Error&) {
    // A session may name a map that this build does not have; computing says so.
  }
  QPixmap pixmap = QPixmap::fromImage(image);
  pixmap.setDevicePixelRatio(pixelRatio);
  return pixmap;
}

}  // namespace farfield::ui
