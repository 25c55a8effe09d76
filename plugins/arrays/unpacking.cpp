#include "plugins/arrays/unpacking.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/bytes.h"

namespace farfield::arrays {
namespace {

constexpr std::int64_t kAtATime = 512;

/// Reals that are their own values but for some that mean none.
template <class Real>
void dropFills(const Unpacking& how, std::int64_t count, std::byte* to, std::ptrdiff_t toStride) {
  for (const double fill : how.fills)
    for (std::int64_t n = 0; n < count; ++n)
      if (static_cast<double>(load<Real>(to + n * toStride)) == fill)
        store(to + n * toStride, std::numeric_limits<Real>::quiet_NaN());
}

template <class Real>
void scaled(const Unpacking& how, const double* numbers, std::int64_t count, std::byte* to,
            std::ptrdiff_t toStride) {
  for (std::int64_t n = 0; n < count; ++n, to += toStride) {
    const double number = numbers[n];
    const bool none = std::find(how.fills.begin(), how.fills.end(), number) != how.fills.end() ||
                      !(number >= how.least && number <= how.greatest);
    store(to,
          none ? std::numeric_limits<Real>::quiet_NaN() : static_cast<Real>(number * how.scale + how.offset));
  }
}

}  // namespace

bool Unpacking::operator==(const Unpacking& other) const {
  const auto isSame = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  return type == other.type && scale == other.scale && offset == other.offset && least == other.least &&
         greatest == other.greatest &&
         std::equal(fills.begin(), fills.end(), other.fills.begin(), other.fills.end(), isSame);
}

void toValues(const StoredAs& stored, const std::byte* from, std::ptrdiff_t fromStride, std::int64_t count,
              std::byte* to, std::ptrdiff_t toStride) {
  if (!stored.unpacking) return convert(stored.type, stored.bigEndian, from, fromStride, count, to, toStride);
  const Unpacking& how = *stored.unpacking;
  const ScalarType kept = keptAs(stored.type);
  if (kept == how.type && how.scale == 1 && how.offset == 0 && std::isinf(how.least) &&
      std::isinf(how.greatest)) {
    convert(stored.type, stored.bigEndian, from, fromStride, count, to, toStride);
    return how.type == ScalarType::F32 ? dropFills<float>(how, count, to, toStride)
                                       : dropFills<double>(how, count, to, toStride);
  }
  std::array<std::byte, kAtATime * sizeof(double)> native;
  std::array<double, kAtATime> numbers;
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t now = std::min(count - done, kAtATime);
    convert(stored.type, stored.bigEndian, from + done * fromStride, fromStride, now, native.data(),
            sizeOf(kept));
    toDouble(native.data(), kept, 0, now, numbers.data());
    if (how.type == ScalarType::F32)
      scaled<float>(how, numbers.data(), now, to + done * toStride, toStride);
    else
      scaled<double>(how, numbers.data(), now, to + done * toStride, toStride);
    done += now;
  }
}

}  // namespace farfield::arrays
