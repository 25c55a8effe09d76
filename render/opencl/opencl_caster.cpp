#include "render/opencl/opencl_caster.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/error.h"
#include "render/opencl/cast_numbers.h"
#include "render/volume/brick_order.h"

namespace farfield::opencl {
namespace {

using volume::Brick;

/// Bricks that rays may miss in a round, each of those that they wait for and of those that come next.
constexpr std::size_t kMissLimit = 1024;
/// How many bricks behind the one that is missed are asked for.
constexpr int kAhead = 4;
/// Bricks read at a time.
constexpr std::size_t kReadAtOnce = 64;
/// Read after a picture with coarser bricks in it, for the next.
constexpr std::size_t kForNextPicture = 256;
/// Rays of a launch: few enough that a stop is noticed on processors, and enough for a graphics card.
constexpr std::size_t kRaysOnProcessors = std::size_t{1} << 16, kRaysElsewhere = std::size_t{1} << 20;
constexpr std::size_t kGroupSide = 8;
constexpr std::size_t kCounters = 64;

template <class T>
std::span<const std::byte> bytesOf(std::span<const T> values) {
  return std::as_bytes(values);
}

}  // namespace

/// What a cast has on the device beside bricks.
struct OpenClCaster::Picture {
  const volume::CastJob& job;
  std::vector<volume::BrickSource*> levels;
  std::vector<volume::BrickOrder> orders;
  std::size_t rays;
  MemoryClaim deviceClaim;
  Memory view, numbers, clips, from, to, planes, axisNodes, alphas, colors, cells;
};

OpenClCaster::OpenClCaster(const CasterParts& parts)
    : m_device(parts.device),
      m_form(parts.form),
      m_deviceAccount(parts.deviceAccount),
      m_host(parts.host),
      m_bricks(*m_device, parts.format, parts.form.image, parts.bricks, parts.mostBytes, parts.deviceAccount,
               parts.host),
      m_program(m_device->build(parts.form)),
      m_cast(m_device->kernel(m_program, "castRays")),
      m_setPages(m_device->kernel(m_program, "setPages")),
      m_readBack(*m_device, parts.host) {
  std::size_t most = 0;
  clGetKernelWorkGroupInfo(m_cast.get(), m_device->facts().id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most,
                           nullptr);
  if (most >= kGroupSide * kGroupSide) m_group = {kGroupSide, kGroupSide};
}

bool OpenClCaster::cast(volume::BrickSource& source, volume::BrickSource* coarser, const volume::CastJob& job,
                        std::span<float> rgba, volume::CastStats& stats) {
  const volume::BrickFormat format = source.format();
  const volume::CastLook look(source.grid(), format, job);
  if (coarser) {
    const volume::BrickFormat other = coarser->format();
    if (other.type != format.type || other.factor != format.factor || other.offset != format.offset)
      coarser = nullptr;
  }
  Picture picture{.job = job,
                  .levels = {&source},
                  .orders = {},
                  .rays = 0,
                  .deviceClaim = {},
                  .view = {},
                  .numbers = {},
                  .clips = {},
                  .from = {},
                  .to = {},
                  .planes = {},
                  .axisNodes = {},
                  .alphas = {},
                  .colors = {},
                  .cells = {}};
  if (coarser) picture.levels.push_back(coarser);
  for (const volume::BrickSource* level : picture.levels)
    picture.orders.emplace_back(level->grid(), job.camera);
  picture.rays = static_cast<std::size_t>(job.camera.width()) * static_cast<std::size_t>(job.rows);
  if (picture.rays == 0) return true;

  Shown shown{&source,        coarser,       job.look, {job.scale.min, job.scale.max}, job.scale.logarithmic,
              job.stepLength, job.unitLength};
  // What is cut away changes no brick's showing.
  shown.look.clipBox.reset();
  shown.look.clipPlanes.clear();
  const bool same = m_shown == shown;
  m_shown.reset();
  m_bricks.show(picture.levels, look, same);

  CastNumbers numbers = numbersOf(picture.levels, job, look);
  numbers.job.missLimit = static_cast<std::int32_t>(kMissLimit);
  // With few slots those that come next would take the place of those that are waited for.
  numbers.job.ahead = m_bricks.slotCount() > 256 ? kAhead : 0;
  numbers.job.slotsX = m_bricks.slotsAcross()[0];
  numbers.job.slotsY = m_bricks.slotsAcross()[1];
  const std::size_t real = m_form.doubles ? sizeof(double) : sizeof(float);
  provideRays(picture.rays);
  struct Leave {
    Rays* rays;
    ~Leave() {
      if (rays) *rays = {};
    }
  } const leave{m_device->facts().shared ? &m_rays : nullptr};
  const volume::TransferTable& table = look.table();
  // Tables have a few thousand entries or a million, by their opacities.
  picture.deviceClaim = m_deviceAccount.claim(
      Purpose::Device,
      job.from.size_bytes() + job.to.size_bytes() + table.alpha().size_bytes() + table.color().size_bytes() +
          table.cells().size_bytes() + sizeof numbers.view + sizeof numbers.job +
          std::as_bytes(std::span(numbers.axisNodes)).size() +
          real * (numbers.clips.size() + numbers.planes.size()),
      "the picture of a volume on a device");
  const auto sent = [&](std::span<const std::byte> bytes) {
    Memory memory = m_device->buffer(bytes.size(), true);
    m_device->write(memory, 0, bytes);
    return memory;
  };
  const auto sentReals = [&](const std::vector<double>& values) {
    if (m_form.doubles) return sent(bytesOf(std::span(values)));
    const std::vector<float> single(values.begin(), values.end());
    return sent(bytesOf(std::span(single)));
  };
  if (m_form.doubles) {
    picture.view = sent(std::as_bytes(std::span(&numbers.view, 1)));
  } else {
    const ViewNumbers<float> single = singleOf(numbers.view);
    picture.view = sent(std::as_bytes(std::span(&single, 1)));
  }
  picture.numbers = sent(std::as_bytes(std::span(&numbers.job, 1)));
  picture.clips = sentReals(numbers.clips);
  picture.planes = sentReals(numbers.planes);
  picture.axisNodes = sent(std::as_bytes(std::span(numbers.axisNodes)));
  picture.from = sent(bytesOf(job.from));
  picture.to = sent(bytesOf(job.to));
  picture.alphas = sent(bytesOf(table.alpha()));
  picture.colors = sent(bytesOf(table.color()));
  picture.cells = sent(bytesOf(table.cells()));
  const std::array<float, 4> empty = look.emptyState();
  check(clEnqueueFillBuffer(m_device->queue(), m_rays.states.get(), empty.data(), sizeof empty, 0,
                            picture.rays * sizeof empty, 0, nullptr, nullptr),
        "writing to the device");
  // Less than any sample's number, as float and as double.
  m_device->fill(m_rays.reached, 0xC0C0C0C0, picture.rays * real);
  m_device->fill(m_rays.counts, 0, kCounters * sizeof(std::uint32_t));

  const auto memory = [](const Memory& m) { return m.get(); };
  const std::array<cl_mem, 19> arguments{
      memory(picture.view),    memory(picture.numbers),   memory(picture.clips),     memory(picture.from),
      memory(picture.to),      memory(picture.planes),    memory(picture.axisNodes), memory(m_bricks.table()),
      memory(m_bricks.seen()), memory(m_bricks.values()), memory(picture.alphas),    memory(picture.colors),
      memory(picture.cells),   memory(m_rays.states),     memory(m_rays.reached),    memory(m_bricks.marks()),
      memory(m_bricks.used()), memory(m_rays.misses),     memory(m_rays.counts)};
  for (cl_uint n = 0; n < arguments.size(); ++n)
    check(clSetKernelArg(m_cast.get(), n, sizeof(cl_mem), &arguments[n]), "running a kernel");

  bool complete = true;
  std::vector<std::int32_t> misses(2 + 2 * kMissLimit);
  while (true) {
    m_device->fill(m_rays.misses, 0, 2 * sizeof(std::int32_t));
    launch(picture);
    m_device->read(m_rays.misses, 0, std::as_writable_bytes(std::span(misses)));
    const auto listed = [&](std::size_t kind) {
      const std::size_t count =
          std::min<std::size_t>(static_cast<std::size_t>(std::max(misses[kind], 0)), kMissLimit);
      const auto begin = misses.begin() + static_cast<std::ptrdiff_t>(2 + kind * kMissLimit);
      return std::vector<std::int32_t>(begin, begin + static_cast<std::ptrdiff_t>(count));
    };
    const std::vector<std::int32_t> waitedFor = listed(0), next = listed(1);
    const bool done = waitedFor.empty();
    if (done && next.empty()) break;
    m_bricks.beginRound();
    std::size_t loaded = load(picture, waitedFor, kMissLimit, stats);
    if (!done && loaded == 0) m_host.refuse(Brick::bytesOf(format), "a brick of a volume");
    if (coarser) complete = complete && next.empty();
    // In a whole picture what comes next is read with what is waited for; else it is for the next picture, and only at the end of this.
    const bool forNext = coarser != nullptr;
    load(picture, next, !forNext ? m_bricks.slotCount() / 4 : done ? kForNextPicture : 0, stats);
    m_bricks.endRound(m_setPages);
    if (job.progress) job.progress(stats.bricksRead, m_bricks.pages());
    if (done) break;
  }
  const std::span<float> pixels = rgba.first(4 * picture.rays);
  m_readBack.read(m_rays.states, std::as_writable_bytes(pixels));
  if (job.look.mode != scene::VolumeMode::Composite && job.look.mode != scene::VolumeMode::Isosurface)
    for (std::size_t n = 0; n < pixels.size(); n += 4) {
      std::array<float, 4> state;
      std::copy_n(pixels.begin() + static_cast<std::ptrdiff_t>(n), 4, state.begin());
      look.pixelOf(state, pixels.subspan(n).first<4>());
    }
  std::array<std::uint32_t, kCounters> counts{};
  m_device->read(m_rays.counts, 0, std::as_writable_bytes(std::span(counts)));
  for (const std::uint32_t count : counts) stats.samples += count;
  std::vector<std::int32_t> marks(m_bricks.pages());
  m_device->read(m_bricks.marks(), 0, std::as_writable_bytes(std::span(marks)));
  constexpr std::int32_t kTouched = 4;
  stats.bricks += static_cast<std::uint64_t>(
      std::count_if(marks.begin(), marks.end(), [](std::int32_t mark) { return (mark & kTouched) != 0; }));
  m_shown = std::move(shown);
  return complete;
}

void OpenClCaster::provideRays(std::size_t count) {
  if (m_rays.states && m_rays.count == count) return;
  m_rays = {};
  const std::size_t state = 4 * sizeof(float), real = m_form.doubles ? sizeof(double) : sizeof(float);
  m_rays.claim =
      m_deviceAccount.claim(Purpose::Device, count * (state + real), "the picture of a volume on a device");
  m_rays.reached = m_device->buffer(count * real);
  m_rays.misses = m_device->buffer((2 + 2 * kMissLimit) * sizeof(std::int32_t));
  m_rays.counts = m_device->buffer(kCounters * sizeof(std::uint32_t));
  m_rays.states = m_device->buffer(count * state);
  m_rays.count = count;
}

void OpenClCaster::launch(Picture& picture) {
  const auto width = static_cast<std::size_t>(picture.job.camera.width()),
             rows = static_cast<std::size_t>(picture.job.rows);
  const std::size_t most = m_device->facts().processor ? kRaysOnProcessors : kRaysElsewhere;
  const auto whole = [](std::size_t n) { return (n + kGroupSide - 1) / kGroupSide * kGroupSide; };
  const std::size_t band = std::max(kGroupSide, most / width / kGroupSide * kGroupSide);
  for (std::size_t row = 0; row < rows; row += band) {
    if (picture.job.stop.stop_requested()) throw Cancelled();
    const Event event =
        m_device->launch(m_cast, {0, row}, {whole(width), whole(std::min(band, rows - row))}, m_group);
    m_device->finish();
    m_kernelSeconds += Device::seconds(event);
  }
}

std::size_t OpenClCaster::load(Picture& picture, const std::vector<std::int32_t>& missed, std::size_t most,
                               volume::CastStats& stats) {
  struct Wanted {
    std::size_t page, level;
    double place;
  };
  std::vector<Wanted> wanted;
  for (const std::int32_t number : missed) {
    const auto page = static_cast<std::size_t>(number);
    if (!m_bricks.isMissed(page)) continue;  // it was in the other list, too
    const std::size_t level = m_bricks.levelOf(page);
    const Index3 bricks = picture.levels[level]->grid().bricks();
    const auto brick = unlinear(static_cast<std::int64_t>(page - m_bricks.pagesAt(level)), bricks);
    wanted.push_back({page, level, picture.orders[level].placeOf(brick)});
  }
  std::sort(wanted.begin(), wanted.end(), [](const Wanted& a, const Wanted& b) {
    if (a.level != b.level) return a.level > b.level;
    return a.place != b.place ? a.place < b.place : a.page < b.page;
  });
  std::vector<std::pair<std::size_t, std::uint32_t>> places;
  for (const Wanted& each : wanted) {
    const auto slot = places.size() < most ? m_bricks.slotFor(each.page) : std::nullopt;
    if (slot)
      places.emplace_back(each.page, *slot);
    else
      m_bricks.leave(each.page);
  }
  // In the order of pages of the data, so that neighbours are read together.
  std::sort(places.begin(), places.end());
  std::vector<std::size_t> pages;
  std::vector<std::uint32_t> slots;
  for (const auto& [page, slot] : places) {
    pages.push_back(page);
    slots.push_back(slot);
  }
  std::size_t done = 0;
  try {
    while (done < pages.size()) {
      const std::size_t count = std::min(kReadAtOnce, pages.size() - done);
      read(picture, std::span(pages).subspan(done, count), std::span(slots).subspan(done, count));
      done += count;
    }
  } catch (...) {
    for (std::size_t n = done; n < slots.size(); ++n) m_bricks.forget(slots[n]);
    throw;
  }
  stats.bricksRead += pages.size();
  return pages.size();
}

void OpenClCaster::read(Picture& picture, std::span<const std::size_t> pages,
                        std::span<const std::uint32_t> slots) {
  // Those of a level are neighbours in the list.
  for (std::size_t first = 0; first < pages.size();) {
    const std::size_t level = m_bricks.levelOf(pages[first]);
    volume::BrickSource& source = *picture.levels[level];
    const Index3 across = source.grid().bricks();
    std::size_t count = 1;
    while (first + count < pages.size() && m_bricks.levelOf(pages[first + count]) == level) ++count;
    // As many at a time as there is memory for, at least one.
    const std::uint64_t each = Brick::bytesOf(source.format());
    std::optional<MemoryClaim> claim;
    for (; count > 1 && !(claim = m_host.tryClaim(Purpose::Work, count * each)); count = count / 2) {
    }
    if (!claim) claim = m_host.claim(Purpose::Work, each, "a brick of a volume");
    std::vector<std::unique_ptr<Brick>> bricks(count);
    std::vector<Index3> places;
    for (std::size_t n = 0; n < count; ++n) {
      places.push_back(
          unlinear(static_cast<std::int64_t>(pages[first + n] - m_bricks.pagesAt(level)), across));
      bricks[n] = std::make_unique<Brick>(source.format(), source.grid().cellsOf(places[n]));
    }
    tasks::TaskGroup group;
    group.name = "volume";
    group.count = count;
    group.admission = source.admission();
    group.run = [&](std::size_t n, tasks::TaskContext& context) {
      source.read(places[n], context, *bricks[n]);
    };
    source.makeScheduler()->run(group, picture.job.stop);
    for (std::size_t n = 0; n < count; ++n) m_bricks.fill(slots[first + n], *bricks[n]);
    first += count;
  }
}

}  // namespace farfield::opencl
