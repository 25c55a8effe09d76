// The properties of textures that show where a vector goes.

#include "app/model/fields/field_maker.h"

namespace farfield::app {
namespace {

using session::Lic;
using session::Object;

Lic& licOf(Object& object) {
  return std::get<Lic>(object.shape);
}
const Lic& licOf(const Object& object) {
  return std::get<Lic>(object.shape);
}

}  // namespace

void addLicFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  const QString group = tr("Texture");
  addOnField(make, group, object, surroundings);
  addVectorField(make, group, tr("The vector along which the texture is blurred."), object, surroundings);
  Field& resolution =
      make.integer(group, "resolution", tr("Resolution"),
                   tr("Texels along the diagonal of the data. About as many as the picture is wide "
                      "shows all that can be seen."),
                   static_cast<double>(Lic::kLeastResolution), static_cast<double>(Lic::kMostResolution));
  resolution.byDefault = QVariant::fromValue<qlonglong>(Lic{}.resolution);
  resolution.get = [](const Object& o) { return QVariant::fromValue<qlonglong>(licOf(o).resolution); };
  resolution.set = [](Object& o, const QVariant& value) { licOf(o).resolution = value.toLongLong(); };
  Field& reach =
      make.integer(group, "reach", tr("Reach"), tr("How far it is blurred to either side, in texels."), 1,
                   static_cast<double>(Lic::kMostReach));
  reach.byDefault = QVariant::fromValue<qlonglong>(Lic{}.reach);
  reach.get = [](const Object& o) { return QVariant::fromValue<qlonglong>(licOf(o).reach); };
  reach.set = [](Object& o, const QVariant& value) { licOf(o).reach = value.toLongLong(); };
  addStretchField(make, group,
                  tr("Texels are even in the view, with its axes as they are stretched when this is ticked; "
                     "without it, in the data."),
                  object, surroundings);
  Field& animated = make.flag(group, "animated", tr("Moving"),
                              tr("The texture moves with the vector, everywhere equally fast."));
  animated.byDefault = false;
  animated.get = [](const Object& o) { return licOf(o).animated; };
  animated.set = [](Object& o, const QVariant& value) { licOf(o).animated = value.toBool(); };
}

}  // namespace farfield::app
