#pragma once
// The marks of a scale and their labels: steps of 1, 2 or 5 times a power of ten, with as few digits as
// distinguish them. Independent of drawing, so that legends and axes agree.

#include <string>
#include <vector>

namespace farfield::color {

struct Tick {
  double value = 0;
  double place = 0;   ///< 0 at the lower end of the range, 1 at the upper
  std::string label;  ///< empty for a minor tick
};

/// The marks of a range, ascending. A value is a label times ten to the power of `exponent`.
struct Ticks {
  std::vector<Tick> ticks;
  int exponent = 0;  ///< a multiple of 3; 0 where plain numbers are short enough
  std::string first,
      last;  ///< the ends of the range, to one digit more than the ticks, or as many as tell them truly
};

/// Marks at multiples of 1, 2 or 5 times a power of ten inside of [min, max]; at most `most` (>= 2) of
/// them. An empty range (min == max) has none. Both ends are finite.
Ticks linearTicks(double min, double max, int most);

/// Marks for a logarithmic range, 0 < min <= max: every decade (or every second, third, ... so that there are
/// at most `most` labels), with unlabelled minor ones at 2 ... 9 if each decade has its mark. Ranges of less
/// than one and a half decades are labelled like a linear range.
Ticks logarithmicTicks(double min, double max, int most);

/// Marks between `bands` equal steps of colour (in the logarithm if the scale is logarithmic), at most `most`
/// of which have labels. These and the ends have as many decimals as one another, but for logarithmic scales over decades.
Ticks bandTicks(double min, double max, bool logarithmic, int bands, int most);

/// `value` with `digits` significant digits, without trailing zeros: "0.25", "1.2e-07" becomes "1.2×10⁻⁷".
std::string formatNumber(double value, int digits);

/// 0 in place of a value that is next to nothing beside others of `size`, rounding or a stagnation point: 8.7e-17 or 4e-10
/// in a range that ends at 1.9. Not for logarithmic scales, where it is a value like others.
double withoutRounding(double value, double size);

/// The number with the fewest digits that lies no further than `within` from `value`: 13.717 for 13.717000007.
double plainNumber(double value, double within);

/// "10⁻³".
std::string powerOfTen(int exponent);

}  // namespace farfield::color
