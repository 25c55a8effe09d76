#include "app/model/stage/covering_surfaces.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "app/first/first_places.h"
#include "core/session/run/volumes/sampled_volume.h"

namespace farfield::app {
namespace {

bool liesInside(const session::Object& object) {
  return std::visit(
      []<class Shape>(const Shape&) {
        constexpr bool kCuts = std::is_same_v<Shape, session::Slice> ||
                               std::is_same_v<Shape, session::Isosurface> ||
                               std::is_same_v<Shape, session::Volume>;
        return kCuts || requires(const Shape& shape) {
          shape.seeds;
        };
      },
      object.shape);
}

/// All outer faces of all blocks, and nothing to be seen through.
bool covers(const session::Object& object, const session::Session& session) {
  const auto* const surface = std::get_if<session::GridSurface>(&object.shape);
  const bool isCut = object.clipped && !session.image.clip.empty();
  return surface && *surface == session::GridSurface{} && object.visible && object.opacity >= 1 && !isCut;
}

std::vector<ObjectId> coversOf(const session::Object& added, const DataSummary& data,
                               const DocumentState& state) {
  std::vector<ObjectId> covers;
  if (!liesInside(added) || !hasInside(data)) return covers;
  for (const DocumentState::Entry& entry : state.objects) {
    const session::Object& object = *entry.object;
    if (object.data != added.data) continue;
    if (object.visible && liesInside(object)) return {};
    if (app::covers(object, *state.frame)) covers.push_back(entry.id);
  }
  return covers;
}

QString stepThatHid(ObjectId cover) {
  return QStringLiteral("cover/%1").arg(cover);
}

}  // namespace

ObjectId addSeen(Draft& draft, session::Object object, const DataSummary& data) {
  for (const ObjectId cover : coversOf(object, data, draft.state())) draft.object(cover).visible = false;
  return draft.add(std::move(object));
}

ObjectId addSeen(Document& document, session::Object object, const DataSummary& data) {
  ObjectId id = 0;
  const QString step = stepThatHidesFor(object, data, document.state());
  document.edit(
      Document::tr("Add %1").arg(QString::fromUtf8(nameOf(object.type()))),
      [&](Draft& draft) { id = addSeen(draft, std::move(object), data); }, step);
  return id;
}

void removeSeen(Document& document, ObjectId id, ObjectId hiddenForIt) {
  document.edit(Document::tr("Remove"), [&](Draft& draft) {
    const std::string data = draft.object(id).data;
    draft.remove(id);
    const auto& left = draft.state().objects;
    const bool isOf = std::any_of(left.begin(), left.end(), [&](const DocumentState::Entry& entry) {
      return entry.id == hiddenForIt && entry.object->data == data;
    });
    const bool others = std::any_of(left.begin(), left.end(), [&](const DocumentState::Entry& entry) {
      return entry.object->data == data && entry.object->visible && liesInside(*entry.object);
    });
    if (isOf && !others) draft.object(hiddenForIt).visible = true;
  });
}

QString stepThatHidesFor(const session::Object& object, const DataSummary& data, const DocumentState& state) {
  const std::vector<ObjectId> covers = coversOf(object, data, state);
  return covers.empty() ? QString() : stepThatHid(covers.back());
}

bool showsNothing(const session::Object& object, const ObjectStatus& status) {
  if (std::holds_alternative<session::Volume>(object.shape)) {
    // It has no points. Crumbs of a thin body are as good as nothing.
    const auto* const volume = dynamic_cast<const session::SampledVolume*>(status.volume.get());
    return volume && status.state == ObjectState::Done && volume->samples().isCrumbs;
  }
  if (status.state == ObjectState::Failed) return !status.problem.isEarly;
  if (status.state != ObjectState::Done) return false;
  // Streamlines none of which leaves its seed, or that begin outside, are a point each, which no line is drawn of.
  const bool areLines = std::holds_alternative<session::Streamlines>(object.shape);
  return status.stats.points <= (areLines ? status.stats.count : 0);
}

void showAgain(Document& document, ObjectId cover, const session::Object& forNothing) {
  document.editFurther(
      Document::tr("Add %1").arg(QString::fromUtf8(nameOf(forNothing.type()))),
      [&](Draft& draft) { draft.object(cover).visible = true; }, stepThatHid(cover));
}

}  // namespace farfield::app
