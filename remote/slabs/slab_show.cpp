#include "remote/slabs/slab_show.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "remote/slabs/slab_plane.h"

namespace farfield::remote {
namespace {

constexpr int kHatchPixels = 64, kHatchWidth = 8;

/// Keeps what a set is made of, and the memory claimed for it.
struct KeptSet {
  scene::SlabSet set;
  std::vector<std::shared_ptr<const void>> parts;
};

/// Stripes, translucent, that no colour map has.
std::shared_ptr<const scene::SlabImage> hatched() {
  auto image = std::make_shared<scene::SlabImage>();
  image->width = image->height = kHatchPixels;
  for (int y = 0; y < kHatchPixels; ++y)
    for (int x = 0; x < kHatchPixels; ++x) {
      const bool striped = (x + y) / kHatchWidth % 2 == 0;
      const std::uint8_t alpha = striped ? 64 : 0, some = striped ? 32 : 0;
      image->rgba.insert(image->rgba.end(), {alpha, 0, some, alpha});
    }
  return image;
}

/// A net of points over the picture, bent by `offsets` from the middle.
scene::Slab netOf(const SlabPlane& plane, double middle, double least, double most, int columns, int rows,
                  const std::vector<float>& offsets) {
  scene::Slab slab;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const double u = static_cast<double>(x) / (columns - 1), v = static_cast<double>(y) / (rows - 1);
      double at = middle;
      if (!offsets.empty())
        at += static_cast<double>(offsets[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns) +
                                          static_cast<std::size_t>(x)]);
      slab.points.push_back(plane.pointAt(u, v, std::clamp(at, least, most)));
      slab.places.push_back({static_cast<float>(u), static_cast<float>(v)});
    }
  for (int y = 0; y + 1 < rows; ++y)
    for (int x = 0; x + 1 < columns; ++x) {
      const auto corner = static_cast<std::uint32_t>(y * columns + x);
      const auto below = corner + static_cast<std::uint32_t>(columns);
      slab.triangles.push_back({corner, below, corner + 1});
      slab.triangles.push_back({corner + 1, below, below + 1});
    }
  return slab;
}

}  // namespace

SlabShow::SlabShow(std::uint64_t number, const ShowRequest& request, const Bounds& bounds,
                   MemoryAccount& account)
    : m_number(number), m_request(request), m_bounds(bounds), m_account(account) {
  if (request.kind != ShowKind::Frame) return;
  const std::size_t bytes =
      4 * static_cast<std::size_t>(request.width) * static_cast<std::size_t>(request.rows);
  m_frameClaim = account.claim(Purpose::Results, bytes, "a frame of a volume");
  m_frame.resize(bytes);
  m_rowsMissing = static_cast<std::size_t>(request.rows);
  m_rowsThere.resize(m_rowsMissing);
}

void SlabShow::takePlan(const Planned& plan) {
  if (m_request.kind == ShowKind::Slabs && plan.axis != m_request.axis)
    throw Protocol("slabs along another axis than was asked for");
  if (!m_plan) m_plan = plan;
}

void SlabShow::takeHead(std::uint32_t rank, const SlabHead& head) {
  const SlabPlane plane =
      slabPlane(m_bounds, m_request.axis, m_request.fromAbove, m_request.pixels, m_request.camera.stretch);
  if (head.axis != m_request.axis || head.fromAbove != m_request.fromAbove || head.step != m_request.step ||
      head.part >= kMostSlabs || head.width != plane.width || head.height != plane.height)
    throw Protocol("a slab that was not asked for");
  auto part = std::make_shared<Part>();
  part->head = head;
  part->rank = rank;
  const auto points = static_cast<std::uint64_t>(head.columns) * static_cast<std::uint64_t>(head.rows);
  const std::uint64_t net = std::max<std::uint64_t>(points, 4);
  part->claim = m_account.claim(
      Purpose::Results,
      4 * std::uint64_t{head.valueBytes} * static_cast<std::uint64_t>(head.width) *
              static_cast<std::uint64_t>(head.height) +
          net * (sizeof(float) + sizeof(Vec3) + sizeof(std::array<float, 2>) + 6 * sizeof(std::uint32_t)),
      "the picture of a slab");
  m_slabs[head.part] = std::move(part);
}

void SlabShow::takePixels(std::uint32_t rank, const SlabPixels& pixels) {
  const auto found = m_slabs.find(pixels.part);
  if (found == m_slabs.end() || found->second->rank != rank || found->second->image)
    throw Protocol("pixels of a slab that was not announced");
  Part& part = *found->second;
  auto image = std::make_shared<scene::SlabImage>();
  image->width = part.head.width;
  image->height = part.head.height;
  image->valueBytes = part.head.valueBytes;
  image->rgba = unpackBytes(pixels.rgba, 4 * image->valueBytes, image->expectedBytes());
  if (part.head.columns > 0)
    part.offsets = unpackFloats(pixels.offsets, static_cast<std::size_t>(part.head.columns) *
                                                    static_cast<std::size_t>(part.head.rows));
  for (const float offset : part.offsets)
    if (!std::isfinite(offset)) throw Protocol("a mesh whose points are nowhere");
  part.image = std::move(image);
  m_samples += part.head.samples;
}

void SlabShow::takeRows(const FrameRows& rows) {
  const std::int32_t first = rows.firstRow - m_request.firstRow;
  if (m_request.kind != ShowKind::Frame || rows.width != m_request.width || first < 0 ||
      rows.rows > m_request.rows - first)
    throw Protocol("rows of a frame that was not asked for");
  const std::size_t row = 4 * static_cast<std::size_t>(rows.width);
  const std::vector<std::uint8_t> bytes =
      unpackBytes(rows.rgba, 4, row * static_cast<std::size_t>(rows.rows));
  std::copy(bytes.begin(), bytes.end(),
            m_frame.begin() + static_cast<std::ptrdiff_t>(row * static_cast<std::size_t>(first)));
  for (std::int32_t n = first; n < first + rows.rows; ++n)
    if (!m_rowsThere[static_cast<std::size_t>(n)]) {
      m_rowsThere[static_cast<std::size_t>(n)] = true;
      --m_rowsMissing;
    }
  m_samples += rows.samples;
}

void SlabShow::lose(std::uint32_t rank) {
  m_gone.insert(rank);
}

bool SlabShow::isThere(std::uint32_t part) const {
  const auto found = m_slabs.find(part);
  return found != m_slabs.end() && found->second->image;
}

std::size_t SlabShow::missing() const {
  if (!m_plan || (m_request.kind == ShowKind::Frame && m_rowsMissing == 0)) return 0;
  std::size_t count = 0;
  for (std::uint32_t n = 0; n < m_plan->ranks.size(); ++n)
    if (!isThere(n) && m_gone.contains(m_plan->ranks[n])) ++count;
  return count;
}

bool SlabShow::isDone() const {
  if (m_error) return true;
  if (!m_plan) return false;
  // of a frame nothing can be seen without all of its parts
  if (m_request.kind == ShowKind::Frame) return m_rowsMissing == 0 || missing() > 0;
  for (std::uint32_t n = 0; n < m_plan->ranks.size(); ++n)
    if (!isThere(n) && !m_gone.contains(m_plan->ranks[n])) return false;
  return true;
}

scene::Slab SlabShow::slabOf(const Part& part) const {
  const SlabHead& head = part.head;
  const SlabPlane plane =
      slabPlane(m_bounds, head.axis, head.fromAbove, m_request.pixels, m_request.camera.stretch);
  const bool flat = part.offsets.empty();
  scene::Slab slab = netOf(plane, 0.5 * (head.low + head.high), head.low, head.high, flat ? 2 : head.columns,
                           flat ? 2 : head.rows, part.offsets);
  slab.image = part.image;
  return slab;
}

std::shared_ptr<const scene::SlabSet> SlabShow::slabs() const {
  auto kept = std::make_shared<KeptSet>();
  kept->set.step = m_request.step;
  for (std::uint32_t n = 0; n < parts(); ++n) {
    if (isThere(n)) {
      const std::shared_ptr<Part>& part = m_slabs.at(n);
      kept->set.slabs.push_back(slabOf(*part));
      kept->parts.push_back(part);
      continue;
    }
    const SlabPlane plane =
        slabPlane(m_bounds, m_request.axis, m_request.fromAbove, m_request.pixels, m_request.camera.stretch);
    const double low = m_plan->edges[n], high = m_plan->edges[n + 1];
    scene::Slab slab = netOf(plane, 0.5 * (low + high), low, high, 2, 2, {});
    slab.image = hatched();
    kept->set.slabs.push_back(std::move(slab));
  }
  return {kept, &kept->set};
}

}  // namespace farfield::remote
