// The properties of surfaces: which nodes or which surface of the data, and the plane of a slice.

#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "app/first/first_objects.h"
#include "app/model/fields/field_maker.h"
#include "app/model/fields/known_values.h"
#include "core/base/float_digits.h"
#include "core/session/kinds/grid_surface/surface_sheets.h"

namespace farfield::app {
namespace {

using session::Object;

session::GridSurface& surfaceOf(Object& object) {
  return std::get<session::GridSurface>(object.shape);
}
const session::GridSurface& surfaceOf(const Object& object) {
  return std::get<session::GridSurface>(object.shape);
}
session::Slice& sliceOf(Object& object) {
  return std::get<session::Slice>(object.shape);
}
const session::Slice& sliceOf(const Object& object) {
  return std::get<session::Slice>(object.shape);
}

/// Every name once, with what is known beside it: "wall (12 sheets, from iblank)".
std::vector<std::pair<QString, QString>> surfacesOf(const DataSummary& data) {
  std::vector<std::pair<QString, QString>> choices;
  for (const paging::NamedSurface& surface : data.description.surfaces) {
    const QString name = QString::fromStdString(surface.name);
    if (!session::hasArea(data.description, surface) ||
        std::any_of(choices.begin(), choices.end(), [&](const auto& each) { return each.first == name; }))
      continue;
    const auto sheets = std::count_if(data.description.surfaces.begin(), data.description.surfaces.end(),
                                      [&](const auto& other) { return other.name == surface.name; });
    QStringList known;
    if (sheets > 1) known.append(tr("%1 sheets").arg(sheets));
    if (!surface.from.empty()) known.append(tr("from %1").arg(QString::fromStdString(surface.from)));
    choices.emplace_back(name, known.isEmpty() ? name : tr("%1 (%2)").arg(name, known.join(", ")));
  }
  return choices;
}

/// Whether the data have blocks with i, j, k.
bool hasIndices(const FieldSurroundings& surroundings) {
  if (!surroundings.data) return true;
  const auto& blocks = surroundings.data->description.blocks;
  return std::any_of(blocks.begin(), blocks.end(), [](const auto& each) { return !each.isUnstructured(); });
}

/// The nodes of the named surface, where one range of nodes has all of its sheets in their blocks; else of those sheets that have one in
/// common, as many nodes as any.
void beginByNumber(session::GridSurface& its, const std::string& name,
                   const paging::DatasetDescription& data) {
  struct Sheets {
    session::IndexRange3 range;
    std::set<std::int64_t> blocks;
    std::int64_t nodes = 0;
  };
  std::vector<Sheets> all;
  for (const paging::NamedSurface& surface : data.surfaces) {
    if (surface.name != name) continue;
    const paging::BlockDescription& block = data.blocks[static_cast<std::size_t>(surface.block)];
    session::IndexRange3 range;  // of an unstructured block its outer faces
    if (!block.isUnstructured())
      for (std::size_t a = 0; a < 3; ++a) {
        const std::int64_t first = surface.nodes.first[a], last = first + surface.nodes.size[a] - 1;
        const bool toEnd = last == block.dims[a] - 1 && last > 0;  // wherever that is
        range[a] = {toEnd && first == last ? -1 : first, toEnd ? -1 : last};
      }
    auto found =
        std::find_if(all.begin(), all.end(), [&](const Sheets& each) { return each.range == range; });
    if (found == all.end()) found = all.insert(all.end(), Sheets{range, {}, 0});
    found->blocks.insert(surface.block);
    found->nodes += product(surface.nodes.size);
  }
  if (all.empty()) return;
  const Sheets& most = *std::max_element(all.begin(), all.end(),
                                         [](const Sheets& a, const Sheets& b) { return a.nodes < b.nodes; });
  its.range = most.range;
  if (most.blocks.size() < data.blocks.size()) its.blocks = {most.blocks.begin(), most.blocks.end()};
}

void addSurfaceChoice(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  const std::string& present = surfaceOf(object).surface;
  std::vector<std::pair<QString, QString>> choices;
  if (surroundings.data) choices = surfacesOf(*surroundings.data);
  const QString now = QString::fromStdString(present);
  if (!present.empty() &&
      std::none_of(choices.begin(), choices.end(), [&](const auto& each) { return each.first == now; }))
    choices.emplace_back(now, now);
  if (choices.empty()) return;
  Field& field = make.choice(tr("Nodes"), "surface", tr("Surface"),
                             tr("A surface that the data give a name, such as a wall; or nodes by number."));
  field.choices = std::move(choices);
  field.choices.emplace_back(QString(),
                             hasIndices(surroundings) ? tr("By number of nodes") : tr("All outer faces"));
  field.reshapes = true;
  field.get = [](const Object& o) { return QString::fromStdString(surfaceOf(o).surface); };
  field.set = [data = surroundings.data](Object& o, const QVariant& value) {
    session::GridSurface& its = surfaceOf(o);
    const std::string name = value.toString().toStdString();
    if (name == its.surface) return;
    const std::string before = std::exchange(its, session::GridSurface{}).surface;
    its.surface = name;
    if (!name.empty() || !data) return;
    // By number one begins with the nodes that were shown.
    beginByNumber(its, before, data->description);
  };
}

/// "x", "y", "z" along an axis either way, "view" towards the eye, else empty.
QString directionOf(Vec3 normal, const std::optional<Vec3>& view) {
  const auto along = [&](Vec3 v) { return length(cross(normal, v)) <= 1e-9 * length(normal) * length(v); };
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 v;
    v[axis] = 1;
    if (along(v)) return QString(QChar("xyz"[axis]));
  }
  return view && along(*view) ? QStringLiteral("view") : QString();
}

/// The middle of an index in the largest block; 0 where nothing is known.
double middleOf(const std::shared_ptr<const DataSummary>& data, int axis) {
  std::int64_t nodes = 1;
  if (data)
    for (const paging::BlockDescription& block : data->description.blocks)
      if (!block.isUnstructured()) nodes = std::max(nodes, block.dims[static_cast<std::size_t>(axis)]);
  return 0.5 * static_cast<double>(nodes - 1);
}

/// What a slice is across: an axis, the line of sight, its own normal, or an index.
void addAcross(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  const std::optional<Vec3> view = surroundings.viewDirection;
  const auto wayOf = [view](const Object& o) {
    const auto& index = sliceOf(o).index;
    return index ? QString(QChar("ijk"[index->axis])) : directionOf(sliceOf(o).normal, view);
  };
  Field& across =
      make.choice(tr("Plane"), "across", tr("Across"),
                  tr("What the slice is at right angles to, or the index that is the same all over it."));
  across.choices = {{"x", tr("x axis")}, {"y", tr("y axis")}, {"z", tr("z axis")}};  // letters choose
  if (view) across.choices.emplace_back("view", tr("line of sight"));
  if (hasIndices(surroundings))
    for (const char* const letter : {"i", "j", "k"})
      across.choices.emplace_back(letter, tr("%1 (index)").arg(letter));
  if (wayOf(object).isEmpty()) across.choices.emplace_back(QString(), tr("own normal"));
  across.reshapes = true;
  across.get = wayOf;
  across.set = [view, wayOf, data = surroundings.data](Object& o, const QVariant& value) {
    const QString way = value.toString();
    if (way.isEmpty() || way == wayOf(o)) return;
    session::Slice& its = sliceOf(o);
    const int letter = way[0].unicode();
    if (way.size() == 1 && letter >= 'i' && letter <= 'k') {
      its = {};
      its.index = session::IndexSlice{letter - 'i', {middleOf(data, letter - 'i')}};
      return;
    }
    its.index.reset();
    if (way == "view") {
      its.normal = *view;
      return;
    }
    its.normal = {};
    its.normal[letter - 'x'] = 1;
  };
}

/// Where an index has a value, and of which blocks.
void addIndexFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  const QString group = tr("Plane");
  const session::IndexSlice& index = *sliceOf(object).index;
  const QString letter(QChar("ijk"[index.axis]));
  if (index.places.size() == 1) {
    Field& place = make.number(group, "index." + letter, letter,
                               tr("In cells from the first node, also between nodes. Negative: from the end, "
                                  "-1 is the last node."),
                               0, 0);
    const double middle = middleOf(surroundings.data, index.axis);
    if (middle > 0) place.slider = {0, 2 * middle};
    place.byDefault = middle;
    place.get = [](const Object& o) { return sliceOf(o).index->places.front(); };
    place.set = [](Object& o, const QVariant& value) { sliceOf(o).index->places = {value.toDouble()}; };
  }
  Field& places = make.add(group, "index.list", tr("Places"), FieldKind::Text,
                           tr("One surface for each, such as “0, 12.5, -1”."));
  places.reshapes = true;
  places.get = [](const Object& o) { return textOfValues(sliceOf(o).index->places); };
  places.set = [](Object& o, const QVariant& value) {
    std::vector<double>& its = sliceOf(o).index->places;
    if (auto numbers = valuesFromText(value.toString(), its)) its = std::move(*numbers);
  };
  places.check = [](const QString& text) {
    return valuesFromText(text) ? QString() : tr("Write numbers such as “0, 12.5, -1”.");
  };
  addBlockField(make, group, surroundings,
                [](Object& o) -> std::vector<std::int64_t>& { return sliceOf(o).index->blocks; });
}

}  // namespace

namespace {

QString textOfValue(double value) {
  return QString::number(withFloatDigits(value), 'g', 10);
}

}  // namespace

QString textOfValues(const std::vector<double>& values) {
  QStringList texts;
  for (const double each : values) texts.append(textOfValue(each));
  return texts.join(", ");
}

std::optional<std::vector<double>> valuesFromText(const QString& text, const std::vector<double>& before) {
  constexpr qsizetype kMost = 1000;
  std::vector<double> values;
  const QStringList parts = text.split(QRegularExpression("[,;\\s]+"), Qt::SkipEmptyParts);
  for (const QString& part : parts) {
    bool good = false;
    const auto known =
        std::find_if(before.begin(), before.end(), [&](double value) { return textOfValue(value) == part; });
    values.push_back(known == before.end() ? part.toDouble(&good) : *known);
    good = good || known != before.end();
    if (!good || !std::isfinite(values.back())) return std::nullopt;
  }
  if (values.empty() || parts.size() > kMost) return std::nullopt;
  return values;
}

std::vector<std::pair<QString, QString>> named(const std::vector<std::string>& values) {
  std::vector<std::pair<QString, QString>> choices;
  choices.reserve(values.size());
  for (const std::string& value : values)
    choices.emplace_back(QString::fromStdString(value), QString::fromStdString(value));
  return choices;
}

std::vector<std::string> including(std::vector<std::string> names, const std::string& present) {
  if (!present.empty() && std::find(names.begin(), names.end(), present) == names.end())
    names.insert(names.begin(), present);
  return names;
}

void addBlockField(FieldMaker& make, const QString& group, const FieldSurroundings& surroundings,
                   const std::function<std::vector<std::int64_t>&(Object&)>& place) {
  if (surroundings.data && surroundings.data->description.blocks.size() < 2) return;
  Field& blocks =
      make.add(group, "blocks", tr("Blocks"), FieldKind::Blocks,
               tr("Which blocks are shown: in the list, or by their numbers, such as “0, 2 to 5”. "
                  "Empty: all."));
  blocks.automatic = tr("all");
  if (surroundings.data)
    for (const paging::BlockDescription& block : surroundings.data->description.blocks) {
      const QString number = QString::number(blocks.choices.size());
      blocks.choices.emplace_back(number, block.isUnstructured() ? tr("%1, unstructured").arg(number)
                                                                 : QStringLiteral("%1: %2 × %3 × %4")
                                                                       .arg(number)
                                                                       .arg(block.dims[0])
                                                                       .arg(block.dims[1])
                                                                       .arg(block.dims[2]));
    }
  blocks.get = [place](const Object& o) {
    const std::vector<std::int64_t>& numbers = place(const_cast<Object&>(o));
    return numbers.empty() ? QVariant() : QVariant(textOfNumbers(numbers));
  };
  blocks.set = [place](Object& o, const QVariant& value) {
    place(o) = numbersFromText(value.toString()).value_or(std::vector<std::int64_t>{});
  };
  blocks.check = [](const QString& text) {
    return numbersFromText(text) ? QString() : tr("Write numbers such as “0, 2 to 5”.");
  };
}

namespace {

/// The axis along which a surface has one node, where it is a whole sheet of its blocks.
std::optional<std::size_t> sheetAxis(const session::GridSurface& surface) {
  std::optional<std::size_t> found;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const session::IndexRange& range = surface.range[axis];
    if (range.first == range.last) {
      if (found) return std::nullopt;
      found = axis;
    } else if (range != session::IndexRange{}) {
      return std::nullopt;
    }
  }
  return found;
}

/// The most nodes that a chosen block has along `axis`; 0 where it is not known.
std::int64_t mostNodes(const session::GridSurface& surface, const DataSummary* data, std::size_t axis) {
  std::int64_t most = 0;
  if (!data) return 0;
  const auto& blocks = data->description.blocks;
  for (std::size_t n = 0; n < blocks.size(); ++n)
    if (!blocks[n].isUnstructured() &&
        (surface.blocks.empty() || std::find(surface.blocks.begin(), surface.blocks.end(),
                                             static_cast<std::int64_t>(n)) != surface.blocks.end()))
      most = std::max(most, blocks[n].dims[axis]);
  return most;
}

/// Which sheet of nodes, by hand.
void addSheetFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  Field& face =
      make.choice(tr("Nodes"), "face", tr("Sheet"),
                  tr("Nodes of one index along an axis of the grid; or the outer faces of the blocks."));
  face.choices = {
      {"i", tr("across i")}, {"j", tr("across j")}, {"k", tr("across k")}, {"all", tr("All outer faces")}};
  const auto nameOf = [](const session::GridSurface& its) {
    const auto axis = sheetAxis(its);
    if (axis) return QString(QChar("ijk"[*axis]));
    return its.range == session::IndexRange3{} ? QStringLiteral("all") : QString();
  };
  if (nameOf(surfaceOf(object)).isEmpty()) face.choices.emplace_back(QString(), tr("By ranges"));
  face.byDefault = "k";
  face.reshapes = true;
  face.get = [nameOf](const Object& o) { return nameOf(surfaceOf(o)); };
  face.set = [nameOf](Object& o, const QVariant& value) {
    const QString wanted = value.toString();
    session::GridSurface& its = surfaceOf(o);
    if (wanted.isEmpty() || wanted == nameOf(its)) return;
    its.range = {};
    if (wanted != "all") its.range[static_cast<std::size_t>(wanted[0].unicode() - 'i')] = {0, 0};
  };
  const auto axis = sheetAxis(surfaceOf(object));
  if (!axis) return;
  const std::int64_t most = mostNodes(surfaceOf(object), surroundings.data.get(), *axis);
  if (most < 1) return;
  Field& node =
      make.integer(tr("Nodes"), "face.node", tr("Node"),
                   tr("Along %1, from 0; the last is where the slider ends.").arg(QChar("ijk"[*axis])), 0,
                   static_cast<double>(most - 1));
  node.slider = {0.0, static_cast<double>(most - 1)};
  node.byDefault = QVariant::fromValue<qlonglong>(0);
  node.get = [axis = *axis, most](const Object& o) {
    const std::int64_t at = surfaceOf(o).range[axis].first;
    return QVariant::fromValue<qlonglong>(at < 0 ? most + at : at);
  };
  node.set = [axis = *axis, most](Object& o, const QVariant& value) {
    const auto at = static_cast<std::int64_t>(value.toLongLong());
    // The last of each block, where they differ.
    surfaceOf(o).range[axis] = at >= most - 1 ? session::IndexRange{-1, -1} : session::IndexRange{at, at};
  };
}

}  // namespace

void addSurfaceFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  addSurfaceChoice(make, object, surroundings);
  if (!surfaceOf(object).surface.empty()) return;  // it has nodes of its own
  const QString group = tr("Nodes");
  addBlockField(make, group, surroundings,
                [](Object& o) -> std::vector<std::int64_t>& { return surfaceOf(o).blocks; });
  if (!hasIndices(surroundings)) return;  // the outer faces
  addSheetFields(make, object, surroundings);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const QString letter(QChar("ijk"[axis]));
    Field& range = make.add(
        group, "range." + letter, letter, FieldKind::Text,
        tr("Nodes along this axis, from 0: one (“0” or “last”) gives a sheet, “2 to 10” a part. Three "
           "ranges give the faces of the box."));
    range.byDefault = axis == 2 ? "0" : "0 to last";
    range.get = [axis](const Object& o) { return textOfRange(surfaceOf(o).range[axis]); };
    range.set = [axis](Object& o, const QVariant& value) {
      if (const auto nodes = rangeFromText(value.toString())) surfaceOf(o).range[axis] = *nodes;
    };
    range.check = [](const QString& text) {
      return problemOfRange(text, tr("Write a node such as “0” or “last”, or “2 to 10”."));
    };
  }
}

void addOverlapsField(FieldMaker& make, const QString& group, const Object& object,
                      const FieldSurroundings& surroundings, const std::function<bool&(Object&)>& place) {
  const auto resolves = [place](Object o) { return place(o); };
  const bool severalBlocks = surroundings.data && surroundings.data->description.blocks.size() > 1;
  if (!severalBlocks && !resolves(object)) return;
  Field& overlaps = make.choice(
      group, "overlaps", tr("Overlaps"),
      tr("Where blocks overlap: all of them, or the one in which a point is found, so that each place is shown once."));
  overlaps.choices = {{"all", tr("All blocks")}, {"resolved", tr("One block")}};
  overlaps.byDefault = "all";
  overlaps.get = [resolves](const Object& o) { return resolves(o) ? "resolved" : "all"; };
  overlaps.set = [place](Object& o, const QVariant& value) { place(o) = value.toString() == "resolved"; };
}

void addSliceFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  const QString group = tr("Plane");
  addAcross(make, object, surroundings);
  if (sliceOf(object).index) return addIndexFields(make, object, surroundings);
  const Vec3 middle =
      surroundings.data && !surroundings.data->bounds.empty() ? surroundings.data->bounds.center() : Vec3{};
  Field& origin = make.add(group, "origin", tr("Through"), FieldKind::Vector,
                           tr("A point of the plane. Drag the plane in the view along its normal."));
  origin.unit = tr("length");
  origin.byDefault = QVariant::fromValue(middle);
  origin.get = [middle](const Object& o) { return QVariant::fromValue(sliceOf(o).origin.value_or(middle)); };
  origin.set = [](Object& o, const QVariant& value) { sliceOf(o).origin = value.value<Vec3>(); };

  Field& offsets = make.add(
      group, "offsets", tr("Offsets"), FieldKind::Text,
      tr("Of several parallel planes: how far along the normal from the point, such as “-1, 0, 1”."));
  offsets.unit = tr("length");
  offsets.automatic = tr("one plane");
  offsets.get = [](const Object& o) {
    const std::vector<double>& values = sliceOf(o).offsets;
    return values.empty() ? QVariant() : QVariant(textOfValues(values));
  };
  offsets.set = [](Object& o, const QVariant& value) {
    std::vector<double>& its = sliceOf(o).offsets;
    its = valuesFromText(value.toString(), its).value_or(std::vector<double>{});
  };
  offsets.check = [](const QString& text) {
    return text.isEmpty() || valuesFromText(text) ? QString() : tr("Write numbers such as “-1, 0, 1”.");
  };

  Field& normal =
      make.add(group, "normal", tr("Normal"), FieldKind::Vector,
               tr("Of any length. Drag the tip of the arrow in the view to turn it; with Shift it "
                  "keeps to the axes."));
  normal.get = [](const Object& o) { return QVariant::fromValue(sliceOf(o).normal); };
  normal.set = [](Object& o, const QVariant& value) {
    const auto wanted = value.value<Vec3>();
    if (length(wanted) > 0 && std::isfinite(length(wanted))) sliceOf(o).normal = wanted;
  };
  normal.demand = tr("A direction is needed: not all three are 0.");
  addOverlapsField(make, group, object, surroundings,
                   [](Object& o) -> bool& { return sliceOf(o).resolvesOverlaps; });
}

void addIsosurfaceFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  const QString group = tr("Surface");
  const session::Isosurface& surface = std::get<session::Isosurface>(object.shape);
  const auto its = [](Object& o) -> session::Isosurface& { return std::get<session::Isosurface>(o.shape); };
  const auto constIts = [](const Object& o) -> const session::Isosurface& {
    return std::get<session::Isosurface>(o.shape);
  };
  Field& by =
      make.choice(group, "by", tr("Of"), tr("The function that has the value everywhere on the surface."));
  std::vector<std::string> scalars;
  if (surroundings.data) scalars = scalarsToChoose(*surroundings.data);
  by.choices = named(including(scalars, surface.by));
  by.check = checkOfFunction(surroundings, 1);
  by.byDefault = surroundings.data ? QString::fromStdString(usualScalar(*surroundings.data)) : QString();
  by.reshapes = true;
  by.get = [constIts](const Object& o) { return QString::fromStdString(constIts(o).by); };
  by.set = [its, data = surroundings.data](Object& o, const QVariant& value) {
    const std::string name = value.toString().toStdString();
    if (name == its(o).by) return;
    its(o).by = name;
    // A value of the other function means nothing to this one.
    if (const auto usual = data ? usualValue(*data, name) : std::nullopt) its(o).values = {*usual};
  };
  auto range = knownValues(surroundings, surface.by);
  if (range && !((*range)[0] < (*range)[1])) range.reset();  // of one value there is nothing to slide over
  if (!surface.values.empty()) {
    // One that was typed, but not so far off that all others would be at the slider's end.
    const double value = surface.values.front(), far = range ? (*range)[1] - (*range)[0] : 0;
    if (range && value >= (*range)[0] - far && value <= (*range)[1] + far)
      range = {std::min((*range)[0], value), std::max((*range)[1], value)};
    Field& field = make.number(group, "value", tr("Value"),
                               tr("Of the function on the surface; of several, on the first. The slider goes "
                                  "over the values that are known."),
                               0, 0);
    field.slider = range;
    if (range) field.byDefault = usualValue(*surroundings.data, surface.by).value_or(middleOf(*range));
    field.get = [constIts](const Object& o) { return constIts(o).values.front(); };
    field.set = [its](Object& o, const QVariant& v) { its(o).values.front() = v.toDouble(); };
  }
  if (surroundings.data) {
    Field& known = make.add(
        group, "value.known", tr("Known values"), FieldKind::Information,
        tr("Of the function, in all of the data and all steps. While they are looked through, and of data that are too large "
           "or too far away for that: at the nodes that were looked at and of what has been shown. The slider goes over them."));
    known.get = [text = knownValuesText(surroundings, surface.by)](const Object&) { return text; };
  }
  Field& values = make.add(group, "value.list", tr("Values"), FieldKind::Text,
                           tr("One surface for each, such as “0.2, 0.5, 1e3”."));
  values.get = [constIts](const Object& o) { return textOfValues(constIts(o).values); };
  values.set = [its](Object& o, const QVariant& value) {
    std::vector<double>& all = its(o).values;
    if (auto numbers = valuesFromText(value.toString(), all)) all = std::move(*numbers);
  };
  values.check = [](const QString& text) {
    return valuesFromText(text) ? QString() : tr("Write numbers such as “0.2, 0.5”.");
  };
  addOverlapsField(make, group, object, surroundings,
                   [its](Object& o) -> bool& { return its(o).resolvesOverlaps; });
}

}  // namespace farfield::app
