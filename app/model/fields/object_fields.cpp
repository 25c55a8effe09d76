#include "app/model/fields/object_fields.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/first/first_objects.h"
#include "app/first/usual_vector.h"
#include "app/model/document/line_shapes.h"
#include "app/model/document/session_maps.h"
#include "app/model/fields/field_maker.h"
#include "app/model/fields/window_kinds.h"
#include "core/scene/camera.h"
#include "core/session/json/range_order.h"

namespace farfield::app {
namespace {

using session::Object;

constexpr std::array<const char*, 3> kLightings{"off", "soft", "full"};

void addLightingField(FieldMaker& make, const Object& object) {
  Field& lighting = make.choice(
      tr("Colour"), "lighting", tr("Light"),
      tr("Off: the colours of the legend everywhere. Soft: these where the surface faces you, a little darker "
         "where it turns away. Full: bright and dark sides. The hue is that of the legend in any case."));
  lighting.choices = {{"off", tr("Off")}, {"soft", tr("Soft")}, {"full", tr("Full")}};
  const auto nameOf = [](scene::Lighting its) {
    return QString::fromLatin1(kLightings[static_cast<std::size_t>(its)]);
  };
  lighting.byDefault = nameOf(session::usualLighting(object.shape));
  lighting.get = [nameOf](const Object& o) {
    return nameOf(o.lighting.value_or(session::usualLighting(o.shape)));
  };
  lighting.set = [](Object& o, const QVariant& value) {
    const auto found = std::find(kLightings.begin(), kLightings.end(), value.toString().toStdString());
    if (found == kLightings.end()) return;
    o.lighting = static_cast<scene::Lighting>(found - kLightings.begin());
    if (o.lighting == session::usualLighting(o.shape)) o.lighting.reset();
  };
}

}  // namespace

QString tr(const char* text) {
  return QCoreApplication::translate("ObjectFields", text);
}

void addStretchField(FieldMaker& make, const QString& group, const QString& tip, const Object& object,
                     const FieldSurroundings& surroundings) {
  const Vec3 view = surroundings.viewStretch;
  if (view == scene::kUnstretched && *stretchIn(object) == scene::kUnstretched) return;
  Field& seen = make.flag(group, "stretch", tr("Even as seen"), tip);
  seen.byDefault = view != scene::kUnstretched;
  seen.reshapes = true;
  seen.get = [](const Object& o) { return *stretchIn(o) != scene::kUnstretched; };
  seen.set = [view](Object& o, const QVariant& value) {
    *stretchIn(o) = value.toBool() ? view : scene::kUnstretched;
  };
}

void addVectorField(FieldMaker& make, const QString& group, const QString& tip, const Object& object,
                    const FieldSurroundings& surroundings) {
  const auto textOf = [](const std::vector<std::string>& names) {
    QStringList all;
    for (const std::string& name : names) all.append(QString::fromStdString(name));
    return all.join(", ");
  };
  Field& vector =
      make.choice(group, "vector", tr("Vector"),
                  tip + ' ' + tr("One of the data, or three functions or expressions with commas between."));
  std::vector<std::string> known;
  if (surroundings.data) {
    known = vectorFunctions(*surroundings.data);
    // three functions that are named as the parts of one
    if (const auto usual = usualVector(*surroundings.data); usual.size() == 3)
      known.push_back(textOf(usual).toStdString());
  }
  // what lies on a wall may show what has values there
  const session::OnSurface* const on = session::surfaceUnder(object);
  if (surroundings.data && on && std::holds_alternative<session::GridSurface>(on->shape))
    for (std::string& name : wallVectors(*surroundings.data)) known.push_back(std::move(name));
  vector.choices = named(including(known, textOf(*vectorIn(object)).toStdString()));
  const std::vector<std::string> usual =
      surroundings.data ? usualVector(*surroundings.data) : std::vector<std::string>{};
  vector.byDefault = usual.empty() ? QStringLiteral("velocity") : textOf(usual);
  vector.check = checkOfFunction(surroundings, 3);
  vector.get = [textOf](const Object& o) { return textOf(*vectorIn(o)); };
  vector.set = [](Object& o, const QVariant& value) {
    std::vector<std::string>& names = *vectorIn(o);
    names.clear();
    for (const QString& part : partsOfVector(value.toString())) names.push_back(part.trimmed().toStdString());
    if (names.size() != 3) names = {value.toString().trimmed().toStdString()};
  };
}

void addColorFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings,
                    const ColorUse& use) {
  const QString group = tr("Colour");
  if (use.byFunction) {
    Field& by = make.choice(group, "color.by", tr("Colour by"), tr("The function that the colours follow."));
    by.choices.emplace_back(QString(), tr("One colour"));
    std::vector<std::string> scalars;
    if (surroundings.data) scalars = scalarsToChoose(*surroundings.data);
    scalars.insert(scalars.begin(), use.own.begin(), use.own.end());
    for (auto& choice : named(including(scalars, object.color.by))) by.choices.push_back(std::move(choice));
    by.check = [check = checkOfFunction(surroundings, 1)](const QString& text) {
      return text.isEmpty() ? QString() : check(text);
    };
    by.byDefault = surroundings.data ? QString::fromStdString(usualScalar(*surroundings.data)) : QString();
    by.get = [](const Object& o) { return QString::fromStdString(o.color.by); };
    by.set = [usual = use.solid](Object& o, const QVariant& value) {
      const std::string name = value.toString().toStdString();
      if (name != o.color.by) o.color.range.reset();  // of values of another function
      o.color.by = name;
      const scene::Rgba unused = session::Coloring{}.solid;
      if (o.color.by.empty() && o.color.solid == unused) o.color.solid = usual;
      if (!o.color.by.empty() && o.color.solid == usual) o.color.solid = unused;
    };
    by.reshapes = true;
  }
  if (object.color.by.empty()) {
    Field& solid = make.add(group, "color", tr("Colour"), FieldKind::Color, tr("The colour of all of it."));
    solid.byDefault = textOfColor(use.solid);
    solid.get = [](const Object& o) { return textOfColor(o.color.solid); };
    solid.set = [](Object& o, const QVariant& value) {
      o.color.solid = colorFromText(value.toString());
      // Whoever chooses a colour wants to see that one.
      if (auto* const lines = std::get_if<session::Isolines>(&o.shape)) lines->contrast = false;
    };
  } else {
    Field& map = make.add(group, "color.map", tr("Map"), FieldKind::Map,
                          tr("The colours from the least value to the greatest."));
    map.maps = surroundings.colorMaps;
    if (const scene::MapChoice its = plainMap(object.color.map);
        std::find(map.maps.begin(), map.maps.end(), its) == map.maps.end())
      map.maps.push_back(its);
    map.byDefault = QVariant::fromValue(scene::MapChoice{});
    map.get = [](const Object& o) { return QVariant::fromValue(plainMap(o.color.map)); };
    map.set = [](Object& o, const QVariant& value) {
      const auto chosen = value.value<scene::MapChoice>();
      o.color.map.name = chosen.name;
      o.color.map.points = chosen.points;
    };
    Field& range = make.add(group, "color.range", tr("Range"), FieldKind::Interval,
                            tr("The values at the two ends of the map, for all objects with these colours. "
                               "Automatic: those of what is shown."));
    range.automatic = tr("of what is shown");
    range.get = [](const Object& o) {
      return o.color.range ? QVariant(QVariantList{(*o.color.range)[0], (*o.color.range)[1]}) : QVariant();
    };
    range.set = [](Object& o, const QVariant& value) {
      const QVariantList ends = value.toList();
      if (o.color.logarithmic && ends.size() == 2 && !(ends[1].toDouble() > 0)) return;
      o.color.range.reset();
      if (ends.size() == 2) o.color.range = {{ends[0].toDouble(), ends[1].toDouble()}};
    };
    range.demand = tr("A logarithmic range has to reach above 0.");
    Field& log =
        make.flag(group, "color.log", tr("Logarithmic"),
                  tr("Equal steps of colour for equal factors. Values of 0 and less are shown as below the "
                     "range."));
    log.byDefault = false;
    log.get = [](const Object& o) { return o.color.logarithmic; };
    log.set = [](Object& o, const QVariant& value) {
      o.color.logarithmic = value.toBool();
      // Nothing of it would have a logarithm.
      if (o.color.logarithmic && o.color.range && !((*o.color.range)[1] > 0)) o.color.range.reset();
    };
  }
  if (session::isSurface(object)) {
    Field& edges =
        make.flag(group, "edges", tr("Edges of cells"), tr("The mesh, as lines over the surface."));
    edges.byDefault = false;
    edges.get = [](const Object& o) { return o.edges; };
    edges.set = [](Object& o, const QVariant& value) { o.edges = value.toBool(); };
  }
  if (surroundings.isCut) {
    Field& clipped = make.flag(group, "clipped", tr("Cut away"),
                               tr("With what else is cut away of the picture. Off: all of it stays."));
    clipped.byDefault = true;
    clipped.get = [](const Object& o) { return o.clipped; };
    clipped.set = [](Object& o, const QVariant& value) { o.clipped = value.toBool(); };
  }
  if (object.type() != session::kTypeOf<session::Volume> &&
      object.type() != session::kTypeOf<session::Slabs> && object.type() != session::kTypeOf<session::Probe>)
    addLightingField(make, object);
  Field& opacity =
      make.number(group, "opacity", tr("Opacity"), tr("1 hides what is behind it, 0 cannot be seen."), 0, 1);
  opacity.byDefault = 1.0;
  opacity.get = [](const Object& o) { return o.opacity; };
  opacity.set = [](Object& o, const QVariant& value) { o.opacity = value.toDouble(); };
}

void addWidthField(FieldMaker& make, const QString& group, double byDefault,
                   const std::function<double&(Object&)>& place) {
  Field& width = make.number(group, "width", tr("Line width"), tr("Of lines as they are drawn."), 0, 100);
  width.leastExcluded = true;
  width.unit = tr("px");
  width.byDefault = byDefault;
  width.get = [place](const Object& o) { return place(const_cast<Object&>(o)); };
  width.set = [place](Object& o, const QVariant& value) { place(o) = value.toDouble(); };
}

void addLineFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  const auto linesOf = [](const Object& o) -> session::Streamlines& {
    return std::get<session::Streamlines>(const_cast<Object&>(o).shape);
  };
  addVectorField(make, tr("Flow"), tr("The vector that the lines follow."), object, surroundings);
  Field& direction = make.choice(tr("Flow"), "direction", tr("Direction"),
                                 tr("From the seeds with the flow, against it, or both."));
  direction.choices = {{"both", tr("Both")}, {"forward", tr("Forward")}, {"backward", tr("Backward")}};
  direction.byDefault = "both";
  direction.get = [linesOf](const Object& o) {
    static const char* const kNames[] = {"both", "forward", "backward"};
    return QString(kNames[static_cast<int>(linesOf(o).direction)]);
  };
  direction.set = [linesOf](Object& o, const QVariant& value) {
    const QString name = value.toString();
    linesOf(o).direction = name == "forward"    ? session::Direction::Forward
                           : name == "backward" ? session::Direction::Backward
                                                : session::Direction::Both;
  };
  addSeedFields(make, object, surroundings);
  addSpacingField(make);
  addIntegratorFields(make, object, surroundings);
}

void addParticleFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  addVectorField(make, tr("Flow"), tr("The vector that the lines follow."), object, surroundings);
  addSeedFields(make, object, surroundings);
  addReleaseFields(make, object, surroundings);
  addIntegratorFields(make, object, surroundings);
  addBetweenField(make, object, surroundings);
}

std::vector<Field> fieldsOf(const Object& object, const FieldSurroundings& surroundings) {
  FieldMaker make;
  if (surroundings.dataNames.size() > 1) {
    Field& data = make.choice(tr("Object"), "data", tr("Data"), tr("What it shows."));
    data.choices = named(including(surroundings.dataNames, object.data));
    data.byDefault = QString::fromStdString(surroundings.dataNames.front());
    data.get = [](const Object& o) { return QString::fromStdString(o.data); };
    data.set = [](Object& o, const QVariant& value) { o.data = value.toString().toStdString(); };
    data.reshapes = true;
  }
  const WindowKind kind = windowKind(object.type());
  if (kind.addFields)
    kind.addFields(make, object, surroundings);
  else
    addColorFields(make, object, surroundings, {});
  return make.take();
}

QString textOfRange(const session::IndexRange& range) {
  const auto one = [](std::int64_t index) {
    if (index == -1) return tr("last");
    return index < 0 ? tr("last") + QString::number(index + 1) : QString::number(index);
  };
  return range.first == range.last ? one(range.first) : tr("%1 to %2").arg(one(range.first), one(range.last));
}

namespace {

constexpr qlonglong kMostIndex = qlonglong{1} << 53;

/// As it is written, whichever way it runs.
std::optional<session::IndexRange> writtenRange(const QString& text) {
  static const QRegularExpression kOne("^(last|end)?\\s*([-+]?\\s*\\d+)?$",
                                       QRegularExpression::CaseInsensitiveOption);
  const auto one = [](QString word) -> std::optional<std::int64_t> {
    word = word.trimmed();
    word.replace(tr("last"), "last");
    const auto match = kOne.match(word);
    if (word.isEmpty() || !match.hasMatch()) return std::nullopt;
    const bool fromEnd = !match.captured(1).isEmpty();
    const QString digits = match.captured(2).remove(' ');
    bool good = digits.isEmpty();
    const qlonglong number = good ? 0 : digits.toLongLong(&good);
    if (!good || number > kMostIndex || number < -kMostIndex) return std::nullopt;  // no data have as many
    if (!fromEnd) return number;
    if (number > 0) return std::nullopt;  // behind the last
    return -1 + number;
  };
  QString plain = text.trimmed();
  plain.replace(' ' + tr("to") + ' ', " to ");
  if (plain == tr("all") || plain == "all") return session::IndexRange{};
  // "last - 3" is one node; it is tried first.
  if (const auto only = one(plain)) return session::IndexRange{*only, *only};
  // Words and dots before hyphens, which may also stand for "minus".
  static const QRegularExpression kBetween[] = {QRegularExpression("\\s+to\\s+"),
                                                QRegularExpression("\\s*(\\.\\.|…|:)\\s*"),
                                                QRegularExpression("(?<=[0-9a-z])\\s*[-–]\\s*(?=[0-9l])")};
  for (const QRegularExpression& between : kBetween) {
    const auto match = between.match(plain);
    if (!match.hasMatch()) continue;
    const auto first = one(plain.left(match.capturedStart())), last = one(plain.mid(match.capturedEnd()));
    if (!first || !last) return std::nullopt;
    return session::IndexRange{*first, *last};
  }
  return std::nullopt;
}

}  // namespace

std::optional<session::IndexRange> rangeFromText(const QString& text) {
  const auto range = writtenRange(text);
  if (range && session::runsBackwards(*range)) return std::nullopt;
  return range;
}

QString problemOfRange(const QString& text, const QString& demand) {
  const auto range = writtenRange(text);
  if (!range) return demand;
  if (!session::runsBackwards(*range)) return {};
  return tr("The last comes before the first: write “%1”.").arg(textOfRange({range->last, range->first}));
}

QString textOfColor(const scene::Rgba& color) {
  const auto byte = [](float part) {
    return static_cast<int>(std::lround(std::clamp(part, 0.0f, 1.0f) * 255));
  };
  return QString::asprintf("#%02x%02x%02x", byte(color[0]), byte(color[1]), byte(color[2]));
}

scene::Rgba colorFromText(const QString& text) {
  scene::Rgba color{0, 0, 0, 1};
  for (int n = 0; n < 3; ++n)
    color[static_cast<std::size_t>(n)] =
        static_cast<float>(text.mid(1 + 2 * n, 2).toInt(nullptr, 16)) / 255.0f;
  return color;
}

}  // namespace farfield::app
