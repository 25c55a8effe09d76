// What a stage shows of probes whose places are being read: values where they were read, and elsewhere that they are awaited.

#include <algorithm>

#include "app/model/stage/stage.h"

namespace farfield::app {

/// All of it is read, as the document has it.
void Stage::noteRead(ObjectId id) {
  const session::Object* const object = m_document.object(id);
  const auto* const probe = object ? std::get_if<session::Probe>(&object->shape) : nullptr;
  const auto shown = m_shown.find(id);
  if (!probe || shown == m_shown.end()) return;
  m_readings[id] = {*probe, stepOf(*object), shown->second.item.marks};
  if (m_unread.erase(id) > 0) shareScales(id);
}

void Stage::showUnread() {
  std::vector<ObjectId> unread;
  for (const auto& [id, reading] : m_readings)
    if (const ObjectStatus& status = m_objects[id];
        m_shown.contains(id) &&
        (status.state == ObjectState::Waiting || status.state == ObjectState::Running))
      unread.push_back(id);
  for (const ObjectId id : unread) {
    m_unread.insert(id);
    shareScales(id);
  }
}

/// A mark for each place as the document has it: what was read of another place, at another step, or of another function has no values.
std::vector<scene::PlaceMark> Stage::marksNow(ObjectId id) const {
  const session::Object* const object = m_document.object(id);
  const auto* const probe = object ? std::get_if<session::Probe>(&object->shape) : nullptr;
  const auto found = m_readings.find(id);
  if (!probe || found == m_readings.end()) return {};
  const Reading& reading = found->second;
  const std::int64_t step = stepOf(*object);
  const auto goesFrom = [](const session::Probe& its, std::size_t n) {
    return n < its.goesFrom.size() ? its.goesFrom[n] : std::int64_t{-1};
  };
  const auto status = m_objects.find(id);
  // What was stopped or has failed is not on its way.
  const bool isAwaited = status != m_objects.end() && (status->second.state == ObjectState::Waiting ||
                                                       status->second.state == ObjectState::Running);
  std::vector<scene::PlaceMark> marks;
  for (std::size_t n = 0; n < probe->points.size(); ++n) {
    scene::PlaceMark mark;
    mark.place = probe->points[n];
    mark.name = std::to_string(n + 1);
    mark.found = true;
    const scene::PlaceMark* read = nullptr;
    for (std::size_t k = 0; k < std::min(reading.marks.size(), reading.probe.points.size()) && !read; ++k)
      if (reading.probe.points[k] == probe->points[n] && goesFrom(reading.probe, k) == goesFrom(*probe, n))
        read = &reading.marks[k];
    if (read) mark.place = read->place;  // what goes with a body is where it was seen last
    const bool isOfStep = reading.step == step;
    if (read && isOfStep) mark.found = read->found;
    for (const std::string& function : probe->show) {
      const std::vector<double>* known = nullptr;
      if (read && isOfStep)
        for (const auto& [name, values] : read->values)
          if (name == function) known = &values;
      if (known || isAwaited) mark.values.emplace_back(function, known ? *known : std::vector<double>());
    }
    marks.push_back(std::move(mark));
  }
  return marks;
}

}  // namespace farfield::app
