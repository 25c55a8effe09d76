#pragma once
// Readers of arrays in tests: what one holds, all of it, as numbers; and what it must hold by the independent
// references of the real data.

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/fields/cells/trilinear.h"
#include "core/paging/pages/box_reader.h"
#include "tests/support/error_words.h"
#include "tests/support/test_data.h"

namespace farfield::test {

/// All numbers of array `name` of block 0 at `step`, components interleaved.
inline std::vector<double> allValues(const paging::BoxReader& reader, const std::string& name,
                                     std::int64_t step = 0) {
  const int number = reader.description().find(0, name);
  if (number < 0) return {};
  const auto& array = reader.description().arrays[static_cast<std::size_t>(number)];
  const Index3 dims = array.layout.dims();
  std::vector<std::byte> nodes(static_cast<std::size_t>(product(dims) * array.nodeBytes()));
  reader.read(static_cast<std::uint32_t>(number), step, {{0, 0, 0}, dims}, nodes);
  std::vector<double> values(static_cast<std::size_t>(product(dims) * array.components));
  toDouble(nodes.data(), array.type, 0, static_cast<std::int64_t>(values.size()), values.data());
  return values;
}

/// Compares a volume of one number with refs/NAME.volume.json: dims, range, mean, count, and what lies between
/// nodes. What differs first, or nothing.
inline std::string differenceToVolume(const paging::BoxReader& reader, const std::string& variable,
                                      const std::string& reference) {
  QFile file(QString::fromStdString(dataPath("refs/" + reference + ".volume.json").string()));
  if (!file.open(QIODevice::ReadOnly)) return "no reference";
  const QJsonObject wanted = QJsonDocument::fromJson(file.readAll().replace("NaN", "null")).object();
  const Index3 dims = reader.description().blocks[0].dims;
  for (int a = 0; a < 3; ++a)
    if (wanted["dims"].toArray()[a].toInteger() != dims[static_cast<std::size_t>(a)]) return "dims";
  const std::vector<double> values = allValues(reader, variable);
  double low = INFINITY, high = -INFINITY, sum = 0;
  std::int64_t valid = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
    sum += value;
    ++valid;
  }
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); };
  if (low != wanted["min"].toDouble()) return "min " + std::to_string(low);
  if (high != wanted["max"].toDouble()) return "max " + std::to_string(high);
  if (valid != wanted["valid"].toInteger()) return "valid " + std::to_string(valid);
  if (!near(sum / static_cast<double>(valid), wanted["mean"].toDouble())) return "mean";
  const QJsonObject probes = wanted["trilinear_probes"].toObject();
  const QJsonArray places = probes["index_coords"].toArray(), results = probes["values"].toArray();
  for (qsizetype n = 0; n < places.size(); ++n) {
    Index3 cell;
    Vec3 xi;
    for (int a = 0; a < 3; ++a) {
      const double at = places[n].toArray()[a].toDouble();
      cell[static_cast<std::size_t>(a)] =
          std::min(static_cast<std::int64_t>(at), dims[static_cast<std::size_t>(a)] - 2);
      xi[a] = at - static_cast<double>(cell[static_cast<std::size_t>(a)]);
    }
    const auto weights = fields::cornerWeights(xi);
    double value = 0;
    for (std::int64_t c = 0; c < 8; ++c)
      value += weights[static_cast<std::size_t>(c)] *
               values[static_cast<std::size_t>(
                   linear({cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2)}, dims))];
    // Where a node is filled, the references hold something of the size of the fill value.
    const double known = results[n].toDouble(NAN);
    const bool none = !std::isfinite(value), filled = !(std::abs(known) < 1e9);
    if (none != filled || (!none && !near(value, known)))
      return "probe " + std::to_string(n) + ": " + std::to_string(value);
  }
  return {};
}

}  // namespace farfield::test
