#pragma once
// The number types that files of other programs hold, and how they become those that Farfield keeps
// (core/base/scalar_type.h): in either byte order, and at any distance from each other. What Farfield has no
// type of its own for becomes f64: u32 exactly, 64-bit integers exactly up to 2^53.

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
/// By the words that formats and people use, in any case: "u8", "uint8", "uchar", "unsigned char", "short",
/// "float", "double", …; nothing for others.
std::optional<NumberType> numberTypeNamed(std::string_view name);
/// The type that values are delivered in.
ScalarType keptAs(NumberType type);
/// Whether values may change on the way: 64-bit integers.
bool losesDigits(NumberType type);

/// `count` numbers, `fromStride` bytes from one to the next, to numbers of keptAs(`type`), `toStride` bytes
/// from one to the next (may be negative). Neither needs to be aligned; they do not overlap, unless both start
/// at one place, are dense and of one type.
void convert(NumberType type, bool bigEndian, const std::byte* from, std::ptrdiff_t fromStride,
             std::int64_t count, std::byte* to, std::ptrdiff_t toStride);

}  // namespace farfield::arrays
