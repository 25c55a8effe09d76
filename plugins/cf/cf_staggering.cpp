#include "plugins/cf/cf_staggering.h"

#include <algorithm>
#include <sstream>

namespace farfield::cf {

Staggering::Staggering(const File& file)
    : m_file(file), m_stations(file.dimensions.size()), m_uses(file.dimensions.size()) {
  for (std::size_t n = 0; n < file.dimensions.size(); ++n) m_numbers.try_emplace(file.dimensions[n].name, n);
  for (const Variable& variable : file.variables)
    for (const int dimension : variable.dims) ++m_uses[static_cast<std::size_t>(dimension)];
  // what is said with more words counts
  addTopologies();
  addShifts();
  addNames();
}

void Staggering::add(const std::string& dimension, Station station) {
  const auto found = m_numbers.find(dimension);
  if (found == m_numbers.end() || m_stations[found->second]) return;
  m_stations[found->second] = std::move(station);
}

/// SGRID: "xi_rho: xi_psi (padding: both)" means that nodes of xi_rho lie between those of xi_psi and beyond both ends; "xi_u: xi_psi" that both are the same.
void Staggering::addTopologies() {
  for (const Variable& variable : m_file.variables) {
    if (variable.textOf("cf_role") != "grid_topology") continue;
    for (const char* const attribute : {"face_dimensions", "volume_dimensions", "vertical_dimensions",
                                        "edge1_dimensions", "edge2_dimensions", "edge3_dimensions",
                                        "face1_dimensions", "face2_dimensions", "face3_dimensions"}) {
      std::string text;
      for (const char letter : variable.textOf(attribute)) {
        text += letter == '(' || letter == ')' ? ' ' : letter;
        if (letter == ':') text += ' ';
      }
      std::istringstream words(text);
      std::string dimension, of, padding;
      const auto addThis = [&] {
        if (dimension.empty()) return;
        const bool before = padding == "low" || padding == "both";
        if (padding.empty())
          add(dimension, {of, 0, false});
        else
          add(dimension, {of, before ? -1 : 1, true});
        add(of, {of, 0, false});
      };
      for (std::string key, value; words >> key >> value;) {
        if (key == "padding:") {
          padding = value;
          continue;
        }
        addThis();
        dimension = key.ends_with(':') ? key.substr(0, key.size() - 1) : "";
        of = value;
        padding.clear();
      }
      addThis();
    }
  }
}

/// COMODO: the axis of a dimension has c_grid_axis_shift, 0.5 or -0.5, unless it has the centres.
void Staggering::addShifts() {
  const auto shiftOf = [&](const Variable& axis) {
    const Attribute* const shift = axis.find("c_grid_axis_shift");
    return !shift || shift->numbers.empty() ? 0.0 : shift->numbers.front();
  };
  std::string shifted;
  const auto isAxis = [](const Variable& variable) {
    return variable.dims.size() == 1 && variable.textOf("axis").size() == 1;
  };
  for (const Variable& variable : m_file.variables)
    if (isAxis(variable) && shiftOf(variable) != 0) shifted += variable.textOf("axis");
  for (const Variable& variable : m_file.variables) {
    if (!isAxis(variable) || shifted.find(variable.textOf("axis")) == std::string::npos) continue;
    const std::string& dimension = m_file.dimensions[static_cast<std::size_t>(variable.dims[0])].name;
    if (dimension != variable.name) continue;
    const double shift = shiftOf(variable);
    add(dimension, {"axis " + variable.textOf("axis"), shift > 0 ? 1 : shift < 0 ? -1 : 0, shift == 0});
  }
}

void Staggering::addNames() {
  const auto has = [&](const std::string& name) { return m_numbers.contains(name); };
  // ROMS counts u from the face behind the first centre on, and w from the face before it
  if (has("xi_rho") && has("eta_rho")) {
    for (const std::string axis : {"xi", "eta"})
      for (const std::string point : {"rho", "u", "v", "psi"}) {
        const bool isCentre = point == "rho" || point == (axis == "xi" ? "v" : "u");
        add(axis + "_" + point, {axis, isCentre ? 0 : 1, isCentre});
      }
    add("s_rho", {"s", 0, true});
    add("s_w", {"s", -1, false});
  }
  for (const std::string axis : {"west_east", "south_north", "bottom_top"})  // WRF
    if (has(axis) && has(axis + "_stag")) {
      add(axis, {axis, 0, true});
      add(axis + "_stag", {axis, -1, false});
    }
}

std::optional<Staggering::Beside> Staggering::beside(int dimension, int centres) const {
  if (dimension == centres) return Beside{};
  if (dimension < 0 || centres < 0) return std::nullopt;
  const auto &its = stationOf(dimension), &theirs = stationOf(centres);
  if (!its || !theirs || its->axis != theirs->axis || !theirs->isCentre) return std::nullopt;
  const std::int64_t numbers = m_file.sizeOf(dimension), nodes = m_file.sizeOf(centres);
  const int apart = theirs->halves - its->halves;
  if (apart == 0) return numbers == nodes ? std::optional(Beside{}) : std::nullopt;
  if (apart != 1 && apart != -1) return std::nullopt;
  const Beside beside{true, (apart - 1) / 2};
  // a file may hold some of the nodes: at least one number beside each, at most one of no use
  if (numbers < 1 || numbers < nodes + beside.lower || numbers > nodes + beside.lower + 2)
    return std::nullopt;
  return beside;
}

int Staggering::centresOf(int dimension) const {
  if (dimension < 0 || !stationOf(dimension)) return dimension;
  int found = -1;
  for (int n = 0; n < static_cast<int>(m_stations.size()); ++n) {
    if (!beside(dimension, n) || !stationOf(n) || !stationOf(n)->isCentre) continue;
    if (found < 0 || m_uses[static_cast<std::size_t>(n)] > m_uses[static_cast<std::size_t>(found)]) found = n;
  }
  return found;
}

bool Staggering::isShifted(int dimension) const {
  return dimension >= 0 && stationOf(dimension) && !stationOf(dimension)->isCentre;
}

}  // namespace farfield::cf
