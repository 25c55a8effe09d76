// The declared properties of objects: each reads back what was written, stays within the session file's
// rules, and knows its default.

#include <QTest>
#include <QVariant>
#include <set>

#include "app/first/first_objects.h"
#include "app/first/first_places.h"
#include "app/model/document/volume_looks.h"
#include "app/model/fields/object_fields.h"
#include "app/model/fields/window_kinds.h"
#include "core/session/json/session_json.h"
#include "tests/gui/model/tried_fields.h"

using namespace farfield;
using namespace farfield::app;
using namespace farfield::test;

class TestObjectFields : public QObject {
  Q_OBJECT
 private slots:
  void valuesComeBack();
  void everythingIsSaid();
  void defaultsAreValid();
  void changedSeedsFitTheData();
  void surfacesOfTheData();
  void meshesAreSeenFromOutside();
  void planesOfSlices();
  void valuesOfIsosurfaces();
  void surfacesOfVolumesBeginInTheMiddle();
  void ribbonsAreWideEnoughToBeSeen();
  void ribbonsAreSeenWhereAxesAreStretched();
  void tubesAreSeenAsTubes();
  void arrowsAreSpacedAsTheyAreSeen();
  void presetsGoWithTheirMode();
  void ranges_data();
  void ranges();
  void placesKeepTheirSteps();
  void badTexts();
};

void TestObjectFields::valuesComeBack() {
  for (const session::Object& object : objects()) {
    for (const Field& field : fieldsOf(object, surroundings())) {
      for (const QVariant& value : valuesFor(field)) {
        session::Object changed = object;
        field.set(changed, value);
        const QVariant back = field.get(changed);
        QVERIFY2(back == value,
                 qPrintable(field.key + ": " + value.toString() + " became " + back.toString()));
        // What a property can be set to can be saved and opened again, unless it leaves the object half set.
        if (field.kind == FieldKind::Choice && field.key == "data") continue;
        session::Session session;
        session.data = {{"flow", {"sample://abc"}, {}, {}, {}}};
        session.objects = {changed};
        const session::Session again = session::parseSession(session::toJson(session));
        QCOMPARE(again.objects.size(), 1u);
        QVERIFY2(again.objects[0] == changed || field.kind == FieldKind::Color, qPrintable(field.key));
      }
      if (field.automatic.isEmpty()) continue;
      session::Object changed = object;
      field.set(changed, QVariant());
      QVERIFY2(!field.get(changed).isValid(), qPrintable(field.key));
    }
  }
}

void TestObjectFields::everythingIsSaid() {
  for (const session::Object& object : objects()) {
    std::set<QString> keys;
    for (const Field& field : fieldsOf(object, surroundings())) {
      QVERIFY2(!field.label.isEmpty() && !field.tip.isEmpty() && !field.group.isEmpty(),
               qPrintable(field.key));
      QVERIFY2(keys.insert(field.key).second, qPrintable(field.key + " is there twice"));
      QVERIFY(field.get);
      if (field.kind != FieldKind::Information) QVERIFY(field.set);
      if (field.kind == FieldKind::Choice) {
        const auto has = [&](const QVariant& value) {
          return std::any_of(field.choices.begin(), field.choices.end(),
                             [&](const auto& choice) { return choice.first == value.toString(); });
        };
        QVERIFY2(has(field.get(object)), qPrintable(field.key + " is set to what cannot be chosen"));
      }
      if (field.kind == FieldKind::Map)
        QVERIFY(std::find(field.maps.begin(), field.maps.end(),
                          field.get(object).value<scene::MapChoice>()) != field.maps.end());
    }
  }
}

void TestObjectFields::defaultsAreValid() {
  for (const session::Object& object : objects()) {
    for (const Field& field : fieldsOf(object, surroundings())) {
      if (!field.byDefault.isValid()) continue;
      session::Object changed = object;
      field.set(changed, field.byDefault);
      QVERIFY2(field.get(changed) == field.byDefault, qPrintable(field.key));
    }
  }
}

void TestObjectFields::changedSeedsFitTheData() {
  session::Object object = objects()[4];
  for (const char* kind : {"line", "plane", "box", "grid-points", "spread", "points"}) {
    for (const Field& field : fieldsOf(object, surroundings()))
      if (field.key == "seeds.type") field.set(object, QString(kind));
    const auto& seeds = std::get<session::Streamlines>(object.shape).seeds;
    if (const auto* line = std::get_if<session::LineSeeds>(&seeds))
      QVERIFY(surroundings().data->bounds.contains(line->from) &&
              surroundings().data->bounds.contains(line->to));
    if (const auto* spread = std::get_if<session::SpreadSeeds>(&seeds)) {
      QVERIFY(spread->over == session::SpreadSeeds::Over::Space);
      for (const Field& field : fieldsOf(object, surroundings()))
        if (field.key == "seeds.over") field.set(object, QString("nodes"));
      QVERIFY(spread->over == session::SpreadSeeds::Over::Nodes);
    }
    QVERIFY(!fieldsOf(object, surroundings()).empty());
  }
  // The same kind once more changes nothing.
  const session::Object before = object;
  for (const Field& field : fieldsOf(object, surroundings()))
    if (field.key == "seeds.type") field.set(object, QString("points"));
  QCOMPARE(object, before);
}

const Field& fieldIn(const std::vector<Field>& fields, const char* key) {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.key == key; });
  static const Field kNone;
  return found == fields.end() ? kNone : *found;
}

void TestObjectFields::surfacesOfTheData() {
  const FieldSurroundings its = surroundings();
  session::Object object = newObject(session::kTypeOf<session::GridSurface>, *its.data, "flow");
  auto& surface = std::get<session::GridSurface>(object.shape);
  QCOMPARE(surface.surface, "wall");  // before a sheet that is nothing in particular
  // Also where only its name, or a condition of another program, says that it is one.
  for (const auto& [name, kind] : {std::pair("Wing wall", ""), std::pair("wing", "BCWallViscous")}) {
    auto data = std::make_shared<DataSummary>(*its.data);
    data->description.surfaces = {{"inlet", 0, {{0, 0, 0}, {20, 30, 1}}, "BCInflow", "ZoneBC"},
                                  {name, 0, {{0, 0, 9}, {20, 30, 1}}, kind, "ZoneBC"}};
    const session::Object named = newObject(session::kTypeOf<session::GridSurface>, *data, "flow");
    QCOMPARE(std::get<session::GridSurface>(named.shape).surface, std::string(name));
    QVERIFY(isWall(named, *data));
  }
  // The edge of a sheet has no area: it is not offered.
  auto flat = std::make_shared<DataSummary>(*its.data);
  flat->description.surfaces = {{"bc-1-wall", 0, {{0, 0, 0}, {20, 1, 1}}, "BCWall", "ZoneBC"},
                                {"bc-6", 0, {{0, 0, 0}, {20, 30, 1}}, "", "ZoneBC"}};
  const session::Object drawn = newObject(session::kTypeOf<session::GridSurface>, *flat, "flow");
  QCOMPARE(std::get<session::GridSurface>(drawn.shape).surface, std::string("bc-6"));
  FieldSurroundings ofFlat = its;
  ofFlat.data = flat;
  QCOMPARE(fieldIn(fieldsOf(drawn, ofFlat), "surface").choices.front().first, QString("bc-6"));
  std::vector<Field> fields = fieldsOf(object, its);
  const Field choice = fieldIn(fields, "surface");
  QCOMPARE(choice.choices.size(), 3u);
  QCOMPARE(choice.choices[0].second, QString("wall (2 sheets, from iblank)"));
  QCOMPARE(choice.choices[1].second, QString("inflow (from wing.fvbnd)"));
  // Its nodes are its own.
  QVERIFY(fieldIn(fields, "range.i").key.isEmpty() && fieldIn(fields, "blocks").key.isEmpty());
  choice.set(object, QString("inflow"));
  QVERIFY((surface == session::GridSurface{{}, {}, "inflow"}));
  // By number one begins with what was shown.
  choice.set(object, QString());
  QVERIFY((surface == session::GridSurface{{0}, {{{0, 0}, {0, -1}, {0, -1}}}, {}}));
  fields = fieldsOf(object, its);
  QCOMPARE(fieldIn(fields, "range.j").get(object).toString(), QString("0 to last"));
  // In all of its blocks, where that are the same nodes of each; else where it is largest.
  surface = {{}, {}, "wall"};
  choice.set(object, QString());
  QVERIFY((surface == session::GridSurface{{1, 2}, {{{0, -1}, {0, -1}, {0, 0}}}, {}}));
  {
    auto data = std::make_shared<DataSummary>(*its.data);
    data->description.surfaces = {{"shell", 0, {{0, 0, 0}, {3, 30, 1}}, {}, {}},
                                  {"shell", 0, {{0, 0, 9}, {20, 30, 1}}, {}, {}},
                                  {"shell", 1, {{0, 0, 10}, {20, 30, 1}}, {}, {}},
                                  {"shell", 2, {{0, 0, 11}, {20, 30, 1}}, {}, {}}};
    FieldSurroundings others = its;
    others.data = data;
    surface = {{}, {}, "shell"};
    fieldIn(fieldsOf(object, others), "surface").set(object, QString());
    QVERIFY((surface == session::GridSurface{{}, {{{0, -1}, {0, -1}, {-1, -1}}}, {}}));
  }
  // What a session names is offered, also where the data do not have it; without any there is no choice.
  surface.surface = "nozzle";
  QCOMPARE(fieldIn(fieldsOf(object, its), "surface").choices.size(), 4u);
  FieldSurroundings plain = its;
  auto data = std::make_shared<DataSummary>(*its.data);
  data->description.surfaces.clear();
  plain.data = data;
  object = newObject(session::kTypeOf<session::GridSurface>, *data, "flow");
  QVERIFY(fieldIn(fieldsOf(object, plain), "surface").key.isEmpty());
  QVERIFY((std::get<session::GridSurface>(object.shape).range[2] == session::IndexRange{0, 0}));
}

void TestObjectFields::meshesAreSeenFromOutside() {
  DataSummary mesh;
  mesh.description.times = {0};
  mesh.bounds.add(Vec3{0, 0, 0});
  mesh.bounds.add(Vec3{1, 2, 3});
  paging::BlockDescription block;
  block.kind = paging::GridKind::Unstructured;
  block.dims = {100, 1, 1};
  mesh.description.blocks = {block};
  mesh.functions = {{"GlobalNodeId", 0, 1, {}}, {"DISPL", 0, 3, {}}, {"EQPS", 0, 1, {}}};
  QCOMPARE(usualScalar(mesh), std::string("EQPS"));
  std::vector<session::Object> first = firstObjects(mesh, "can");
  QCOMPARE(first.size(), std::size_t(2));
  QVERIFY(first[1].type() == session::kTypeOf<session::GridSurface>);
  QCOMPARE(first[1].color.by, std::string("EQPS"));
  // There are no indices to choose by.
  FieldSurroundings around = surroundings();
  session::Object outside = first[1];
  std::get<session::GridSurface>(outside.shape).surface.clear();
  mesh.description.surfaces = {{"inlet", 0, {{0, 0, 0}, {12, 1, 1}}, {}, {}}};
  around.data = std::make_shared<DataSummary>(mesh);
  const std::vector<Field> fields = fieldsOf(outside, around);
  const Field surface = fieldIn(fields, "surface");
  QCOMPARE(surface.choices.back().second, QString("All outer faces"));
  surface.set(outside, QString("inlet"));
  surface.set(outside, QString());
  QVERIFY(std::get<session::GridSurface>(outside.shape).range == session::IndexRange3{});
  for (const char* const key : {"face", "face.node", "range.i", "range.j", "range.k"})
    QVERIFY2(fieldIn(fields, key).key.isEmpty(), key);
  // In a flow its lines say more.
  mesh.functions.push_back({"velocity", 0, 3, {}});
  first = firstObjects(mesh, "can");
  QVERIFY(first[1].type() == session::kTypeOf<session::Streamlines>);
}

void TestObjectFields::planesOfSlices() {
  const FieldSurroundings its = surroundings();
  session::Object object = newObject(session::kTypeOf<session::Slice>, *its.data, "flow");
  auto& slice = std::get<session::Slice>(object.shape);
  // The data are 5 x 7 x 9: across x, through the middle.
  QVERIFY(slice.origin == (Vec3{1.5, 1.5, 1.5}) && slice.normal == (Vec3{1, 0, 0}));
  const Field across = fieldIn(fieldsOf(object, its), "across");
  QCOMPARE(across.get(object).toString(), QString("x"));
  // three axes, the line of sight, and three indices
  QCOMPARE(across.choices.size(), 7u);
  across.set(object, QString("z"));
  QVERIFY(slice.normal == (Vec3{0, 0, 1}));
  slice.normal = {0, -2, 0};  // either way
  QCOMPARE(across.get(object).toString(), QString("y"));
  across.set(object, QString("y"));
  QVERIFY(slice.normal == (Vec3{0, -2, 0}));
  across.set(object, QString("view"));
  QVERIFY(slice.normal == *its.viewDirection);
  slice.normal = {1, 2, 3};
  QCOMPARE(across.get(object).toString(), QString());
  QCOMPARE(fieldIn(fieldsOf(object, its), "across").choices.size(), 8u);
  // A normal has a direction.
  const Field normal = fieldIn(fieldsOf(object, its), "normal");
  normal.set(object, QVariant::fromValue(Vec3{0, 0, 0}));
  QVERIFY(slice.normal == (Vec3{1, 2, 3}));
  // Flat data are not cut along their plane.
  DataSummary flat;
  flat.bounds.add(Vec3{0, 0, 1});
  flat.bounds.add(Vec3{4, 2, 1});
  QVERIFY(newSlice(flat).normal == (Vec3{0, 1, 0}));
}

void TestObjectFields::valuesOfIsosurfaces() {
  FieldSurroundings its = surroundings();
  auto data = std::make_shared<DataSummary>(*its.data);
  data->ranges = {{"density", {0.5, 2.5}}};
  data->seenRanges = {{"pressure", {-4, 4}}};
  its.data = data;
  session::Object object = newObject(session::kTypeOf<session::Isosurface>, *data, "flow");
  const auto& surface = std::get<session::Isosurface>(object.shape);
  QCOMPARE(surface.by, "pressure");
  QCOMPARE(surface.values, std::vector<double>{0});
  const auto fieldOf = [&](const char* key) -> std::optional<Field> {
    for (const Field& field : fieldsOf(object, its))
      if (field.key == key) return field;
    return std::nullopt;
  };
  QVERIFY((fieldOf("value")->slider == std::array<double, 2>{-4, 4}));
  // Another function has other values.
  fieldOf("by")->set(object, "density");
  QCOMPARE(surface.values, std::vector<double>{1.5});
  QVERIFY((fieldOf("value")->slider == std::array<double, 2>{0.5, 2.5}));
  // Beyond the slider is allowed; of several values the slider has the first.
  fieldOf("value")->set(object, 7.0);
  QCOMPARE(surface.values, std::vector<double>{7});
  fieldOf("value.list")->set(object, "1, 2;3");
  QCOMPARE(surface.values, (std::vector<double>{1, 2, 3}));
  QCOMPARE(fieldOf("value")->get(object).toDouble(), 1);
  fieldOf("value")->set(object, 0.5);
  QCOMPARE(surface.values, (std::vector<double>{0.5, 2, 3}));
  for (const char* wrong : {"", "a", "1, b", "nan", "1e999"})
    QVERIFY(!fieldOf("value.list")->check(wrong).isEmpty());
}

/// As those of their own do, also where no more is known than what was seen of the data.
void TestObjectFields::surfacesOfVolumesBeginInTheMiddle() {
  FieldSurroundings its = surroundings();
  auto data = std::make_shared<DataSummary>(*its.data);
  data->seenRanges = {{"density", {0, 250}}};
  its.data = data;
  session::Object object = newObject(session::kTypeOf<session::Volume>, *data, "flow");
  object.color.by = "density";
  const auto fieldOf = [&](const char* key) -> std::optional<Field> {
    for (const Field& field : fieldsOf(object, its))
      if (field.key == key) return field;
    return std::nullopt;
  };
  fieldOf("mode")->set(object, "isosurface");
  QCOMPARE(std::get<session::Volume>(object.shape).look.value, 125.0);
  QVERIFY((fieldOf("value")->slider == std::array<double, 2>{0, 250}));
}

/// Chosen in the window they are wide enough for their twist to be seen, unless somebody has said how wide.
void TestObjectFields::ribbonsAreWideEnoughToBeSeen() {
  const FieldSurroundings its = surroundings();
  session::Object object = newObject(session::kTypeOf<session::Streamlines>, *its.data, "flow");
  const auto& radius = std::get<session::Streamlines>(object.shape).radius.constant;
  const auto choose = [&](const char* key, const QVariant& value) {
    for (const Field& field : fieldsOf(object, its))
      if (field.key == key) return field.set(object, value);
    QFAIL(key);
  };
  choose("as", "ribbons");
  const double share = radius.value_or(0) / its.data->bounds.diagonal();
  QVERIFY2(share > 0.0099 && share < 0.0101, qPrintable(QString::number(share)));
  choose("as", "particles");
  QVERIFY(!radius);
  choose("as", "ribbons");
  QVERIFY(radius);
  choose("as", "lines");
  QVERIFY(!radius);
  choose("as", "tubes");
  choose("radius", 0.3);
  choose("as", "ribbons");
  choose("as", "arrows");
  QCOMPARE(radius, std::optional(0.3));
}

/// Those of an ocean lie level: that depths are seen 200 times as great makes them no narrower. Nor are they wider than all of it where it
/// is what lies upright that is made shorter. Tubes are as high as depths are.
void TestObjectFields::ribbonsAreSeenWhereAxesAreStretched() {
  FieldSurroundings its = surroundings();
  auto data = std::make_shared<DataSummary>(*its.data);
  data->bounds = {};
  data->bounds.add(Vec3{0, 0, 0});
  data->bounds.add(Vec3{14, 12, 0.06});
  its.data = data;
  session::Object object = newObject(session::kTypeOf<session::Streamlines>, *its.data, "flow");
  auto& lines = std::get<session::Streamlines>(object.shape);
  const auto choose = [&](const char* key, const QVariant& value) {
    for (const Field& field : fieldsOf(object, its))
      if (field.key == key) return field.set(object, value);
    QFAIL(key);
  };
  const auto isNear = [](double is, double wanted) { return std::abs(is - wanted) < 0.02 * wanted; };
  const auto radiusOf = [&](const char* form) {
    lines = session::Streamlines{};
    choose("as", form);
    return lines.radius.constant.value_or(0);
  };
  const double size = std::hypot(14, 12, 12);
  its.viewStretch = {1, 1, 200};
  QVERIFY2(isNear(radiusOf("ribbons"), 0.01 * size), qPrintable(QString::number(radiusOf("ribbons"))));
  radiusOf("ribbons");
  choose("radius.by", "pressure");
  QVERIFY(isNear(lines.radius.range[0], 0.005 * size) && isNear(lines.radius.range[1], 0.02 * size));
  QVERIFY(radiusOf("tubes") < 0.01 * size / 200);
  data->bounds = {};
  data->bounds.add(Vec3{0, 0, 0});
  data->bounds.add(Vec3{14, 12, 12000});
  its.viewStretch = {1, 1, 0.001};
  QVERIFY2(isNear(radiusOf("ribbons"), 0.01 * size), qPrintable(QString::number(radiusOf("ribbons"))));
}

/// Of a size that suits the lines themselves, and never thinner than they were in a view of all the data, 300 pixels wide. As they are
/// seen where the axes are stretched.
void TestObjectFields::tubesAreSeenAsTubes() {
  FieldSurroundings its = surroundings();
  session::Object object = newObject(session::kTypeOf<session::Streamlines>, *its.data, "flow");
  auto& lines = std::get<session::Streamlines>(object.shape);
  const auto field = [&](const char* key) {
    const std::vector<Field> fields = fieldsOf(object, its);
    return *std::find_if(fields.begin(), fields.end(), [key](const Field& f) { return f.key == key; });
  };
  const auto isNear = [](double is, double wanted) { return std::abs(is - wanted) < 0.01 * wanted; };
  const double data = its.data->bounds.diagonal();
  its.shown.add(Vec3{0, 0, 0});
  its.shown.add(Vec3{4, 0, 3});
  field("as").set(object, "tubes");
  QVERIFY(isNear(lines.radius.constant.value(), 0.0075 * 5));
  QVERIFY(field("radius").byDefault == lines.radius.constant.value());
  // Lines that take up little of the data, and thick ones.
  field("as").set(object, "lines");
  its.shown = {};
  its.shown.add(Vec3{0, 0, 0});
  its.shown.add(Vec3{0.1, 0, 0});
  field("as").set(object, "tubes");
  QVERIFY(isNear(lines.radius.constant.value(), 0.75 * data / 300));
  field("as").set(object, "lines");
  lines.widthPixels = 6;
  field("as").set(object, "arrows");
  QVERIFY(isNear(lines.radius.constant.value(), 3 * data / 300));
  // By a function they begin no thinner either.
  field("radius.by").set(object, "pressure");
  QVERIFY(lines.radius.range[0] >= 0.99 * 3 * data / 300 && lines.radius.range[1] > lines.radius.range[0]);
  field("radius.by").set(object, "");
  QVERIFY(isNear(lines.radius.constant.value(), 3 * data / 300));
  // A thousand times as deep as wide, and seen as a cube: not wider than all of it.
  lines = session::Streamlines{};
  its.viewStretch = {1, 1, 0.001};
  its.shown = {};
  its.shown.add(Vec3{0, 0, 0});
  its.shown.add(Vec3{4, 0, 3000});
  field("as").set(object, "tubes");
  QVERIFY(isNear(lines.radius.constant.value(), 0.0075 * 5));
}

void TestObjectFields::arrowsAreSpacedAsTheyAreSeen() {
  FieldSurroundings its = surroundings();
  session::Object arrows = newObject(session::kTypeOf<session::Arrows>, *its.data, "flow");
  const auto seen = [&] {
    const std::vector<Field> fields = fieldsOf(arrows, its);
    return *std::find_if(fields.begin(), fields.end(),
                         [](const Field& f) { return f.key == "spacing.onScreen"; });
  };
  seen().set(arrows, 40);
  QCOMPARE(std::get<session::Arrows>(arrows.shape).spacing.value(), 0.4);
  // seen from twice as near, the same arrows are twice as far apart
  its.pixelLength = 0.005;
  QCOMPARE(seen().get(arrows).toDouble(), 80.0);
  seen().set(arrows, {});
  QVERIFY(!std::get<session::Arrows>(arrows.shape).spacing && !seen().get(arrows).isValid());
}

/// What was chosen for what rays showed goes where they show something else; what was drawn by hand stays.
void TestObjectFields::presetsGoWithTheirMode() {
  const FieldSurroundings its = surroundings();
  session::Object object = newObject(session::kTypeOf<session::Volume>, *its.data, "flow");
  session::Volume& volume = *volumeIn(object);
  const auto choose = [&](const char* mode) {
    for (const Field& field : fieldsOf(object, its))
      if (field.key == "mode") return field.set(object, QString(mode));
  };
  const auto isAutomatic = [&] { return !volume.preset && volume.look.opacity.empty(); };
  volume.preset = 1;
  // A surface has none, and it is there again afterwards.
  choose("isosurface");
  choose("composite");
  QVERIFY(volume.preset == std::size_t{1});
  choose("maximum");
  QVERIFY(isAutomatic());
  // Points that were made from one.
  const std::vector<scene::OpacityPoint> points{{0, 0}, {1, 1}};
  volume.preset = 0, volume.look.opacity = points;
  choose("maximum");
  QVERIFY(volume.preset && volume.look.opacity == points);
  choose("average");
  QVERIFY(isAutomatic());
  volume.look.opacity = points;
  for (const char* const mode : {"composite", "maximum", "isosurface", "average"}) choose(mode);
  QVERIFY(volume.look.opacity == points);
  // Most values are small: opacities that are great there are a box.
  const scene::VolumeHistogram values{.range = {0, 1}, .counts = {970, 10, 10, 10}};
  QVERIFY(!isAllOpaque(volume.look, values));
  volume.look.opacity = {{0.2, 1}, {0.3, 0}};
  QVERIFY(isAllOpaque(volume.look, values));
  volume.look.mode = scene::VolumeMode::Isosurface;
  QVERIFY(!isAllOpaque(volume.look, values));
}

void TestObjectFields::ranges_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<int>("first");
  QTest::addColumn<int>("last");
  QTest::newRow("one") << "3" << 3 << 3;
  QTest::newRow("last") << "last" << -1 << -1;
  QTest::newRow("from the end") << "last - 2" << -3 << -3;
  QTest::newRow("to") << "2 to 10" << 2 << 10;
  QTest::newRow("dots") << "2..10" << 2 << 10;
  QTest::newRow("colon") << "2:last" << 2 << -1;
  QTest::newRow("hyphen") << "2-10" << 2 << 10;
  QTest::newRow("all") << "all" << 0 << -1;
  QTest::newRow("both from the end") << "last-4 to last-1" << -5 << -2;
  QTest::newRow("negative") << "-1" << -1 << -1;
}

void TestObjectFields::ranges() {
  QFETCH(QString, text);
  QFETCH(int, first);
  QFETCH(int, last);
  const auto range = rangeFromText(text);
  QVERIFY(range.has_value());
  QCOMPARE(range->first, first);
  QCOMPARE(range->last, last);
  const auto again = rangeFromText(textOfRange(*range));
  QVERIFY(again && *again == *range);
}

/// Of probes that go with a body: each from the step at which its numbers are where it lies.
void TestObjectFields::placesKeepTheirSteps() {
  FieldSurroundings shown = surroundings();
  auto data = std::make_shared<DataSummary>(*shown.data);
  data->description.times = {0, 1, 2, 3, 4, 5, 6, 7};
  shown.data = data;
  shown.step = 7;
  session::Object object = newObject(session::kTypeOf<session::Probe>, *data, "flow");
  auto& probe = std::get<session::Probe>(object.shape);
  const auto steps = [&](const char* text) {
    probe.points = {{1, 2, 3}, {1.0 / 3, 5, 6}, {7, 8, 9}};
    probe.goesFrom = {0, 5, 3};
    for (const Field& field : fieldsOf(object, shown))
      if (field.key == "points") field.set(object, QString(text));
    return probe.goesFrom;
  };
  using Steps = std::vector<std::int64_t>;
  QCOMPARE(steps("0.333333333 5 6; 7 8 9"), (Steps{5, 3}));
  QCOMPARE(steps("1 2 3; 7 8 9"), (Steps{0, 3}));
  QCOMPARE(steps("7 8 9; 1 2 3; 0.333333333 5 6"), (Steps{3, 0, 5}));
  QCOMPARE(steps("1 2 3; 0.333333333 5 6; 7 8 9; 4 4 4"), (Steps{0, 5, 3, 7}));
  QCOMPARE(steps("4 4 4; 1 2 3; 0.333333333 5 6; 7 8 9"), (Steps{7, 0, 5, 3}));
  QCOMPARE(steps("1 2 3; 0.5 5 6; 7 8 9"), (Steps{0, 5, 3}));
  QCOMPARE(steps("nonsense"), (Steps{0, 5, 3}));
  // Without a choice there is nothing to keep.
  probe.goesFrom.clear();
  for (const Field& field : fieldsOf(object, shown))
    if (field.key == "points") field.set(object, QString("1 2 3; 4 5 6"));
  QVERIFY(probe.goesFrom.empty());
}

void TestObjectFields::badTexts() {
  for (const char* text : {"", "x", "1 to", "to 3", "last+1", "1.5", "2 to 3 to 4"})
    QVERIFY2(!rangeFromText(text), text);
  for (const session::Object& object : objects())
    for (const Field& field : fieldsOf(object, surroundings())) {
      if (field.kind != FieldKind::Text && field.kind != FieldKind::Blocks) continue;
      QVERIFY2(!field.check("nonsense").isEmpty(), qPrintable(field.key));
      session::Object changed = object;
      for (const QVariant& good : valuesFor(field))
        QVERIFY2(field.check(good.toString()).isEmpty(), qPrintable(field.key));
      if (field.key == "blocks") continue;
      field.set(changed, QString("nonsense"));  // refused; nothing happens
      QCOMPARE(changed, object);
    }
}

QTEST_APPLESS_MAIN(TestObjectFields)
#include "tst_object_fields.moc"
