#include "app/model/document/carried_change.h"

#include <algorithm>
#include <map>

namespace farfield::app {
namespace {

using Entries = std::vector<DocumentState::Entry>;

template <class Value>
void take(Value& value, const Value& before, const Value& after) {
  if (value == before) value = after;
}

template <class List>
auto find(List& entries, ObjectId id) {
  return std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.id == id; });
}

/// New names of data by the old ones.
std::map<std::string, std::string> takeFrame(const session::Session& before, const session::Session& after,
                                             session::Session& frame) {
  std::map<std::string, std::string> renamed;
  for (std::size_t n = 0; n < std::min(before.data.size(), after.data.size()); ++n) {
    const session::DataSource &was = before.data[n], &is = after.data[n];
    if (is == was || (is.name != was.name && frame.find(is.name))) continue;
    const auto its = std::find(frame.data.begin(), frame.data.end(), was);
    if (its == frame.data.end()) continue;
    *its = is;
    if (is.name != was.name) renamed[was.name] = is.name;
  }
  take(frame.time, before.time, after.time);
  take(frame.shownStep, before.shownStep, after.shownStep);
  take(frame.shownTime, before.shownTime, after.shownTime);
  take(frame.camera, before.camera, after.camera);
  take(frame.views, before.views, after.views);
  take(frame.layout, before.layout, after.layout);
  take(frame.plot, before.plot, after.plot);
  take(frame.image, before.image, after.image);
  return renamed;
}

void takeObject(const session::Object& before, const session::Object& after, session::Object& object) {
  take(object.data, before.data, after.data);
  take(object.shape, before.shape, after.shape);
  take(object.color, before.color, after.color);
  take(object.visible, before.visible, after.visible);
  take(object.opacity, before.opacity, after.opacity);
  take(object.lighting, before.lighting, after.lighting);
  take(object.edges, before.edges, after.edges);
}

void addObject(const session::Session& frame, const DocumentState::Entry& added, Entries& objects) {
  if (find(objects, added.id) != objects.end() || !frame.find(added.object->data)) return;
  session::Object object = *added.object;
  object.name = uniqueName(object.name, [&](const std::string& name) {
    return std::any_of(objects.begin(), objects.end(),
                       [&](const DocumentState::Entry& entry) { return entry.object->name == name; });
  });
  objects.push_back({added.id, std::make_shared<session::Object>(std::move(object))});
}

}  // namespace

DocumentState carriedOver(const DocumentState& before, const DocumentState& after, DocumentState state) {
  if (state == before) return after;
  if (*before.frame != *after.frame) {
    auto frame = std::make_shared<session::Session>(*state.frame);
    const auto renamed = takeFrame(*before.frame, *after.frame, *frame);
    state.frame = std::move(frame);
    for (DocumentState::Entry& entry : state.objects) {
      const auto name = renamed.find(entry.object->data);
      if (name == renamed.end()) continue;
      auto object = std::make_shared<session::Object>(*entry.object);
      object->data = name->second;
      entry.object = std::move(object);
    }
  }
  // What was given for a while is to be taken back from there as well.
  take(state.joined, before.joined, after.joined);
  take(state.standIns, before.standIns, after.standIns);
  take(state.widened, before.widened, after.widened);
  for (const DocumentState::Entry& entry : after.objects) {
    const auto was = find(before.objects, entry.id);
    if (was == before.objects.end()) {
      addObject(*state.frame, entry, state.objects);
      continue;
    }
    const auto its = find(state.objects, entry.id);
    if (*was == entry || its == state.objects.end()) continue;
    auto object = std::make_shared<session::Object>(*its->object);
    takeObject(*was->object, *entry.object, *object);
    its->object = std::move(object);
  }
  return state;
}

}  // namespace farfield::app
