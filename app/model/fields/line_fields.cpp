// The properties of lines: where they start and how they are integrated.

#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "app/first/first_objects.h"
#include "app/first/first_places.h"
#include "app/model/document/line_shapes.h"
#include "app/model/fields/field_maker.h"
#include "core/base/float_digits.h"

namespace farfield::app {
namespace {

using session::Object;

constexpr double kHuge = 1e300;
/// Of one axis.
constexpr double kMostSeeds = 100'000;
/// In all, as sessions allow.
constexpr double kMostSeedsInAll = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMostTypedPoints = 10'000;

session::Seeds& seedsOf(Object& object) {
  return *seedsIn(object);
}

template <class Kind>
Kind& seedsAs(Object& object) {
  return std::get<Kind>(seedsOf(object));
}

double seedsInAll(const session::Seeds& seeds) {
  return std::visit(
      [](const auto& its) {
        double all = 1;
        if constexpr (requires { its.counts; })
          for (const std::int64_t count : its.counts) all *= static_cast<double>(count);
        return all;
      },
      seeds);
}

template <class Place>
Field& addVector(FieldMaker& make, const QString& key, const QString& label, const QString& tip,
                 Place place) {
  Field& field = make.add(tr("Seeds"), "seeds." + key, label, FieldKind::Vector, tip);
  field.unit = tr("length");
  field.get = [place](const Object& o) { return QVariant::fromValue(place(const_cast<Object&>(o))); };
  field.set = [place](Object& o, const QVariant& value) { place(o) = value.value<Vec3>(); };
  return field;
}

template <class Place>
Field& addCount(FieldMaker& make, const QString& key, const QString& label, const QString& tip, Place place) {
  Field& field = make.integer(tr("Seeds"), "seeds." + key, label, tip, 1, kMostSeeds);
  field.get = [place](const Object& o) {
    return QVariant::fromValue<qlonglong>(place(const_cast<Object&>(o)));
  };
  field.set = [place](Object& o, const QVariant& value) {
    const std::int64_t before = std::exchange(place(o), value.toLongLong());
    if (seedsInAll(seedsOf(o)) > kMostSeedsInAll) place(o) = before;
  };
  field.demand = tr("That would be more than two thousand million seeds in all.");
  return field;
}

QString textOfPoints(const std::vector<Vec3>& points) {
  QStringList lines;
  for (const Vec3& p : points)
    lines.append(QString::number(withFloatDigits(p.x), 'g', 12) + ", " +
                 QString::number(withFloatDigits(p.y), 'g', 12) + ", " +
                 QString::number(withFloatDigits(p.z), 'g', 12));
  return lines.join("; ");
}

std::optional<std::vector<Vec3>> pointsFromText(const QString& text) {
  static const QRegularExpression kBetween("[;\\n]+"), kNumbers("[,\\s]+");
  std::vector<Vec3> points;
  for (const QString& line : text.split(kBetween, Qt::SkipEmptyParts)) {
    const QStringList words = line.trimmed().split(kNumbers, Qt::SkipEmptyParts);
    if (words.isEmpty()) continue;
    if (words.size() != 3 || points.size() == kMostTypedPoints) return std::nullopt;
    Vec3 point;
    for (int a = 0; a < 3; ++a) {
      bool good = false;
      point[a] = words[a].toDouble(&good);
      if (!good || !std::isfinite(point[a])) return std::nullopt;
    }
    points.push_back(point);
  }
  if (points.empty()) return std::nullopt;
  return points;
}

void addPointFields(FieldMaker& make) {
  Field& points = make.add(tr("Seeds"), "seeds.points", tr("Points"), FieldKind::Text,
                           tr("x, y, z of each point, with a semicolon between points."));
  points.unit = tr("length");
  points.get = [](const Object& o) {
    return textOfPoints(seedsAs<session::PointSeeds>(const_cast<Object&>(o)).points);
  };
  points.set = [](Object& o, const QVariant& value) {
    if (auto all = pointsFromText(value.toString())) seedsAs<session::PointSeeds>(o).points = std::move(*all);
  };
  points.check = [](const QString& text) {
    return pointsFromText(text) ? QString() : tr("Write x, y, z; x, y, z; …");
  };
}

void addGridPointFields(FieldMaker& make, const FieldSurroundings& surroundings) {
  using Seeds = session::GridPointSeeds;
  const double blocks =
      surroundings.data ? static_cast<double>(surroundings.data->description.blocks.size()) : kMostSeeds;
  if (blocks > 1) {
    Field& block = addCount(make, "block", tr("Block"), tr("Number of the block, from 0."),
                            [](Object& o) -> std::int64_t& { return seedsAs<Seeds>(o).block; });
    block.least = 0;
    block.greatest = blocks - 1;
    block.byDefault = qlonglong{0};
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const QString letter(QChar("ijk"[axis]));
    Field& range = make.add(tr("Seeds"), "seeds.range." + letter, letter, FieldKind::Text,
                            tr("Nodes along this axis, from 0, such as “0 to last”, “2 to 10” or “5”."));
    range.byDefault = "0 to last";
    range.get = [axis](const Object& o) {
      return textOfRange(seedsAs<Seeds>(const_cast<Object&>(o)).range[axis]);
    };
    range.set = [axis](Object& o, const QVariant& value) {
      if (const auto nodes = rangeFromText(value.toString())) seedsAs<Seeds>(o).range[axis] = *nodes;
    };
    range.check = [](const QString& text) {
      return problemOfRange(text, tr("Write a node such as “0” or “last”, or “2 to 10”."));
    };
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Field& stride =
        addCount(make, QString("stride.") + "ijk"[axis], tr("Every … along %1").arg(QChar("ijk"[axis])),
                 tr("2 takes every other node, and so on."),
                 [axis](Object& o) -> std::int64_t& { return seedsAs<Seeds>(o).stride[axis]; });
    stride.byDefault = qlonglong{1};
  }
}

void addSpreadFields(FieldMaker& make) {
  using Seeds = session::SpreadSeeds;
  addCount(make, "count", tr("Seeds"), tr("How many, scattered over all blocks."),
           [](Object& o) -> std::int64_t& { return seedsAs<Seeds>(o).count; })
      .byDefault = qlonglong{kSpreadSeeds};
  Field& over = make.choice(
      tr("Seeds"), "seeds.over", tr("Dense"),
      tr("Everywhere alike, by the volume of cells; or where the grid is: at its nodes, of which most may "
         "lie at walls."));
  over.choices = {{"space", tr("Everywhere alike")}, {"nodes", tr("Where the grid is")}};
  over.byDefault = "space";
  over.get = [](const Object& o) {
    return QString(seedsAs<Seeds>(const_cast<Object&>(o)).over == Seeds::Over::Space ? "space" : "nodes");
  };
  over.set = [](Object& o, const QVariant& value) {
    seedsAs<Seeds>(o).over = value.toString() == "space" ? Seeds::Over::Space : Seeds::Over::Nodes;
  };
}

}  // namespace

void addSeedFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  const session::Seeds& seeds = *seedsIn(object);
  static const char* const kKinds[] = {"points", "line", "plane", "box", "grid-points", "spread"};
  Field& kind =
      make.choice(tr("Seeds"), "seeds.type", tr("Start from"),
                  tr("Where the lines start. Points, lines, planes and boxes can be dragged in the view."));
  kind.choices = {{"points", tr("Points")},
                  {"line", tr("Line")},
                  {"plane", tr("Plane")},
                  {"box", tr("Box")},
                  {"grid-points", tr("Grid points")},
                  {"spread", tr("All over the data")}};
  kind.byDefault = "line";
  kind.reshapes = true;
  kind.get = [](const Object& o) { return QString(kKinds[seedsOf(const_cast<Object&>(o)).index()]); };
  kind.set = [data = surroundings.data](Object& o, const QVariant& value) {
    const auto found = std::find(std::begin(kKinds), std::end(kKinds), value.toString());
    const auto index = static_cast<std::size_t>(found - std::begin(kKinds));
    if (index < std::size(kKinds) && index != seedsOf(o).index())
      seedsOf(o) = newSeeds(index, data ? *data : DataSummary{});
  };
  using namespace session;
  switch (seeds.index()) {
    case 0:
      return addPointFields(make);
    case 1:
      addVector(make, "from", tr("From"), tr("One end of the line; the first seed lies there."),
                [](Object& o) -> Vec3& { return seedsAs<LineSeeds>(o).from; });
      addVector(make, "to", tr("To"), tr("The other end; the last seed lies there."),
                [](Object& o) -> Vec3& { return seedsAs<LineSeeds>(o).to; });
      addCount(make, "count", tr("Seeds"), tr("How many, with equal distances."),
               [](Object& o) -> std::int64_t& { return seedsAs<LineSeeds>(o).count; })
          .byDefault = qlonglong{24};
      return;
    case 2:
      addVector(make, "origin", tr("Corner"), tr("A corner of the plane."),
                [](Object& o) -> Vec3& { return seedsAs<PlaneSeeds>(o).origin; });
      addVector(make, "axis1", tr("Side 1"), tr("From the corner along one side."),
                [](Object& o) -> Vec3& { return seedsAs<PlaneSeeds>(o).axis1; });
      addVector(make, "axis2", tr("Side 2"), tr("From the corner along the other side."),
                [](Object& o) -> Vec3& { return seedsAs<PlaneSeeds>(o).axis2; });
      for (std::size_t n = 0; n < 2; ++n)
        addCount(make, QString("counts.%1").arg(n), tr("Seeds along side %1").arg(n + 1), tr("How many."),
                 [n](Object& o) -> std::int64_t& { return seedsAs<PlaneSeeds>(o).counts[n]; })
            .byDefault = qlonglong{8};
      return;
    case 3:
      addVector(make, "min", tr("Least corner"), tr("The corner with the least x, y and z."),
                [](Object& o) -> Vec3& { return seedsAs<BoxSeeds>(o).min; });
      addVector(make, "max", tr("Greatest corner"), tr("The corner with the greatest x, y and z."),
                [](Object& o) -> Vec3& { return seedsAs<BoxSeeds>(o).max; });
      for (std::size_t n = 0; n < 3; ++n)
        addCount(make, QString("counts.%1").arg(n), tr("Seeds along %1").arg(QChar("xyz"[n])),
                 tr("How many."), [n](Object& o) -> std::int64_t& { return seedsAs<BoxSeeds>(o).counts[n]; })
            .byDefault = qlonglong{4};
      return;
    case 5:
      return addSpreadFields(make);
    default:
      return addGridPointFields(make, surroundings);
  }
}

void addIntegratorFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  const QString group = tr("Integration");
  const auto integrator = [](Object& o) -> session::Integrator& { return *integratorIn(o); };
  const session::Integrator& now = integrator(const_cast<Object&>(object));
  const session::Integrator usual;
  Field& method = make.choice(
      group, "integrator.method", tr("Method"),
      tr("Dormand–Prince chooses its steps by their error; Runge–Kutta takes steps of one length."));
  method.choices = {{"dopri5", tr("Dormand–Prince")}, {"rk4", tr("Runge–Kutta")}};
  method.byDefault = "dopri5";
  method.reshapes = true;
  method.get = [integrator](const Object& o) {
    return QString(integrator(const_cast<Object&>(o)).method == session::IntegratorMethod::Rk4 ? "rk4"
                                                                                               : "dopri5");
  };
  method.set = [integrator](Object& o, const QVariant& value) {
    integrator(o).method =
        value.toString() == "rk4" ? session::IntegratorMethod::Rk4 : session::IntegratorMethod::Dopri5;
  };
  const auto optional = [&](const char* key, const QString& label, const QString& unit, const QString& tip,
                            const QString& automatic, std::optional<double> session::Integrator::*member) {
    Field& field = make.number(group, QString("integrator.") + key, label, tip, 0, kHuge);
    field.leastExcluded = true;
    field.unit = unit;
    field.automatic = automatic;
    field.get = [integrator, member](const Object& o) {
      const std::optional<double>& value = integrator(const_cast<Object&>(o)).*member;
      return value ? QVariant(*value) : QVariant();
    };
    field.set = [integrator, member](Object& o, const QVariant& value) {
      integrator(o).*member = value.isValid() ? std::optional(value.toDouble()) : std::nullopt;
    };
    return &field;
  };
  if (now.method == session::IntegratorMethod::Dopri5) {
    optional("tolerance", tr("Tolerance"), tr("length"), tr("The largest error of a single step."),
             tr("1e-6 of the data's size"), &session::Integrator::tolerance);
  } else {
    Field& step = make.number(group, "integrator.step", tr("Step"), tr("The length of a step."), 0, 100);
    step.leastExcluded = true;
    step.unit = tr("cells");
    step.byDefault = usual.stepCells;
    step.get = [integrator](const Object& o) { return integrator(const_cast<Object&>(o)).stepCells; };
    step.set = [integrator](Object& o, const QVariant& value) { integrator(o).stepCells = value.toDouble(); };
  }
  Field* const length = optional("maxLength", tr("Longest line"), tr("length"),
                                 tr("Per direction. A line ends with the step that passes it."),
                                 tr("no limit"), &session::Integrator::maxLength);
  if (std::holds_alternative<session::Streamlines>(object.shape) && surroundings.data &&
      !surroundings.data->bounds.empty())
    length->byDefault = 3 * surroundings.data->bounds.diagonal();
  optional("maxTime", tr("Longest time"), tr("time"), tr("Per direction, of travel with the flow."),
           tr("no limit"), &session::Integrator::maxTime);
  Field& steps = make.integer(group, "integrator.maxSteps", tr("Most steps"), tr("Per direction."), 1, 1e9);
  steps.byDefault = qlonglong{20'000};
  steps.get = [integrator](const Object& o) {
    return QVariant::fromValue<qlonglong>(integrator(const_cast<Object&>(o)).maxSteps);
  };
  steps.set = [integrator](Object& o, const QVariant& value) { integrator(o).maxSteps = value.toLongLong(); };
}

QString textOfNumbers(const std::vector<std::int64_t>& numbers) {
  QStringList parts;
  for (std::size_t n = 0; n < numbers.size();) {
    std::size_t last = n;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (last > n + 1)
      parts.append(tr("%1 to %2").arg(numbers[n]).arg(numbers[last]));
    else
      for (std::size_t m = n; m <= last; ++m) parts.append(QString::number(numbers[m]));
    n = last + 1;
  }
  return parts.join(", ");
}

std::optional<std::vector<std::int64_t>> numbersFromText(const QString& text) {
  constexpr std::int64_t kMost = 1'000'000;
  static const QRegularExpression kPart("^(\\d{1,9})(\\s*(to|-|–|…|\\.\\.)\\s*(\\d{1,9}))?$");
  std::set<std::int64_t> numbers;
  QString plain = text;
  plain.replace(' ' + tr("to") + ' ', " to ");
  for (const QString& part : plain.split(QRegularExpression("[,;]"), Qt::SkipEmptyParts)) {
    if (part.trimmed().isEmpty()) continue;
    const auto match = kPart.match(part.trimmed());
    if (!match.hasMatch()) return std::nullopt;
    const std::int64_t first = match.captured(1).toLongLong();
    const std::int64_t last = match.captured(4).isEmpty() ? first : match.captured(4).toLongLong();
    if (last < first || last - first > kMost) return std::nullopt;
    for (std::int64_t n = first; n <= last; ++n) numbers.insert(n);
  }
  return std::vector<std::int64_t>(numbers.begin(), numbers.end());
}

}  // namespace farfield::app
