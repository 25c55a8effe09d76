#pragma once
// The properties of objects, declared once: label, unit, explanation, bounds, default, and how they are read
// from an object and written into one. The property editor is made from this list, whatever the object is.

#include <QString>
#include <QVariant>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/model/workshop/workshop_types.h"
#include "core/session/session.h"

namespace farfield::app {

enum class FieldKind {
  Flag,         ///< bool
  Integer,      ///< qlonglong
  Number,       ///< double
  Choice,       ///< QString, one of the choices
  Map,          ///< scene::MapChoice, one of `maps`
  Vector,       ///< Vec3
  Interval,     ///< QVariantList of two doubles
  Color,        ///< QString "#rrggbb"
  Text,         ///< QString, as `check` lets it pass
  Blocks,       ///< QString, numbers of the choices as textOfNumbers() has them; invalid: all
  Information,  ///< QString, only to be read
};

struct Field {
  QString key;    ///< of the session file, from the object on: "integrator.maxLength"; unique in an object
  QString group;  ///< heading under which it stands
  QString label, unit, tip;
  FieldKind kind = FieldKind::Number;
  double least = 0, greatest = 0;  ///< of numbers; both included
  bool leastExcluded = false;      ///< above `least`
  /// Of numbers with a slider beside them, its ends; values may lie beyond. Those from 0 to 1 have one anyhow.
  std::optional<std::array<double, 2>> slider;
  QString automatic;  ///< where a value may be left out (an invalid QVariant): what happens then
  std::vector<std::pair<QString, QString>> choices;  ///< value and what it is called
  std::vector<scene::MapChoice> maps;                ///< as plainMap() has them
  QVariant byDefault;                                ///< what Reset sets
  std::function<QVariant(const session::Object&)> get;
  std::function<void(session::Object&, const QVariant&)> set;
  /// Of texts, and of choices beside which anything may be typed: what is wrong with one; empty: nothing.
  std::function<QString(const QString&)> check;
  /// Of texts: what is said beside one that is taken all the same; empty: nothing.
  std::function<QString(const QString&)> remark;
  QString demand;         ///< what is said where set() does not take a value
  bool reshapes = false;  ///< changing it changes which fields there are
};

struct FieldSurroundings {
  std::shared_ptr<const DataSummary> data;  ///< of the object's data; null where they are not open
  std::int64_t step = 0;                    ///< that the view shows
  std::vector<std::string> dataNames;
  std::vector<scene::MapChoice> colorMaps;  ///< SessionMaps::list()
  std::vector<std::string> surfaces = {};   ///< objects of the same data on which others can lie
  std::optional<Vec3> viewDirection = {};   ///< normal of a plane that faces the eye
  /// Of a pixel of the picture, as the camera stands, at what is looked at.
  std::optional<double> pixelLength = {};
  Vec3 viewStretch{1, 1, 1};  ///< of the axes, as the camera sees them
  Bounds shown = {};          ///< of what the object shows; empty where it has not been computed
  bool isCut = false;         ///< something is cut away of the picture
  /// Of the function of an isosurface, or of a volume: the values of the whole data, and those that are or were seen of them
  /// (Stage::wholeRange, shownValues).
  WholeRange wholeRange = {};
  std::optional<std::array<double, 2>> shownValues = {};
};

/// In the order in which they are shown.
std::vector<Field> fieldsOf(const session::Object& object, const FieldSurroundings& surroundings);

/// "0, 2 to 5", and back.
QString textOfNumbers(const std::vector<std::int64_t>& numbers);
std::optional<std::vector<std::int64_t>> numbersFromText(const QString& text);
/// "0 to last", "3", "0 to 10": as people write and read index ranges.
QString textOfRange(const session::IndexRange& range);
/// nullopt where it is none.
std::optional<session::IndexRange> rangeFromText(const QString& text);
/// "#rrggbb", and back.
QString textOfColor(const scene::Rgba& color);
scene::Rgba colorFromText(const QString& text);

}  // namespace farfield::app
