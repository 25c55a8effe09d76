#pragma once
// Parts of vectors: NAME-x, NAME-y, NAME-z and NAME-magnitude are functions for each variable NAME of three components, and each vector
// that users define (defined_functions.h), unless something else has that name. And what functions are measured in, where the data say it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fields/functions/functions.h"

namespace farfield::fields {

struct VectorPart {
  static constexpr int kMagnitude = 3;
  std::string vector;
  int part = 0;  ///< 0, 1, 2: of x, y, z; or kMagnitude
};

/// The vector and the part of it that are written in `name`, whether or not there is such a vector.
std::optional<VectorPart> vectorPartWritten(std::string_view name);

/// What `name` is if the data have nothing else of that name. Vectors with a brace in their names have no parts: expressions could not
/// name them.
/// Of variables alone: what users define is definitionOf()'s.
std::optional<VectorPart> vectorPartNamed(const paging::DatasetDescription& description,
                                          std::string_view name);

/// The magnitude of `vector` as an expression of its components.
std::string magnitudeOf(const std::string& vector);

/// For lists of functions, which go on with these behind availableFunctions(): the parts that have no other name there.
std::vector<FunctionInfo> vectorParts(const paging::DatasetDescription& description);

/// The attribute that names the vector which what shows a flow begins with, where formats know which one that is.
inline constexpr const char* kUsualVectorKey = "usualVector";
/// And the one that names the two components, one a line, which are along the lines of a turned grid: that vector has them to the east and to the north.
inline constexpr const char* kAlongGridKey = "alongGrid";

/// What a variable, its part or its magnitude is measured in ("m s-1"), by the attributes "units.VARIABLE", as which formats also say
/// the units of functions that they define. Empty if the data do not say it, and of all that is computed otherwise.
std::string unitsOf(const paging::DatasetDescription& description, const std::string& function);

/// "velocity-magnitude [m s-1]", or the name alone.
std::string withUnits(const paging::DatasetDescription& description, const std::string& function);

}  // namespace farfield::fields
