#include "render/qt3d/fine_frame.h"

#include <algorithm>
#include <array>

#include "render/view/pixel_parts.h"

namespace farfield::qt3d {
namespace {

constexpr std::size_t kSamples = kFinePixels * kFinePixels;

/// The mean of those of the samples that are wanted, counting the others as nothing.
QRgb meanOf(const std::array<QRgb, kSamples>& samples, std::uint32_t wanted) {
  std::array<int, 4> sum{};
  for (std::size_t n = 0; n < kSamples; ++n) {
    if (!(wanted >> n & 1)) continue;
    sum[0] += qRed(samples[n]);
    sum[1] += qGreen(samples[n]);
    sum[2] += qBlue(samples[n]);
    sum[3] += qAlpha(samples[n]);
  }
  for (int& each : sum) each = (each + int(kSamples) / 2) / int(kSamples);
  return qRgba(sum[0], sum[1], sum[2], sum[3]);
}

}  // namespace

void mergeSamples(const QImage& fine, Frame& frame, int firstRow) {
  const QSize whole = frame.view.pixels, size = fine.size() / kFinePixels;
  if (fine.size() != kFinePixels * size || frame.depthPixels != fine.size() ||
      size.width() != whole.width() || firstRow < 0 || firstRow + size.height() > whole.height())
    return;
  scene::Scene scene;
  scene.camera = frame.view.camera;
  scene.bounds = frame.view.bounds;
  const view::ViewTransform view(scene, whole.width(), whole.height());
  const double gap = view::gapOf(scene.bounds);
  const bool veiled = !frame.veilDepths.empty();
  const std::size_t pixels = std::size_t(size.width()) * std::size_t(size.height());
  QImage image(size, fine.format()), edges;
  std::vector<float> depths(pixels), veilDepths(veiled ? pixels : 0), edgeDepths;
  std::size_t at = 0;
  for (int y = 0; y < size.height(); ++y) {
    auto* const row = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < size.width(); ++x, ++at) {
      std::array<QRgb, kSamples> colors{};
      std::array<float, kSamples> own{};
      float veil = 1;
      for (int n = 0; n < int(kSamples); ++n) {
        const int column = kFinePixels * x + n % kFinePixels, line = kFinePixels * y + n / kFinePixels;
        const std::size_t from = std::size_t(line) * std::size_t(fine.width()) + std::size_t(column);
        colors[std::size_t(n)] = reinterpret_cast<const QRgb*>(fine.constScanLine(line))[column];
        own[std::size_t(n)] = frame.depths[from];
        if (veiled) veil = std::min(veil, frame.veilDepths[from]);
      }
      constexpr std::uint32_t kAll = (1u << kSamples) - 1;
      row[x] = meanOf(colors, kAll);
      if (veiled) veilDepths[at] = veil;
      const view::PixelParts parts = view::partsOf(own, view, x, firstRow + y, gap);
      depths[at] = own.front();
      if (parts.near == parts.far) continue;
      float sum = 0;
      for (const float each : own) sum += each;
      depths[at] = sum / float(kSamples);
      if (parts.samples == 0) continue;
      depths[at] = parts.far;
      if (veil < parts.far) continue;
      if (edges.isNull()) {
        edges = QImage(size, QImage::Format_ARGB32_Premultiplied);
        edges.fill(Qt::transparent);
        edgeDepths.assign(pixels, 0);
      }
      for (QRgb& each : colors) each |= 0xFF000000u;  // opaque
      reinterpret_cast<QRgb*>(edges.scanLine(y))[x] = meanOf(colors, parts.samples);
      edgeDepths[at] = parts.near;
    }
  }
  frame.image = image;
  frame.depths = std::move(depths);
  frame.depthPixels = size;
  frame.veilDepths = std::move(veilDepths);
  frame.edges = edges;
  frame.edgeDepths = std::move(edgeDepths);
}

void putBand(const Frame& band, int firstRow, Frame& whole) {
  const QSize size = whole.view.pixels;
  const auto all = std::size_t(size.width()) * std::size_t(size.height());
  const auto from = std::size_t(firstRow) * std::size_t(size.width());
  const auto putImage = [&](const QImage& rows, QImage& image) {
    if (rows.width() != size.width() || firstRow + rows.height() > size.height()) return;
    if (image.isNull()) {
      image = QImage(size, rows.format());
      image.fill(Qt::transparent);
    }
    for (int y = 0; y < rows.height(); ++y)
      std::copy_n(reinterpret_cast<const QRgb*>(rows.constScanLine(y)), size.width(),
                  reinterpret_cast<QRgb*>(image.scanLine(firstRow + y)));
  };
  const auto putDepths = [&](const std::vector<float>& rows, std::vector<float>& depths, float otherwise) {
    if (rows.empty() || from + rows.size() > all) return;
    depths.resize(all, otherwise);
    std::copy(rows.begin(), rows.end(), depths.begin() + std::ptrdiff_t(from));
  };
  putImage(band.image, whole.image);
  putImage(band.veil, whole.veil);
  putImage(band.edges, whole.edges);
  putDepths(band.depths, whole.depths, 1);
  putDepths(band.veilDepths, whole.veilDepths, 1);
  putDepths(band.edgeDepths, whole.edgeDepths, 0);
  whole.depthPixels = whole.depths.empty() ? QSize() : size;
}

}  // namespace farfield::qt3d
