#include "core/session/kinds/volume/volume_run.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/fields/functions/box_functions.h"
#include "core/session/kinds/volume/timed_volume.h"
#include "core/session/kinds/volume/volume_shape.h"
#include "core/session/run/time_budget.h"
#include "core/session/run/volumes/hurried_volume.h"
#include "core/session/run/volumes/surveyed_volume.h"
#include "core/session/run/volumes/volume_item.h"

namespace farfield::session {
namespace {

/// Bricks have 35^3 nodes; four layers of them are read at a time.
constexpr Index3 kReadAtATime{35, 35, 4};
constexpr std::int64_t kBrickCells = 32;
/// Of the time for a step, what the range of values may take.
constexpr int kShareOfSurvey = 4;

/// Adds to what steps before have left there.
void addMissing(ObjectStats& stats, const TimedVolume::Passes& passes) {
  const auto add = [&stats](const char* key, std::uint64_t number) {
    const StatsValue* const before = stats.find(key);
    const auto* const known = before ? std::get_if<std::uint64_t>(before) : nullptr;
    stats.set(key, number + (known ? *known : 0));
  };
  add("missing", passes.missing);
  add("missingOf", passes.wanted);
  stats.set("missingAre", std::string("refinements of the picture"));
}

/// Throws NotFound, Invalid.
std::string functionOf(const Object& object, const paging::DatasetDescription& description) {
  const auto& shape = std::get<Volume>(object.shape);
  const std::string& by = shape.by.empty() ? object.color.by : shape.by;
  if (by.empty()) throw Invalid("a volume needs a function", "name one").at("by");
  if (!object.color.by.empty() && object.color.by != by)
    throw Invalid("a volume is coloured by the function that it shows", "leave it out, or name " + by)
        .at("color.by");
  try {
    const fields::FunctionPlan alone(description, {by});
    if (alone.outputCount() != 1)
      throw Invalid("'" + by + "' is a vector, and a volume shows one number",
                    "choose one of its components or its magnitude");
  } catch (Error& error) {
    error.at("by");
    throw;
  }
  return by;
}

}  // namespace

VolumeRun::VolumeRun(const Object& object, const paging::DatasetDescription& description)
    : ObjectRun(object, description, {functionOf(object, description)}) {
  sayUnits(description, m_functions->functions()[0].name);
}

std::uint64_t VolumeRun::taskBytes() const {
  return fields::BoxFunctions::bytesFor(*m_functions, kReadAtATime) +
         2 * sizeof(double) * static_cast<std::uint64_t>(product(kReadAtATime)) + 8192;
}

std::size_t VolumeRun::taskCount(const paging::DatasetDescription& description) const {
  std::size_t bricks = 0;
  for (const paging::BlockDescription& block : description.blocks) {
    std::size_t ofBlock = 1;
    for (const std::int64_t nodes : block.dims)
      ofBlock *= static_cast<std::size_t>(std::max<std::int64_t>(1, (nodes - 2) / kBrickCells + 1));
    bricks += ofBlock;
  }
  return bricks;
}

tasks::GroupResult VolumeRun::tryTasks(const ObjectSurroundings&, std::int64_t, std::span<const std::size_t>,
                                       std::chrono::milliseconds) const {
  return {};
}

void VolumeRun::step(const ObjectSurroundings& surroundings, std::int64_t step) {
  if (!surroundings.makeVolume)
    throw Unsupported("volumes cannot be drawn by this build", "build with FARFIELD_EGL=ON");
  m_volume.store(nullptr);  // its memory is free for the next one
  const auto began = TimedVolume::Clock::now();
  // A viewer casts it ever finer in any case, as long as it is looked at.
  std::chrono::milliseconds time{0};
  if (m_object.budgetMs && !surroundings.watched) time = timeForComputing(*m_object.budgetMs);
  std::shared_ptr<CastVolume> volume = surroundings.makeVolume(
      {surroundings.data, m_functions, step, surroundings.account, surroundings.processors,
       surroundings.spoolFolder, object().engine, surroundings.watched || time.count() > 0, surroundings.stop,
       surroundings.nextStep});
  m_timed.reset();
  if (time.count() > 0) {
    if (auto* const hurried = dynamic_cast<HurriedVolume*>(volume.get()))
      hurried->hurry(time / kShareOfSurvey);
    m_timed = std::make_shared<TimedVolume>(std::move(volume), surroundings.account, time, began,
                                            surroundings.stop);
    volume = m_timed;
  }
  m_volume.store(volume);
  // a viewer asks for looks again and again, and must not wait for the range then
  if (!surroundings.watched) return;
  auto* const surveyed = dynamic_cast<SurveyedVolume*>(volume.get());
  if (!surveyed) {
    volume->valueRange();
    return;
  }
  m_isFirstSight = surveyed->firstSight();
  if (m_isFirstSight && surroundings.coarseIsThere) surroundings.coarseIsThere();
  surveyed->survey(surroundings.progress, surroundings.stop);
  m_isFirstSight = false;
}

scene::SceneItem VolumeRun::item(const Object& shown) const {
  scene::SceneItem item =
      volumeItem(std::get<Volume>(shown.shape), shown, m_functions->functions()[0].name, m_volume.load());
  item.scale.legend.title = m_legendTitle;
  return item;
}

Bounds VolumeRun::bounds() const {
  const auto volume = m_volume.load();
  return volume ? volume->bounds() : Bounds{};
}

void VolumeRun::count(ObjectStats& stats) const {
  const auto volume = m_volume.load();
  if (!volume) return;
  const VolumeCounts counts = volume->counts();
  stats.count += counts.bricks;
  stats.seconds += counts.seconds;
  stats.set("level", static_cast<std::uint64_t>(counts.level));
  stats.set("bricks", counts.bricks);
  stats.set("bricksRead", counts.bricksRead);
  stats.set("samples", counts.samples);
  stats.set("converged", counts.converged);
  if (m_timed && m_timed->passes().missing > 0) addMissing(stats, m_timed->passes());
  stats.set("engine", counts.engine);
  stats.set("device", counts.device);
  if (counts.meanError >= 0) {
    stats.set("resampleMeanError", counts.meanError);
    stats.set("resampleMaxError", counts.mostError);
    stats.set("resampleFileBytes", counts.scratchBytes);
  }
}

std::unique_ptr<ObjectRun> makeRun(const Volume&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<VolumeRun>(object, description);
}

}  // namespace farfield::session
