#include "core/session/kinds/slabs/slabs_run.h"

#include "core/base/error.h"
#include "core/scene/slab_rays.h"
#include "core/session/kinds/slabs/slabs_shape.h"
#include "core/session/run/remote_run.h"
#include "core/session/run/volumes/volume_item.h"

namespace farfield::session {

// The function is the renderer's: data that are here need not have it.
SlabsRun::SlabsRun(const Object& object, const paging::DatasetDescription& description)
    : ObjectRun(object, description, {}, {object.color.by}) {
  const auto& shape = std::get<Slabs>(object.shape);
  m_by = shape.shown.by.empty() ? object.color.by : shape.shown.by;
  if (m_by.empty()) throw Invalid("slabs need a function", "name one").at("by");
  if (!object.color.by.empty() && object.color.by != m_by)
    throw Invalid("slabs are coloured by the function that they show", "leave it out, or name " + m_by)
        .at("color.by");
  m_source = shape.source;
  const auto said = description.attributes.find(kRendererAttribute);
  if (m_source.empty() && said != description.attributes.end()) m_source = said->second;
  if (m_source.empty())
    throw Invalid("missing", "name the renderer: slab://HOST:PORT, where farfield-slabd listens")
        .at("source");
  sayUnits(dataBehind(description), m_by);
}

void SlabsRun::step(const ObjectSurroundings& surroundings, std::int64_t step) {
  if (!surroundings.makeSlabs)
    throw Unsupported("what other programs render cannot be drawn here", "use farfield batchvis");
  const auto& shape = std::get<Slabs>(m_object.shape);
  m_watched = surroundings.watched;
  std::shared_ptr<RemoteVolume> before = m_volume.load();
  m_volume.store(nullptr);
  const std::shared_ptr<RemoteVolume> volume = surroundings.makeSlabs({.source = m_source,
                                                                       .by = m_by,
                                                                       .step = step,
                                                                       .nextStep = surroundings.nextStep,
                                                                       .axis = shape.axis,
                                                                       .mesh = shape.mesh,
                                                                       .account = surroundings.account,
                                                                       .stop = surroundings.stop,
                                                                       .before = std::move(before)});
  m_volume.store(volume);
  m_rays.store(nullptr);
  if (!m_watched) return;
  // a viewer asks for looks again and again, and must not wait for the range then
  volume->valueRange();
  if (auto slabs = std::dynamic_pointer_cast<const scene::WatchedSlabs>(volume->slabs()))
    m_rays.store(std::make_shared<scene::SlabRays>(std::move(slabs), volume, shape.frames));
}

scene::SceneItem SlabsRun::item(const Object& shown) const {
  const auto& shape = std::get<Slabs>(shown.shape);
  const std::shared_ptr<RemoteVolume> volume = m_volume.load();
  scene::SceneItem item = volumeItem(shape.shown, shown, m_by, volume);
  item.scale.legend.title = m_legendTitle;
  if (!volume) return item;
  if (m_watched) {
    item.volume = m_rays.load();
  } else if (!shape.frames && scene::areLayers(shape.shown.look.mode)) {
    item.volume = nullptr;
    item.slabs = volume->slabs();
  }
  return item;
}

Bounds SlabsRun::bounds() const {
  const auto volume = m_volume.load();
  return volume ? volume->bounds() : Bounds{};
}

void SlabsRun::count(ObjectStats& stats) const {
  const auto volume = m_volume.load();
  if (!volume) return;
  const SlabCounts counts = volume->slabCounts();
  stats.count += counts.slabs;
  stats.set("ranks", counts.ranks);
  stats.set("bytesReceived", counts.bytesReceived);
  if (!counts.axis.empty()) stats.set("axis", counts.axis);
  stats.set("slabsMissing", counts.missing);
}

std::unique_ptr<ObjectRun> makeRun(const Slabs&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<SlabsRun>(object, description);
}

}  // namespace farfield::session
