#include "core/session/run/remote_run.h"

#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/paging/store/catalog.h"
#include "core/session/json/session_json.h"

namespace farfield::session {

paging::DatasetDescription dataBehind(const paging::DatasetDescription& description) {
  const auto said = description.attributes.find(kRendererData);
  if (said == description.attributes.end()) return description;
  paging::DatasetDescription data = paging::descriptionFromText(said->second);
  // it has no renderer of its own
  for (const char* const key :
       {kRendererAttribute, kRendererFunctions, kRendererFile, kRendererRanges, kRendererData})
    data.attributes.erase(key);
  return data;
}

bool isComputedByRenderers(ObjectType type) {
  return type == kTypeOf<Streamlines> || type == kTypeOf<Isosurface> || type == kTypeOf<Slice> ||
         type == kTypeOf<GridSurface> || type == kTypeOf<Outline> || type == kTypeOf<Isolines> ||
         type == kTypeOf<Arrows>;
}

std::string documentOf(const Object& object) {
  Session session;
  session.data.push_back({});
  session.data.back().source = {"data"};
  session.objects.push_back(object);
  // whatever they are called here, if they are called anything
  session.objects.back().name = "object";
  session.objects.back().data = session.data.back().name = "data";
  // the surface that it lies on is its own there
  if (OnSurface* const on = surfaceUnder(session.objects.back())) on->name.clear();
  return toJson(session);
}

// The functions are those of the renderer's data: these have none.
RemoteRun::RemoteRun(const Object& object, const paging::DatasetDescription& description)
    : ObjectRun(object, description, {}, {object.color.by}) {
  const auto source = description.attributes.find(kRendererAttribute);
  if (source == description.attributes.end() || !description.attributes.contains(kRendererData))
    throw Unsupported("the renderer computes no objects", "start a newer farfield-slabd");
  m_source = source->second;
  m_data = dataBehind(description);
  if (!isComputedByRenderers(object.type()))
    throw Unsupported(
        std::string("objects of type ") + nameOf(object.type()) + " are not computed by renderers",
        "use streamlines, isosurface, slice, grid-surface, isolines, arrows, outline or slabs, or name the data "
        "themselves");
  if (isOfWholeData(object.color) && !object.color.by.empty())
    throw Unsupported("the range of all of a renderer's data is not known here",
                      "give a range: [least, greatest]")
        .at("color.range");
  m_shown = makeObjectRun(object, m_data);
}

void RemoteRun::step(const ObjectSurroundings& surroundings, std::int64_t step) {
  if (!surroundings.askResults)
    throw Unsupported("what other programs compute cannot be had here", "use farfield batchvis");
  std::shared_ptr<ResultSink> sink;
  std::array<std::uint64_t, 2> missing{};
  const auto begin = [&](const ResultFacts& facts, std::int64_t stepOfData, bool again) {
    if (again) sink.reset(), missing = {};
    if (!sink) sink = m_shown->takeOver(surroundings, m_data, stepOfData, facts);
    missing = {missing[0] + facts.missing, missing[1] + facts.missingOf};
    return sink;
  };
  m_counts = surroundings.askResults({.source = m_source,
                                      .document = documentOf(m_object),
                                      .step = step,
                                      .account = surroundings.account,
                                      .stop = surroundings.stop,
                                      .begin = begin,
                                      .progress = surroundings.progress,
                                      .link = &m_link});
  m_shown->tookOver(surroundings);
  noteMissing(missing[1] - std::min(missing[0], missing[1]), missing[1]);
}

void RemoteRun::count(ObjectStats& stats) const {
  m_shown->count(stats);
  stats.set("ranks", m_counts.ranks);
  stats.set("bytesReceived", m_counts.bytesReceived);
}

}  // namespace farfield::session
