#pragma once
// Folders laid out as AMReX writes plotfiles, after the format's description.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/amr_sample.h"

namespace farfield::test {

struct PlotfileLayout {
  std::int64_t ghosts = 0;  ///< stored around each box
  bool single = false;      ///< numbers of single precision
  bool bigEndian = false;
  Index3 domainFirst{0, 0, 0};  ///< number of the first cell of the coarsest level
  std::vector<std::string> names{"density", "x_velocity"};
};

/// Writes `sample` to `folder`; of component c of a cell valueAt(its centre, c).
inline void writePlotfile(const std::filesystem::path& folder, const AmrSample& sample,
                          const std::function<double(Vec3, int)>& valueAt,
                          const PlotfileLayout& layout = {}) {
  const auto numbers = [](Vec3 v) {
    char text[100];
    std::snprintf(text, sizeof text, "%.17g %.17g %.17g", v.x, v.y, v.z);
    return std::string(text);
  };
  const auto shifted = [&](std::size_t level, IndexBox box, std::int64_t grown) {
    for (std::size_t a = 0; a < 3; ++a) {
      box.first[a] += (layout.domainFirst[a] << level) - grown;
      box.size[a] += 2 * grown;
    }
    return box;
  };
  const auto textOf = [](const IndexBox& box) {
    std::string text = "((";
    for (std::size_t a = 0; a < 3; ++a) text += (a > 0 ? "," : "") + std::to_string(box.first[a]);
    text += ") (";
    for (std::size_t a = 0; a < 3; ++a)
      text += (a > 0 ? "," : "") + std::to_string(box.first[a] + box.size[a] - 1);
    return text + ") (0,0,0))";
  };
  std::filesystem::create_directories(folder);
  const std::size_t levels = sample.levels.size();
  std::string header = "HyperCLaw-V1.1\n" + std::to_string(layout.names.size()) + "\n";
  for (const std::string& name : layout.names) header += name + "\n";
  header += "3\n2.5\n" + std::to_string(levels - 1) + "\n" + numbers(sample.origin) + "\n" +
            numbers(sample.end()) + "\n";
  for (std::size_t n = 0; n + 1 < levels; ++n) header += "2 ";
  header += "\n";
  for (std::size_t n = 0; n < levels; ++n)
    header += textOf(shifted(n, {{0, 0, 0}, {12LL << n, 8LL << n, 8LL << n}}, 0)) + " ";
  header += "\n";
  for (std::size_t n = 0; n < levels; ++n) header += "100 ";
  header += "\n";
  for (std::size_t n = 0; n < levels; ++n) header += numbers(sample.spacingOf(n)) + " \n";
  header += "0\n0\n";
  for (std::size_t level = 0; level < levels; ++level) {
    const std::string name = "Level_" + std::to_string(level);
    const auto& boxes = sample.levels[level];
    header += std::to_string(level) + " " + std::to_string(boxes.size()) + " 2.5\n100\n";
    for (const IndexBox& box : boxes)
      for (int a = 0; a < 3; ++a) {
        const auto axis = static_cast<std::size_t>(a);
        const double h = sample.spacingOf(level)[a];
        char text[100];
        std::snprintf(text, sizeof text, "%.17g %.17g\n",
                      sample.origin[a] + h * static_cast<double>(box.first[axis]),
                      sample.origin[a] + h * static_cast<double>(box.first[axis] + box.size[axis]));
        header += text;
      }
    header += name + "/Cell\n";
    std::filesystem::create_directories(folder / name);
    std::string list = "1\n1\n" + std::to_string(layout.names.size()) + "\n" + std::to_string(layout.ghosts) +
                       "\n(" + std::to_string(boxes.size()) + " 0\n";
    for (const IndexBox& box : boxes) list += textOf(shifted(level, box, 0)) + "\n";
    list += ")\n" + std::to_string(boxes.size()) + "\n";
    // two files, as of two processes
    std::string files[2];
    for (std::size_t n = 0; n < boxes.size(); ++n) {
      std::string& file = files[n % 2];
      list += "FabOnDisk: Cell_D_0000" + std::to_string(n % 2) + " " + std::to_string(file.size()) + "\n";
      IndexBox grown = boxes[n];
      for (std::size_t a = 0; a < 3; ++a) {
        grown.first[a] -= layout.ghosts;
        grown.size[a] += 2 * layout.ghosts;
      }
      const std::string order =
          layout.single ? (layout.bigEndian ? "(4, (1 2 3 4))" : "(4, (4 3 2 1))")
                        : (layout.bigEndian ? "(8, (1 2 3 4 5 6 7 8))" : "(8, (8 7 6 5 4 3 2 1))");
      file += std::string("FAB ((8, ") +
              (layout.single ? "(32 8 23 0 1 9 0 127)" : "(64 11 52 0 1 12 0 1023)") + ")," + order + ")" +
              textOf(shifted(level, boxes[n], layout.ghosts)) + " " + std::to_string(layout.names.size()) +
              "\n";
      for (int c = 0; c < static_cast<int>(layout.names.size()); ++c)
        for (std::int64_t m = 0; m < product(grown.size); ++m) {
          Index3 cell = unlinear(m, grown.size);
          for (std::size_t a = 0; a < 3; ++a) cell[a] += grown.first[a];
          const double value = boxes[n].contains(cell) ? valueAt(sample.centre(level, cell), c) : -1e9;
          char bytes[8];
          const auto single = static_cast<float>(value);
          const std::size_t each = layout.single ? sizeof single : sizeof value;
          std::memcpy(bytes, layout.single ? static_cast<const void*>(&single) : &value, each);
          if (layout.bigEndian) std::reverse(bytes, bytes + each);
          file.append(bytes, each);
        }
    }
    list += "\n" + std::to_string(boxes.size()) + "," + std::to_string(layout.names.size()) + "\n";
    std::ofstream(folder / name / "Cell_H", std::ios::binary) << list;
    for (std::size_t n = 0; n < 2; ++n)
      if (!files[n].empty())
        std::ofstream(folder / name / ("Cell_D_0000" + std::to_string(n)), std::ios::binary) << files[n];
  }
  std::ofstream(folder / "Header", std::ios::binary) << header;
}

}  // namespace farfield::test
