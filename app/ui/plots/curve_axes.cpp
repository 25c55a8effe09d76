#include "app/ui/plots/curve_axes.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

namespace farfield::ui {
namespace {

/// A curve that takes less of its axis than this is no longer read.
constexpr double kLeastPart = 0.1;

/// Least and greatest of values; the wrong way round where there are none.
struct Span {
  double least = INFINITY, greatest = -INFINITY;
  bool empty() const { return !(least <= greatest); }
  double size() const { return empty() ? 0 : greatest - least; }
  void add(const Span& other) {
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
  }
  bool isOneValue() const { return size() <= 1e-13 * std::max(std::abs(least), std::abs(greatest)); }
};

Span spanOf(const std::vector<double>& values) {
  Span span;
  for (const double value : values)
    if (std::isfinite(value)) span.add({value, value});
  return span;
}

/// How many times as long an axis of both is as the shorter of them. What is one value asks for none of the length, but to be near.
double timesLonger(const Span& a, const Span& b) {
  if (a.empty() || b.empty()) return 1;
  Span both = a;
  both.add(b);
  if (both.isOneValue()) return 1;
  const double shorter = a.isOneValue() ? b.size() : b.isOneValue() ? a.size() : std::min(a.size(), b.size());
  return a.isOneValue() && b.isOneValue() ? INFINITY : both.size() / shorter;
}

bool areOne(const Curve& curve, std::size_t a, std::size_t b) {
  const QString &ofA = curve.unitsOf(a), &ofB = curve.unitsOf(b);
  return curve.quantityOf(a) == curve.quantityOf(b) || (!ofA.isEmpty() && ofA == ofB);
}

/// A little apart where they are equal but for rounding. Bars stand on 0.
std::array<double, 2> rangeOf(Span span, bool bars) {
  if (bars) span.add({0, 0});
  if (span.empty()) return {0, 1};
  if (!span.isOneValue()) return {span.least, span.greatest};
  const double more = span.least == 0 ? 1 : 0.1 * std::abs(span.least);
  return {span.least - more, span.greatest + more};
}

QString textOf(const char* text) {
  return QCoreApplication::translate("CurveAxes", text);
}

}  // namespace

CurveAxes axesOf(const Curve& curve, const std::vector<Side>& sides) {
  CurveAxes axes;
  std::array<Span, 2> spans;
  std::array<std::vector<std::size_t>, 2> on;  // curves of each axis
  QStringList strangers, small;
  const auto put = [&](std::size_t n, Side side, const Span& span) {
    axes.sides.push_back(side);
    spans[static_cast<std::size_t>(side)].add(span);
    on[static_cast<std::size_t>(side)].push_back(n);
  };
  for (std::size_t n = 0; n < curve.count(); ++n) {
    const Span span = spanOf(curve.valuesOf(n));
    axes.spans.push_back(rangeOf(span, curve.bars));
    const auto isAt = [&](Side side) {
      const auto& there = on[static_cast<std::size_t>(side)];
      return std::any_of(there.begin(), there.end(),
                         [&](std::size_t other) { return areOne(curve, n, other); });
    };
    const auto longer = [&](Side side) { return timesLonger(spans[static_cast<std::size_t>(side)], span); };
    // Of other units it never is, of which size it may be.
    const auto mayBeAt = [&](Side side) {
      const auto& there = on[static_cast<std::size_t>(side)];
      return longer(side) * kLeastPart <= 1 &&
             std::all_of(there.begin(), there.end(), [&](std::size_t other) {
               return curve.unitsOf(n).isEmpty() || curve.unitsOf(other).isEmpty();
             });
    };
    if (sides.size() == curve.count()) {
      if (!on[static_cast<std::size_t>(sides[n])].empty() && !isAt(sides[n]) && !mayBeAt(sides[n]))
        strangers.append(curve.nameOf(n));
      put(n, sides[n], span);
    } else if (n == 0 || isAt(Side::Left)) {
      put(n, Side::Left, span);
    } else if (isAt(Side::Right)) {
      put(n, Side::Right, span);
    } else if (mayBeAt(Side::Left)) {
      put(n, Side::Left, span);
    } else if (on[1].empty() || mayBeAt(Side::Right)) {
      put(n, Side::Right, span);
    } else {
      strangers.append(curve.nameOf(n));
      put(n, longer(Side::Left) < longer(Side::Right) ? Side::Left : Side::Right, span);
    }
  }
  axes.hasRight = !on[1].empty();
  for (std::size_t side = 0; side < 2; ++side) axes.ranges[side] = rangeOf(spans[side], curve.bars);
  for (std::size_t n = 0; n < curve.count() && curve.count() > 1; ++n) {
    const Span span = spanOf(curve.valuesOf(n));
    const auto& range = axes.rangeOf(axes.sides[n]);
    if (!span.empty() && !span.isOneValue() && span.size() < kLeastPart * (range[1] - range[0]))
      small.append(curve.nameOf(n));
  }
  QStringList notes;
  if (!strangers.isEmpty())
    notes.append(textOf("There are two axes: %1 shares one with what has another unit or size.")
                     .arg(strangers.join(", ")));
  if (!small.isEmpty()) notes.append(textOf("%1 takes less than a tenth of its axis.").arg(small.join(", ")));
  axes.note = notes.join(' ');
  return axes;
}

}  // namespace farfield::ui
