#include "app/model/shared_colors.h"

#include <algorithm>
#include <map>
#include <utility>

#include "app/model/volume_fields.h"

namespace farfield::app {
namespace {

/// Colours of volumes go with their opacity, and are theirs alone. `compared`: two data sets are, and have one scale.
bool shares(const session::Object& a, const session::Object& b, bool compared) {
  const auto isVolume = [](const session::Object& object) { return volumeIn(object) != nullptr; };
  return !isVolume(a) && !isVolume(b) && !a.color.apart && !b.color.apart && (compared || a.data == b.data) &&
         !a.color.by.empty() && a.color.by == b.color.by;
}

session::Object withColors(session::Object object, const session::Coloring& color) {
  const scene::Rgba solid = object.color.solid;
  object.color = color;
  object.color.solid = solid;
  return object;
}

/// But for the one colour of what is coloured by nothing.
bool sameColors(session::Coloring a, const session::Coloring& b) {
  a.solid = b.solid;
  return a == b;
}

const session::Object* find(const Draft& draft, ObjectId id) {
  for (const DocumentState::Entry& entry : draft.objects())
    if (entry.id == id) return entry.object.get();
  return nullptr;
}

void remember(Draft& draft, ObjectId id, const session::Coloring& before, const session::Coloring& given) {
  std::vector<DocumentState::GivenColors>& joined = draft.joined();
  const auto known =
      std::find_if(joined.begin(), joined.end(), [&](const auto& each) { return each.id == id; });
  if (known == joined.end())
    joined.push_back({id, before, given});
  else if (sameColors(before, known->given))  // joined once more: to others
    known->given = given;
  else
    *known = {id, before, given};
}

}  // namespace

std::vector<ObjectId> sharingColors(const Document& document, ObjectId id) {
  const session::Object* const object = document.object(id);
  if (!object) return {};
  std::vector<ObjectId> all{id};
  for (const ObjectId other : document.objectIds())
    if (other != id && shares(*document.object(other), *object, document.session().layout.over))
      all.push_back(other);
  return all;
}

void editColors(Document& document, ObjectId id, const QString& text, const QString& key,
                const std::function<void(session::Coloring&)>& edit) {
  const std::vector<ObjectId> all = sharingColors(document, id);
  document.edit(
      text,
      [&](Draft& draft) {
        for (const ObjectId each : all) {
          session::Object& object = draft.object(each);
          object = withPlainColors(object);
          edit(object.color);
        }
      },
      key.isEmpty() ? key : key + '/' + QString::number(id));
}

void joinColors(const Document& document, Draft& draft, const std::string& leading) {
  const std::vector<ObjectId> ids = document.objectIds();
  for (const ObjectId id : ids) {
    const session::Object& object = *document.object(id);
    if (object.data == leading) continue;
    const auto first = std::find_if(ids.begin(), ids.end(), [&](ObjectId other) {
      return document.object(other)->data == leading && shares(*document.object(other), object, true);
    });
    if (first == ids.end()) continue;
    const session::Coloring& color = document.object(*first)->color;
    if (const session::Object joined = withColors(object, color); joined != object) {
      remember(draft, id, object.color, joined.color);
      draft.object(id) = joined;
    }
  }
}

void separateColors(Draft& draft) {
  if (draft.state().joined.empty()) return;
  std::map<ObjectId, session::Coloring> back;
  for (const DocumentState::GivenColors& its : draft.state().joined) {
    const session::Object* const object = find(draft, its.id);
    if (!object || !sameColors(object->color, its.given)) continue;
    back[its.id] = its.before;
    for (const DocumentState::Entry& entry : draft.objects())
      if (shares(*entry.object, *object, false) && sameColors(entry.object->color, its.given))
        back.try_emplace(entry.id, its.before);
  }
  for (const auto& [id, color] : back) draft.object(id) = withColors(*find(draft, id), color);
  draft.joined().clear();
}

session::Object withSharedColors(session::Object object, const session::Session& session) {
  object.color.apart = false;
  for (const session::Object& other : session.objects) {
    if (other.name == object.name || !shares(other, object, session.layout.over)) continue;
    return withColors(std::move(object), other.color);
  }
  return object;
}

}  // namespace farfield::app
