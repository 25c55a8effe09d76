#pragma once
// A folder with a small data set of each format that opens in place, and how each is asked for.

#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/fields/samples/sample_data.h"
#include "plugins/plot3d/plot3d_export.h"
#include "tests/support/plotfile.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/vtk_amr_files.h"

namespace farfield::test {

struct FormatCase {
  std::string name;
  std::vector<std::string> sources, solutions = {};
  std::map<std::string, std::string> options = {};
};

class FormatFiles {
 public:
  FormatFiles() {
    std::filesystem::create_directory(path("deep"));
    const std::string numbers = swirl(false), turned = swirl(true);
    write("flow.raw", numbers);
    write("flow.nrrd", nrrdHead() + "\n" + numbers);
    write("flow.nhdr", nrrdHead() + "data file: deep/values.f32\n");
    write("deep/values.f32", numbers);
    write("list.nhdr", nrrdHead() + "data file: LIST\ndeep/values.first\ndeep/values.last\n");
    write("deep/values.first", numbers.substr(0, numbers.size() / 2));
    write("deep/values.last", numbers.substr(numbers.size() / 2));
    const std::string dims = "DIMENSIONS 14 12 10\n";
    write("flow.vtk", "# vtk DataFile Version 3.0\nswirl\nBINARY\nDATASET STRUCTURED_POINTS\n" + dims +
                          "ORIGIN 0 0 0\nSPACING 1 1 1\nPOINT_DATA 1680\nVECTORS velocity float\n" + turned);
    write("mesh.vtk", mesh());
    const std::string list = R"(<VTKFile type="vtkMultiBlockDataSet"><vtkMultiBlockDataSet><DataSet file=")";
    write("blocks.vtm",
          list + "flow.vtk\"/><DataSet file=\"deep/inner.vtm\"/></vtkMultiBlockDataSet></VTKFile>");
    write("deep/inner.vtm", list + "inner.vtk\"/></vtkMultiBlockDataSet></VTKFile>");
    write("deep/inner.vtk",
          "# vtk DataFile Version 3.0\nswirl\nBINARY\nDATASET STRUCTURED_POINTS\nDIMENSIONS 14 12 10\n"
          "ORIGIN 13 0 0\nSPACING 1 1 1\nPOINT_DATA 1680\nVECTORS velocity float\n" +
              turned);
    write("series.pvd", R"(<VTKFile type="Collection"><Collection><DataSet timestep="0" file="mesh.vtk"/>)"
                        R"(<DataSet timestep="2" file="/elsewhere/mesh.vtk"/></Collection></VTKFile>)");
    copy("vtk/ascii.vtr", "text.vtr");
    copy("vtk/base64.vts", "text.vts");
    copy("vtk/appended64-zlib.vti", "blocks.vti");
    copy("vtk/polyhedron", "polyhedron.vtk");
    writeVtkAmr(AmrSample(), folder(), "amr");
    writePlotfile(folder() / "plt", AmrSample(),
                  [](Vec3 at, int component) { return component == 0 ? AmrSample::linear(at) : at.x; });
    copy("netcdf/packed", "packed.nc");
    copy("netcdf/curvilinear", "curvilinear.nc");
    copy("exodus/small", "small.e");
    // names of functions stand beside the file that has them
    const std::string three = numbersOf<std::int32_t>({1, 3, 4, 5});
    std::vector<float> nodes, functions;
    for (int n = 0; n < 60; ++n) nodes.push_back(static_cast<float>(n % 3));
    for (int n = 0; n < 60; ++n) nodes.push_back(static_cast<float>(n / 3 % 4));
    for (int n = 0; n < 60; ++n) nodes.push_back(static_cast<float>(n / 12));
    for (int n = 0; n < 120; ++n) functions.push_back(static_cast<float>(n * n));
    write("deep/box.xyz", three + numbersOf(nodes));
    write("deep/box.f", three + numbersOf<std::int32_t>({2}) + numbersOf(functions));
    write("deep/box.f.nam", "heat\nlight\n");
    MemoryAccount account(std::uint64_t{64} << 20);
    const auto data = samples::SampleDataReader().open(
        {.sources = {"sample://cylinder?size=24,20,10&blocks=2&steps=2"}, .forConversion = true}, account);
    plot3d::writePlot3d(*data->boxReader(), path("deep/grid"));
    write("steps.p3d", R"({"auto-detect-format": true, "filenames": [
        {"xyz": "deep/grid.xyz", "q": "deep/grid_0000.q"}, {"xyz": "deep/grid.xyz", "q": "deep/grid_0001.q"}]})");
  }

  std::string path(const std::string& name) const { return (m_folder.path() / name).string(); }
  const std::filesystem::path& folder() const { return m_folder.path(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }

  static std::vector<FormatCase> cases() {
    const std::map<std::string, std::string> plain = {
        {"dims", "14,12,10"}, {"type", "f32"}, {"components", "3"}, {"name", "velocity"}};
    const std::map<std::string, std::string> named = {{"name", "velocity"}};
    return {{"raw", {"flow.raw"}, {}, plain},
            {"nrrd", {"flow.nrrd"}, {}, named},
            {"nrrd detached", {"flow.nhdr"}, {}, named},
            {"nrrd list", {"list.nhdr"}, {}, named},
            {"vtk image", {"flow.vtk"}},
            {"vtk mesh", {"mesh.vtk"}},
            {"vtk polyhedron", {"polyhedron.vtk"}},
            {"vtk series", {"series.pvd"}},
            {"vtk blocks", {"blocks.vtm"}},
            {"vtr", {"text.vtr"}},
            {"vts", {"text.vts"}},
            {"vti", {"blocks.vti"}},
            {"vtk amr", {"amr.vth"}},
            {"amrex", {"plt/Header"}},
            {"netcdf", {"packed.nc"}},
            {"netcdf upright", {"packed.nc"}, {}, {{"vertical", "upright"}}},
            {"netcdf curvilinear", {"curvilinear.nc"}},
            {"netcdf of exodus", {"small.e"}},
            {"plot3d", {"deep/grid.xyz"}, {"deep/grid_0000.q", "deep/grid_0001.q"}},
            {"plot3d functions", {"deep/box.xyz"}, {"deep/box.f"}},
            {"plot3d list", {"steps.p3d"}}};
  }

 private:
  template <class Number>
  static std::string numbersOf(const std::vector<Number>& numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
  }
  static constexpr int kDims[3] = {14, 12, 10};

  static std::string nrrdHead() {
    return "NRRD0004\ntype: float\ndimension: 4\nsizes: 3 14 12 10\nkinds: vector space space space\n"
           "spacings: nan 1 1 1\nencoding: raw\nendian: little\n";
  }
  /// A flow around an axis in the middle, upwards.
  static std::string swirl(bool bigEndian) {
    std::string bytes;
    for (int k = 0; k < kDims[2]; ++k)
      for (int j = 0; j < kDims[1]; ++j)
        for (int i = 0; i < kDims[0]; ++i)
          for (const double value : {5.5 - j, i - 6.5, 0.25 + 0.01 * k * i}) {
            const auto number = static_cast<float>(value);
            char its[4];
            std::memcpy(its, &number, 4);
            if (bigEndian) std::swap(its[0], its[3]), std::swap(its[1], its[2]);
            bytes.append(its, 4);
          }
    return bytes;
  }
  /// 6³ cells, every second one cut in two wedges; values on nodes and on cells.
  static std::string mesh() {
    constexpr int kEdge = 7, kCells = 6;
    std::string points, values, flow, cells, types, ofCells;
    int count = 0, numbers = 0;
    const auto node = [](int i, int j, int k) { return std::to_string((k * kEdge + j) * kEdge + i) + " "; };
    for (int k = 0; k < kEdge; ++k)
      for (int j = 0; j < kEdge; ++j)
        for (int i = 0; i < kEdge; ++i) {
          points += std::to_string(i) + " " + std::to_string(j) + " " + std::to_string(k) + "\n";
          values += std::to_string(i + 2 * j + 3 * k) + "\n";
          flow += std::to_string(3 - j) + " " + std::to_string(i - 3) + " 0.5\n";
        }
    const auto add = [&](const std::string& nodes, int corners, const char* type) {
      cells += std::to_string(corners) + " " + nodes + "\n";
      types += type;
      ofCells += std::to_string(count % 17) + "\n";
      ++count;
      numbers += corners + 1;
    };
    for (int k = 0; k < kCells; ++k)
      for (int j = 0; j < kCells; ++j)
        for (int i = 0; i < kCells; ++i) {
          std::string at[8];
          for (int c = 0; c < 8; ++c) {
            const int di = c == 1 || c == 2 || c == 5 || c == 6, dj = c == 2 || c == 3 || c == 6 || c == 7;
            at[c] = node(i + di, j + dj, k + c / 4);
          }
          if ((i + j + k) % 2 == 0) {
            add(at[0] + at[1] + at[2] + at[3] + at[4] + at[5] + at[6] + at[7], 8, "12\n");
          } else {
            add(at[0] + at[1] + at[2] + at[4] + at[5] + at[6], 6, "13\n");
            add(at[0] + at[2] + at[3] + at[4] + at[6] + at[7], 6, "13\n");
          }
        }
    const std::string nodes = std::to_string(kEdge * kEdge * kEdge), all = std::to_string(count);
    return "# vtk DataFile Version 3.0\nmesh\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS " + nodes +
           " float\n" + points + "CELLS " + all + " " + std::to_string(numbers) + "\n" + cells +
           "CELL_TYPES " + all + "\n" + types + "POINT_DATA " + nodes +
           "\nSCALARS s double\nLOOKUP_TABLE default\n" + values + "VECTORS velocity float\n" + flow +
           "CELL_DATA " + all + "\nSCALARS c int\nLOOKUP_TABLE default\n" + ofCells;
  }
  void copy(const std::string& from, const std::string& to) const {
    std::filesystem::copy_file(std::string(FARFIELD_CORPUS) + "/" + from, path(to));
  }

  TemporaryFolder m_folder;
};

}  // namespace farfield::test
