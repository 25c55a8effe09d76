#include <algorithm>
#include <cmath>
#include <vector>

#include "core/tasks/scheduler.h"
#include "render/opencl/open_cl.h"
#include "render/opencl/opencl_caster.h"

namespace farfield::opencl {
namespace {

constexpr std::int64_t kNodes = 97;  // three bricks along each axis
/// Along each side of a picture: on a graphics card enough to keep it busy.
constexpr int kPixelsOnProcessors = 128, kPixelsElsewhere = 768;
constexpr int kFrames = 3;
constexpr std::uint64_t kBudget = std::uint64_t{64} << 20;

/// Waves of bytes, about as they are in a scan.
class Waves final : public volume::BrickSource {
 public:
  Waves() {
    m_grid.nodes = {kNodes, kNodes, kNodes};
    for (int a = 0; a < 3; ++a) m_grid.spacing[a] = 1.0 / (kNodes - 1);
  }
  const volume::BrickGrid& grid() const override { return m_grid; }
  volume::BrickFormat format() const override { return {volume::BrickType::U8, 1, 0}; }
  std::optional<paging::ValueRange> range(const Index3&) const override { return std::nullopt; }
  void read(const Index3& brick, tasks::TaskContext&, volume::Brick& out) override {
    const Index3 cells = out.cells();
    std::vector<double> row(static_cast<std::size_t>(cells[0] + 3));
    for (std::int64_t k = 0; k < cells[2] + 3; ++k)
      for (std::int64_t j = 0; j < cells[1] + 3; ++j) {
        for (std::int64_t i = 0; i < cells[0] + 3; ++i) {
          const auto along = static_cast<double>(brick[0] + brick[1] + brick[2]) * volume::kBrickCells +
                             static_cast<double>(i + 2 * j + k);
          row[static_cast<std::size_t>(i)] = 127 + 127 * std::sin(0.1 * along);
        }
        out.setRow(0, j, k, row);
      }
    out.finish({{0, 0, 0}, {cells[0] + 3, cells[1] + 3, cells[2] + 3}});
  }
  std::uint64_t readBytes() const override { return 0; }
  std::unique_ptr<tasks::Scheduler> makeScheduler() const override {
    return tasks::makeScheduler({.kind = tasks::SchedulerKind::Serial});
  }
  tasks::Admission* admission() override { return nullptr; }

 private:
  volume::BrickGrid m_grid;
};

double samplesPerSecond(const std::shared_ptr<const Device>& device, bool image) {
  const int pixels = device->facts().processor ? kPixelsOnProcessors : kPixelsElsewhere;
  Waves source;
  MemoryAccount account(kBudget);
  const volume::BrickFormat format = source.format();
  OpenClCaster caster({.device = device,
                       .form = {format.type, image, device->facts().doubles},
                       .format = format,
                       .bricks = source.grid().brickCount(),
                       .mostBytes = kBudget / 2,
                       .deviceAccount = account,
                       .host = account});
  scene::VolumeLook look;
  look.opacity = {{0, 0}, {255, 0.02}};
  scene::ColorScale scale;
  scale.max = 255;
  const volume::RayCamera camera(scene::cameraFor(source.grid().bounds(), {0.7, 0.5, 0.4}, {0, 0, 1}, 1.0),
                                 pixels, pixels);
  volume::CastJob job{.look = look, .scale = scale, .camera = camera, .rows = pixels};
  job.stepLength = job.unitLength = 1.0 / (kNodes - 1);
  std::vector<float> rgba(std::size_t{4} * static_cast<std::size_t>(pixels) *
                          static_cast<std::size_t>(pixels));
  volume::CastStats first;
  caster.cast(source, nullptr, job, rgba, first);
  double best = 0;
  for (int n = 0; n < kFrames; ++n) {
    volume::CastStats stats;
    const double before = caster.kernelSeconds();
    caster.cast(source, nullptr, job, rgba, stats);
    const double seconds = caster.kernelSeconds() - before;
    if (seconds > 0) best = std::max(best, static_cast<double>(stats.samples) / seconds);
  }
  return best;
}

}  // namespace

DeviceSpeed measureSpeed(const std::shared_ptr<const Device>& device) {
  DeviceSpeed speed;
  speed.buffer = samplesPerSecond(device, false);
  if (!device->takesImages(volume::BrickType::U8)) return speed;
  try {
    speed.image = samplesPerSecond(device, true);
  } catch (const volume::DeviceFailed&) {
    // Buffers do.
  }
  return speed;
}

double measureBandwidth(const Device& device, std::size_t bytes) {
  constexpr std::size_t kItems = 16384;
  bytes = std::max(bytes, kItems * 16);
  const Memory from = device.buffer(bytes, true), sums = device.buffer(kItems * 16);
  device.fill(from, 1, bytes);
  const Program program = device.build({volume::BrickType::U8, false, device.facts().doubles});
  const Kernel kernel = device.kernel(program, "readAll");
  const cl_mem in = from.get(), out = sums.get();
  const auto count = static_cast<cl_uint>(bytes / 16 / kItems * kItems);
  check(clSetKernelArg(kernel.get(), 0, sizeof in, &in), "running a kernel");
  check(clSetKernelArg(kernel.get(), 1, sizeof count, &count), "running a kernel");
  const cl_int apart = device.facts().processor;
  check(clSetKernelArg(kernel.get(), 2, sizeof apart, &apart), "running a kernel");
  check(clSetKernelArg(kernel.get(), 3, sizeof out, &out), "running a kernel");
  double best = 0;
  for (int n = 0; n < kFrames + 1; ++n) {
    const Event event = device.launch(kernel, {0, 0}, {kItems, 1}, {0, 0});
    device.finish();
    if (const double seconds = Device::seconds(event); n > 0 && seconds > 0)
      best = std::max(best, 16.0 * count / seconds);
  }
  return best;
}

}  // namespace farfield::opencl
