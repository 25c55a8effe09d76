// The properties of particles: when they are let go, whether their ways are joined, and what the flow is between steps.

#include <algorithm>

#include "app/model/field_maker.h"
#include "app/model/line_shapes.h"

namespace farfield::app {
namespace {

using session::Object;

template <class Kind>
Kind& releaseAs(const Object& object) {
  return std::get<Kind>(*releaseIn(const_cast<Object&>(object)));
}

bool& asPoints(Object& object) {
  if (auto* const paths = std::get_if<session::Pathlines>(&object.shape)) return paths->asPoints;
  return std::get<session::Streaklines>(object.shape).asPoints;
}

fields::BetweenSteps& betweenSteps(Object& object) {
  if (auto* const paths = std::get_if<session::Pathlines>(&object.shape)) return paths->between;
  return std::get<session::Streaklines>(object.shape).between;
}

}  // namespace

void addBetweenField(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  const bool cubic = betweenSteps(const_cast<Object&>(object)) == fields::BetweenSteps::Cubic;
  const auto unstructured = [](const paging::BlockDescription& block) { return block.isUnstructured(); };
  if (!cubic && surroundings.data) {
    const auto& blocks = surroundings.data->description.blocks;
    if (std::any_of(blocks.begin(), blocks.end(), unstructured)) return;
  }
  Field& between = make.choice(
      tr("Integration"), "interpolation", tr("Between steps"),
      tr("How the flow changes from one step of the data to the next: straight, or as a smooth curve through "
         "four steps, which is more exact where steps are far apart."));
  between.choices = {{"linear", tr("Linear")}, {"cubic", tr("Cubic")}};
  between.byDefault = "linear";
  between.get = [](const Object& o) {
    return QString(betweenSteps(const_cast<Object&>(o)) == fields::BetweenSteps::Cubic ? "cubic" : "linear");
  };
  between.set = [](Object& o, const QVariant& value) {
    betweenSteps(o) =
        value.toString() == "cubic" ? fields::BetweenSteps::Cubic : fields::BetweenSteps::Linear;
  };
}

void addReleaseFields(FieldMaker& make, const Object& object) {
  using namespace session;
  const QString group = tr("Release");
  const bool streaks = std::holds_alternative<Streaklines>(object.shape);
  static const char* const kKinds[] = {"", "steps", "times"};
  Field& kind = make.choice(group, "release", tr("Let go"), tr("When particles start from the seeds."));
  const Release& release = *releaseIn(const_cast<Object&>(object));
  const auto* const times = std::get_if<ReleaseTimes>(&release);
  kind.choices = {{"", streaks ? tr("At every step") : tr("At the first step")},
                  {"steps", tr("At some steps")}};
  // What a session says is kept. Here steps are chosen, which are times as well.
  if (times)
    kind.choices.emplace_back(
        "times", tr("From %1 to %2, every %3").arg(times->from).arg(times->to).arg(times->every));
  kind.byDefault = "";
  kind.reshapes = true;
  kind.get = [](const Object& o) { return QString(kKinds[releaseIn(const_cast<Object&>(o))->index()]); };
  kind.set = [](Object& o, const QVariant& value) {
    Release& chosen = *releaseIn(o);
    if (value.toString() == kKinds[chosen.index()]) return;
    if (value.toString() == "steps")
      chosen = ReleaseSteps{{0, -1}, 1};
    else if (value.toString().isEmpty())
      chosen = {};
  };
  if (std::holds_alternative<ReleaseSteps>(release)) {
    Field& steps = make.add(group, "release.steps", tr("Steps"), FieldKind::Text,
                            tr("Steps of the data, from 0, such as “0 to last” or “5”."));
    steps.byDefault = "0 to last";
    steps.get = [](const Object& o) { return textOfRange(releaseAs<ReleaseSteps>(o).steps); };
    steps.set = [](Object& o, const QVariant& value) {
      if (const auto range = rangeFromText(value.toString())) releaseAs<ReleaseSteps>(o).steps = *range;
    };
    steps.check = [](const QString& text) {
      return rangeFromText(text) ? QString() : tr("Write a step such as “0” or “last”, or “2 to 10”.");
    };
    Field& stride = make.integer(group, "release.stride", tr("Every … step"),
                                 tr("2 takes every other step, and so on."), 1, 1e9);
    stride.byDefault = qlonglong{1};
    stride.get = [](const Object& o) {
      return QVariant::fromValue<qlonglong>(releaseAs<ReleaseSteps>(o).stride);
    };
    stride.set = [](Object& o, const QVariant& value) {
      releaseAs<ReleaseSteps>(o).stride = value.toLongLong();
    };
  }
  Field& points = make.flag(group, "as", tr("Particles alone"), tr("Points that are not joined to lines."));
  points.byDefault = false;
  points.get = [](const Object& o) { return asPoints(const_cast<Object&>(o)); };
  points.set = [](Object& o, const QVariant& value) { asPoints(o) = value.toBool(); };
}

}  // namespace farfield::app
