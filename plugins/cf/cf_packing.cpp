#include "plugins/cf/cf_packing.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/bytes.h"

namespace farfield::cf {
namespace {

using arrays::NumberType;

/// netcdf.h: NC_FILL_FLOAT, NC_FILL_DOUBLE.
constexpr double kDefaultFill = 9.9692099683868690e+36;

void addNumbers(const Variable& variable, const char* attribute, std::vector<double>& out) {
  const Attribute* const found = variable.find(attribute);
  if (!found) return;
  // real lists of missing values have a few
  const std::size_t count = std::min<std::size_t>(found->numbers.size(), 16);
  out.insert(out.end(), found->numbers.begin(), found->numbers.begin() + static_cast<std::ptrdiff_t>(count));
}

bool isReal(NumberType type) {
  return type == NumberType::F32 || type == NumberType::F64;
}

/// A fill value or a limit of an f32 variable may be stored as f64.
double asStored(NumberType type, double value) {
  const bool isInRange = std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max());
  return type == NumberType::F32 && isInRange ? static_cast<double>(static_cast<float>(value)) : value;
}

/// Limits of another type than packed whole numbers are limits of the values (NetCDF Users Guide, Attribute Conventions, valid_range).
bool limitsAreReal(const Variable& variable) {
  for (const char* const name : {"valid_min", "valid_max", "valid_range"})
    if (const Attribute* const limit = variable.find(name); limit && !limit->isReal) return false;
  return true;
}

void asStoredLimits(arrays::Unpacking& how) {
  if (how.scale == 0) {
    how.least = -std::numeric_limits<double>::infinity();
    how.greatest = std::numeric_limits<double>::infinity();
    return;
  }
  // a value at the limit must not be lost by rounding
  const double slack = 1e-6;
  how.least = (how.least - how.offset) / how.scale;
  how.greatest = (how.greatest - how.offset) / how.scale;
  if (how.scale < 0) std::swap(how.least, how.greatest);
  how.least -= slack;
  how.greatest += slack;
}

std::optional<NumberType> withoutSign(NumberType type) {
  switch (type) {
    case NumberType::I8:
      return NumberType::U8;
    case NumberType::I16:
      return NumberType::U16;
    case NumberType::I32:
      return NumberType::U32;
    case NumberType::I64:
      return NumberType::U64;
    default:
      return std::nullopt;
  }
}

bool isTrue(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text == "true";
}

}  // namespace

void takeUnsigned(File& file) {
  for (Variable& variable : file.variables) {
    const auto type = withoutSign(variable.type);
    if (!type || !isTrue(variable.textOf("_Unsigned"))) continue;
    variable.type = *type;
    // attributes are stored with the variable's own sign
    const double beyond = std::ldexp(1.0, 8 * arrays::bytesOf(*type));
    for (Attribute& attribute : variable.attributes) {
      const auto is = [&](const char* name) { return attribute.name == name; };
      if (attribute.isReal || !(is("_FillValue") || is("missing_value") || is("valid_min") ||
                                is("valid_max") || is("valid_range") || is("flag_values")))
        continue;
      for (double& number : attribute.numbers)
        if (number < 0 && number >= -beyond / 2) number += beyond;
    }
  }
}

std::shared_ptr<const arrays::Unpacking> unpackingOf(const Variable& variable, bool defaultFills) {
  auto how = std::make_shared<arrays::Unpacking>();
  const auto number = [&](const char* attribute, double& to) {
    const Attribute* const found = variable.find(attribute);
    if (!found || found->numbers.empty()) return false;
    to = found->numbers.front();
    return true;
  };
  bool packed = false, isDouble = false;
  for (const char* const attribute : {"scale_factor", "add_offset"}) {
    double& to = attribute[0] == 's' ? how->scale : how->offset;
    if (!number(attribute, to)) continue;
    packed = true;
    isDouble = isDouble || variable.find(attribute)->isDouble;
  }
  addNumbers(variable, "_FillValue", how->fills);
  addNumbers(variable, "missing_value", how->fills);
  bool limited = number("valid_min", how->least);
  limited = number("valid_max", how->greatest) || limited;
  if (const Attribute* const range = variable.find("valid_range"); range && range->numbers.size() == 2) {
    how->least = range->numbers[0];
    how->greatest = range->numbers[1];
    limited = true;
  }
  if (packed && limited && !isReal(variable.type) && limitsAreReal(variable)) asStoredLimits(*how);
  const bool said = !how->fills.empty() || limited;
  if (!said && defaultFills && isReal(variable.type)) how->fills.push_back(kDefaultFill);
  for (double& fill : how->fills) fill = asStored(variable.type, fill);
  for (double* const limit : {&how->least, &how->greatest}) *limit = asStored(variable.type, *limit);
  if (!packed && !said && how->fills.empty()) return nullptr;
  how->type = isDouble ? ScalarType::F64 : realTypeOf(variable.type);
  return how;
}

ScalarType realTypeOf(NumberType type) {
  return type == NumberType::F32 || arrays::bytesOf(type) < 4 ? ScalarType::F32 : ScalarType::F64;
}

bool mayBeFilled(const arrays::PlacedArray& array) {
  const auto isFilled = [](const std::shared_ptr<const arrays::Unpacking>& how) {
    return how && (std::isfinite(how->least) || std::isfinite(how->greatest) || how->fills.size() > 1 ||
                   (how->fills.size() == 1 && how->fills.front() != kDefaultFill &&
                    how->fills.front() != static_cast<double>(static_cast<float>(kDefaultFill))));
  };
  return isFilled(array.unpacking) || std::any_of(array.unpackings.begin(), array.unpackings.end(), isFilled);
}

arrays::ComputedArray blanksOf(std::vector<arrays::PlacedArray> variables) {
  return [variables = std::move(variables)](std::int64_t step, const IndexBox& box, int, int,
                                            std::span<std::byte> out) {
    // layer by layer, so that memory stays small
    IndexBox layer = box;
    layer.size[2] = 1;
    const auto nodes = static_cast<std::size_t>(layer.size[0] * layer.size[1]);
    std::vector<std::byte> stored;
    std::vector<std::int16_t> valid(nodes);
    std::vector<double> values(nodes);
    std::byte* to = out.data();
    for (std::int64_t k = 0; k < box.size[2]; ++k) {
      layer.first[2] = box.first[2] + k;
      std::fill(valid.begin(), valid.end(), std::int16_t{0});
      std::size_t left = nodes;
      for (const arrays::PlacedArray& variable : variables) {
        if (left == 0) break;
        stored.resize(nodes * static_cast<std::size_t>(sizeOf(variable.valueType())));
        arrays::readBox(variable, variable.hasSteps() ? step : 0, layer, 0, 1, stored);
        toDouble(stored.data(), variable.valueType(), 0, static_cast<std::int64_t>(nodes), values.data());
        for (std::size_t n = 0; n < nodes; ++n) {
          if (valid[n] != 0 || std::isnan(values[n])) continue;
          valid[n] = 1;
          --left;
        }
      }
      for (const std::int16_t each : valid) {
        store(to, each);
        to += sizeof each;
      }
    }
  };
}

arrays::ComputedArray nodesOf(std::array<arrays::PlacedArray, 2> plane, std::vector<double> heights) {
  return [plane = std::move(plane), heights = std::move(heights)](
             std::int64_t step, const IndexBox& box, int first, int count, std::span<std::byte> out) {
    const IndexBox layer{{box.first[0], box.first[1], 0}, {box.size[0], box.size[1], 1}};
    const auto nodes = static_cast<std::size_t>(product(layer.size));
    std::array<std::vector<double>, 2> values;
    std::vector<std::byte> stored;
    for (std::size_t a = 0; a < 2; ++a) {
      values[a].resize(nodes);
      stored.resize(nodes * static_cast<std::size_t>(sizeOf(plane[a].valueType())));
      arrays::readBox(plane[a], plane[a].hasSteps() ? step : 0, layer, 0, 1, stored);
      toDouble(stored.data(), plane[a].valueType(), 0, static_cast<std::int64_t>(nodes), values[a].data());
    }
    std::byte* to = out.data();
    for (std::int64_t k = 0; k < box.size[2]; ++k)
      for (std::size_t n = 0; n < nodes; ++n)
        for (int c = first; c < first + count; ++c, to += sizeof(double))
          store(to, c == 0   ? values[0][n]
                    : c == 1 ? values[1][n]
                             : heights[static_cast<std::size_t>(box.first[2] + k)]);
  };
}

}  // namespace farfield::cf
