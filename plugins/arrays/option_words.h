#pragma once
// Parsing options of readers of arrays: "64,64,93", "[64, 64, 93]", "little". Also the option that makes
// vectors of several variables.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "plugins/arrays/array_reader.h"

namespace farfield::arrays {

using Options = std::map<std::string, std::string>;

/// Throws Invalid, with the list of `known` keys, for any other key.
void checkOptions(const Options& options, const std::vector<std::string>& known);

/// "64,64,93", with or without brackets: 1 to `most` numbers. Throws Invalid, naming `key`.
std::vector<double> numbersOf(const std::string& key, const std::string& text, std::size_t most);
/// "u,v,w", "[\"u\", \"v\"]"; returns the words without brackets and quotes.
std::vector<std::string> wordsOf(const std::string& text);
/// Three numbers of option `key`; nothing if it is not given.
std::optional<Vec3> vectorOption(const Options& options, const std::string& key);
/// A whole number ≥ 0.
std::optional<std::int64_t> countOption(const Options& options, const std::string& key);
/// Whether the option says big-endian ("big") or not ("little").
std::optional<bool> endianOption(const Options& options);

/// Option `vectors` ("velocity=u,v,w", several between semicolons, or { "velocity": ["u", "v", "w"] }): the
/// variables of each become one array of two or three components, which keep their names. Does nothing if it
/// is not given. Throws Invalid if a variable does not exist, or they differ in type or are used twice.
void makeVectors(const Options& options, paging::DatasetDescription& description,
                 std::vector<ArrayPlace>& places);

}  // namespace farfield::arrays
