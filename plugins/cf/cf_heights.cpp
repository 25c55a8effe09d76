#include "plugins/cf/cf_heights.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"

namespace farfield::cf {
namespace {

using Kind = HeightFormula::Kind;

struct KnownFormula {
  const char* standardName;
  Kind kind;
  std::vector<std::string> layers, singles, plane;
};

const std::vector<KnownFormula>& knownFormulas() {
  static const std::vector<KnownFormula> known{
      {"ocean_sigma_coordinate", Kind::OceanSigma, {"sigma"}, {}, {"eta", "depth"}},
      {"ocean_s_coordinate", Kind::OceanS, {"s"}, {"depth_c", "a", "b"}, {"eta", "depth"}},
      {"ocean_s_coordinate_g1", Kind::OceanSG1, {"s", "c"}, {"depth_c"}, {"eta", "depth"}},
      {"ocean_s_coordinate_g2", Kind::OceanSG2, {"s", "c"}, {"depth_c"}, {"eta", "depth"}},
      {"atmosphere_hybrid_height_coordinate", Kind::HybridHeight, {"a", "b"}, {}, {"orog"}},
      {"atmosphere_sigma_coordinate", Kind::AtmosphereSigma, {"sigma"}, {"ptop"}, {"ps"}},
      {"atmosphere_hybrid_sigma_pressure_coordinate", Kind::HybridSigmaPressure, {"ap", "b"}, {}, {"ps"}},
  };
  return known;
}

const KnownFormula& known(Kind kind) {
  const auto& all = knownFormulas();
  return *std::find_if(all.begin(), all.end(), [&](const KnownFormula& each) { return each.kind == kind; });
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

/// Values of a term at the places of `layer` (of the grid), means where it lies between them.
std::vector<double> valuesOf(const PlaneTerm& term, std::int64_t step, const IndexBox& layer) {
  IndexBox box = layer;
  for (std::size_t a = 0; a < 2; ++a) box.size[a] += term.between[a] ? 1 : 0;
  const auto count = static_cast<std::size_t>(product(box.size));
  std::vector<std::byte> stored(count * static_cast<std::size_t>(sizeOf(term.array.valueType())));
  arrays::readBox(term.array, term.array.hasSteps() ? step : 0, box, 0, 1, stored);
  std::vector<double> values(count);
  toDouble(stored.data(), term.array.valueType(), 0, static_cast<std::int64_t>(count), values.data());
  if (box.size == layer.size) return values;
  std::vector<double> means;
  means.reserve(static_cast<std::size_t>(product(layer.size)));
  const std::int64_t right = term.between[0] ? 1 : 0, up = term.between[1] ? box.size[0] : 0;
  for (std::int64_t j = 0; j < layer.size[1]; ++j)
    for (std::int64_t i = 0; i < layer.size[0]; ++i) {
      const auto at = [&](std::int64_t away) {
        return values[static_cast<std::size_t>(j * box.size[0] + i + away)];
      };
      means.push_back((at(0) + at(right) + at(up) + at(right + up)) / 4);
    }
  return means;
}

std::vector<double> valuesOf(const PlaneCoordinate& coordinate, std::size_t axis, std::int64_t step,
                             const IndexBox& layer) {
  if (const auto* array = std::get_if<arrays::PlacedArray>(&coordinate))
    return valuesOf(PlaneTerm{*array, {}}, step, layer);
  const auto& along = std::get<std::vector<double>>(coordinate);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(product(layer.size)));
  for (std::int64_t j = 0; j < layer.size[1]; ++j)
    for (std::int64_t i = 0; i < layer.size[0]; ++i)
      values.push_back(along[static_cast<std::size_t>(layer.first[axis] + (axis == 0 ? i : j))]);
  return values;
}

/// The curve C of ocean_s_coordinate.
std::vector<double> curveOf(const std::vector<double>& s, double a, double b) {
  std::vector<double> curve;
  curve.reserve(s.size());
  for (const double each : s)
    curve.push_back((1 - b) * std::sinh(a * each) / std::sinh(a) +
                    b * (std::tanh(a * (each + 0.5)) / (2 * std::tanh(0.5 * a)) - 0.5));
  return curve;
}

/// Where the node of layer `k` lies at a place where the first term of the plane is `surface`, the second, if there is one, `depth`.
double heightOf(Kind kind, const HeightNumbers& numbers, std::size_t k, double surface, double depth) {
  const double s = numbers.layers[0][k], c = numbers.layers.size() > 1 ? numbers.layers[1][k] : 0,
               single = numbers.singles.empty() ? 0 : numbers.singles[0];
  switch (kind) {
    case Kind::OceanSigma:
      return surface + s * (depth + surface);
    case Kind::OceanS:
      return surface * (1 + s) + single * s + (depth - single) * c;
    case Kind::OceanSG1: {
      const double still = single * s + (depth - single) * c;
      return depth != 0 ? still + surface * (1 + still / depth) : surface;
    }
    case Kind::OceanSG2: {
      const double share = single + depth != 0 ? (single * s + depth * c) / (single + depth) : 0;
      return surface + (surface + depth) * share;
    }
    case Kind::HybridHeight:
      return s + c * surface;
    case Kind::AtmosphereSigma:
      return single + s * (surface - single);
    case Kind::HybridSigmaPressure:
      return s * (numbers.singles.empty() ? 1 : single) + c * surface;
  }
  return 0;
}

}  // namespace

std::vector<std::string> HeightFormula::layerTerms() const {
  std::vector<std::string> names = known(kind).layers;
  if (kind == Kind::HybridSigmaPressure && !terms.contains("ap")) names.front() = "a";
  return names;
}

std::vector<std::string> HeightFormula::singleTerms() const {
  std::vector<std::string> names = known(kind).singles;
  if (kind == Kind::HybridSigmaPressure && !terms.contains("ap")) names.emplace_back("p0");
  return names;
}

std::vector<std::string> HeightFormula::planeTerms() const {
  return known(kind).plane;
}

HeightFormula formulaOf(const Variable& axis) {
  const std::string name = lower(axis.textOf("standard_name"));
  const auto& all = knownFormulas();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const KnownFormula& each) { return name == each.standardName; });
  if (found == all.end()) {
    std::string names;
    for (const KnownFormula& each : all)
      names += (names.empty() ? "" : ", ") + std::string(each.standardName);
    throw Unsupported(printable(axis.name) + " names no formula by its standard_name", "known are " + names);
  }
  HeightFormula formula{found->kind, {}};
  std::istringstream words(axis.textOf("formula_terms"));
  for (std::string term, variable; words >> term >> variable;) {
    if (term.ends_with(':')) term.pop_back();
    formula.terms[lower(term)] = variable;
  }
  for (const auto& names : {formula.layerTerms(), formula.singleTerms(), formula.planeTerms()})
    for (const std::string& term : names)
      if (!formula.terms.contains(term))
        throw Corrupt("the formula_terms of " + printable(axis.name) + " have no '" + term + ":'",
                      "correct the attribute");
  return formula;
}

arrays::ComputedArray nodesAtHeights(std::array<PlaneCoordinate, 2> plane, const HeightFormula& formula,
                                     HeightNumbers numbers, std::vector<PlaneTerm> terms) {
  if (formula.kind == Kind::OceanS)
    numbers.layers.push_back(curveOf(numbers.layers[0], numbers.singles[1], numbers.singles[2]));
  return
      [plane = std::move(plane), kind = formula.kind, numbers = std::move(numbers), terms = std::move(terms)](
          std::int64_t step, const IndexBox& box, int first, int count, std::span<std::byte> out) {
        const IndexBox layer{{box.first[0], box.first[1], 0}, {box.size[0], box.size[1], 1}};
        const auto nodes = static_cast<std::size_t>(product(layer.size));
        const std::array<std::vector<double>, 2> xy{valuesOf(plane[0], 0, step, layer),
                                                    valuesOf(plane[1], 1, step, layer)};
        std::vector<std::vector<double>> values;
        for (const PlaneTerm& term : terms) {
          values.push_back(valuesOf(term, step, layer));
          for (double& value : values.back())
            if (!std::isfinite(value)) value = 0;
        }
        std::byte* to = out.data();
        for (std::int64_t k = 0; k < box.size[2]; ++k)
          for (std::size_t n = 0; n < nodes; ++n)
            for (int c = first; c < first + count; ++c, to += sizeof(double))
              store(to, c < 2 ? xy[static_cast<std::size_t>(c)][n]
                              : heightOf(kind, numbers, static_cast<std::size_t>(box.first[2] + k),
                                         values[0][n], values.size() > 1 ? values[1][n] : 0.0));
      };
}

}  // namespace farfield::cf
