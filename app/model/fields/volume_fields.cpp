#include <algorithm>
#include <array>
#include <cmath>

#include "app/first/first_objects.h"
#include "app/model/document/volume_looks.h"
#include "app/model/fields/field_maker.h"
#include "app/model/fields/known_values.h"

namespace farfield::app {
namespace {

using scene::VolumeMode;
using session::Object;

constexpr std::array kModes = {"composite", "maximum", "average", "isosurface"};

session::Volume& shapeOf(Object& object) {
  return *volumeIn(object);
}
const session::Volume& shapeOf(const Object& object) {
  return *volumeIn(object);
}

/// What a surface shows that nobody has chosen a value for.
double middleValue(const Object& object, const DataSummary* data) {
  return data ? usualValue(*data, session::shownFunction(object)).value_or(0) : 0;
}

/// A preset is a choice for what rays showed until now: of the greatest value it may be a box all over. What was drawn by hand stays.
void dropPresetOfOtherMode(session::Volume& volume, VolumeMode before) {
  const VolumeMode now = volume.look.mode;
  // A surface has no opacities; those that there are wait for what has.
  if (!volume.preset || now == before || now == VolumeMode::Isosurface) return;
  const bool byName = volume.look.opacity.empty();  // as it is made for what lies all along a ray
  if (byName && now == VolumeMode::Composite) return;
  volume.preset.reset();
  volume.look.opacity.clear();
}

void addModeFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  const QString group = tr("Volume");
  Field& by = make.choice(group, "by", tr("Shows"), tr("The function that rays go through."));
  std::vector<std::string> scalars;
  if (surroundings.data) scalars = rendererFunctions(*surroundings.data);
  if (surroundings.data && scalars.empty()) scalars = scalarsToChoose(*surroundings.data);
  by.choices = named(including(scalars, session::shownFunction(object)));
  // What renders elsewhere says what it has; here an expression does as well.
  if (surroundings.data && rendererFunctions(*surroundings.data).empty())
    by.check = checkOfFunction(surroundings, 1);
  by.byDefault = surroundings.data ? QString::fromStdString(usualScalar(*surroundings.data)) : QString();
  by.get = [](const Object& o) { return QString::fromStdString(session::shownFunction(o)); };
  by.set = [](Object& o, const QVariant& value) {
    const std::string name = value.toString().toStdString();
    if (name.empty() || name == session::shownFunction(o)) return;
    o = withPlainColors(o);
    o.color.by = name;
    // Of values of another function.
    o.color.range.reset();
    shapeOf(o).look.opacity.clear();
    shapeOf(o).preset.reset();
    if (shapeOf(o).look.mode == VolumeMode::Isosurface) shapeOf(o).look.mode = VolumeMode::Composite;
    shapeOf(o).look.value = 0;
  };
  by.reshapes = true;

  Field& mode = make.choice(group, "mode", tr("Mode"), tr("How the values along a ray become one colour."));
  mode.choices = {{"composite", tr("All along the ray")},
                  {"maximum", tr("The greatest value")},
                  {"average", tr("The mean")},
                  {"isosurface", tr("A surface of one value")}};
  mode.byDefault = "composite";
  mode.get = [](const Object& o) { return QString(kModes[static_cast<std::size_t>(shapeOf(o).look.mode)]); };
  mode.set = [data = surroundings.data](Object& o, const QVariant& value) {
    const auto found = std::find(kModes.begin(), kModes.end(), value.toString().toStdString());
    if (found == kModes.end()) return;
    scene::VolumeLook& look = shapeOf(o).look;
    const VolumeMode before = look.mode;
    look.mode = static_cast<VolumeMode>(found - kModes.begin());
    dropPresetOfOtherMode(shapeOf(o), before);
    if (look.mode != VolumeMode::Isosurface)
      look.value = 0;
    else if (look.value == 0)
      look.value = middleValue(o, data.get());
  };
  mode.reshapes = true;
  if (shapeOf(object).look.mode == VolumeMode::Isosurface) {
    Field& value = make.number(group, "value", tr("Value"),
                               tr("Of the surface. The slider goes over the values that are known."),
                               -HUGE_VAL, HUGE_VAL);
    value.slider = knownValues(surroundings, session::shownFunction(object));
    if (value.slider && !((*value.slider)[0] < (*value.slider)[1])) value.slider.reset();
    value.get = [](const Object& o) { return shapeOf(o).look.value; };
    value.set = [](Object& o, const QVariant& wanted) { shapeOf(o).look.value = wanted.toDouble(); };
  }
  // A surface is always lit, and one value of a ray has no direction.
  if (shapeOf(object).look.mode == VolumeMode::Composite) {
    Field& lighting = make.flag(group, "lighting", tr("Lit"),
                                tr("By the direction in which values grow, from the camera."));
    lighting.byDefault = false;
    lighting.get = [](const Object& o) { return shapeOf(o).look.lit; };
    lighting.set = [](Object& o, const QVariant& value) { shapeOf(o).look.lit = value.toBool(); };
  }
  Field& between = make.choice(group, "interpolation", tr("Between samples"),
                               tr("Values change from sample to sample, or each voxel has one."));
  between.choices = {{"linear", tr("Linear")}, {"nearest", tr("The nearest sample")}};
  between.byDefault = "linear";
  between.get = [](const Object& o) { return QString(shapeOf(o).look.nearest ? "nearest" : "linear"); };
  between.set = [](Object& o, const QVariant& value) {
    shapeOf(o).look.nearest = value.toString() == "nearest";
  };
  // Others take one value of a ray, of which no length is asked.
  if (shapeOf(object).look.mode != VolumeMode::Composite) return;
  Field& unit = make.number(group, "transfer.unit", tr("Opacity per"),
                            tr("The length of a ray that the opacities of values are for."), 0, HUGE_VAL);
  unit.leastExcluded = true;
  unit.unit = tr("length");
  unit.automatic = tr("edge of a voxel");
  unit.get = [](const Object& o) {
    const auto& length = shapeOf(o).look.unitLength;
    return length ? QVariant(*length) : QVariant();
  };
  unit.set = [](Object& o, const QVariant& value) {
    shapeOf(o).look.unitLength.reset();
    if (value.isValid() && value.toDouble() > 0) shapeOf(o).look.unitLength = value.toDouble();
  };
}

void addClipFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  const QString group = tr("Cut");
  const Bounds bounds = surroundings.data ? surroundings.data->bounds : Bounds{};
  Field& cut = make.flag(group, "clip", tr("Cut to a box"),
                         tr("Shows what is inside of a box, whose faces can be dragged in the view."));
  cut.byDefault = false;
  cut.get = [](const Object& o) { return shapeOf(o).look.clipBox.has_value(); };
  cut.set = [bounds](Object& o, const QVariant& value) {
    auto& box = shapeOf(o).look.clipBox;
    if (!value.toBool())
      box.reset();
    else if (!box)
      box = bounds.empty() ? std::array<Vec3, 2>{Vec3{0, 0, 0}, Vec3{1, 1, 1}}
                           : std::array<Vec3, 2>{bounds.min, bounds.max};
  };
  cut.reshapes = true;
  if (!shapeOf(object).look.clipBox) return;
  for (const int end : {0, 1}) {
    Field& corner =
        make.add(group, end == 0 ? "clip.box.0" : "clip.box.1", end == 0 ? tr("From") : tr("To"),
                 FieldKind::Vector, tr("A corner of the box. It stays on its side of the other."));
    corner.unit = tr("length");
    corner.demand = tr("From is to be below To along each axis.");
    corner.get = [end](const Object& o) {
      const auto& box = shapeOf(o).look.clipBox;
      return box ? QVariant::fromValue((*box)[static_cast<std::size_t>(end)]) : QVariant();
    };
    corner.set = [end](Object& o, const QVariant& value) {
      auto& box = shapeOf(o).look.clipBox;
      if (!box) return;
      std::array<Vec3, 2> wanted = *box;
      wanted[static_cast<std::size_t>(end)] = value.value<Vec3>();
      for (int a = 0; a < 3; ++a)
        if (!(wanted[0][a] < wanted[1][a])) return;
      box = wanted;
    };
  }
}

/// Colours and opacity, wherever the object has them.
void addPlainColorFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  FieldMaker colors;
  addColorFields(colors, withPlainColors(object), surroundings, {.byFunction = false});
  for (Field& field : colors.take()) {
    field.get = [get = field.get](const Object& o) { return get(withPlainColors(o)); };
    field.set = [set = field.set](Object& o, const QVariant& value) {
      o = withPlainColors(o);
      set(o, value);
    };
    make.add(std::move(field));
  }
}

}  // namespace

void addVolumeFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  addModeFields(make, object, surroundings);
  addClipFields(make, object, surroundings);
  addPlainColorFields(make, object, surroundings);
}

void addSlabFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  addModeFields(make, object, surroundings);
  const auto slabsOf = [](const Object& o) -> session::Slabs& {
    return std::get<session::Slabs>(const_cast<Object&>(o).shape);
  };
  const QString group = tr("Slabs");
  Field& frames =
      make.flag(group, "frames", tr("Whole frames at rest"),
                tr("Exact from every direction; each costs the renderer a picture. While the view "
                   "moves, slabs are turned. The greatest value and the mean are always shown so."));
  frames.byDefault = false;
  frames.get = [slabsOf](const Object& o) { return slabsOf(o).frames; };
  frames.set = [slabsOf](Object& o, const QVariant& value) {
    slabsOf(o).frames = value.toBool();
    if (slabsOf(o).frames) slabsOf(o).axis.reset();
  };
  frames.reshapes = true;
  if (!slabsOf(object).frames) {
    Field& axis = make.choice(group, "axis", tr("Along"), tr("The axis that the slabs are pictures along."));
    axis.choices = {{"auto", tr("The one nearest to the view")}, {"x", "x"}, {"y", "y"}, {"z", "z"}};
    axis.byDefault = "auto";
    axis.get = [slabsOf](const Object& o) {
      return slabsOf(o).axis ? QString(QChar('x' + *slabsOf(o).axis)) : QString("auto");
    };
    axis.set = [slabsOf](Object& o, const QVariant& value) {
      const QString name = value.toString();
      slabsOf(o).axis.reset();
      if (name.size() == 1) slabsOf(o).axis = std::clamp(name[0].unicode() - 'x', 0, 2);
    };
  }
  Field& mesh =
      make.flag(group, "mesh", tr("Bent by depth"),
                tr("Slabs follow the depth of what they show, which is seen from beside the axis."));
  mesh.byDefault = true;
  mesh.get = [slabsOf](const Object& o) { return slabsOf(o).mesh; };
  mesh.set = [slabsOf](Object& o, const QVariant& value) { slabsOf(o).mesh = value.toBool(); };
  addClipFields(make, object, surroundings);
  addPlainColorFields(make, object, surroundings);
}

}  // namespace farfield::app
