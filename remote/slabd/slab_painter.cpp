#include "remote/slabd/slab_painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/error.h"
#include "core/fields/functions/functions.h"
#include "core/trace/trace.h"
#include "remote/slabs/slab_plane.h"
#include "render/volume/ray_camera.h"
#include "render/volume/shown_volume.h"

namespace farfield::remote {
namespace {

/// Volumes at so many steps stay in memory.
constexpr std::size_t kSteps = 2;
/// Points along the longer side of a mesh, and parts of a slab's thickness that its depth is found by.
constexpr int kMeshPoints = 33;
constexpr int kDepthParts = 4;
/// Rays that see less than this have no depth of their own.
constexpr float kLeastAlpha = 1e-3f;

/// Samples between two coordinates of an axis.
Bounds partOf(const Bounds& bounds, int axis, double low, double high) {
  Bounds part = bounds;
  part.min[axis] = std::max(low, bounds.min[axis]);
  part.max[axis] = std::min(high, bounds.max[axis]);
  return part;
}

/// Ends of rays at the planes of a part. The first and the last part have what rounding leaves beyond.
struct Reach {
  float from, to;
};

Reach reachOf(const SlabPlane& plane, const Bounds& bounds, double low, double high) {
  const bool first = low <= bounds.min[plane.axis], last = high >= bounds.max[plane.axis];
  double one = plane.depthOf(low), other = plane.depthOf(high);
  if (plane.fromAbove) std::swap(one, other);
  const bool isNearest = plane.fromAbove ? last : first, isFarthest = plane.fromAbove ? first : last;
  return {isNearest ? 0.0f : static_cast<float>(one), isFarthest ? INFINITY : static_cast<float>(other)};
}

/// Values from 0 to 1 as integers up to the largest.
template <class Value>
std::vector<std::uint8_t> fixedPoint(std::span<const float> values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(Value));
  for (std::size_t n = 0; n < values.size(); ++n) {
    const auto fixed = static_cast<Value>(
        std::lround(std::numeric_limits<Value>::max() * std::clamp(values[n], 0.0f, 1.0f)));
    std::memcpy(bytes.data() + n * sizeof(Value), &fixed, sizeof(Value));
  }
  return bytes;
}

/// In 16, so that the largest stays the largest: the other four would be noise that does not pack.
std::vector<std::uint8_t> twelveBits(std::span<const float> values) {
  constexpr float kMost = 4095;
  std::vector<std::uint8_t> bytes(values.size() * sizeof(std::uint16_t));
  for (std::size_t n = 0; n < values.size(); ++n) {
    const auto coarse = static_cast<unsigned>(std::lround(kMost * std::clamp(values[n], 0.0f, 1.0f)));
    const auto fixed = static_cast<std::uint16_t>(coarse << 4 | coarse >> 8);
    std::memcpy(bytes.data() + n * sizeof(fixed), &fixed, sizeof(fixed));
  }
  return bytes;
}

}  // namespace

SlabPixels sentPixels(std::uint32_t part, const PaintedSlab& slab) {
  SlabPixels pixels;
  pixels.part = part;
  pixels.rgba = packBytes(slab.rgba, 4 * slab.head.valueBytes);
  if (!slab.offsets.empty()) pixels.offsets = packFloats(slab.offsets);
  return pixels;
}

Bytes packRows(std::span<const float> rgba) {
  return packBytes(fixedPoint<std::uint16_t>(rgba), sizeof(std::uint16_t));
}

struct SlabPainter::Step {
  std::int64_t step = 0;
  std::shared_ptr<volume::ShownVolume> volume;
};

struct SlabPainter::Variable {
  std::string by;
  BrickSubject subject;  ///< of bricks that other ranks read
  std::shared_ptr<const fields::FunctionPlan> function;
  std::unique_ptr<fields::PagedData> paged;
  std::list<Step> steps;  ///< the one used last first
};

SlabPainter::SlabPainter(const fields::OpenData& data, MemoryAccount& account, Options options)
    : m_data(data),
      m_account(account),
      m_options(std::move(options)),
      m_cache(fields::sharedCache(account, m_options.processors)) {}

SlabPainter::~SlabPainter() = default;

SlabPainter::Variable& SlabPainter::variableOf(const std::string& by) {
  if (m_variable && m_variable->by == by) return *m_variable;
  auto made = std::make_shared<Variable>();
  made->by = made->subject.by = by;
  made->function = std::make_shared<fields::FunctionPlan>(m_data.description(), std::vector<std::string>{by});
  if (made->function->outputCount() != 1)
    throw Invalid("'" + by + "' is a vector, and a volume shows one number",
                  "choose one of its components or its magnitude");
  m_variable.reset();  // its memory is needed
  fields::PagedDataOptions paging;
  paging.arrays = made->function->arrays();
  paging.processors = m_options.processors;
  paging.cache = m_cache;
  made->paged = std::make_unique<fields::PagedData>(m_data, m_account, paging);
  m_variable = std::move(made);
  return *m_variable;
}

std::int64_t SlabPainter::clamped(std::int64_t step) const {
  const std::int64_t steps = m_data.description().steps();
  const auto chosen = static_cast<std::int64_t>(m_options.steps.size());
  return std::clamp<std::int64_t>(step, 0, (chosen > 0 ? chosen : steps) - 1);
}

std::shared_ptr<volume::ShownVolume> SlabPainter::makeVolume(const Variable& variable, std::int64_t step,
                                                             bool fromOthers) {
  volume::ShownParts parts{.data = *variable.paged,
                           .function = variable.function,
                           .step = ofData(step),
                           .account = m_account,
                           .processors = m_options.processors,
                           .scratchFolder = m_options.scratchFolder,
                           .alongLongest = m_data.resampleNodes(),
                           .makeDevice = m_options.makeDevice,
                           .deviceFailed = m_options.deviceFailed};
  if (step > 0) {
    parts.enhanceSince = ofData(step - 1);
    parts.enhance = m_options.enhance;
  }
  if (fromOthers && m_inputs)
    parts.through = [this, step, subject = variable.subject](
                        std::unique_ptr<volume::BrickSource> source) -> std::unique_ptr<volume::BrickSource> {
      return std::make_unique<InputBricks>(std::move(source), *m_inputs, subject, step);
    };
  return std::make_shared<volume::ShownVolume>(std::move(parts));
}

std::shared_ptr<volume::ShownVolume> SlabPainter::volumeOf(const std::string& by, std::int64_t step) {
  Variable& variable = variableOf(by);
  step = clamped(step);
  const auto found = std::find_if(variable.steps.begin(), variable.steps.end(),
                                  [&](const Step& its) { return its.step == step; });
  if (found != variable.steps.end()) {
    variable.steps.splice(variable.steps.begin(), variable.steps, found);
    return found->volume;
  }
  while (variable.steps.size() >= kSteps) variable.steps.pop_back();
  variable.steps.push_front({step, makeVolume(variable, step, true)});
  return variable.steps.front().volume;
}

void SlabPainter::setInputs(InputClient* inputs) {
  m_inputs = inputs;
  m_variable.reset();
}

BrickSubject SlabPainter::subject(const ShowRequest& request) const {
  BrickSubject subject;
  subject.by = request.by;
  subject.quantized = m_options.quantize;
  if (!subject.quantized) return subject;
  subject.range = {request.scale.min, request.scale.max};
  subject.logarithmic =
      request.scale.logarithmic && request.scale.min > 0 && request.scale.max > request.scale.min;
  for (const scene::OpacityPoint& point : request.look.opacity) {
    if (subject.logarithmic && !(point.value > 0)) continue;  // what is below all colours has the lowest one
    subject.range[0] = std::min(subject.range[0], point.value);
    subject.range[1] = std::max(subject.range[1], point.value);
  }
  // Values that are passed on so reach no further, and what is beyond would have no width.
  constexpr double kMost = std::numeric_limits<float>::max();
  for (double& end : subject.range)
    end = subject.logarithmic ? std::log2(end) : std::clamp(end, -kMost, kMost);
  // Ranges that follow from each step's values differ a little from step to step: rounded outwards, to quarters of a power of two, they
  // seldom do, and what was read ahead serves. At most one bit of eight is lost.
  if (const double width = subject.range[1] - subject.range[0]; width > 0) {
    const double unit = std::exp2(std::ceil(std::log2(width))) / 4;
    subject.range = {unit * std::floor(subject.range[0] / unit), unit * std::ceil(subject.range[1] / unit)};
  }
  if (subject.logarithmic)
    for (double& end : subject.range)
      end =
          std::clamp(std::exp2(end), std::numeric_limits<double>::min(), std::numeric_limits<double>::max());
  return subject;
}

std::shared_ptr<volume::ShownVolume> SlabPainter::shownOf(const ShowRequest& request, std::int64_t step) {
  Variable& variable = variableOf(request.by);
  if (BrickSubject its = subject(request); !(its == variable.subject)) {
    variable.subject = std::move(its);
    variable.steps.clear();  // of bytes over another range
  }
  return volumeOf(request.by, step);
}

void SlabPainter::cast(volume::ShownVolume& volume, const scene::VolumeCast& cast, const Bounds& part,
                       std::span<float> rgba) {
  const double before = volume.counts().casts.waitSeconds;
  volume.castPart(cast, part, rgba);
  m_waitSeconds += volume.counts().casts.waitSeconds - before;
}

VolumeFacts SlabPainter::facts() {
  const paging::DatasetDescription& data = m_data.description();
  VolumeFacts facts;
  facts.times = data.times;
  if (!m_options.steps.empty()) {
    facts.times.clear();
    for (const std::int64_t step : m_options.steps)
      facts.times.push_back(data.times.at(static_cast<std::size_t>(step)));
  }
  for (const fields::FunctionInfo& function : fields::availableFunctions(data))
    if (function.components == 1) facts.functions.push_back(function.name);
  if (facts.functions.empty())
    throw Unsupported("these data have no variable that a volume could show", "name its solution");
  // the grid is the same for any of them
  const volume::BrickGrid& grid = volumeOf(facts.functions.front(), 0)->finest();
  facts.nodes = grid.nodes;
  facts.bounds = grid.bounds();
  return facts;
}

Surveyed SlabPainter::survey(const SurveyRequest& request) {
  // of values as they are: a range must not follow from bytes over another
  const auto shown = m_options.quantize ? makeVolume(variableOf(request.by), clamped(request.step), false)
                                        : volumeOf(request.by, request.step);
  volume::ShownVolume& volume = *shown;
  Surveyed surveyed;
  surveyed.range = volume.valueRange();
  surveyed.opacity = volume.usualOpacity(request.hasRange ? request.range : surveyed.range);
  return surveyed;
}

/// Where along the axis the picture of a slab comes from: parts of it are cast one behind the other, by few rays.
std::vector<float> SlabPainter::depths(volume::ShownVolume& volume, const ShowRequest& request, double low,
                                       double high, int columns, int rows, const std::stop_token& stop) {
  const Bounds bounds = volume.bounds();
  SlabPlane plane =
      slabPlane(bounds, request.axis, request.fromAbove, request.pixels, request.camera.stretch);
  const auto points = static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
  std::vector<float> rgba(4 * points), from(points), to(points), clear(points, 1), weights(points),
      sums(points);
  const double middle = 0.5 * (low + high), thick = (high - low) / kDepthParts;
  for (int n = 0; n < kDepthParts; ++n) {
    // from the eye on
    const int which = request.fromAbove ? kDepthParts - 1 - n : n;
    const double begin = low + which * thick, end = which + 1 == kDepthParts ? high : begin + thick;
    const Reach reach = reachOf(plane, bounds, begin, end);
    std::fill(from.begin(), from.end(), reach.from);
    std::fill(to.begin(), to.end(), reach.to);
    const scene::VolumeCast cast{.look = request.look,
                                 .scale = request.scale,
                                 .camera = plane.camera,
                                 .width = columns,
                                 .height = rows,
                                 .rows = rows,
                                 .from = from,
                                 .to = to,
                                 .stop = stop};
    this->cast(volume, cast, partOf(bounds, request.axis, begin, end), rgba);
    const auto offset = static_cast<float>(0.5 * (begin + end) - middle);
    for (std::size_t p = 0; p < points; ++p) {
      const float weight = clear[p] * rgba[4 * p + 3];
      weights[p] += weight;
      sums[p] += weight * offset;
      clear[p] *= 1 - rgba[4 * p + 3];
    }
  }
  // the mean with neighbours, by how much they show, so that there is no step at the edge of what is seen
  std::vector<float> offsets(points);
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      float weight = 0, sum = 0;
      for (int v = std::max(0, y - 1); v <= std::min(rows - 1, y + 1); ++v)
        for (int u = std::max(0, x - 1); u <= std::min(columns - 1, x + 1); ++u) {
          const auto p =
              static_cast<std::size_t>(v) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(u);
          weight += weights[p];
          sum += sums[p];
        }
      offsets[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(x)] =
          weight > kLeastAlpha ? sum / weight : 0;
    }
  return offsets;
}

PaintedSlab SlabPainter::slab(const ShowRequest& request, std::uint32_t part, double low, double high,
                              const std::stop_token& stop, int valueBytes) {
  const auto shown = shownOf(request, request.step);
  volume::ShownVolume& volume = *shown;
  const Bounds bounds = volume.bounds();
  const SlabPlane plane =
      slabPlane(bounds, request.axis, request.fromAbove, request.pixels, request.camera.stretch);
  PaintedSlab painted;
  SlabHead& head = painted.head;
  head.part = part;
  head.axis = request.axis;
  head.fromAbove = request.fromAbove;
  head.step = request.step;
  head.low = low;
  head.high = high;
  head.width = plane.width;
  head.height = plane.height;
  head.valueBytes = static_cast<std::uint8_t>(valueBytes);
  const auto pixels = static_cast<std::size_t>(plane.width) * static_cast<std::size_t>(plane.height);
  const MemoryClaim claim = m_account.claim(
      Purpose::Results, pixels * (6 * sizeof(float) + 4 * head.valueBytes), "the picture of a slab");
  const Reach reach = reachOf(plane, bounds, low, high);
  std::vector<float> rgba(4 * pixels), from(pixels, reach.from), to(pixels, reach.to);
  const scene::VolumeCast cast{.look = request.look,
                               .scale = request.scale,
                               .camera = plane.camera,
                               .width = plane.width,
                               .height = plane.height,
                               .rows = plane.height,
                               .from = from,
                               .to = to,
                               .stop = stop};
  const std::uint64_t before = volume.counts().casts.samples;
  this->cast(volume, cast, partOf(bounds, request.axis, low, high), rgba);
  painted.rgba = valueBytes == 2 ? twelveBits(rgba) : fixedPoint<std::uint8_t>(rgba);
  if (request.mesh) {
    const int longer = std::max(plane.width, plane.height);
    head.columns = std::max(2, kMeshPoints * plane.width / longer);
    head.rows = std::max(2, kMeshPoints * plane.height / longer);
    painted.offsets = depths(volume, request, low, high, head.columns, head.rows, stop);
  }
  head.samples = volume.counts().casts.samples - before;
  return painted;
}

namespace {

/// A cast of all rays of what is asked for; `bounds` of the volume.
scene::VolumeCast castOf(const ShowRequest& request, const Bounds& bounds, const std::stop_token& stop) {
  const SlabPlane plane =
      slabPlane(bounds, request.axis, request.fromAbove, std::max(2, request.pixels), request.camera.stretch);
  const bool isFrame = request.kind == ShowKind::Frame;
  return {.look = request.look,
          .scale = request.scale,
          .camera = isFrame ? request.camera : plane.camera,
          .width = isFrame ? request.width : plane.width,
          .height = isFrame ? request.height : plane.height,
          .firstRow = isFrame ? request.firstRow : 0,
          .rows = isFrame ? request.rows : plane.height,
          .from = {},
          .to = {},
          .whole = request.whole,
          .stop = stop};
}

}  // namespace

SlabPainter::Load SlabPainter::load(const ShowRequest& request, int axis, std::int64_t step,
                                    std::vector<std::array<double, 2>> parts) {
  shownOf(request, request.step);  // that comes first, with its memory
  const auto shown = shownOf(request, step);
  return [request, axis, parts = std::move(parts), shown, keep = m_variable](const std::stop_token& stop) {
    const Bounds bounds = shown->bounds();
    const scene::VolumeCast cast = castOf(request, bounds, stop);
    for (const auto& [low, high] : parts) shown->loadPart(cast, partOf(bounds, axis, low, high));
  };
}

InputServer::Read SlabPainter::stream(const ShowRequest& request, std::int64_t step) {
  const auto shown = shownOf(request, step);
  return [request, shown, keep = m_variable](const volume::ShownVolume::Stream& stream,
                                             const std::stop_token& stop) {
    const Bounds bounds = shown->bounds();
    shown->streamPart(castOf(request, bounds, stop), {}, stream);
  };
}

std::uint64_t SlabPainter::frame(const ShowRequest& request, int axis, double low, double high,
                                 const std::stop_token& stop, std::span<float> rgba) {
  const auto shown = shownOf(request, request.step);
  volume::ShownVolume& volume = *shown;
  const Bounds bounds = volume.bounds();
  const auto pixels = static_cast<std::size_t>(request.width) * static_cast<std::size_t>(request.rows);
  // Where what they begin and end at came packed, it is there twice more while it is unpacked.
  const std::uint64_t times = request.from.empty() && request.to.empty() ? 2 : 4;
  const MemoryClaim claim =
      m_account.claim(Purpose::Results, pixels * times * sizeof(float), "the rays of a frame");
  std::vector<float> from(pixels, 0), to(pixels, INFINITY);
  if (!request.from.empty()) from = unpackFloats(request.from, pixels);
  if (!request.to.empty()) to = unpackFloats(request.to, pixels);
  const volume::RayCamera camera(request.camera, request.width, request.height);
  const bool first = low <= bounds.min[axis], last = high >= bounds.max[axis];
  // the planes, as the rays meet them
  const double lower = request.camera.stretch[axis] * low, upper = request.camera.stretch[axis] * high;
  for (int y = 0; y < request.rows; ++y)
    for (int x = 0; x < request.width; ++x) {
      const auto p =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(request.width) + static_cast<std::size_t>(x);
      const volume::Ray ray = camera.ray(x, request.firstRow + y);
      const double along = ray.direction[axis], at = ray.origin[axis];
      double begin = 0, end = INFINITY;
      if (along == 0) {
        // a ray in a plane between two parts is the upper one's
        if (!((at >= lower || first) && (at < upper || last))) end = 0;
      } else {
        const double toLow = (lower - at) / along, toHigh = (upper - at) / along;
        if (along > 0) {
          if (!first) begin = toLow;
          if (!last) end = toHigh;
        } else {
          if (!last) begin = toHigh;
          if (!first) end = toLow;
        }
      }
      from[p] = std::max(from[p], static_cast<float>(begin));
      to[p] = std::min(to[p], static_cast<float>(end));
    }
  const scene::VolumeCast cast{.look = request.look,
                               .scale = request.scale,
                               .camera = request.camera,
                               .width = request.width,
                               .height = request.height,
                               .firstRow = request.firstRow,
                               .rows = request.rows,
                               .from = from,
                               .to = to,
                               .whole = request.whole,
                               .stop = stop};
  const std::uint64_t before = volume.counts().casts.samples;
  this->cast(volume, cast, partOf(bounds, axis, low, high), rgba);
  return volume.counts().casts.samples - before;
}

}  // namespace farfield::remote
