#pragma once
// Objects with settings that make sense for given data, so that there is something to see before anything has
// been set: what opens with data, and what "Add" adds.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/first/data_summary.h"
#include "core/session/session.h"

namespace farfield::app {

/// Of outlines.
constexpr scene::Rgba kOutlineColor{115 / 255.0f, 115 / 255.0f, 115 / 255.0f, 1};
/// Of surfaces without a function: light enough for their form to be seen.
constexpr scene::Rgba kSurfaceColor{159 / 255.0f, 180 / 255.0f, 199 / 255.0f, 1};
/// Of lines on surfaces that are coloured.
constexpr scene::Rgba kOnColorsColor{1, 1, 1, 1};
/// Of probes that stay: seen on what is dark and on what is light.
constexpr scene::Rgba kProbeColor{214 / 255.0f, 69 / 255.0f, 65 / 255.0f, 1};

/// Scalars that colours can follow, in the order of the data set.
std::vector<std::string> scalarFunctions(const DataSummary& data);
/// These and, behind them, where nodes are along the axes: what a user may choose, and nothing begins with.
std::vector<std::string> scalarsToChoose(const DataSummary& data);
/// Those that have values on walls only.
std::vector<std::string> wallFunctions(const DataSummary& data);
std::vector<std::string> vectorFunctions(const DataSummary& data);
std::vector<std::string> wallVectors(const DataSummary& data);
/// What lines on a wall follow at first: the first of wallVectors(), or the shear or friction that a solver has written as a vector of its own. Empty
/// where there is none.
std::vector<std::string> usualOnWalls(const DataSummary& data);
/// Whether that is the data's own, which unstructured blocks may have as well.
bool hasOwnShear(const DataSummary& data);
/// About where the values of a function lie: as the data say, or as far as was seen of them. None where nothing is known.
std::optional<std::array<double, 2>> usualRange(const DataSummary& data, const std::string& function);
/// About in the middle of it, with few digits.
double middleOf(const std::array<double, 2>& range);
/// A value at which there is a surface to see: about in the middle of the values, but for the few that lie far from the others; with few
/// digits. None where nothing is known.
std::optional<double> usualValue(const DataSummary& data, const std::string& function);
/// What most people look at first; empty where there is no scalar.
std::string usualScalar(const DataSummary& data);
/// What can be looked at where `function` has one value everywhere: other scalars that the data have themselves, without
/// numbers of nodes and cells.
std::vector<std::string> otherScalars(const DataSummary& data, const std::string& function);
/// What is looked at on walls, where the velocity is 0.
std::string wallScalar(const DataSummary& data);

/// What a renderer (slab://HOST:PORT) can show; empty for data that are here.
std::vector<std::string> rendererFunctions(const DataSummary& data);
/// An outline, and streamlines from all over the data; where nothing flows a volume of one regular block, else the faces, where there are
/// any. Of a renderer what it draws.
std::vector<session::Object> firstObjects(const DataSummary& data, const std::string& dataName);
/// The faces of all blocks: something to see of any data.
session::Object firstSurface(const DataSummary& data, const std::string& dataName);
/// A new one of each kind, without its data's name. Streamlines need a vector.
session::Object newVolume(const DataSummary& data);
session::Object newSlabs(const DataSummary& data);
session::Object newStreamlines(const DataSummary& data);
session::Object newPathlines(const DataSummary& data);
session::Object newStreaklines(const DataSummary& data);
session::Object newGridSurface(const DataSummary& data);
session::Object newSliceObject(const DataSummary& data);
session::Object newIsosurface(const DataSummary& data);
/// On no surface of the document yet, but on a slice of its own.
session::Object newIsolines(const DataSummary& data);
session::Object newArrows(const DataSummary& data);
session::Object newLic(const DataSummary& data);
session::Object newSurfaceLines(const DataSummary& data);
/// So far apart lines are seen one by one, and not as a surface, from where all of `bounds` is; 0 where that has no size.
double lineSpacingFor(const Bounds& bounds);
/// What isolines on `surface` are of at first: what colours it, where that has other values between nodes and differs on it; empty: what
/// newIsolines() says.
std::string isolineFunctionOn(const session::Object& surface, const DataSummary& data);
/// Whether the data call it a wall, where the velocity is 0 more often than not.
bool isWall(const session::Object& surface, const DataSummary& data);
session::Object newOutline(const DataSummary& data);
/// At placeInside() (first_places.h), of what is looked at first.
session::Object newProbe(const DataSummary& data);
/// Through the middle of the data, where it shows most of them.
session::Slice newSlice(const DataSummary& data);

}  // namespace farfield::app
