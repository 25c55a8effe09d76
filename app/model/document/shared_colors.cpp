#include "app/model/document/shared_colors.h"

#include <algorithm>
#include <map>
#include <utility>

#include "app/model/document/volume_looks.h"

namespace farfield::app {
namespace {

/// Whether equal colours are to be equal values. `compared`: two data sets are, and have one scale.
bool sharesScale(const session::Object& a, const session::Object& b, bool compared) {
  const std::string by = session::shownFunction(a);
  return !a.color.apart && !b.color.apart && (compared || a.data == b.data) && !by.empty() &&
         by == session::shownFunction(b);
}

/// And whether their maps are one: those of volumes go with their opacities, and are theirs alone.
bool shares(const session::Object& a, const session::Object& b, bool compared) {
  return !volumeIn(a) && !volumeIn(b) && sharesScale(a, b, compared);
}

/// What there is of a scale beside its map.
void takeScale(session::Coloring& to, const session::Coloring& from) {
  to.range = from.range;
  to.rangeOf = from.rangeOf;
  to.logarithmic = from.logarithmic;
}

bool sameScale(session::Coloring a, const session::Coloring& b) {
  const session::Coloring before = a;
  takeScale(a, b);
  return a == before;
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

std::vector<ObjectId> sharingScaleAlone(const Document& document, ObjectId id) {
  const session::Object* const object = document.object(id);
  if (!object) return {};
  const bool compared = document.session().layout.over;
  std::vector<ObjectId> all;
  for (const ObjectId other : document.objectIds())
    if (const session::Object& its = *document.object(other);
        other != id && sharesScale(its, *object, compared) && !shares(its, *object, compared))
      all.push_back(other);
  return all;
}

void editColors(Document& document, ObjectId id, const QString& text, const QString& key,
                const std::function<void(session::Coloring&)>& edit) {
  const std::vector<ObjectId> all = sharingColors(document, id);
  if (all.empty()) return;
  const session::Coloring before = withPlainColors(*document.object(id)).color;
  session::Coloring after = before;
  edit(after);
  std::vector<ObjectId> scaled;
  if (!sameScale(before, after)) scaled = sharingScaleAlone(document, id);
  document.edit(
      text,
      [&](Draft& draft) {
        for (const ObjectId each : all) {
          session::Object& object = draft.object(each);
          object = withPlainColors(object);
          edit(object.color);
        }
        for (const ObjectId each : scaled) {
          session::Object& object = draft.object(each);
          object = withPlainColors(object);
          takeScale(object.color, after);
        }
      },
      key.isEmpty() ? key : key + '/' + QString::number(id));
}

void joinColors(const Document& document, Draft& draft, const std::string& leading) {
  const std::vector<ObjectId> ids = document.objectIds();
  for (const ObjectId id : ids) {
    const session::Object object = withPlainColors(*document.object(id));
    if (object.data == leading) continue;
    const auto leader = [&](const auto& isOne) -> const session::Object* {
      for (const ObjectId other : ids)
        if (const session::Object* const its = document.object(other);
            its->data == leading && sharesScale(*its, object, true) && isOne(*its))
          return its;
      return nullptr;
    };
    // Of its own kind with map and all; beside a volume, whose map goes with its opacities, the scale alone.
    const auto isLike = [&](const session::Object& other) { return !volumeIn(other) == !volumeIn(object); };
    session::Object joined = object;
    if (const session::Object* const alike = leader(isLike))
      joined = withColors(joined, withPlainColors(*alike).color);
    else if (const session::Object* const other = leader([](const auto&) { return true; }))
      takeScale(joined.color, withPlainColors(*other).color);
    if (joined == object) continue;
    remember(draft, id, object.color, joined.color);
    draft.object(id) = joined;
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

std::vector<session::ColorsBefore> joinedColors(const DocumentState& state) {
  std::vector<session::ColorsBefore> all;
  for (const DocumentState::GivenColors& its : state.joined)
    for (const DocumentState::Entry& entry : state.objects)
      if (entry.id == its.id && sameColors(entry.object->color, its.given))
        all.push_back({entry.object->name, its.before});
  return all;
}

void takeJoined(DocumentState& state, session::ViewLayout& layout) {
  for (const session::ColorsBefore& its : std::exchange(layout.before, {}))
    for (const DocumentState::Entry& entry : state.objects)
      if (layout.over && entry.object->name == its.object)
        state.joined.push_back({entry.id, its.color, entry.object->color});
}

session::Object withSharedColors(session::Object object, const session::Session& session) {
  object.color.apart = false;
  const bool compared = session.layout.over;
  const session::Object* scale = nullptr;
  for (const session::Object& other : session.objects) {
    if (other.name == object.name || !sharesScale(other, object, compared)) continue;
    if (shares(other, object, compared)) return withColors(std::move(object), other.color);
    if (!scale) scale = &other;
  }
  if (!scale) return object;
  object = withPlainColors(object);
  takeScale(object.color, withPlainColors(*scale).color);
  return object;
}

}  // namespace farfield::app
