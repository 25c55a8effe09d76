#pragma once
// Reads the geometry files that the program writes (VTK XML PolyData, raw appended data), by the published
// format and independently of the code that writes them. Anything unexpected throws std::runtime_error.

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/base/geometry.h"

namespace farfield::test {

struct VtpArray {
  int components = 1;
  std::vector<double> values;  ///< tuples in order, their components together
};

/// One polyline of a file of lines.
struct VtpLine {
  int seed = -1, direction = 0, block = -1;
  std::string termination;
  std::vector<Vec3> points;
  std::vector<double> times;
  std::vector<Vec3> vectors;
};

class VtpFile {
 public:
  explicit VtpFile(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    m_bytes.assign(std::istreambuf_iterator<char>(stream), {});
    require(m_bytes.starts_with("<?xml"), "is no XML: " + path.string());
    const std::size_t appended = m_bytes.find("<AppendedData encoding=\"raw\">");
    require(appended != std::string::npos, "has no appended data");
    m_data = m_bytes.find('_', appended) + 1;
    const std::string xml = m_bytes.substr(0, appended);
    require(xml.find("byte_order=\"LittleEndian\"") != std::string::npos, "is not little-endian");
    require(xml.find("header_type=\"UInt64\"") != std::string::npos, "has other headers");
    std::string section;
    for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
      const std::string tag = xml.substr(at + 1, xml.find('>', at) - at - 1);
      const std::string element = tag.substr(0, tag.find_first_of(" /"));
      if (element == "PolyData" || element.empty()) continue;
      if (element == "Piece") {
        m_points = number(tag, "NumberOfPoints");
        m_lines = number(tag, "NumberOfLines");
        m_polys = number(tag, "NumberOfPolys");
      } else if (element == "DataArray" || element == "Array") {
        readArray(section, tag);
      } else {
        section = element;
      }
    }
    require(m_end == m_bytes.find("\n</AppendedData>", m_end), "has gaps or rests in its data");
  }

  std::uint64_t pointCount() const { return m_points; }
  std::uint64_t lineCount() const { return m_lines; }
  std::uint64_t polyCount() const { return m_polys; }

  /// `section` is PointData, CellData, Points, Lines or Polys.
  const VtpArray& array(const std::string& section, const std::string& name) const {
    const auto found = m_arrays.find(section + "/" + name);
    require(found != m_arrays.end(), "has no array " + section + "/" + name);
    return found->second;
  }
  bool has(const std::string& section, const std::string& name) const {
    return m_arrays.count(section + "/" + name) > 0;
  }
  std::vector<Vec3> points() const { return vectors(array("Points", "Points")); }

  /// The polylines of a file of streamlines, with their cell data; `vector` and `time` are the point data to give. Lines on surfaces have a length
  /// in place of the time.
  std::vector<VtpLine> lines(const std::string& vector = "velocity", const std::string& time = "time") const {
    const std::vector<Vec3> all = points(), values = vectors(array("PointData", vector));
    const auto& offsets = array("Lines", "offsets").values;
    const auto& connectivity = array("Lines", "connectivity").values;
    const auto& times = array("PointData", time).values;
    const auto cell = [&](const char* name, std::size_t n) {
      return static_cast<int>(array("CellData", name).values.at(n));
    };
    require(offsets.size() == m_lines && all.size() == m_points && times.size() == m_points,
            "does not add up");
    std::vector<VtpLine> result(m_lines);
    std::size_t at = 0;
    for (std::size_t n = 0; n < m_lines; ++n) {
      VtpLine& line = result[n];
      line.seed = cell("seed", n);
      line.direction = cell("direction", n);
      line.block = cell("block", n);
      line.termination = m_terminations.at(static_cast<std::size_t>(cell("termination", n)));
      for (; at < static_cast<std::size_t>(offsets[n]); ++at) {
        const auto point = static_cast<std::size_t>(connectivity.at(at));
        line.points.push_back(all.at(point));
        line.times.push_back(times.at(point));
        line.vectors.push_back(values.at(point));
      }
    }
    require(at == connectivity.size(), "has points that belong to no line");
    return result;
  }

 private:
  static void require(bool good, const std::string& what) {
    if (!good) throw std::runtime_error("the .vtp file " + what);
  }
  static std::string attribute(const std::string& tag, const std::string& name) {
    const std::size_t at = tag.find(" " + name + "=\"");
    require(at != std::string::npos, "misses attribute " + name + " in " + tag);
    const std::size_t first = at + name.size() + 3;
    return tag.substr(first, tag.find('"', first) - first);
  }
  static std::uint64_t number(const std::string& tag, const std::string& name) {
    return std::stoull(attribute(tag, name));
  }
  static std::vector<Vec3> vectors(const VtpArray& array) {
    require(array.components == 3, "has a vector that is none");
    std::vector<Vec3> result;
    for (std::size_t n = 0; n + 2 < array.values.size(); n += 3)
      result.push_back({array.values[n], array.values[n + 1], array.values[n + 2]});
    return result;
  }
  template <class T>
  static std::vector<double> converted(const std::string& bytes, std::size_t at, std::size_t size) {
    require(size % sizeof(T) == 0, "has an array of broken length");
    std::vector<double> values(size / sizeof(T));
    for (std::size_t n = 0; n < values.size(); ++n) {
      T value;
      std::memcpy(&value, bytes.data() + at + n * sizeof(T), sizeof value);
      values[n] = static_cast<double>(value);
    }
    return values;
  }

  void readArray(const std::string& section, const std::string& tag) {
    const std::string type = attribute(tag, "type"), name = attribute(tag, "Name");
    const std::size_t head = m_data + number(tag, "offset");
    require(head + 8 <= m_bytes.size(), "ends before array " + name);
    std::uint64_t size = 0;
    std::memcpy(&size, m_bytes.data() + head, sizeof size);
    require(size <= m_bytes.size() - head - 8, "ends within array " + name);
    m_end = head + 8 + size;
    if (type == "String") {
      for (std::size_t at = head + 8; at < m_end; at += m_terminations.back().size() + 1)
        m_terminations.emplace_back(m_bytes.c_str() + at);
      return;
    }
    VtpArray array;
    array.components = static_cast<int>(number(tag, "NumberOfComponents"));
    if (type == "Float64")
      array.values = converted<double>(m_bytes, head + 8, size);
    else if (type == "Int64")
      array.values = converted<std::int64_t>(m_bytes, head + 8, size);
    else if (type == "Int32")
      array.values = converted<std::int32_t>(m_bytes, head + 8, size);
    else
      require(false, "has an array of type " + type);
    m_arrays[section + "/" + name] = std::move(array);
  }

  std::string m_bytes;
  std::size_t m_data = 0, m_end = 0;
  std::uint64_t m_points = 0, m_lines = 0, m_polys = 0;
  std::map<std::string, VtpArray> m_arrays;
  std::vector<std::string> m_terminations;
};

}  // namespace farfield::test
