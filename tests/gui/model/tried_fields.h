#pragma once
// Objects of all kinds, and values that their properties are set to in tests.

#include <QVariant>
#include <algorithm>
#include <memory>
#include <vector>

#include "app/first/first_objects.h"
#include "app/first/first_places.h"
#include "app/model/fields/object_fields.h"
#include "app/model/fields/window_kinds.h"

namespace farfield::test {

using namespace farfield::app;

inline FieldSurroundings surroundings() {
  auto data = std::make_shared<DataSummary>();
  data->bounds.add(Vec3{-1, -2, -3});
  data->bounds.add(Vec3{4, 5, 6});
  data->description.times = {0};
  for (int n = 0; n < 3; ++n) {
    paging::BlockDescription block;
    block.dims = {20, 30, 10 + n};
    block.bounds = data->bounds;
    data->description.blocks.push_back(block);
    const paging::PageLayout whole = paging::PageLayout::ofExtent(block.dims, block.dims);
    data->description.arrays.push_back({"density", n, whole, 1, 1, ScalarType::F32, {}});
    data->description.arrays.push_back({"velocity", n, whole, 1, 3, ScalarType::F32, {}});
  }
  data->functions = {
      {"density", 100, 1, {}}, {"pressure", 110, 1, {}}, {"velocity", 200, 3, {}}, {"vorticity", 201, 3, {}}};
  FieldSurroundings surroundings;
  data->description.surfaces = {{"wall", 1, {{0, 0, 0}, {20, 30, 1}}, "wall", "iblank"},
                                {"wall", 2, {{0, 0, 0}, {20, 30, 1}}, "wall", "iblank"},
                                {"inflow", 0, {{0, 0, 0}, {1, 30, 10}}, "", "wing.fvbnd"}};
  surroundings.data = data;
  surroundings.viewDirection = Vec3{0.6, -0.6, 0.529};
  surroundings.pixelLength = 0.01;
  surroundings.dataNames = {"flow", "other"};
  scene::MapChoice own("own");
  own.points = {{0, {0, 0, 0}}, {1, {255, 0, 0}}};
  surroundings.colorMaps = {scene::MapChoice("viridis"), scene::MapChoice("plasma"), own};
  return surroundings;
}

/// Every type that can be computed, with every kind of seeds and every method, coloured or not.
inline std::vector<session::Object> objects() {
  const FieldSurroundings its = surroundings();
  std::vector<session::Object> all;
  for (const auto type : {session::kTypeOf<session::GridSurface>, session::kTypeOf<session::Outline>,
                          session::kTypeOf<session::Slice>})
    all.push_back(newObject(type, *its.data, "flow"));
  session::Object sheet = all[0];
  sheet.shape = session::GridSurface{{1}, {{{0, -1}, {0, -1}, {0, 0}}}, {}};
  all.push_back(sheet);
  for (std::size_t kind = 0; kind < std::variant_size_v<session::Seeds>; ++kind) {
    session::Object lines = newObject(session::kTypeOf<session::Streamlines>, *its.data, "flow");
    auto& shape = std::get<session::Streamlines>(lines.shape);
    shape.seeds = newSeeds(kind, *its.data);
    if (kind % 2) shape.integrator.method = session::IntegratorMethod::Rk4;
    if (kind == 2) lines.color.by.clear();
    shape.form = static_cast<session::LineForm>(kind % 5);
    if (kind == 3) shape.radius = {{}, "pressure", {0.01, 0.05}};
    all.push_back(lines);
  }
  all.push_back(newObject(session::kTypeOf<session::Isosurface>, *its.data, "flow"));
  session::Object indexed = newObject(session::kTypeOf<session::Slice>, *its.data, "flow");
  session::Slice byIndex;
  byIndex.index = session::IndexSlice{1, {0.5}, {}};
  indexed.shape = byIndex;
  all.push_back(indexed);
  session::Object isolines = newObject(session::kTypeOf<session::Isolines>, *its.data, "flow");
  all.push_back(isolines);
  std::get<session::Isolines>(isolines.shape).values = {1, 2};
  all.push_back(isolines);
  session::Object arrows = newObject(session::kTypeOf<session::Arrows>, *its.data, "flow");
  all.push_back(arrows);
  std::get<session::Arrows>(arrows.shape).length = session::ArrowLength::Scaled;
  all.push_back(arrows);
  all.push_back(newObject(session::kTypeOf<session::Lic>, *its.data, "flow"));
  all.push_back(newObject(session::kTypeOf<session::SurfaceLines>, *its.data, "flow"));
  all.push_back(newObject(session::kTypeOf<session::Probe>, *its.data, "flow"));
  for (const session::Release& release :
       {session::Release{}, session::Release{session::ReleaseSteps{{0, -1}, 2}},
        session::Release{session::ReleaseTimes{0, 1, 0.5}}}) {
    session::Object paths = newObject(session::kTypeOf<session::Pathlines>, *its.data, "flow");
    std::get<session::Pathlines>(paths.shape).release = release;
    all.push_back(paths);
    session::Object streaks = newObject(session::kTypeOf<session::Streaklines>, *its.data, "flow");
    std::get<session::Streaklines>(streaks.shape).release = release;
    all.push_back(streaks);
  }
  return all;
}

/// Values that a field may take, unlike its present one.
inline std::vector<QVariant> valuesFor(const Field& field) {
  switch (field.kind) {
    case FieldKind::Flag:
      return {true, false};
    case FieldKind::Integer:
      return {
          QVariant::fromValue<qlonglong>(static_cast<qlonglong>(field.least)),
          QVariant::fromValue<qlonglong>(static_cast<qlonglong>(std::min(field.greatest, field.least + 7)))};
    case FieldKind::Number:
      return {field.leastExcluded ? field.least + 0.125 : field.least, std::min(field.greatest, 0.75)};
    case FieldKind::Choice: {
      std::vector<QVariant> values;
      for (const auto& [value, label] : field.choices) values.push_back(value);
      return values;
    }
    case FieldKind::Map: {
      std::vector<QVariant> values;
      for (const scene::MapChoice& map : field.maps) values.push_back(QVariant::fromValue(map));
      return values;
    }
    case FieldKind::Vector:
      if (field.key == "normal")
        return {QVariant::fromValue(Vec3{1.0 / 3, -2, 1e-7}), QVariant::fromValue(Vec3{0, 0, -1})};
      return {QVariant::fromValue(Vec3{1.0 / 3, -2, 1e-7}), QVariant::fromValue(Vec3{0, 0, 0})};
    case FieldKind::Interval:
      return {QVariantList{-1.5, 2.5}};
    case FieldKind::Color:
      return {QString("#102030"), QString("#ffffff")};
    case FieldKind::Text:
      if (field.key == "offsets") return {QString("-1, 0, 2.5")};
      if (field.key == "value.list" || field.key == "value" || field.key == "index.list")
        return {QString("0.25, 3"), QString("-1e-07")};
      if (field.key == "points") return {QString("0.5 1 -2"), QString("1 2 3; 4 5.5 6")};
      if (field.key == "show") return {QString("density"), QString("density, velocity")};
      if (field.key == "seeds.points") return {QString("1, 2, 3; 4, 5.5, 6")};
      return {QString("3"), QString("0 to last"), QString("2 to last-1"), QString("last")};
    case FieldKind::Blocks:
      return {QString("0, 2"), QString("0 to 2")};
    case FieldKind::Information:
      return {};
  }
  return {};
}

}  // namespace farfield::test
