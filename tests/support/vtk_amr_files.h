#pragma once
// An adaptive grid as files of VTK: an index, and an image per box.

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/amr_sample.h"

namespace farfield::test {

inline std::string attributeOf(const char* name, const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.17g", number);
    text += (text.empty() ? "" : " ") + std::string(digits);
  }
  return std::string(" ") + name + "=\"" + text + "\"";
}

/// Writes `name`.vth and its images into `folder`: values of cells "linear" (f64), "flow" (f32, a vector that turns around the
/// middle) and "level" (i32). Returns the index's path.
inline std::string writeVtkAmr(const AmrSample& sample, const std::filesystem::path& folder,
                               const std::string& name) {
  std::filesystem::create_directories(folder / name);
  std::ofstream index(folder / (name + ".vth"));
  const Vec3 o = sample.origin;
  index << "<?xml version=\"1.0\"?>\n<VTKFile type=\"vtkOverlappingAMR\" version=\"1.1\" "
           "byte_order=\"LittleEndian\">\n"
        << " <vtkOverlappingAMR" << attributeOf("origin", {o.x, o.y, o.z}) << " grid_description=\"XYZ\">\n";
  int file = 0;
  for (std::size_t level = 0; level < sample.levels.size(); ++level) {
    const Vec3 h = sample.spacingOf(level);
    index << "  <Block level=\"" << level << "\"" << attributeOf("spacing", {h.x, h.y, h.z}) << ">\n";
    for (std::size_t box = 0; box < sample.levels[level].size(); ++box, ++file) {
      const IndexBox& cells = sample.levels[level][box];
      const std::string part = name + "/" + std::to_string(file) + ".vti";
      index << "   <DataSet index=\"" << box << "\" amr_box=\"";
      for (std::size_t a = 0; a < 3; ++a)
        index << (a ? " " : "") << cells.first[a] << " " << cells.first[a] + cells.size[a] - 1;
      index << "\" file=\"" << part << "\"/>\n";
      std::vector<double> linear;
      std::vector<float> flow;
      std::vector<std::int32_t> levels;
      for (std::int64_t n = 0; n < product(cells.size); ++n) {
        Index3 cell = unlinear(n, cells.size);
        for (std::size_t a = 0; a < 3; ++a) cell[a] += cells.first[a];
        const Vec3 at = sample.centre(level, cell);
        linear.push_back(AmrSample::linear(at));
        const Vec3 middle = 0.5 * (sample.origin + sample.end());
        flow.insert(flow.end(),
                    {static_cast<float>(middle.y - at.y), static_cast<float>(at.x - middle.x), 0.25F});
        levels.push_back(static_cast<std::int32_t>(level));
      }
      const auto sizeOf = [](const auto& list) {
        return static_cast<std::uint32_t>(list.size() * sizeof(list[0]));
      };
      std::ofstream out(folder / part, std::ios::binary);
      const Vec3 first{o.x + static_cast<double>(cells.first[0]) * h.x,
                       o.y + static_cast<double>(cells.first[1]) * h.y,
                       o.z + static_cast<double>(cells.first[2]) * h.z};
      std::string extent;
      for (std::size_t a = 0; a < 3; ++a) extent += (a ? " 0 " : "0 ") + std::to_string(cells.size[a]);
      out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"0.1\" "
             "byte_order=\"LittleEndian\">\n<ImageData WholeExtent=\""
          << extent << "\"" << attributeOf("Origin", {first.x, first.y, first.z})
          << attributeOf("Spacing", {h.x, h.y, h.z}) << ">\n<Piece Extent=\"" << extent << "\">\n<CellData>\n"
          << "<DataArray type=\"Float64\" Name=\"linear\" format=\"appended\" offset=\"0\"/>\n"
          << "<DataArray type=\"Float32\" Name=\"flow\" NumberOfComponents=\"3\" format=\"appended\" "
             "offset=\""
          << 4 + sizeOf(linear)
          << "\"/>\n<DataArray type=\"Int32\" Name=\"level\" format=\"appended\" offset=\""
          << 8 + sizeOf(linear) + sizeOf(flow)
          << "\"/>\n</CellData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_";
      const auto append = [&](const auto& list) {
        const std::uint32_t bytes = sizeOf(list);
        out.write(reinterpret_cast<const char*>(&bytes), 4);
        out.write(reinterpret_cast<const char*>(list.data()), bytes);
      };
      append(linear);
      append(flow);
      append(levels);
      out << "\n</AppendedData>\n</VTKFile>\n";
    }
    index << "  </Block>\n";
  }
  index << " </vtkOverlappingAMR>\n</VTKFile>\n";
  return (folder / (name + ".vth")).string();
}

}  // namespace farfield::test
