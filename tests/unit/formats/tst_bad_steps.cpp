// Series in files of all kinds of formats, with a bad step: it is named, or left out as the option says.

#include <QTest>

#include <cmath>
#include <functional>

#include "core/base/error.h"
#include "plugins/formats/formats.h"
#include "tests/support/amr_sample.h"
#include "tests/support/file_contents.h"
#include "tests/support/plotfile.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/hdf5/hdf5_maker.h"

using namespace farfield;
using farfield::test::TemporaryFolder;
using farfield::test::writeFile;

namespace {

namespace fs = std::filesystem;

constexpr int kSteps = 5, kBad = 3;

/// A step as a file: where, how many nodes along x, at what time.
using Write = std::function<void(const fs::path& file, int nodes, double time)>;

std::string valuesAsText(int nodes, double time) {
  std::string text;
  for (int n = 0; n < nodes * 3 * 4; ++n) text += std::to_string(n + time) + "\n";
  return text;
}

void writeLegacy(const fs::path& file, int nodes, double time) {
  writeFile(file,
            "# vtk DataFile Version 3.0\nstep\nASCII\nDATASET STRUCTURED_POINTS\nFIELD FieldData 1\n"
            "TIME 1 1 double\n" +
                std::to_string(time) + "\nDIMENSIONS " + std::to_string(nodes) +
                " 3 4\nORIGIN 0 0 0\nSPACING 1 1 1\nPOINT_DATA " + std::to_string(nodes * 12) +
                "\nSCALARS heat float 1\nLOOKUP_TABLE default\n" + valuesAsText(nodes, time));
}

void writeXml(const fs::path& file, int nodes, double time) {
  const std::string extent = "0 " + std::to_string(nodes - 1) + " 0 2 0 3";
  writeFile(file,
            R"(<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian"><ImageData WholeExtent=")" +
                extent + R"(" Origin="0 0 0" Spacing="1 1 1"><FieldData><DataArray type="Float64" )" +
                R"(Name="TimeValue" NumberOfTuples="1" format="ascii">)" + std::to_string(time) +
                R"(</DataArray></FieldData><Piece Extent=")" + extent +
                R"("><PointData><DataArray type="Float32" Name="heat" format="ascii">)" +
                valuesAsText(nodes, time) + "</DataArray></PointData></Piece></ImageData></VTKFile>");
}

void writeNrrd(const fs::path& file, int nodes, double time) {
  std::string bytes;
  for (int n = 0; n < nodes * 12; ++n) {
    const auto value = static_cast<float>(n + time);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  writeFile(file, "NRRD0004\ntype: float\ndimension: 3\nsizes: " + std::to_string(nodes) +
                      " 3 4\nspacings: 1 1 1\nencoding: raw\nendian: little\n\n" + bytes);
}

/// NetCDF's classic format: one record of a variable over x, y, z and time.
void writeNetcdf(const fs::path& file, int nodes, double time) {
  std::string bytes = {'C', 'D', 'F', 1};
  const auto number = [](std::uint32_t value) {
    std::string four;
    for (int n = 3; n >= 0; --n) four += static_cast<char>(value >> (8 * n));
    return four;
  };
  const auto name = [&](const std::string& text) {
    return number(static_cast<std::uint32_t>(text.size())) + text +
           std::string((4 - text.size() % 4) % 4, '\0');
  };
  const auto turned = [](const auto value) {
    std::string its(reinterpret_cast<const char*>(&value), sizeof value);
    return std::string(its.rbegin(), its.rend());
  };
  bytes += number(1) + number(10) + number(4) + name("time") + number(0) + name("z") + number(4) + name("y") +
           number(3) + name("x") + number(static_cast<std::uint32_t>(nodes)) + number(0) + number(0);
  const std::string ofTime =
      number(12) + number(1) + name("units") + number(2) + name("seconds since 2000-01-01");
  const std::string nothing = number(0) + number(0);
  bytes += number(11) + number(2);
  const auto values = static_cast<std::uint32_t>(nodes * 12 * 4);
  const std::string timeHead = name("time") + number(1) + number(0) + ofTime + number(6) + number(8),
                    heatHead = name("heat") + number(4) + number(0) + number(1) + number(2) + number(3) +
                               nothing + number(5) + number(values);
  const auto begin = static_cast<std::uint32_t>(bytes.size() + timeHead.size() + 4 + heatHead.size() + 4);
  bytes += timeHead + number(begin) + heatHead + number(begin + 8) + turned(time);
  for (int n = 0; n < nodes * 12; ++n) bytes += turned(static_cast<float>(n + time));
  writeFile(file, bytes);
}

void writePlot(const fs::path& folder, int /*nodes*/, double time) {
  const test::PlotfileLayout layout;
  test::writePlotfile(
      folder, test::AmrSample(), [](Vec3 at, int) { return at.x; }, layout);
  std::string header = test::fileContents(folder / "Header");
  header.replace(header.find("3\n2.5\n"), 6, "3\n" + std::to_string(time) + "\n");
  writeFile(folder / "Header", header);
}

/// A volume in chunks, as any HDF5 file has it.
void writeHdf5(const fs::path& file, int nodes, double /*time*/) {
  const auto size = static_cast<hsize_t>(nodes);
  test::Hdf5Maker made(file.string());
  made.makeNumbered("heat", {.dims = {4, 3, size}, .chunks = {2, 2, 3}, .gzip = 1});
}

/// NetCDF-4: a record of a variable over x, y, z and time.
void writeNetcdf4(const fs::path& file, int nodes, double time) {
  const auto size = static_cast<hsize_t>(nodes);
  test::Hdf5Maker made(file.string());
  std::vector<double> x;
  for (int n = 0; n < nodes; ++n) x.push_back(n);
  made.scale("x", x);
  made.scale("y", {0, 1, 2});
  made.scale("z", {0, 1, 2, 3});
  made.scale("time", {time});
  made.text("time", "units", "seconds since 2000-01-01");
  made.makeNumbered("heat", {.dims = {1, 4, 3, size}, .chunks = {1, 2, 2, 3}});
  made.scales("heat", {"time", "z", "y", "x"});
}

void beginVtkHdf(test::Hdf5Maker& made, const std::string& type, double time) {
  made.group("VTKHDF");
  made.text("VTKHDF", "Type", type);
  made.numbers("VTKHDF", "Version", {1, 0}, H5T_STD_I64LE);
  made.group("VTKHDF/PointData");
  made.group("VTKHDF/FieldData");
  made.make("VTKHDF/FieldData/TimeValue", {.dims = {1}, .type = H5T_IEEE_F64LE});
  made.write("VTKHDF/FieldData/TimeValue", {time});
}

void writeVtkHdfImage(const fs::path& file, int nodes, double time) {
  test::Hdf5Maker made(file.string());
  beginVtkHdf(made, "ImageData", time);
  made.numbers("VTKHDF", "WholeExtent", {0, nodes - 1.0, 0, 2, 0, 3}, H5T_STD_I64LE);
  made.numbers("VTKHDF", "Origin", {0, 0, 0});
  made.numbers("VTKHDF", "Spacing", {1, 1, 1});
  made.makeNumbered("VTKHDF/PointData/heat",
                    {.dims = {4, 3, static_cast<hsize_t>(nodes)}, .chunks = {2, 2, 3}});
}

/// A tetrahedron that moves.
void writeVtkHdfCells(const fs::path& file, int /*nodes*/, double time) {
  test::Hdf5Maker made(file.string());
  beginVtkHdf(made, "UnstructuredGrid", time);
  const auto list = [&](const std::string& name, const std::vector<double>& values,
                        hid_t type = H5T_STD_I64LE) {
    made.make("VTKHDF/" + name, {.dims = {values.size()}, .type = type});
    made.write("VTKHDF/" + name, values);
  };
  made.make("VTKHDF/Points", {.dims = {4, 3}, .type = H5T_IEEE_F64LE});
  made.write("VTKHDF/Points", {time, 0, 0, time + 1, 0, 0, time, 1, 0, time, 0, 1});
  list("Types", {10}, H5T_STD_U8LE);
  list("Connectivity", {0, 1, 2, 3});
  list("Offsets", {0, 4});
  list("NumberOfPoints", {4});
  list("NumberOfCells", {1});
  list("NumberOfConnectivityIds", {4});
  list("PointData/heat", {time, time, time, time}, H5T_IEEE_F32LE);
}

struct Series {
  QString name;
  std::string ending;
  Write write;
  bool hasTimes = true, isList = false, mayChange = false;
};

std::vector<Series> allSeries() {
  return {{"vtk, legacy", ".vtk", writeLegacy},
          {"vtk, xml", ".vti", writeXml},
          {"vtk, listed", ".vtk", writeLegacy, true, true},
          {"nrrd", ".nrrd", writeNrrd, false},
          {"netcdf", ".nc", writeNetcdf},
          {"netcdf-4", ".nc", writeNetcdf4},
          {"hdf5", ".h5", writeHdf5, false},
          {"vtkhdf, images", ".vtkhdf", writeVtkHdfImage},
          {"vtkhdf, cells", ".vtkhdf", writeVtkHdfCells, true, false, true},
          {"amrex", "", writePlot, true, false, true}};
}

}  // namespace

class TestBadSteps : public QObject {
  Q_OBJECT
 private slots:
  void goodOnesAreRead_data() { add(false); }
  void goodOnesAreRead();
  void badOnesAreNamed_data() { add(true); }
  void badOnesAreNamed();
  void badOnesAreLeftOut_data() { add(true); }
  void badOnesAreLeftOut();
  void otherWordsAreRefused();

 private:
  static void add(bool isBad) {
    QTest::addColumn<int>("series");
    QTest::addColumn<QString>("damage");
    const std::vector<Series> all = allSeries();
    for (int n = 0; n < static_cast<int>(all.size()); ++n) {
      const Series& its = all[static_cast<std::size_t>(n)];
      for (const char* const damage :
           {"missing", "truncated", "cut at its end", "other dimensions", "time goes back"}) {
        const bool isOfTime = QString(damage).startsWith("time");
        // a list is in the order of its times
        if (isBad && isOfTime && (!its.hasTimes || its.isList)) continue;
        // boxes and cells may change, and a variable that a step of boxes lacks is left out of all
        if (isBad && its.mayChange && QString(damage).startsWith("other")) continue;
        QTest::addRow("%s, %s", qPrintable(its.name), isBad ? damage : "good")
            << n << QString(isBad ? damage : "");
        if (!isBad) break;
      }
    }
  }
  /// Writes the steps and returns what to open.
  fields::OpenRequest series(const Series& its, const QString& damage, const fs::path& folder) {
    fields::OpenRequest request;
    fs::create_directories(folder);
    std::string list = R"(<VTKFile type="Collection"><Collection>)";
    for (int n = 0; n < kSteps; ++n) {
      const bool isBad = n == kBad;
      const fs::path file = folder / ("step" + std::to_string(n) + its.ending);
      its.write(file, isBad && damage == "other dimensions" ? 5 : 6,
                0.5 * (isBad && damage == "time goes back" ? 1 : n + 1));
      if (isBad && damage == "missing") fs::remove_all(file);
      if (isBad && damage == "truncated") {
        const fs::path cut = its.ending.empty() ? file / "Header" : file;
        fs::resize_file(cut, fs::file_size(cut) / 3);
      }
      if (isBad && damage == "cut at its end") {
        const fs::path cut = its.ending.empty() ? file / "Level_1" / "Cell_D_00000" : file;
        fs::resize_file(cut, fs::file_size(cut) * 19 / 20);
      }
      request.sources.push_back(file.string());
      list += "<DataSet timestep=\"" + std::to_string(0.5 * (n + 1)) + "\" file=\"" +
              file.filename().string() + "\"/>";
    }
    if (its.isList) {
      writeFile(folder / "list.pvd", list + "</Collection></VTKFile>");
      request.sources = {(folder / "list.pvd").string()};
    }
    return request;
  }
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request) {
    fields::ReaderRegistry readers;
    formats::addFormats(readers);
    return readers.open(request, m_account);
  }
  MemoryAccount m_account{std::uint64_t{256} << 20};
  TemporaryFolder m_folder;
};

void TestBadSteps::goodOnesAreRead() {
  QFETCH(int, series);
  const Series its = allSeries()[static_cast<std::size_t>(series)];
  const auto request = this->series(its, "", m_folder / ("good" + std::to_string(series)));
  for (const char* const what : {"", "stop", "skip"}) {
    fields::OpenRequest one = request;
    if (*what) one.options["badSteps"] = what;
    const auto data = open(one);
    QCOMPARE(data->description().steps(), kSteps);
    if (its.hasTimes) QCOMPARE(data->description().times, (std::vector<double>{0.5, 1, 1.5, 2, 2.5}));
  }
}

void TestBadSteps::badOnesAreNamed() {
  QFETCH(int, series);
  QFETCH(QString, damage);
  const Series its = allSeries()[static_cast<std::size_t>(series)];
  const auto request =
      this->series(its, damage, m_folder / ("named" + std::to_string(series) + damage.toStdString()));
  for (const bool isSaid : {false, true}) try {
      fields::OpenRequest one = request;
      if (isSaid) one.options["badSteps"] = "stop";
      open(one);
      QFAIL("it was opened");
    } catch (const Error& error) {
      const QString text = error.what();
      QVERIFY2(text.contains("step 3"), error.what());
      QVERIFY2(text.contains("step3"), error.what());
      QVERIFY2(text.contains("badSteps=skip"), error.what());
      // Files of several sizes may be pieces.
      QVERIFY2(text.contains("pieces of one grid") == text.contains("nodes where the first step has"),
               error.what());
      QVERIFY2(!text.contains('\n'), error.what());
    }
}

void TestBadSteps::badOnesAreLeftOut() {
  QFETCH(int, series);
  QFETCH(QString, damage);
  const Series its = allSeries()[static_cast<std::size_t>(series)];
  auto request =
      this->series(its, damage, m_folder / ("left" + std::to_string(series) + damage.toStdString()));
  request.options["badSteps"] = "skip";
  const auto data = open(request);
  QCOMPARE(data->description().steps(), kSteps - 1);
  if (its.hasTimes) QCOMPARE(data->description().times, (std::vector<double>{0.5, 1, 1.5, 2.5}));
  // And is said.
  std::vector<std::string> said;
  for (const std::string& line : data->explanation())
    if (line.find(" is left out: ") != std::string::npos) said.push_back(line);
  QCOMPARE(said.size(), std::size_t{1});
  QVERIFY2(said[0].starts_with("step 3 is left out: ") && said[0].find("step3") != std::string::npos,
           said[0].c_str());
  // The same by its number; of others that are named the good ones are left out, and this one stops the opening.
  request.options["badSteps"] = "3";
  const auto same = open(request);
  QCOMPARE(same->description().times, data->description().times);
  request.options["badSteps"] = "1,3";
  const auto fewer = open(request);
  QCOMPARE(fewer->description().steps(), kSteps - 2);
  if (its.hasTimes) QCOMPARE(fewer->description().times, (std::vector<double>{0.5, 1.5, 2.5}));
  request.options["badSteps"] = "1";
  try {
    open(request);
    QFAIL("it was opened");
  } catch (const Error& error) {
    const QString text = error.what();
    QVERIFY2(text.contains("step 3") && text.contains("step3"), error.what());
    QVERIFY2(text.contains("name it in the option badSteps as well"), error.what());
  }
}

void TestBadSteps::otherWordsAreRefused() {
  auto request = series(allSeries().front(), "", m_folder / "words");
  for (const char* const word : {"ignore", "", "1,", ",1", "1;2", "-1"}) {
    request.options["badSteps"] = word;
    try {
      open(request);
      QFAIL("it was opened");
    } catch (const Invalid& error) {
      QVERIFY2(QString(error.what()).contains("must be one of stop, skip"), error.what());
    }
  }
}

QTEST_GUILESS_MAIN(TestBadSteps)
#include "tst_bad_steps.moc"
