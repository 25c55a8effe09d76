#pragma once
// What the window has of each kind of object: what it is called, the action that adds one, what a new one is, and
// which fields it has. The one list of kinds in app/.

#include <QString>
#include <string>
#include <vector>

#include "app/model/fields/object_fields.h"

namespace farfield::app {

class FieldMaker;

struct WindowKind {
  session::ObjectType type{};
  QString text;  ///< "Grid surface"

  // None of the rest where the window cannot add one.
  const char* action = nullptr;  ///< name of the action that adds one; its icon is called like the type
  QString actionText = {}, keys = {}, tip = {};
  bool needsVector = false;  ///< only of data that have one
  session::Object (*make)(const DataSummary& data) = nullptr;
  void (*addFields)(FieldMaker& make, const session::Object& object,
                    const FieldSurroundings& surroundings) = nullptr;
  bool needsSteps = false;  ///< only of data that change in time
  bool inBars = true;       ///< not in the menu alone: bars fit small screens
  /// What data must have for there to be any of it: an inside that can be cut, or places that can be found (first_places.h).
  enum class Of { AnyData, Inside, Places } of = Of::AnyData;
};

/// In the order of menus and bars.
std::vector<WindowKind> windowKinds();
WindowKind windowKind(session::ObjectType type);
/// A new object of `type`, which must be one that the window can add, with settings that make sense for `data`.
session::Object newObject(session::ObjectType type, const DataSummary& data, const std::string& dataName);
/// Whether the window offers to add one of these data.
bool canAdd(const WindowKind& kind, const DataSummary& data);
/// Why there is none of it in these data, whatever its settings are; empty where there may be.
QString whyNothing(const WindowKind& kind, const DataSummary& data);
/// The same, or why it is not offered for another reason that helps somebody who looks for it.
QString whyNotAdded(const WindowKind& kind, const DataSummary& data);
/// Why no plot of that kind is made of these data; empty where there may be one.
QString whyNoPlot(session::PlotChoice::Kind kind, const DataSummary& data);
/// Whether a paged store of these data could be made.
bool canBeConverted(const DataSummary& data);

}  // namespace farfield::app
