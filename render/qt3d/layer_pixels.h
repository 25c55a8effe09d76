#pragma once
// The pixels of what volumes are cast into, and how they come together with a frame.

#include <QImage>
#include <QSize>
#include <vector>

namespace farfield::qt3d {

/// Of colours and opacities, premultiplied, 0 to 1, row after row.
QImage imageOf(const std::vector<float>& rgba, QSize size);
/// Whether any pixel of these would be seen.
bool showsSomething(const std::vector<float>& rgba);
/// `image` has what the volumes and the frame are where rays go on past the edges: what is near gets its part of the pixels.
void addEdges(const QImage& edges, const QImage& near, const QImage& past, QImage& image);
/// Puts `layer` between `veil` and what lies behind the veil, both of which are in `image` already.
void putBehind(const QImage& layer, const QImage& veil, QImage& image);

}  // namespace farfield::qt3d
