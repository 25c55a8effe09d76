// What is shown first of data, and what can be: objects that can be computed, of functions that are worth a look.

#include <QTest>

#include <cmath>

#include "app/first/first_objects.h"
#include "app/first/first_places.h"
#include "app/first/first_view.h"
#include "app/first/usual_vector.h"
#include "app/model/document/document.h"
#include "app/model/document/surface_beginnings.h"
#include "app/model/fields/other_data.h"
#include "app/model/fields/window_kinds.h"
#include "app/model/files/place.h"
#include "core/fields/functions/vector_parts.h"
#include "core/paging/arranging/flat_mesh.h"
#include "core/session/json/session_json.h"
#include "core/session/kinds/slabs/slabs_run.h"
#include "core/session/run/object_run.h"
#include "tests/gui/model/theatre.h"

using namespace farfield;
using namespace farfield::app;
using namespace farfield::test;

class TestFirstObjects : public QObject {
  Q_OBJECT
 private slots:
  void firstObjectsCanBeComputed_data();
  void firstObjectsCanBeComputed();
  void whatARendererHasIsShown();
  void flatDataAreSeenFromAbove();
  void axesOfOtherUnitsAreStretched();
  void firstObjectsSuitTheData();
  void numbersOfNodesAreNotShownFirst();
  void masksAreNotShownFirst();
  void masksOfOceansAreNotShownFirst();
  void isolinesAreOfTheColorsOfTheirSurface();
  void whatIsConstantIsNotShownFirst();
  void vectorsAreSeenByTheirLength();
  void chosenValuesHaveFewDigits();
  void vectorsAreFoundByTheirParts();
  void isosurfacesAreOfWhatIsSmooth();
  void linesSuitTheSizeOfTheirSurface();
  void sheetsHaveNoInside();
  void gridsAloneHaveNoFunctions();
  void whatNobodyChoseSuitsOtherData();
};

void TestFirstObjects::firstObjectsCanBeComputed_data() {
  QTest::addColumn<QString>("sample");
  for (const char* name : {"tornado?size=17", "abc?size=17", "taylor-green?size=17", "cylinder?size=33,17,5",
                           "cylinder?size=17,17,9&blocks=7", "marschner-lobb?size=17", "turbulence?size=17"})
    QTest::newRow(name) << QString("sample://") + name;
}

void TestFirstObjects::firstObjectsCanBeComputed() {
  QFETCH(QString, sample);
  Theatre theatre;
  theatre.document.edit("Open", [&](Draft& draft) {
    draft.frame().data.push_back({"flow", {sample.toStdString()}, {}, {}, {}});
  });
  QTRY_VERIFY_WITH_TIMEOUT(theatre.stage.summary("flow") != nullptr, kPatienceMs);
  const DataSummary& data = *theatre.stage.summary("flow");
  std::vector<session::Object> objects = firstObjects(data, "flow");
  QVERIFY(objects.size() >= 2);
  QVERIFY(objects[0].type() == session::kTypeOf<session::Outline>);
  // A scalar alone is seen as a volume, though its gradient is a vector; casting it is the window's.
  const bool isScalar = sample.contains("marschner-lobb");
  QCOMPARE(objects[1].type() == session::kTypeOf<session::Volume>, isScalar);
  if (isScalar) objects.pop_back();
  // Those that can be added must be computable, too, with every kind of seeds.
  using session::ObjectType;
  for (const ObjectType type : {session::kTypeOf<session::GridSurface>, session::kTypeOf<session::Outline>})
    objects.push_back(newObject(type, data, "flow"));
  if (!vectorFunctions(data).empty())
    for (std::size_t kind = 0; kind < std::variant_size_v<session::Seeds>; ++kind) {
      session::Object lines = newObject(session::kTypeOf<session::Streamlines>, data, "flow");
      auto& shape = std::get<session::Streamlines>(lines.shape);
      shape.seeds = newSeeds(kind, data);
      QCOMPARE(shape.seeds.index(), kind);
      shape.integrator.maxSteps = 500;
      objects.push_back(lines);
    }
  std::vector<ObjectId> ids;
  theatre.document.edit("Add", [&](Draft& draft) {
    for (const session::Object& object : objects) ids.push_back(draft.add(object));
  });
  for (const ObjectId id : ids) {
    QTRY_VERIFY_WITH_TIMEOUT(
        theatre.stateOf(id) == ObjectState::Done || theatre.stateOf(id) == ObjectState::Failed, kPatienceMs);
    const ObjectStatus status = theatre.stage.status(id);
    QVERIFY2(status.state == ObjectState::Done,
             (theatre.document.object(id)->name + ": " + status.problem.message).c_str());
  }
  // What opens by itself shows something: most of the seeds lie in the data.
  if (!vectorFunctions(data).empty() && !isScalar) {
    const session::ObjectStats stats = theatre.stage.status(ids[1]).stats;
    const auto outside = stats.terminations.find("seed-outside");
    QVERIFY(stats.count >= 20);
    QVERIFY(outside == stats.terminations.end() || outside->second < stats.count / 2);
    // And they show all of the data, however many blocks there are.
    const Vec3 seen = theatre.stage.status(ids[1]).bounds.max - theatre.stage.status(ids[1]).bounds.min;
    const Vec3 size = data.bounds.max - data.bounds.min;
    QVERIFY(seen.x > 0.6 * size.x && seen.y > 0.6 * size.y);
    QVERIFY(seen.z > 0.45 * size.z);  // few nodes, none on faces, and some flows stay in their plane
  }
  // And all of it can be saved.
  QCOMPARE(session::parseSession(session::toJson(theatre.document.session())).objects.size(), objects.size());
}

void TestFirstObjects::whatARendererHasIsShown() {
  DataSummary data;
  data.description.attributes[session::kRendererAttribute] = "slab://cluster:4790";
  data.description.attributes[session::kRendererFunctions] = "pressure\nvelocity-magnitude";
  const std::vector<session::Object> objects = firstObjects(data, "run");
  QCOMPARE(objects.size(), 2u);
  QVERIFY(objects[1].type() == session::kTypeOf<session::Slabs>);
  QCOMPARE(objects[1].color.by, std::string("velocity-magnitude"));
  QCOMPARE(objects[1].data, std::string("run"));
  QVERIFY(std::get<session::Slabs>(objects[1].shape).source.empty());  // that of the data
  for (const WindowKind& kind : windowKinds())
    QCOMPARE(canAdd(kind, data), kind.type == session::kTypeOf<session::Outline>);
  const Place place("slab://cluster:4790");
  QVERIFY2(place.canBeOpened() && !place.canBeListed(), qPrintable(place.problem()));
  QCOMPARE(place.toKeep(), "slab://cluster:4790");
  QVERIFY(!Place("slab://cluster:4790/path").canBeOpened());
  QVERIFY(!Place("slab://").problem().isEmpty());
}

void TestFirstObjects::flatDataAreSeenFromAbove() {
  DataSummary data;
  QVERIFY(!firstView(data));
  data.bounds.add(Vec3{-1, -1, 2});
  data.bounds.add(Vec3{5, 3, 2});
  QVERIFY(firstView(data) && firstView(data)->direction == (Vec3{0, 0, 1}));
  data.bounds.add(Vec3{0, 0, 3});
  QVERIFY(!firstView(data));
  // Whichever way they lie.
  DataSummary upright;
  upright.bounds.add(Vec3{0, 2, 0});
  upright.bounds.add(Vec3{5, 2, 3});
  QVERIFY(firstView(upright) && firstView(upright)->direction == (Vec3{0, -1, 0}));
  DataSummary across;
  across.bounds.add(Vec3{4, 0, 0});
  across.bounds.add(Vec3{4, 2, 3});
  QVERIFY(firstView(across) && firstView(across)->direction == (Vec3{1, 0, 0}));
}

/// Depths in metres over degrees have no proportions; of one unit, what is long is left as it is.
void TestFirstObjects::axesOfOtherUnitsAreStretched() {
  DataSummary ocean;
  ocean.description.blocks.emplace_back().dims = {360, 180, 20};
  ocean.bounds.add(Vec3{20.5, -89.5, -5000});
  ocean.bounds.add(Vec3{379.5, 89.5, 0});
  QVERIFY(!unevenSides(ocean, ocean.bounds) && !firstView(ocean));
  auto& said = ocean.description.attributes;
  said = {{"axisUnits.x", "degrees_east"}, {"axisUnits.y", "degrees_north"}, {"axisUnits.z", "METERS"}};
  const auto sides = unevenSides(ocean, ocean.bounds);
  QVERIFY(sides && sides->longest == 2 && sides->shortest == 1 && sides->differ());
  QCOMPARE(sides->shortestUnits, std::string("degrees"));
  session::AutoCamera view;
  view.stretch = {1, 1, 0.04};
  QVERIFY(firstView(ocean) == view);
  // degrees to the east are as long as those to the north
  ocean.bounds = {};
  ocean.bounds.add(Vec3{0, 0, 0});
  ocean.bounds.add(Vec3{60, 1, 10});
  QVERIFY(unevenSides(ocean, ocean.bounds) && !unevenSides(ocean, ocean.bounds)->differ());
  QVERIFY(!firstView(ocean));
  // as far apart as is seen well
  ocean.bounds = {};
  ocean.bounds.add(Vec3{0, 0, 0});
  ocean.bounds.add(Vec3{5, 4, 1});
  QVERIFY(!unevenSides(ocean, ocean.bounds));
}

/// What is shown first can be shown: no surface of a row of nodes, no lines in a sheet that has no places, none of what is no flow.
void TestFirstObjects::firstObjectsSuitTheData() {
  using session::ObjectType;
  const auto firstOf = [](Index3 dims, const char* vector) {
    DataSummary data;
    data.bounds.add(Vec3{0, 0, 0});
    data.bounds.add(Vec3{1, 1, 1});
    paging::BlockDescription block;
    block.kind = paging::GridKind::Curvilinear;
    block.dims = dims;
    data.description.blocks = {block};
    data.functions = {{"value", 0, 1, {}}};
    if (*vector) data.functions.push_back({vector, 0, 3, {}});
    const std::vector<session::Object> objects = firstObjects(data, "d");
    return objects.size() < 2 ? ObjectType{} : objects.back().type();
  };
  const ObjectType nothing{}, surface = session::kTypeOf<session::GridSurface>,
                              lines = session::kTypeOf<session::Streamlines>;
  QVERIFY(firstOf({1, 1, 1}, "") == nothing);
  QVERIFY(firstOf({27, 1, 1}, "") == nothing);
  QVERIFY(firstOf({27, 5, 1}, "") == surface);
  QVERIFY(firstOf({27, 5, 1}, "momentum") == lines);
  QVERIFY(firstOf({1, 27, 5}, "momentum") == surface);
  QVERIFY(firstOf({9, 8, 7}, "momentum") == lines);
  for (const char* const moved : {"DISPL", "Dof-Displacement", "displ_"})
    QVERIFY2(firstOf({9, 8, 7}, moved) == surface, moved);
}

void TestFirstObjects::numbersOfNodesAreNotShownFirst() {
  DataSummary data;
  for (const char* const name : {"GlobalNodeId", "strain", "PedigreeNodeId"}) {
    fields::FunctionInfo function;
    function.name = name;
    function.components = 1;
    data.functions.push_back(function);
  }
  data.bounds.add(Vec3{0, 0, 0});
  data.bounds.add(Vec3{1, 1, 1});
  QCOMPARE(usualScalar(data), std::string("strain"));
  const session::Object surface = newIsosurface(data);
  QCOMPARE(std::get<session::Isosurface>(surface.shape).by, std::string("strain"));
  QVERIFY2(surface.color.by.empty(), surface.color.by.c_str());
}

/// A result of the file comes before what says where values are, also one that is 0 all over the first step.
void TestFirstObjects::masksAreNotShownFirst() {
  DataSummary data;
  for (const char* const name : {"u", "iblank", "v"}) data.functions.push_back({name, 0, 1, {}});
  data.bounds.add(Vec3{0, 0, 0});
  data.bounds.add(Vec3{1, 1, 1});
  data.ranges = {{"u", {-1, 1}}, {"iblank", {0, 1}}, {"v", {0, 0}}};
  const auto colorOf = [&] { return newIsosurface(data).color.by; };
  QCOMPARE(std::get<session::Isosurface>(newIsosurface(data).shape).by, std::string("u"));
  QCOMPARE(colorOf(), std::string());
  data.laterRanges["v"] = {{-1, 1}, {-1, 1}};
  QCOMPARE(colorOf(), std::string("v"));
  data.ranges["v"] = {-1, 1};
  QCOMPARE(colorOf(), std::string("v"));
}

/// As in files of oceans: by what was seen of it, or by its name. Where there is nothing else it is shown.
void TestFirstObjects::masksOfOceansAreNotShownFirst() {
  const auto made = [](const char* first, std::vector<double> ofFirst) {
    DataSummary data;
    for (const char* const name : {first, "depth"}) {
      data.functions.push_back({name, 0, 1, {}});
      paging::ArrayDescription array;
      array.name = name;
      data.description.arrays.push_back(array);
      data.seenRanges[name] = {0, 1};
      data.seenNodes.arrays.push_back({name, 1});
    }
    for (std::size_t n = 0; n < ofFirst.size(); ++n)
      data.seenNodes.values.insert(data.seenNodes.values.end(), {ofFirst[n], 10.5 * static_cast<double>(n)});
    if (ofFirst.empty()) data.seenNodes = {};
    return data;
  };
  const auto firstOf = [](const DataSummary& data) {
    // whatever is made
    const std::string by = usualScalar(data);
    return newVolume(data).color.by == by && newSliceObject(data).color.by == by &&
                   std::get<session::Isosurface>(newIsosurface(data).shape).by == by
               ? by
               : by + ", and others";
  };
  const double none = std::nan("");
  const std::string depth = "depth";
  for (const char* const name : {"land", "mask_rho", "LANDMASK"})
    QCOMPARE(firstOf(made(name, {0, 1, 1, 0, none, 1})), depth);
  QCOMPARE(firstOf(made("mask_u", {0, 0.5, 1, 1})), depth);  // means of two
  QCOMPARE(firstOf(made("mask_rho", {})), depth);            // nothing was seen
  // No masks.
  for (const auto& [name, values] : {std::pair<const char*, std::vector<double>>{"land", {}},
                                     {"land", {0, 1, 2}},
                                     {"alpha", {0, 0.25, 1}},
                                     {"rho", {1, 0.125}},
                                     {"unmasked_temperature", {1, 2, 3, 4, 5, 6, 7}}})
    QCOMPARE(firstOf(made(name, values)), std::string(name));
  // What has room in the file and no values is one colour as well.
  DataSummary empty = made("alpha", {none, none});
  empty.seenRanges.erase("alpha");
  QCOMPARE(firstOf(empty), depth);
  DataSummary alone = made("mask_rho", {0, 1});
  alone.functions.resize(1);
  alone.description.arrays.resize(1);
  QCOMPARE(usualScalar(alone), std::string("mask_rho"));
}

/// Also where these are one value at the first step, as a simulation at rest has; but not where they are at all.
void TestFirstObjects::isolinesAreOfTheColorsOfTheirSurface() {
  DataSummary data;
  for (const char* const name : {"u", "v"}) data.functions.push_back({name, 0, 1, {}});
  data.bounds.add(Vec3{0, 0, 0});
  data.bounds.add(Vec3{1, 1, 1});
  data.description.times = {0, 1};
  data.seenRanges = {{"u", {-1, 1}}, {"v", {0, 0}}};
  session::Object surface = newSliceObject(data);
  surface.color.by = "v";
  QCOMPARE(isolineFunctionOn(surface, data), std::string("v"));
  data.description.times = {0};
  QCOMPARE(isolineFunctionOn(surface, data), std::string());
  data.description.times = {0, 1};
  data.ranges = {{"v", {0, 0}}};
  QCOMPARE(isolineFunctionOn(surface, data), std::string());
}

/// Where another is known to vary: in the stored ranges, or at the nodes that were looked at.
void TestFirstObjects::whatIsConstantIsNotShownFirst() {
  const auto made = [](const char* first, std::map<std::string, std::array<double, 2>> ranges, bool seen) {
    DataSummary data;
    for (const char* const name : {first, "u", "salt", "mask_id"}) data.functions.push_back({name, 0, 1, {}});
    data.bounds.add(Vec3{0, 0, 0});
    data.bounds.add(Vec3{1, 1, 1});
    (seen ? data.seenRanges : data.ranges) = std::move(ranges);
    return data;
  };
  for (const char* const first : {"Temperature", "pressure", "velocity-magnitude"})
    for (const bool seen : {false, true}) {
      const DataSummary still = made(first, {{first, {0, 0}}, {"u", {0, 0}}, {"salt", {34, 36}}}, seen);
      QCOMPARE(usualScalar(still), std::string("salt"));
      QCOMPARE(wallScalar(still), std::string("salt"));
      QCOMPARE(newSliceObject(still).color.by, std::string("salt"));
      const session::Object surface = newIsosurface(still);
      QCOMPARE(std::get<session::Isosurface>(surface.shape).by, std::string("salt"));
      QVERIFY2(surface.color.by.empty(), surface.color.by.c_str());
      // Not for what nothing is known of, nor for numbers of nodes.
      const DataSummary others = made(first, {{first, {0, 0}}, {"mask_id", {1, 9}}}, seen);
      QCOMPARE(usualScalar(others), std::string(first));
      QCOMPARE(usualScalar(made(first, {{first, {0, 1}}, {"salt", {34, 36}}}, seen)), std::string(first));
      QCOMPARE(usualScalar(made(first, {}, seen)), std::string(first));
    }
}

/// A volume of a vector, too.
void TestFirstObjects::vectorsAreSeenByTheirLength() {
  DataSummary data;
  paging::ArrayDescription velocity;
  velocity.name = "velocity";
  velocity.components = 3;
  velocity.componentNames = {"velocity-x", "velocity-y", "velocity-z"};
  data.description.arrays = {velocity};
  for (const char* const name : {"velocity-x", "velocity-y", "velocity-z", "velocity-magnitude"})
    data.functions.push_back({name, 0, 1, {}});
  QCOMPARE(newVolume(data).color.by, std::string("velocity-magnitude"));
  // A scalar that is stored comes before all that is computed.
  paging::ArrayDescription density;
  density.name = "density";
  data.description.arrays.insert(data.description.arrays.begin(), density);
  data.functions.push_back({"density", 0, 1, {}});
  QCOMPARE(newVolume(data).color.by, std::string("density"));
}

void TestFirstObjects::chosenValuesHaveFewDigits() {
  DataSummary data;
  fields::FunctionInfo function;
  function.name = "TEMP";
  function.components = 1;
  data.functions.push_back(function);
  data.bounds.add(Vec3{0, 0, 0});
  data.bounds.add(Vec3{1, 1, 1});
  data.ranges["TEMP"] = {double(-2.29f), double(29.724f)};
  QCOMPARE(std::get<session::Isosurface>(newIsosurface(data).shape).values, std::vector<double>{13.72});
  // What rounding leaves of a middle is 0, for slices and seeds.
  data.bounds = {};
  data.bounds.add(Vec3{-1.2, -0.3, -1.0349999999999999});
  data.bounds.add(Vec3{1.2, 0.1 + 0.2, 1.0350000000000017});
  const auto isWhole = [](Vec3 place) {
    for (int a = 0; a < 3; ++a)
      if (place[a] != 0 && std::abs(place[a]) < 1e-9) return false;
    return true;
  };
  QCOMPARE(newSlice(data).origin->x, 0.0);
  QCOMPARE(newSlice(data).origin->y, 0.0);
  QCOMPARE(newSlice(data).origin->z, 0.0);
  QVERIFY(isWhole(placeInside(data)));
  const auto rake = std::get<session::LineSeeds>(newSeeds(1, data));
  QVERIFY(isWhole(rake.from) && isWhole(rake.to));
  QVERIFY(isWhole(std::get<session::PointSeeds>(newSeeds(0, data)).points.front()));
}

/// What lines follow is a vector, or functions that are named as the parts of one.
void TestFirstObjects::vectorsAreFoundByTheirParts() {
  using Names = std::vector<std::string>;
  const auto vectorOf = [](const Names& scalars, const Names& vectors = {}) {
    DataSummary data;
    paging::BlockDescription block;
    block.dims = {9, 8, 7};
    data.description.blocks = {block};
    for (const std::string& name : scalars) data.functions.push_back({name, 0, 1, {}});
    for (const std::string& name : vectors) data.functions.push_back({name, 0, 3, {}});
    const Names vector = usualVector(data);
    // What is offered can be made, and what is made has it.
    if (canAdd(windowKind(session::kTypeOf<session::Streamlines>), data) == vector.empty())
      return Names{"wrong"};
    if (const session::Object arrows = newArrows(data);
        !vector.empty() && std::get<session::Arrows>(arrows.shape).vector != vector)
      return Names{"wrong"};
    return vector;
  };
  QCOMPARE(vectorOf({"temp", "salt", "u", "v"}), (Names{"u", "v", "0"}));
  QCOMPARE(vectorOf({"v", "w", "u", "p"}), (Names{"u", "v", "w"}));
  QCOMPARE(vectorOf({"Vx", "Vy", "Vz"}), (Names{"Vx", "Vy", "Vz"}));
  QCOMPARE(vectorOf({"U_0", "U_1", "U_2"}), (Names{"U_0", "U_1", "U_2"}));
  QCOMPARE(vectorOf({"p", "U_1", "U_2", "U_3"}), (Names{"U_1", "U_2", "U_3"}));
  // Where more are numbered so, they are many of a kind.
  QCOMPARE(vectorOf({"f_0", "f_1", "f_2", "f_3", "f_4", "f_5"}), Names{});
  QCOMPARE(vectorOf({"f_1", "f_2", "f_3", "f_4"}), Names{});
  QCOMPARE(vectorOf({"f_0", "f_1", "f_2", "f_3", "U_0", "U_1", "U_2"}), (Names{"U_0", "U_1", "U_2"}));
  QCOMPARE(vectorOf({"u", "v"}, {"B"}), Names{"B"});
  QCOMPARE(vectorOf({"u", "v"}, {"B", "velocity"}), Names{"velocity"});
  // Displacements come first in the files of solids.
  for (const char* const name : {"vel", "VEL", "Velocity", "velocity_m"})
    QCOMPARE(vectorOf({}, {"displ", name, "accl"}), Names{name});
  QCOMPARE(vectorOf({}, {"displ", "levels", "accl"}), Names{"displ"});
  QCOMPARE(vectorOf({"convected", "diffused", "aux_elem", "element_block"}), Names{});
  QCOMPARE(vectorOf({"x", "y", "z"}), Names{});
  // Where nodes are is no flow, whatever programs call it.
  QCOMPARE(vectorOf({"GRID::x", "GRID::y", "GRID::z", "GRID::r"}), Names{});
  QCOMPARE(vectorOf({"CoordinateX", "CoordinateY", "CoordinateZ"}), Names{});
  QCOMPARE(vectorOf({"coords_x", "coords_y", "coords_z"}), Names{});
  QCOMPARE(vectorOf({"GRID::x", "GRID::y", "GRID::z", "HYDRO::velx", "HYDRO::vely", "HYDRO::velz"}),
           (Names{"HYDRO::velx", "HYDRO::vely", "HYDRO::velz"}));
  QCOMPARE(vectorOf({"grid_velocity_x", "grid_velocity_y", "grid_velocity_z"}),
           (Names{"grid_velocity_x", "grid_velocity_y", "grid_velocity_z"}));
  QCOMPARE(vectorOf({"temp1", "temp2", "temp3"}), Names{});
  QCOMPARE(vectorOf({"u", "p", "q"}), Names{});
  // The gradient of a scalar is better than nothing, and worse than what flows.
  DataSummary data;
  for (const char* const name : {"density", "u", "v"}) data.functions.push_back({name, 0, 1, {}});
  data.functions.push_back({"density-gradient", 211, 3, "grad"});
  QCOMPARE(usualVector(data), (Names{"u", "v", "0"}));
  // Where the data say which vector it is, that; unless there is no such vector.
  data.description.attributes[fields::kUsualVectorKey] = "flow";
  QCOMPARE(usualVector(data), (Names{"u", "v", "0"}));
  data.functions.push_back({"flow", 0, 3, "u, v, 0"});
  QCOMPARE(usualVector(data), Names{"flow"});
  data.functions.push_back({"velocity", 0, 3, "u, v, 0"});
  QCOMPARE(usualVector(data), Names{"flow"});
  data.description.attributes["function.velocity"] = "u, v, 0";
  QCOMPARE(usualVector(data), Names{"velocity"});
  data.functions.resize(data.functions.size() - 2);
  data.functions.erase(data.functions.begin() + 1);
  QCOMPARE(usualVector(data), Names{"density-gradient"});
}

/// A wall is small in the flow around it: lines as far apart as the data are large would be few, or none. Its size is known once it
/// was computed.
void TestFirstObjects::linesSuitTheSizeOfTheirSurface() {
  DataSummary data;
  data.functions.push_back({"velocity", 0, 3, {}});
  data.bounds.add(Vec3{-40, -40, 0});
  data.bounds.add(Vec3{40, 40, 3});
  Bounds wall;
  wall.add(Vec3{-0.5, -0.5, 0});
  wall.add(Vec3{0.5, 0.5, 3});
  session::Object lines = newSurfaceLines(data);
  const auto spacingOf = [](const session::Object& object) {
    return std::get<session::SurfaceLines>(object.shape).spacing;
  };
  QVERIFY(spacingOf(lines) && *spacingOf(lines) > 1);
  const auto close = withOwnSpacing(lines, wall, data);
  QVERIFY(close && *spacingOf(*close) < 0.1 && *spacingOf(*close) > 0.02);
  // One that is as large as the data, or not known, asks for nothing else; and who has chosen has chosen.
  QVERIFY(!withOwnSpacing(lines, data.bounds, data) && !withOwnSpacing(lines, {}, data));
  std::get<session::SurfaceLines>(lines.shape).spacing = 2.5;
  QVERIFY(!withOwnSpacing(lines, wall, data));
  std::get<session::SurfaceLines>(lines.shape).spacing = std::nullopt;
  QVERIFY(!withOwnSpacing(lines, wall, data));
}

/// No surface has one of the values of cells, which jump.
void TestFirstObjects::isosurfacesAreOfWhatIsSmooth() {
  DataSummary data;
  paging::ArrayDescription strain, displacement;
  strain.name = "EQPS";
  strain.onCells = true;
  displacement.name = "DISPL";
  displacement.components = 3;
  data.description.arrays = {strain, displacement};
  data.functions = {{"EQPS", 0, 1, {}}, {"DISPL", 0, 3, {}}};
  data.parts = {{"DISPL-magnitude", 0, 1, {}}};
  QCOMPARE(std::get<session::Isosurface>(newIsosurface(data).shape).by, std::string("DISPL-magnitude"));
  QCOMPARE(std::get<session::Isolines>(newIsolines(data).shape).by, std::string("DISPL-magnitude"));
  QCOMPARE(newSliceObject(data).color.by, std::string("EQPS"));
  // Where there is nothing else, it is said when it is tried.
  data.functions.pop_back();
  data.parts.clear();
  QCOMPARE(std::get<session::Isosurface>(newIsosurface(data).shape).by, std::string("EQPS"));
}

void TestFirstObjects::sheetsHaveNoInside() {
  DataSummary data;
  data.functions = {{"tos", 0, 1, {}}};
  paging::BlockDescription block;
  block.dims = {180, 170, 1};
  data.description.blocks = {block};
  const auto offered = [&](session::ObjectType type) { return canAdd(windowKind(type), data); };
  QVERIFY(!hasInside(data));
  for (const session::ObjectType type :
       {session::kTypeOf<session::Slice>, session::kTypeOf<session::Isosurface>,
        session::kTypeOf<session::Volume>})
    QVERIFY(!offered(type));
  QVERIFY(offered(session::kTypeOf<session::GridSurface>) && offered(session::kTypeOf<session::Isolines>));
  // Cells in a plane, which become a layer that is too thin to be cut.
  paging::BlockDescription cells;
  cells.kind = paging::GridKind::Unstructured;
  cells.dims = {200, 1, 1};
  cells.cells = 90;
  data.description.blocks = {cells};
  QVERIFY(hasInside(data) && offered(session::kTypeOf<session::Isosurface>));
  data.description.surfaces = {{.name = "boundary",
                                .block = 0,
                                .nodes = {{0, 0, 0}, {90, 1, 1}},
                                .kind = paging::kLayerKind,
                                .from = "cells"}};
  for (const session::ObjectType type :
       {session::kTypeOf<session::Slice>, session::kTypeOf<session::Isosurface>,
        session::kTypeOf<session::Volume>}) {
    QVERIFY(!offered(type));
    QVERIFY(whyNotAdded(windowKind(type), data).contains("lie in a plane"));
  }
  QVERIFY(offered(session::kTypeOf<session::GridSurface>) && offered(session::kTypeOf<session::Isolines>));
  data.description.surfaces.clear();
  block.dims[2] = 2;
  data.description.blocks.push_back(block);
  QVERIFY(hasInside(data) && offered(session::kTypeOf<session::Slice>));
}

/// Of nothing no session can hold an isosurface.
void TestFirstObjects::gridsAloneHaveNoFunctions() {
  DataSummary data;
  paging::BlockDescription block;
  block.dims = {9, 9, 9};
  data.description.blocks = {block};
  const auto offered = [&](session::ObjectType type) { return canAdd(windowKind(type), data); };
  for (const bool withFunction : {false, true}) {
    if (withFunction) data.functions = {{"p", 0, 1, {}}};
    for (const session::ObjectType type :
         {session::kTypeOf<session::Isosurface>, session::kTypeOf<session::Isolines>,
          session::kTypeOf<session::Volume>}) {
      QCOMPARE(offered(type), withFunction);
      QCOMPARE(whyNotAdded(windowKind(type), data).isEmpty(), withFunction);
    }
    QVERIFY(offered(session::kTypeOf<session::Slice>) && offered(session::kTypeOf<session::GridSurface>));
  }
}

void TestFirstObjects::whatNobodyChoseSuitsOtherData() {
  const auto dataOf = [](std::vector<const char*> names) {
    DataSummary data;
    paging::BlockDescription block;
    block.dims = {9, 9, 9};
    data.description.blocks = {block};
    for (const char* const name : names) data.functions.push_back({name, 0, 1, {}});
    data.bounds.add(Vec3{0, 0, 0});
    data.bounds.add(Vec3{1, 1, 1});
    return data;
  };
  const DataSummary flow = dataOf({"density", "mach"}), cube = dataOf({"Coordinate"}), bare = dataOf({});
  for (const session::ObjectType type :
       {session::kTypeOf<session::Slice>, session::kTypeOf<session::Volume>}) {
    session::Object object = newObject(type, flow, "cube");
    suitOtherData(object, flow, cube);
    QVERIFY(object == newObject(type, cube, "cube"));
  }
  session::Object surface = newObject(session::kTypeOf<session::Isosurface>, flow, "cube");
  suitOtherData(surface, flow, cube);
  QCOMPARE(std::get<session::Isosurface>(surface.shape).by, std::string("Coordinate"));
  // Of the same function values stay what they are, and of another the map.
  const DataSummary other = dataOf({"density", "mach"});
  session::Object compared = newObject(session::kTypeOf<session::Isosurface>, flow, "other");
  std::get<session::Isosurface>(compared.shape).values = {0.8, 0.9};
  const session::Object before = compared;
  suitOtherData(compared, flow, other);
  QVERIFY(compared == before);
  session::Object mapped = newObject(session::kTypeOf<session::Slice>, flow, "cube");
  mapped.color.map.name = "plasma";
  suitOtherData(mapped, flow, cube);
  QCOMPARE(mapped.color.by, std::string("Coordinate"));
  QCOMPARE(mapped.color.map.name, std::string("plasma"));
  // What was chosen is nobody else's to change; what cannot be is said where it is computed.
  session::Object chosen = newObject(session::kTypeOf<session::Slice>, flow, "cube");
  chosen.color.by = chosen.color.by == "mach" ? "density" : "mach";
  const std::string by = chosen.color.by;
  suitOtherData(chosen, flow, cube);
  QCOMPARE(chosen.color.by, by);
  suitOtherData(chosen, flow, bare);
  QCOMPARE(chosen.color.by, std::string());
}

QTEST_MAIN(TestFirstObjects)
#include "tst_first_objects.moc"
