#pragma once
// What the panel of plots shows, as the session keeps it: which function, over what.

#include <QString>
#include <functional>
#include <memory>

#include "app/model/document/document.h"
#include "app/model/workshop/workshop_types.h"

namespace farfield::app {

/// As many as are told apart in one plot.
constexpr std::size_t kMostCurves = 12;

/// The functions of PlotChoice::by: one, or several with commas between. What is the name of one is that, whatever it is made of.
std::vector<std::string> plottedFunctions(const DataSummary& data, const QString& by);
/// Says what is wrong with it; nothing is where the data are not open.
std::function<QString(const QString&)> checkOfPlotted(std::shared_ptr<const DataSummary> data);

/// The same in a plot of this kind: what has values on walls alone has them along lines there, and nowhere else.
std::function<QString(const QString&)> checkOfPlotted(std::shared_ptr<const DataSummary> data,
                                                      session::PlotChoice::Kind kind);

/// As a part of the step before where that has this key, as it belongs to the same choice; else as one of its own.
void keepPlot(Document& document, const session::PlotChoice& plot, const QString& key);

/// The last probes of these data that are no plot's line, or of any data where `dataName` is empty: what a plot over time begins with; 0
/// where there are none.
ObjectId lastProbesOf(const Document& document, const std::string& dataName);

/// A place of a probe, as it is called in a plot: "probes 2".
struct PlacedProbe {
  QString name;
  Vec3 point;
  std::int64_t goesFrom = kStays;
};
/// Place `number` of an object; without a name.
PlacedProbe placeOfProbe(const session::Probe& probe, std::size_t number);
/// All places of the probes of these data that are shown and are no plot's line, in the order of the session.
std::vector<PlacedProbe> probesOf(const Document& document, const std::string& dataName);

/// The objects of these data that have lines along which functions can be plotted, in the order of the session.
std::vector<ObjectId> objectsWithLines(const Document& document, const std::string& dataName);
/// What a plot along the lines of this object begins with: what is seen, which is what colours them or the surface on which they lie; on a
/// sheet of nodes in one colour what is not 0 on walls. Empty where nothing of that is known.
std::string seenAlong(const Document& document, const DataSummary& data, const session::Object& object);
/// Why nothing is plotted along lines where there are no such objects.
QString whyNoLines();

}  // namespace farfield::app
