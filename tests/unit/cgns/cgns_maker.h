#pragma once
// Files of CGNS for tests, written by the HDF5 library.

#include <set>
#include <string>
#include <vector>

#include "tests/unit/hdf5/hdf5_maker.h"

namespace farfield::test {

/// x, y, z of a box of nodes, i fastest; stretched along x, so that cells differ.
inline std::vector<double> boxPoints(int ni, int nj, int nk) {
  std::vector<double> points;
  for (int k = 0; k < nk; ++k)
    for (int j = 0; j < nj; ++j)
      for (int i = 0; i < ni; ++i) points.insert(points.end(), {0.5 * i * (i + 1), 1.0 * j, 2.0 * k});
  return points;
}

inline std::vector<double> counted(int count, double first = 0) {
  std::vector<double> values;
  for (int n = 0; n < count; ++n) values.push_back(first + n);
  return values;
}

// a cube, a wedge beyond x = 1, a pyramid above the cube, a tetrahedron beside it
inline const std::vector<double> kPoints = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0,   0,   1, 1, 0,   1,
                                            1, 1, 1, 0, 1, 1, 2, 0, 0, 2, 0, 1, 0.5, 0.5, 2, 2, 0.5, 2};
inline const std::vector<double> kHexa = {1, 2, 3, 4, 5, 6, 7, 8}, kPenta = {2, 9, 3, 6, 10, 7},
                                 kPyra = {5, 6, 7, 8, 11}, kTetra = {6, 7, 11, 12};
/// x + 2 y + 3 z.
inline const std::vector<double> kValues = {0, 1, 3, 2, 3, 4, 6, 5, 2, 5, 7.5, 9};

class CgnsMaker {
 public:
  explicit CgnsMaker(const std::string& path) : m_file(path) {
    node("CGNSLibraryVersion", "CGNSLibraryVersion_t", {1}, {4.0}, H5T_IEEE_F32LE);
  }

  /// A node, "Base/zone/…"; dims as HDF5 has them, the slowest first. Without dims it has no data.
  void node(const std::string& path, const std::string& label, const std::vector<hsize_t>& dims = {},
            const std::vector<double>& values = {}, hid_t type = H5T_IEEE_F64LE) {
    m_file.group(path);
    m_file.text(path, "label", label);
    if (dims.empty()) return;
    m_file.make(path + "/ data", {.dims = dims, .type = type});
    m_file.write(path + "/ data", values);
  }
  void integers(const std::string& path, const std::string& label, const std::vector<hsize_t>& dims,
                const std::vector<double>& values) {
    node(path, label, dims, values, H5T_STD_I32LE);
  }
  void text(const std::string& path, const std::string& label, const std::string& letters) {
    node(path, label, {letters.size()}, {letters.begin(), letters.end()}, H5T_STD_I8LE);
  }
  /// Rows of 32 letters.
  void texts(const std::string& path, const std::string& label, const std::vector<std::string>& rows) {
    std::vector<double> letters;
    for (std::string row : rows) {
      row.resize(32, ' ');
      letters.insert(letters.end(), row.begin(), row.end());
    }
    node(path, label, {rows.size(), 32}, letters, H5T_STD_I8LE);
  }

  void base(int cellDims = 3, int spaceDims = 3) {
    integers("Base", "CGNSBase_t", {2}, {static_cast<double>(cellDims), static_cast<double>(spaceDims)});
  }
  void structured(const std::string& zone, const std::vector<int>& nodes) {
    std::vector<double> sizes;
    for (const int more : {0, 1})
      for (const int count : nodes) sizes.push_back(count - more);
    sizes.resize(3 * nodes.size(), 0);
    integers("Base/" + zone, "Zone_t", {3, nodes.size()}, sizes);
    text("Base/" + zone + "/ZoneType", "ZoneType_t", "Structured");
    node("Base/" + zone + "/GridCoordinates", "GridCoordinates_t");
  }
  void unstructured(const std::string& zone, int nodes, int cells) {
    integers("Base/" + zone, "Zone_t", {3, 1}, {static_cast<double>(nodes), static_cast<double>(cells), 0});
    text("Base/" + zone + "/ZoneType", "ZoneType_t", "Unstructured");
    node("Base/" + zone + "/GridCoordinates", "GridCoordinates_t");
  }
  /// x, y, z for each node in turn.
  void points(const std::string& zone, const std::vector<hsize_t>& dims, const std::vector<double>& xyz,
              std::size_t axes = 3) {
    for (std::size_t a = 0; a < axes; ++a) {
      std::vector<double> one;
      for (std::size_t n = a; n < xyz.size(); n += 3) one.push_back(xyz[n]);
      node("Base/" + zone + "/GridCoordinates/Coordinate" + "XYZ"[a], "DataArray_t", dims, one);
    }
  }
  void section(const std::string& zone, const std::string& name, int type, int first, int count,
               const std::vector<double>& nodes, const std::vector<double>& offsets = {}) {
    const std::string path = "Base/" + zone + "/" + name;
    integers(path, "Elements_t", {2}, {static_cast<double>(type), 0});
    integers(path + "/ElementRange", "IndexRange_t", {2},
             {static_cast<double>(first), static_cast<double>(first + count - 1)});
    integers(path + "/ElementConnectivity", "DataArray_t", {nodes.size()}, nodes);
    if (!offsets.empty()) integers(path + "/ElementStartOffset", "DataArray_t", {offsets.size()}, offsets);
  }
  void solution(const std::string& zone, const std::string& name, bool onCells) {
    node("Base/" + zone + "/" + name, "FlowSolution_t");
    text("Base/" + zone + "/" + name + "/GridLocation", "GridLocation_t", onCells ? "CellCenter" : "Vertex");
  }
  void values(const std::string& zone, const std::string& solution, const std::string& name,
              const std::vector<hsize_t>& dims, const std::vector<double>& values) {
    node("Base/" + zone + "/" + solution + "/" + name, "DataArray_t", dims, values);
  }
  void condition(const std::string& zone, const std::string& name, const std::string& type,
                 const std::string& location, const std::vector<hsize_t>& dims,
                 const std::vector<double>& numbers, const char* by = "PointRange") {
    const std::string list = "Base/" + zone + "/ZoneBC", path = list + "/" + name;
    if (m_lists.insert(list).second) node(list, "ZoneBC_t");
    text(path, "BC_t", type);
    text(path + "/GridLocation", "GridLocation_t", location);
    integers(path + "/" + by, "IndexRange_t", dims, numbers);
  }

 private:
  Hdf5Maker m_file;
  std::set<std::string> m_lists;
};

}  // namespace farfield::test
