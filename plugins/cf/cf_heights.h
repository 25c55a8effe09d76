#pragma once
// Vertical coordinates without a dimension by the CF conventions (cfconventions.org, chapter 4.3.3 and appendix D): layers
// that follow the sea floor, the ground or the pressure there, and where their nodes lie.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "plugins/arrays/array_reader.h"
#include "plugins/cf/cf_file.h"

namespace farfield::cf {

/// What a vertical axis says of itself: the formula, and the variable of each of its terms.
struct HeightFormula {
  enum class Kind : std::uint8_t {
    OceanSigma,           ///< ocean_sigma_coordinate: sigma, eta, depth
    OceanS,               ///< ocean_s_coordinate: s, eta, depth, a, b, depth_c
    OceanSG1,             ///< ocean_s_coordinate_g1: s, C, eta, depth, depth_c
    OceanSG2,             ///< ocean_s_coordinate_g2: the same
    HybridHeight,         ///< atmosphere_hybrid_height_coordinate: a, b, orog
    AtmosphereSigma,      ///< atmosphere_sigma_coordinate: sigma, ps, ptop; pressures
    HybridSigmaPressure,  ///< atmosphere_hybrid_sigma_pressure_coordinate: ap or a and p0, b, ps; pressures
  };
  Kind kind = Kind::OceanSigma;
  std::map<std::string, std::string> terms;  ///< names of variables by terms

  bool givesPressure() const { return kind == Kind::AtmosphereSigma || kind == Kind::HybridSigmaPressure; }
  /// Terms that are numbers of a layer, those that are one number, and those that are numbers of a place in the plane.
  std::vector<std::string> layerTerms() const;
  std::vector<std::string> singleTerms() const;
  std::vector<std::string> planeTerms() const;
};

/// The formula that `axis` names. Throws Unsupported if it names none that is known, Corrupt if a term has no variable.
HeightFormula formulaOf(const Variable& axis);

/// The numbers of a formula, in the order of its layerTerms() and singleTerms().
struct HeightNumbers {
  std::vector<std::vector<double>> layers;  ///< of each term, a number for each layer
  std::vector<double> singles;
};

/// A term of the plane: an array of one layer. Where it lies on nodes between those of the grid (staggered grids), it has one more node along that axis, and the mean of both
/// counts.
struct PlaneTerm {
  arrays::PlacedArray array;
  std::array<bool, 2> between{};
};

/// x or y of a node: an array of one layer, or numbers along the axis.
using PlaneCoordinate = std::variant<arrays::PlacedArray, std::vector<double>>;

/// Coordinates of the nodes (f64, three components): x and y from `plane`, z by the formula, whose planeTerms() are `terms`. Places where a term has no value are taken to have 0 there:
/// nodes need finite coordinates, and have no values there either.
arrays::ComputedArray nodesAtHeights(std::array<PlaneCoordinate, 2> plane, const HeightFormula& formula,
                                     HeightNumbers numbers, std::vector<PlaneTerm> terms);

}  // namespace farfield::cf
