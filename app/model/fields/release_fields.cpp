// The properties of particles: when they are let go, whether their ways are joined, and what the flow is between steps. Where the
// data's times are dates, they are dates here, too; sessions have numbers.

#include <algorithm>

#include "app/model/document/line_shapes.h"
#include "app/model/fields/field_maker.h"
#include "core/fields/words/dates.h"

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

/// "from 2001-01-01 00:00 to 2001-01-03 00:00, every 0.5 days", or the numbers.
QString saidTimes(const session::ReleaseTimes& times, const paging::DatasetDescription* data) {
  const auto dates = data ? fields::Dates::of(*data) : std::nullopt;
  const auto from = dates ? dates->said(times.from) : std::nullopt;
  const auto to = dates ? dates->said(times.to) : std::nullopt;
  const QString text = tr("From %1 to %2, every %3");
  if (!from || !to) return text.arg(times.from).arg(times.to).arg(times.every);
  const QString units = QString::fromStdString(data->attributes.at("time.units")).section(" since ", 0, 0);
  return text.arg(QString::fromStdString(*from), QString::fromStdString(*to),
                  QString::number(times.every) + ' ' + units);
}

/// The dates of the first and the last of some steps; empty where there are none, or no such steps.
QString saidSteps(const session::ReleaseSteps& its, const paging::DatasetDescription& data) {
  const auto step = [&](std::int64_t number) { return number < 0 ? data.steps() + number : number; };
  const std::int64_t first = step(its.steps.first), last = step(its.steps.last);
  if (first < 0 || last < first || last >= data.steps()) return {};
  const auto from = fields::saidDate(data, first), to = fields::saidDate(data, last);
  if (!from || !to) return {};
  const QString begin = QString::fromStdString(*from);
  return first == last ? begin : begin + QStringLiteral(" … ") + QString::fromStdString(*to);
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

void addReleaseFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
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
        "times", saidTimes(*times, surroundings.data ? &surroundings.data->description : nullptr));
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
      return problemOfRange(text, tr("Write a step such as “0” or “last”, or “2 to 10”."));
    };
    if (surroundings.data && fields::saidDate(surroundings.data->description, 0)) {
      Field& dates = make.add(group, "release.dates", tr("Dates"), FieldKind::Information,
                              tr("Of the first and the last of these steps."));
      dates.get = [data = surroundings.data](const Object& o) {
        return saidSteps(releaseAs<ReleaseSteps>(o), data->description);
      };
    }
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
