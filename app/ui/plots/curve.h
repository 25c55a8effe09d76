#pragma once
// What a curve view shows: values along a line or over time, with gaps where there is none, of one function or of several over the same
// places; or how often values occur, as bars.

#include <QString>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace farfield::ui {

/// In place of a value, at the place of another curve: the curve has no point there, and goes on to its next one.
inline constexpr double kElsewhere = std::numeric_limits<double>::infinity();

/// Values over places, from one end to the other; or how much there is in equal intervals.
struct Curve {
  QString across, up;  ///< what the axes are
  std::array<double, 2> ends{0, 1};
  std::vector<double> places = {};  ///< of the values, ascending; empty: evenly spread from end to end
  bool wanders = false;             ///< places go forth and back, as those of several lines do
  bool isPart = false;              ///< more of it is being read
  std::vector<QString> said = {};   ///< of places that are no numbers to people, such as dates: each in words
  std::vector<double> values = {};  ///< not a number: a gap; kElsewhere: see there
  bool bars = false;                ///< as many equal intervals as values
  std::optional<double> marked = {};  ///< a place, such as the step that is shown
  /// What is measured, so that curves of one quantity have one axis: the function, and its units, where they are known.
  QString quantity = {}, units = {};
  struct Other {
    QString up;
    std::vector<double> values;  ///< as many
    QString quantity, units;
  };
  std::vector<Other> others = {};  ///< beside the first, over the same places

  /// Of a bar its middle.
  double placeOf(std::size_t n) const {
    if (n < places.size()) return places[n];
    const auto at = static_cast<double>(n), count = static_cast<double>(values.size());
    const double part = bars ? (at + 0.5) / count : count > 1 ? at / (count - 1) : 0;
    return ends[0] + part * (ends[1] - ends[0]);
  }
  /// Gives it a curve: the first, which names the axis, or one more.
  void take(std::size_t curve, Other its) {
    if (curve > 0) return others.push_back(std::move(its));
    up = std::move(its.up);
    values = std::move(its.values);
    quantity = std::move(its.quantity);
    units = std::move(its.units);
  }
  /// Curves, the first among them.
  std::size_t count() const { return 1 + others.size(); }
  const QString& nameOf(std::size_t curve) const { return curve == 0 ? up : others[curve - 1].up; }
  const std::vector<double>& valuesOf(std::size_t curve) const {
    return curve == 0 ? values : others[curve - 1].values;
  }
  const QString& quantityOf(std::size_t curve) const {
    return curve == 0 ? quantity : others[curve - 1].quantity;
  }
  const QString& unitsOf(std::size_t curve) const { return curve == 0 ? units : others[curve - 1].units; }
};

}  // namespace farfield::ui
