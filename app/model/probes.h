#pragma once
// Probes that stay, as the window works with them: pinning one, taking one away, choosing what all of them read, and
// the table of their values.

#include <QString>
#include <QStringList>
#include <map>
#include <string>
#include <vector>

#include "app/model/document/document.h"
#include "app/model/workshop/workshop_types.h"

namespace farfield::app {

class AppModel;

/// Key of pinProbe()'s step, to which what belongs to it is added (Document::editFurther()).
inline constexpr const char* kPinKey = "probe.pin";

/// Where data are in the view.
struct ShownStep {
  std::int64_t step = 0;
  bool isOfBody = false;  ///< that moves: new probes go with it
};

/// Adds a place to the last probes of these data that are shown, or to new ones that read `show`; as one step. The
/// object that it belongs to. Those that go with their cells (session::Probe::goesFrom) go from the step that is shown, and so do new ones
/// of bodies.
ObjectId pinProbe(Document& document, const std::string& dataName, Vec3 place,
                  const std::vector<std::string>& show, ShownStep shown = {});
ShownStep shownStep(AppModel& model, const std::string& dataName);
/// Puts place `number` there, as seen at that step.
void putProbe(session::Probe& probe, std::size_t number, Vec3 place, std::int64_t step);
/// Takes away place `number` of an object, and the object with its last one; as one step.
void unpinProbe(Document& document, ObjectId id, std::size_t number);
/// Reads these functions at all places that probeRows() has whose data have them, or none of them any more; as one step.
void showAtProbes(AppModel& model, const std::vector<std::string>& functions, bool shown);

/// A place of an object.
struct ProbeRow {
  ObjectId id = 0;
  std::size_t number = 0;
  QString object;
  Vec3 place;          ///< where it is at the step that was read last
  bool known = false;  ///< whether `values` are there, all of them
  bool found = false;  ///< it lies in the data
  std::vector<std::pair<std::string, std::vector<double>>> values = {};
  std::vector<std::string> awaited =
      {};  ///< where it was read before: what is being read, or was before it was moved
};
/// All places of all probes of the document, in its order, without the ends of plots' lines, at which nothing is read. `marks` are what was read last, by objects.
std::vector<ProbeRow> probeRows(const Document& document,
                                const std::map<ObjectId, std::vector<scene::PlaceMark>>& marks);
/// What is read at any place, in the order in which it comes: the columns of a table.
std::vector<std::string> probedFunctions(const std::vector<ProbeRow>& rows);
/// "0.25", "(1, 2, 3)", "outside"; "…" where that is being read anew; empty where it is not read there or not known yet.
QString probeValueText(const ProbeRow& row, const std::string& function);
/// The table with `separator` between columns, a line each, for the clipboard ('\t') or a file (','); vectors have three
/// columns, and columns are those of `all`, of which `rows` are some. All digits.
QString probeTable(const std::vector<ProbeRow>& rows, QChar separator, const std::vector<ProbeRow>& all);

}  // namespace farfield::app
