#include "app/model/document/followed_names.h"

#include <algorithm>

namespace farfield::app {
namespace {

using Entries = std::vector<DocumentState::Entry>;

}  // namespace

std::string objectAfter(const DocumentState& before, const Draft& draft, const std::string& name) {
  const auto named = [&](const Entries& entries) {
    return std::find_if(entries.begin(), entries.end(),
                        [&](const DocumentState::Entry& entry) { return entry.object->name == name; });
  };
  const Entries& objects = draft.objects();
  const auto was = named(before.objects);
  const auto is = was == before.objects.end()
                      ? named(objects)
                      : std::find_if(objects.begin(), objects.end(),
                                     [&](const DocumentState::Entry& entry) { return entry.id == was->id; });
  return is == objects.end() ? std::string() : is->object->name;
}

std::string dataAfter(const DocumentState& before, const Draft& draft, const std::string& name) {
  const std::vector<session::DataSource>&old = before.frame->data, &present = draft.state().frame->data;
  if (draft.state().frame->find(name)) return name;
  // Data that are called something else now are at the same place of the list as before.
  const auto was = std::find_if(old.begin(), old.end(),
                                [&](const session::DataSource& source) { return source.name == name; });
  const bool renamed = was != old.end() && old.size() == present.size();
  return renamed ? present[static_cast<std::size_t>(was - old.begin())].name : std::string();
}

}  // namespace farfield::app
