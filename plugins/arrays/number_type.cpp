#include "plugins/arrays/number_type.h"

#include <cctype>
#include <string>
#include <utility>

#include "core/base/bytes.h"

namespace farfield::arrays {
namespace {

constexpr const char* kNames[] = {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64"};

constexpr std::pair<const char*, NumberType> kWords[] = {
    {"i8", NumberType::I8},
    {"int8", NumberType::I8},
    {"int8_t", NumberType::I8},
    {"char", NumberType::I8},
    {"signed char", NumberType::I8},
    {"signed_char", NumberType::I8},
    {"u8", NumberType::U8},
    {"uint8", NumberType::U8},
    {"uint8_t", NumberType::U8},
    {"uchar", NumberType::U8},
    {"byte", NumberType::U8},
    {"unsigned char", NumberType::U8},
    {"unsigned_char", NumberType::U8},
    {"i16", NumberType::I16},
    {"int16", NumberType::I16},
    {"int16_t", NumberType::I16},
    {"short", NumberType::I16},
    {"short int", NumberType::I16},
    {"signed short", NumberType::I16},
    {"signed short int", NumberType::I16},
    {"u16", NumberType::U16},
    {"uint16", NumberType::U16},
    {"uint16_t", NumberType::U16},
    {"ushort", NumberType::U16},
    {"unsigned short", NumberType::U16},
    {"unsigned short int", NumberType::U16},
    {"unsigned_short", NumberType::U16},
    {"i32", NumberType::I32},
    {"int32", NumberType::I32},
    {"int32_t", NumberType::I32},
    {"int", NumberType::I32},
    {"signed int", NumberType::I32},
    {"u32", NumberType::U32},
    {"uint32", NumberType::U32},
    {"uint32_t", NumberType::U32},
    {"uint", NumberType::U32},
    {"unsigned int", NumberType::U32},
    {"unsigned_int", NumberType::U32},
    {"i64", NumberType::I64},
    {"int64", NumberType::I64},
    {"int64_t", NumberType::I64},
    {"longlong", NumberType::I64},
    {"long long", NumberType::I64},
    {"long long int", NumberType::I64},
    {"signed long long", NumberType::I64},
    {"signed long long int", NumberType::I64},
    {"u64", NumberType::U64},
    {"uint64", NumberType::U64},
    {"uint64_t", NumberType::U64},
    {"ulonglong", NumberType::U64},
    {"unsigned long long", NumberType::U64},
    {"unsigned long long int", NumberType::U64},
    {"f32", NumberType::F32},
    {"float32", NumberType::F32},
    {"float", NumberType::F32},
    {"f64", NumberType::F64},
    {"float64", NumberType::F64},
    {"double", NumberType::F64},
};

/// Calls `action` with a number of the type in files and one of the type in which it is kept.
template <class Action>
auto withTypes(NumberType type, Action action) {
  switch (type) {
    case NumberType::I8:
      return action(std::int8_t{}, std::int8_t{});
    case NumberType::U8:
      return action(std::uint8_t{}, std::uint8_t{});
    case NumberType::I16:
      return action(std::int16_t{}, std::int16_t{});
    case NumberType::U16:
      return action(std::uint16_t{}, std::uint16_t{});
    case NumberType::I32:
      return action(std::int32_t{}, std::int32_t{});
    case NumberType::U32:
      return action(std::uint32_t{}, double{});
    case NumberType::I64:
      return action(std::int64_t{}, double{});
    case NumberType::U64:
      return action(std::uint64_t{}, double{});
    case NumberType::F32:
      return action(float{}, float{});
    case NumberType::F64:
      break;
  }
  return action(double{}, double{});
}

template <class Stored, class Kept>
void convertNumbers(bool swap, const std::byte* from, std::ptrdiff_t fromStride, std::int64_t count,
                    std::byte* to, std::ptrdiff_t toStride) {
  const auto one = [&](std::ptrdiff_t n, std::ptrdiff_t in, std::ptrdiff_t out, bool swaps) {
    // integers throughout: a signalling NaN with its bytes reversed must not pass through a floating-point
    // register
    Stored value;
    if (swaps) {
      std::byte turned[sizeof(Stored)];
      for (std::size_t b = 0; b < sizeof(Stored); ++b)
        turned[b] = from[n * in + static_cast<std::ptrdiff_t>(sizeof(Stored) - 1 - b)];
      std::memcpy(&value, turned, sizeof value);
    } else {
      std::memcpy(&value, from + n * in, sizeof value);
    }
    store(to + n * out, static_cast<Kept>(value));
  };
  const bool dense = fromStride == sizeof(Stored) && toStride == sizeof(Kept);
  // a branch of its own, so that the compiler knows the strides and vectorizes
  if (dense && !swap)
    for (std::int64_t n = 0; n < count; ++n) one(n, sizeof(Stored), sizeof(Kept), false);
  else if (dense)
    for (std::int64_t n = 0; n < count; ++n) one(n, sizeof(Stored), sizeof(Kept), true);
  else
    for (std::int64_t n = 0; n < count; ++n) one(n, fromStride, toStride, swap);
}

}  // namespace

int bytesOf(NumberType type) {
  return withTypes(type, [](auto stored, auto) { return static_cast<int>(sizeof stored); });
}

const char* nameOf(NumberType type) {
  return kNames[static_cast<int>(type)];
}

std::optional<NumberType> numberTypeNamed(std::string_view name) {
  std::string lower;
  for (const char letter : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  for (const auto& [word, type] : kWords)
    if (lower == word) return type;
  return std::nullopt;
}

ScalarType keptAs(NumberType type) {
  switch (type) {
    case NumberType::I8:
      return ScalarType::I8;
    case NumberType::U8:
      return ScalarType::U8;
    case NumberType::I16:
      return ScalarType::I16;
    case NumberType::U16:
      return ScalarType::U16;
    case NumberType::I32:
      return ScalarType::I32;
    case NumberType::F32:
      return ScalarType::F32;
    default:
      return ScalarType::F64;
  }
}

NumberType nativeType(NumberType type) {
  return keptAs(type) == ScalarType::F64 ? NumberType::F64 : type;
}

bool losesDigits(NumberType type) {
  return type == NumberType::I64 || type == NumberType::U64;
}

void convert(NumberType type, bool bigEndian, const std::byte* from, std::ptrdiff_t fromStride,
             std::int64_t count, std::byte* to, std::ptrdiff_t toStride) {
  withTypes(type, [&](auto stored, auto kept) {
    convertNumbers<decltype(stored), decltype(kept)>(bigEndian && sizeof stored > 1, from, fromStride, count,
                                                     to, toStride);
  });
}

}  // namespace farfield::arrays
