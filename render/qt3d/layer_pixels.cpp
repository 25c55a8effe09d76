#include "render/qt3d/layer_pixels.h"

#include <algorithm>
#include <cmath>

namespace farfield::qt3d {

bool showsSomething(const std::vector<float>& rgba) {
  constexpr float kLeast = 0.5f / 255;
  for (std::size_t n = 3; n < rgba.size(); n += 4)
    if (rgba[n] >= kLeast) return true;
  return false;
}

QImage imageOf(const std::vector<float>& rgba, QSize size) {
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  const auto byte = [](float part) { return int(std::lround(255 * std::clamp(part, 0.0f, 1.0f))); };
  std::size_t at = 0;
  for (int y = 0; y < size.height(); ++y) {
    auto* const row = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < size.width(); ++x, at += 4) {
      const int alpha = byte(rgba[at + 3]);
      row[x] = qRgba(std::min(byte(rgba[at]), alpha), std::min(byte(rgba[at + 1]), alpha),
                     std::min(byte(rgba[at + 2]), alpha), alpha);
    }
  }
  return image;
}

void addEdges(const QImage& edges, const QImage& near, const QImage& past, QImage& image) {
  const auto part = [](QRgb color, int shift) { return int(color >> shift & 0xFFu); };
  for (int y = 0; y < image.height(); ++y) {
    const auto* const edge = reinterpret_cast<const QRgb*>(edges.constScanLine(y));
    const auto* const before = reinterpret_cast<const QRgb*>(near.constScanLine(y));
    const auto* const all = reinterpret_cast<const QRgb*>(past.constScanLine(y));
    auto* const to = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < image.width(); ++x) {
      const int share = qAlpha(edge[x]);
      if (share == 0) continue;
      QRgb made = 0;
      for (const int shift : {0, 8, 16, 24}) {
        const int more = share * (part(before[x], shift) - part(all[x], shift)) +
                         (qAlpha(all[x]) - qAlpha(before[x])) * part(edge[x], shift);
        made |= QRgb(std::clamp(int(std::lround(part(to[x], shift) + more / 255.0)), 0, 255)) << shift;
      }
      to[x] = made;
    }
  }
}

void putBehind(const QImage& layer, const QImage& veil, QImage& image) {
  const QImage scaled = layer.scaled(image.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                            .convertToFormat(QImage::Format_ARGB32_Premultiplied);
  const auto part = [](QRgb color, int shift) { return int(color >> shift & 0xFFu); };
  for (int y = 0; y < image.height(); ++y) {
    const auto* const from = reinterpret_cast<const QRgb*>(scaled.constScanLine(y));
    const auto* const before = reinterpret_cast<const QRgb*>(veil.constScanLine(y));
    auto* const to = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < image.width(); ++x) {
      const int alpha = qAlpha(from[x]), clear = 255 - qAlpha(before[x]);
      if (alpha == 0) continue;
      QRgb made = 0;
      for (const int shift : {0, 8, 16, 24}) {
        const int rest = std::max(0, part(to[x], shift) - part(before[x], shift));
        const int sum =
            part(before[x], shift) + (clear * part(from[x], shift) + (255 - alpha) * rest + 127) / 255;
        made |= QRgb(std::clamp(sum, 0, 255)) << shift;
      }
      to[x] = made;
    }
  }
}

}  // namespace farfield::qt3d
