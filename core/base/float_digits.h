#pragma once
// Numbers of single precision, for reading. 423.2 in a file of float32 is 423.20001220703125 as a double, and
// its digits from the ninth on are of nobody's writing.

namespace farfield {

/// Where `value` is exactly a float: the double next to the shortest decimal number that reads back as that float, so that
/// any number of digits of it are those that were written. Whole numbers and all others: `value`.
double withFloatDigits(double value);

/// Whether all that lies from `least` to `greatest` is one number as far as single precision tells: what was stored as floats,
/// computed from them and interpolated differs by a few units in their last place without meaning anything. False where one is not
/// a number.
bool isOneFloat(double least, double greatest);

}  // namespace farfield
