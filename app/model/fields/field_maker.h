#pragma once
// What the declarations of properties have in common. Private to the folder.

#include <QString>
#include <QStringList>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "app/model/fields/object_fields.h"

namespace farfield::app {

/// Collects fields; references to them stay good until take().
class FieldMaker {
 public:
  Field& add(const QString& group, const QString& key, const QString& label, FieldKind kind,
             const QString& tip) {
    Field field;
    field.group = group;
    field.key = key;
    field.label = label;
    field.kind = kind;
    field.tip = tip;
    return m_fields.emplace_back(std::move(field));
  }
  void add(Field field) { m_fields.push_back(std::move(field)); }
  Field& flag(const QString& group, const QString& key, const QString& label, const QString& tip) {
    return add(group, key, label, FieldKind::Flag, tip);
  }
  Field& choice(const QString& group, const QString& key, const QString& label, const QString& tip) {
    return add(group, key, label, FieldKind::Choice, tip);
  }
  Field& number(const QString& group, const QString& key, const QString& label, const QString& tip,
                double least, double greatest) {
    Field& field = add(group, key, label, FieldKind::Number, tip);
    field.least = least;
    field.greatest = greatest;
    return field;
  }
  Field& integer(const QString& group, const QString& key, const QString& label, const QString& tip,
                 double least, double greatest) {
    Field& field = number(group, key, label, tip, least, greatest);
    field.kind = FieldKind::Integer;
    return field;
  }
  std::vector<Field> take() {
    return {std::make_move_iterator(m_fields.begin()), std::make_move_iterator(m_fields.end())};
  }

 private:
  std::deque<Field> m_fields;
};

/// A text of the properties of objects, in the language of the window.
QString tr(const char* text);

/// Values that are called what they are.
std::vector<std::pair<QString, QString>> named(const std::vector<std::string>& values);
/// With `present` in front where it is not among them: what a session says is kept, also where the data do
/// not have it.
std::vector<std::string> including(std::vector<std::string> names, const std::string& present);

/// For choices of functions: what is wrong with an expression of so many components; empty: nothing. Of data that are not open:
/// nothing is.
std::function<QString(const QString&)> checkOfFunction(const FieldSurroundings& surroundings, int components);
/// Of the text of a range: what is wrong with it, `demand` where it is none; empty: nothing.
QString problemOfRange(const QString& text, const QString& demand);
/// "a, b, c" (fields::partsOfVector).
QStringList partsOfVector(const QString& text);

/// All blocks, or a list: "0, 2 to 5". None where the data have one block only.
void addBlockField(FieldMaker& make, const QString& group, const FieldSurroundings& surroundings,
                   const std::function<std::vector<std::int64_t>&(session::Object&)>& place);
/// What is shown where blocks overlap. None where the data have one block, unless the object says it.
void addOverlapsField(FieldMaker& make, const QString& group, const session::Object& object,
                      const FieldSurroundings& surroundings,
                      const std::function<bool&(session::Object&)>& place);
void addSurfaceFields(FieldMaker& make, const session::Object& object, const FieldSurroundings& surroundings);
void addVolumeFields(FieldMaker& make, const session::Object& object, const FieldSurroundings& surroundings);
void addSlabFields(FieldMaker& make, const session::Object& object, const FieldSurroundings& surroundings);
void addSliceFields(FieldMaker& make, const session::Object& object, const FieldSurroundings& surroundings);
void addIsosurfaceFields(FieldMaker& make, const session::Object& object,
                         const FieldSurroundings& surroundings);
void addArrowFields(FieldMaker& make, const session::Object& object, const FieldSurroundings& surroundings);
void addProbeFields(FieldMaker& make, const session::Object& object, const FieldSurroundings& surroundings);
void addLicFields(FieldMaker& make, const session::Object& object, const FieldSurroundings& surroundings);
void addSurfaceLineFields(FieldMaker& make, const session::Object& object,
                          const FieldSurroundings& surroundings);
/// The object on whose surface an object lies.
void addOnField(FieldMaker& make, const QString& group, const session::Object& object,
                const FieldSurroundings& surroundings);
void addIsolineFields(FieldMaker& make, const session::Object& object, const FieldSurroundings& surroundings);
/// Of isolines in one colour: whether they are black or white instead.
void addContrastField(FieldMaker& make, const QString& group);
/// Of what is even in a view with stretched axes, or in the data: which. Nothing where neither is stretched.
void addStretchField(FieldMaker& make, const QString& group, const QString& tip,
                     const session::Object& object, const FieldSurroundings& surroundings);
/// `tip` says what it is for.
void addVectorField(FieldMaker& make, const QString& group, const QString& tip, const session::Object& object,
                    const FieldSurroundings& surroundings);
void addSeedFields(FieldMaker& make, const session::Object& object, const FieldSurroundings& surroundings);
/// Vector, direction, seeds, integrator.
void addLineFields(FieldMaker& make, const session::Object& object, const FieldSurroundings& surroundings);
/// Vector, seeds, release, integrator.
void addParticleFields(FieldMaker& make, const session::Object& object,
                       const FieldSurroundings& surroundings);
void addReleaseFields(FieldMaker& make, const session::Object& object, const FieldSurroundings& surroundings);
/// Of particles: how the flow goes from step to step; none where the data leave no choice.
void addBetweenField(FieldMaker& make, const session::Object& object, const FieldSurroundings& surroundings);
/// How far streamlines keep apart, and what they are drawn as.
void addSpacingField(FieldMaker& make);
void addLineFormFields(FieldMaker& make, const session::Object& object,
                       const FieldSurroundings& surroundings);
void addIntegratorFields(FieldMaker& make, const session::Object& object,
                         const FieldSurroundings& surroundings);

struct ColorUse {
  bool byFunction = true;                         ///< or in one colour only
  scene::Rgba solid = session::Coloring{}.solid;  ///< the usual one colour
  std::vector<std::string> own = {};              ///< what it may be coloured by beside functions
};
/// Colours and opacity.
void addColorFields(FieldMaker& make, const session::Object& object, const FieldSurroundings& surroundings,
                    const ColorUse& use);
void addWidthField(FieldMaker& make, const QString& group, double byDefault,
                   const std::function<double&(session::Object&)>& place);

/// "0.2, 0.5", and back; nullopt where it is none, or too many. What stands there as
/// it was written of `before` is that, with all its digits.
QString textOfValues(const std::vector<double>& values);
std::optional<std::vector<double>> valuesFromText(const QString& text,
                                                  const std::vector<double>& before = {});

}  // namespace farfield::app
