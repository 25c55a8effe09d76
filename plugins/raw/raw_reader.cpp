#include "plugins/raw/raw_reader.h"

#include <algorithm>
#include <optional>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/units.h"
#include "core/base/url.h"

namespace farfield::raw {
namespace {

using arrays::NumberType;

const std::vector<std::string> kOptions = {"dims",  "type",    "offset", "endian", "components", "order",
                                           "steps", "spacing", "origin", "name",   "vectors"};
constexpr std::int64_t kMostNodes = std::int64_t{1} << 40;  ///< along an axis
constexpr int kMostComponents = 1024;

/// The options except for the type.
struct Shape {
  Index3 dims{1, 1, 1};
  bool knowsPlanes = false;  ///< whether `dims` has its third number
  std::int64_t offset = 0, steps = 1;
  int components = 1;
  bool planar = false, bigEndian = false;

  std::int64_t numbers() const { return checkedProduct({dims[0], dims[1], dims[2], components, steps}); }
};

Shape shapeFrom(const arrays::Options& options) {
  Shape shape;
  const auto dims = options.find("dims");
  if (dims == options.end())
    throw Invalid("plain numbers do not say how many there are",
                  "give --option dims=NI,NJ,NK --option type=u8 (or i8, u16, i16, i32, f32, f64, …)");
  const std::vector<double> counts = arrays::numbersOf("dims", dims->second, 3);
  for (std::size_t a = 0; a < counts.size(); ++a) {
    if (!(counts[a] >= 1 && counts[a] <= static_cast<double>(kMostNodes)) ||
        counts[a] != static_cast<double>(static_cast<std::int64_t>(counts[a])))
      throw Invalid("'" + printable(dims->second) + "' are no counts of nodes", "give NI,NJ,NK")
          .at("option dims");
    shape.dims[a] = static_cast<std::int64_t>(counts[a]);
  }
  shape.knowsPlanes = counts.size() == 3;
  shape.offset = arrays::countOption(options, "offset").value_or(0);
  shape.steps = arrays::countOption(options, "steps").value_or(1);
  const std::int64_t components = arrays::countOption(options, "components").value_or(1);
  if (components < 1 || components > kMostComponents || shape.steps < 1)
    throw Invalid("the options components and steps are at least 1, and components at most " +
                  std::to_string(kMostComponents));
  shape.components = static_cast<int>(components);
  if (const auto order = options.find("order"); order != options.end()) {
    if (order->second != "interleaved" && order->second != "planar")
      throw Invalid("'" + printable(order->second) + "' is no order of components",
                    "use interleaved or planar")
          .at("option order");
    shape.planar = order->second == "planar";
  }
  shape.bigEndian = arrays::endianOption(options).value_or(false);
  return shape;
}

/// The type given, or found from the bytes per number.
NumberType typeFrom(const arrays::Options& options, const Shape& shape, std::uint64_t bytes) {
  if (const auto told = options.find("type"); told != options.end()) {
    const auto type = arrays::numberTypeNamed(told->second);
    if (!type)
      throw Invalid("'" + printable(told->second) + "' is not a number type",
                    "use u8, i8, u16, i16, u32, i32, u64, i64, f32 or f64")
          .at("option type");
    return *type;
  }
  const std::uint64_t values = bytes - std::min(bytes, static_cast<std::uint64_t>(shape.offset));
  const auto numbers = static_cast<std::uint64_t>(shape.numbers());
  const char* fits = nullptr;
  if (values == numbers) fits = "u8 or i8";
  if (values == 2 * numbers) fits = "u16 or i16";
  if (values == 4 * numbers) fits = "f32, i32 or u32";
  if (values == 8 * numbers) fits = "f64, i64 or u64";
  if (!fits)
    throw Invalid("the type of the numbers is not given, and " + std::to_string(values) + " bytes are not " +
                      std::to_string(numbers) + " numbers of 1, 2, 4 or 8 bytes",
                  "check the option dims and give the option type");
  throw Invalid("the type of the numbers is not given",
                std::string("give the option type: ") + fits + " would fit");
}

}  // namespace

RawData describeRaw(const std::vector<std::string>& files, const arrays::Options& options,
                    const paging::ByteStores& stores) {
  arrays::checkOptions(options, kOptions);
  Shape shape = shapeFrom(options);
  const auto fileCount = static_cast<std::int64_t>(files.size());
  const bool planesByFiles = !shape.knowsPlanes && fileCount > 1;
  if (planesByFiles) shape.dims[2] = fileCount;

  const auto pool = arrays::makeFilePool();
  paging::ByteObjects objects;
  std::vector<std::shared_ptr<const arrays::ByteSource>> sources;
  std::uint64_t all = 0;
  for (const std::string& file : files) {
    sources.push_back(arrays::namedBytes(file, stores, pool, objects, arrays::Growth::Behind));
    all += sources.back()->size();
  }
  const auto offset = static_cast<std::uint64_t>(shape.offset);
  const std::uint64_t first = sources.front()->size();
  const NumberType type = typeFrom(options, shape, planesByFiles ? all - offset * (files.size() - 1) : first);
  const auto bytes =
      static_cast<std::uint64_t>(checkedProduct({shape.numbers(), std::int64_t{arrays::bytesOf(type)}}));

  RawData raw;
  raw.objects = std::move(objects);
  raw.description = arrays::describeBlock("raw", shape.dims);
  arrays::PlacedArray placed;
  placed.type = type;
  placed.bigEndian = shape.bigEndian;
  placed.components = shape.components;
  std::int64_t steps = shape.steps;
  const bool inPlanes = fileCount > 1 && shape.dims[2] % fileCount == 0 && bytes % files.size() == 0 &&
                        (planesByFiles || first < offset + bytes);
  if (inPlanes && (shape.steps > 1 || (shape.planar && shape.components > 1)))
    throw Invalid(
        "planes in " + std::to_string(fileCount) + " files have neither steps nor planar components",
        "give one file per step");
  if (inPlanes) {
    const std::uint64_t each = bytes / files.size();
    for (std::size_t n = 0; n < sources.size(); ++n) {
      if (sources[n]->size() < offset + each)
        throw Corrupt("is too short: " + std::to_string(sources[n]->size()) + " bytes where " +
                          std::to_string(offset + each) + " are needed",
                      "check the options dims and type")
            .at(saidOf(files[n]));
      sources[n] = arrays::partOf(sources[n], offset, each);
    }
    placed.steps.push_back({arrays::densePiece(shape.dims, type, shape.components, shape.planar,
                                               arrays::joined(std::move(sources)), 0)});
    raw.explain.push_back(std::to_string(fileCount) + " files of " +
                          std::to_string(shape.dims[2] / fileCount) + " planes each");
  } else {
    if (fileCount > 1 && shape.steps > 1)
      throw Invalid("several files are the steps already", "leave out the option steps, or give one file");
    for (std::size_t n = 0; n < sources.size(); ++n) {
      if (sources[n]->size() < offset || sources[n]->size() - offset < bytes)
        throw Corrupt("is too short: " + std::to_string(sources[n]->size()) + " bytes where " +
                          std::to_string(offset + bytes) + " are needed",
                      "check the options dims, type and offset")
            .at(saidOf(files[n]));
      placed.steps.push_back({arrays::densePiece(shape.dims, type, shape.components, shape.planar,
                                                 std::move(sources[n]), offset)});
    }
    if (fileCount > 1) steps = fileCount;
    if (fileCount == 1 && steps > 1)
      placed.stepStride = static_cast<std::int64_t>(bytes / static_cast<std::uint64_t>(steps));
    if (first > offset + bytes)
      raw.explain.push_back("left out: the last " + formatBytes(first - offset - bytes) + " of the file");
  }
  arrays::checkPlaces(placed, steps);
  raw.explain.push_back(std::string(arrays::nameOf(type)) +
                        (arrays::bytesOf(type) == 1 ? ""
                         : shape.bigEndian          ? ", big-endian"
                                                    : ", little-endian") +
                        ", read in place from byte " + std::to_string(shape.offset));
  if (arrays::losesDigits(type)) raw.explain.push_back("64-bit integers become f64, exact up to 2^53");

  raw.description.times.clear();
  for (std::int64_t n = 0; n < steps; ++n) raw.description.times.push_back(static_cast<double>(n));
  raw.description.storedBytes = all;
  raw.description.attributes["source"] = lastPartOf(files.front());

  const auto named = options.find("name");
  const std::vector<std::string> names =
      named == options.end() ? std::vector<std::string>{"value"} : arrays::wordsOf(named->second);
  if (names.size() != 1 && names.size() != static_cast<std::size_t>(shape.components))
    throw Invalid("has " + std::to_string(names.size()) + " names for " + std::to_string(shape.components) +
                      " components",
                  "give one, or one for each")
        .at("option name");
  if (names.size() == 1) {
    auto array = arrays::describeArray(arrays::usableName(names.front(), raw.description), shape.dims,
                                       shape.components, arrays::keptAs(type), steps);
    raw.description.arrays.push_back(std::move(array));
    raw.places.emplace_back(std::move(placed));
  } else {
    // one variable each, which the option vectors may join
    for (std::size_t c = 0; c < names.size(); ++c) {
      arrays::PlacedArray one = placed;
      one.components = 1;
      for (auto& pieces : one.steps)
        for (auto& piece : pieces)
          piece.offset += static_cast<std::uint64_t>(static_cast<std::int64_t>(c) * piece.componentStride);
      raw.description.arrays.push_back(arrays::describeArray(arrays::usableName(names[c], raw.description),
                                                             shape.dims, 1, arrays::keptAs(type), steps));
      raw.places.emplace_back(std::move(one));
    }
  }
  arrays::makeVectors(options, raw.description, raw.places);
  const Vec3 spacing = arrays::vectorOption(options, "spacing").value_or(Vec3{1, 1, 1});
  arrays::placeNodes(arrays::vectorOption(options, "origin").value_or(Vec3{}),
                     {Vec3{spacing.x, 0, 0}, Vec3{0, spacing.y, 0}, Vec3{0, 0, spacing.z}}, raw.description,
                     raw.places);
  return raw;
}

}  // namespace farfield::raw
