#pragma once
// Functions that users define by expressions, by name: "polytropic" for "pressure/density^1.4". They are given as options of data, which
// all formats have, and are attributes of their description from then on, so that whatever knows the description knows them.
// Three expressions with commas between define a vector, "wind" for "u, v, 0"; its parts are functions as well: wind-x, wind-y, wind-z,
// wind-magnitude.
// What a file brings along is taken in the same way, and may be wrong: such definitions are no functions.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fields/functions/open_data.h"

namespace farfield::fields {

/// Of the option and of the attribute: "function.polytropic".
inline constexpr std::string_view kDefinitionKey = "function.";

/// What is wrong with `name` as that of a function, a sentence; empty: nothing. It need not be free.
std::string problemOfFunctionName(std::string_view name);

/// Names that mean something by themselves in these data, listed or not, so that no definition has them. Sorted.
std::vector<std::string> takenNames(paging::DatasetDescription data);

/// Whether there is a definition of that very name.
bool isDefined(const std::map<std::string, std::string>& attributes, std::string_view name);

/// What `name` stands for: the expression or, of a vector, the three; that of a part of such a vector. Nothing: it is none.
std::optional<std::string> definitionOf(const std::map<std::string, std::string>& attributes,
                                        std::string_view name);

/// `text` where it has commas that are not within parentheses or braces: three parts of a vector. One part: it has none.
std::vector<std::string> partsOfVector(std::string_view text);

/// `text` with each name of a definition replaced by what it stands for, in parentheses. `isPlain` tells names that go before
/// definitions. Throws Invalid where definitions refer to themselves or are vectors, or what they stand for is longer than an expression
/// can be.
std::string withoutDefinitions(std::string_view text, const std::map<std::string, std::string>& attributes,
                               const std::function<bool(std::string_view)>& isPlain);

/// Takes the definitions out of the options of a request. Throws Invalid for impossible names, or too many.
std::map<std::string, std::string> takeDefinitions(std::map<std::string, std::string>& options);

/// The same data with definitions. Throws Invalid, naming the option, for expressions that are wrong and names that are taken.
std::unique_ptr<OpenData> withDefinitions(std::unique_ptr<OpenData> data,
                                          const std::map<std::string, std::string>& definitions);

}  // namespace farfield::fields
