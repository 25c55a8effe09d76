#pragma once
// The number types in files of other programs, and their conversion to those of Farfield
// (core/base/scalar_type.h), in either byte order and with any stride. Types that Farfield lacks become f64:
// u32 exactly, 64-bit integers exactly up to 2^53.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/scalar_type.h"

namespace farfield::arrays {

enum class NumberType : std::uint8_t { I8, U8, I16, U16, I32, U32, I64, U64, F32, F64 };

int bytesOf(NumberType type);
/// "i8", …
const char* nameOf(NumberType type);
/// By the names of formats and people, in upper or lower case: "u8", "uint8", "uchar", "unsigned char",
/// "short", "float", "double", …; nothing for others.
std::optional<NumberType> numberTypeNamed(std::string_view name);
/// The type in which values are delivered.
ScalarType keptAs(NumberType type);
/// The type in files that keptAs(`type`) is the same as.
NumberType nativeType(NumberType type);
/// Whether the conversion may change values: 64-bit integers.
bool losesDigits(NumberType type);

/// Converts `count` numbers, `fromStride` bytes apart, to numbers of keptAs(`type`), `toStride` bytes apart
/// (may be negative). Neither needs to be aligned; they must not overlap, unless both start at the same
/// address, are dense and of the same type.
void convert(NumberType type, bool bigEndian, const std::byte* from, std::ptrdiff_t fromStride,
             std::int64_t count, std::byte* to, std::ptrdiff_t toStride);

}  // namespace farfield::arrays
