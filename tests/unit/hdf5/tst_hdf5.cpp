// HDF5 files in place: every layout, filter and index of chunks that the library writes, and NetCDF-4.

#include <QTest>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "core/base/error.h"
#include "core/fields/functions/open_data.h"
#include "core/paging/sources/source_wait.h"
#include "plugins/hdf5/hdf5_data.h"
#include "plugins/hdf5/hdf5_reader.h"
#include "tests/support/array_checks.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/hdf5/hdf5_maker.h"
#include "tests/unit/hdf5/opened_hdf5.h"

using namespace farfield;
using test::allValues;
using test::DatasetOptions;
using test::errorOf;
using test::Hdf5Maker;

class TestHdf5 : public QObject, private test::OpenedHdf5 {
  Q_OBJECT
 private slots:
  void layoutsAndFilters_data();
  void layoutsAndFilters();
  void pagesAreChunks();
  void plainChunksInSlabs();
  void chunksThatAreNotThere();
  void boxesAnywhere();
  void stepsAndComponents();
  void netcdf4ByItsConventions();
  void recordsThatNotAllHave_data();
  void recordsThatNotAllHave();
  void vectorsOfSeveralVariables();
  void choicesAreSaid();
  void sourcesClaimWhatTheyAreGiven();
  void theFileWithFewerRecordsIsNamed();
  void filesStoredInOtherWays();
  void inventoryOfRealFiles();

 private:
  /// All pages, as they come from the sources, against `values` (one component).
  std::string differenceOfPages(const std::vector<double>& values) {
    const auto data = open(m_account);
    const auto sources = data->makeSources(m_account, {.stagingBytes = 1 << 20, .readers = 3});
    const paging::ArrayDescription& array = data->description().arrays.front();
    for (std::int64_t page = 0; page < array.pageCount(); ++page) {
      const IndexBox box = array.boxOf(static_cast<std::uint64_t>(page));
      const auto nodes = paging::fetchNodes(*sources.front(), 0, static_cast<std::uint64_t>(page));
      const std::int64_t step = array.stepOf(static_cast<std::uint64_t>(page));
      for (std::int64_t n = 0; n < product(box.size); ++n) {
        const Index3 at = unlinear(n, box.size),
                     node{at[0] + box.first[0], at[1] + box.first[1], at[2] + box.first[2]};
        const std::int64_t number = step * product(array.layout.dims()) + linear(node, array.layout.dims());
        if (valueAt(nodes.data(), array.type, n) != values[static_cast<std::size_t>(number)])
          return "page " + std::to_string(page) + " node " + std::to_string(n);
      }
    }
    return {};
  }
};

void TestHdf5::layoutsAndFilters_data() {
  QTest::addColumn<int>("kind");
  for (const char* name : {"row",
                           "compact",
                           "chunks",
                           "gzip",
                           "shuffle and gzip",
                           "checksum",
                           "all three",
                           "big-endian",
                           "i8",
                           "u16",
                           "f64",
                           "i64",
                           "scaleoffset",
                           "nbit",
                           "latest: fixed array",
                           "latest: extensible array",
                           "latest: B-tree",
                           "latest: implicit",
                           "latest: one chunk",
                           "whole chunks only",
                           "user block",
                           "not filtered where it does not shrink"})
    QTest::newRow(name) << 0;
}

void TestHdf5::layoutsAndFilters() {
  const std::string name = QTest::currentDataTag();
  DatasetOptions options{.dims = {9, 10, 13}};
  if (name != "row" && name != "compact" && name != "user block") options.chunks = {4, 4, 5};
  if (name == "compact") options.compact = true;
  options.shuffle = name.starts_with("shuffle") || name == "all three";
  options.fletcher = name == "checksum" || name == "all three";
  if (name == "gzip" || options.shuffle || name == "whole chunks only" || name == "latest: fixed array")
    options.gzip = 4;
  options.wholeChunksOnly = name == "whole chunks only";
  if (name == "big-endian") options.type = H5T_STD_I16BE;
  if (name == "i8") options.type = H5T_STD_I8LE;
  if (name == "u16") options.type = H5T_STD_U16LE;
  if (name == "f64") options.type = H5T_IEEE_F64LE;
  if (name == "i64") options.type = H5T_STD_I64LE;
  options.scaleOffset = name == "scaleoffset";
  options.nbit = name == "nbit";
  if (options.scaleOffset || options.nbit) options.type = H5T_STD_I32LE;
  if (name.ends_with("extensible array")) options.most = {H5S_UNLIMITED, 10, 13};
  if (name.ends_with("B-tree")) options.most = {H5S_UNLIMITED, H5S_UNLIMITED, 13};
  options.early = name.ends_with("implicit");
  if (name.ends_with("one chunk")) options.chunks = options.dims;
  std::vector<double> values;
  {
    Hdf5Maker file(m_path, name.starts_with("latest") || options.wholeChunksOnly,
                   name == "user block" ? 1024 : 0);
    if (name == "i8") {
      options.dims = {4, 4, 7};
      options.chunks = {3, 4, 5};
    }
    if (name.starts_with("not filtered")) {
      options.gzip = 9;
      options.type = H5T_IEEE_F64LE;
      values.resize(9 * 10 * 13);
      std::mt19937_64 random(7);
      for (double& value : values)
        value = std::ldexp(static_cast<double>(random()), -static_cast<int>(random() % 90));
      file.make("values", options);
      file.write("values", values);
    } else {
      values = file.makeNumbered("values", options);
    }
  }
  const auto reader = readerOf();
  QCOMPARE(reader.description().blocks[0].dims,
           (Index3{static_cast<std::int64_t>(options.dims[2]), static_cast<std::int64_t>(options.dims[1]),
                   static_cast<std::int64_t>(options.dims[0])}));
  QVERIFY(reader.description().blocks[0].kind == paging::GridKind::Regular);
  QVERIFY(allValues(reader, "values") == values);
  const std::string difference = differenceOfPages(values);
  QVERIFY2(difference.empty(), difference.c_str());
  QVERIFY(hdf5::isHdf5(paging::ByteStores(), m_path));
  // the same where another process looks, which reads what only the library can
  hdf5::Outside outside(std::filesystem::path(test::builtProgram()).parent_path() / "farfield-hdf5");
  const auto byAnother = readerBy(outside);
  QVERIFY(outside.whyNot().empty());
  QVERIFY(allValues(byAnother, "values") == values);
}

void TestHdf5::pagesAreChunks() {
  {
    Hdf5Maker file(m_path);
    file.makeNumbered("values", {.dims = {40, 48, 50}, .chunks = {16, 20, 24}});
    file.makeNumbered("small", {.dims = {40, 48, 50}, .chunks = {2, 4, 4}});
    file.makeNumbered("row", {.dims = {40, 48, 50}});
  }
  const auto reader = readerOf();
  const auto& arrays = reader.description().arrays;
  const auto& values = arrays[static_cast<std::size_t>(reader.description().find(0, "values"))];
  const auto& small = arrays[static_cast<std::size_t>(reader.description().find(0, "small"))];
  QCOMPARE(values.layout.extent(), (Index3{24, 20, 16}));
  // several chunks to a page, whole ones along each axis
  QVERIFY(product(small.layout.extent()) >= 2048);
  QCOMPARE(small.layout.extent()[0] % 4, 0);
  QCOMPARE(small.layout.extent()[2] % 2, 0);
  for (const char* const name : {"values", "small", "row"}) {
    const auto found = allValues(reader, name);
    for (std::size_t n = 0; n < found.size(); n += 17) QCOMPARE(found[n], static_cast<double>(n));
  }
}

/// Of chunks without filters a page is some layers, and no more is read for it; every page holds what belongs there, also at the ends,
/// in steps and where a chunk was never written.
void TestHdf5::plainChunksInSlabs() {
  const double fill = -3;
  for (const bool inSteps : {false, true}) {
    DatasetOptions options{.dims = {70, 50, 45}, .chunks = {32, 24, 24}, .fill = &fill};
    if (inSteps) options = {.dims = {2, 40, 50, 45}, .chunks = {1, 32, 24, 24}, .fill = &fill};
    std::vector<double> values;
    {
      Hdf5Maker file(m_path, false, 512);
      values = file.makeNumbered("values", options);
    }
    const auto data = open(m_account);
    const paging::ArrayDescription& array = data->description().arrays.front();
    QCOMPARE(array.layout.extent(), (Index3{24, 24, 4}));
    const std::string difference = differenceOfPages(values);
    QVERIFY2(difference.empty(), difference.c_str());
    const auto sources = data->makeSources(m_account, {.stagingBytes = 1 << 20, .readers = 1});
    paging::fetchNodes(*sources.front(), 0, 9);
    QCOMPARE(sources.front()->counters().bytesRead, static_cast<std::uint64_t>(24 * 24 * 4 * 4));
  }
  {
    Hdf5Maker file(m_path);
    file.make("values", {.dims = {64, 24, 24}, .chunks = {32, 24, 24}, .fill = &fill});
    file.writeBox("values", {33, 0, 0}, {1, 24, 24}, std::vector<double>(576, 7));
    file.makeNumbered("packed", {.dims = {64, 24, 24}, .chunks = {32, 24, 24}, .gzip = 1});
    file.makeNumbered("other", {.dims = {64, 24, 24}, .chunks = {32, 24, 24}, .type = H5T_IEEE_F32BE});
  }
  const auto data = open(m_account);
  const auto extent = [&](const char* name) {
    const auto number = static_cast<std::size_t>(data->description().find(0, name));
    return data->description().arrays[number].layout.extent();
  };
  QCOMPARE(extent("values"), (Index3{24, 24, 4}));
  QCOMPARE(extent("packed"), (Index3{24, 24, 32}));
  QCOMPARE(extent("other"), (Index3{24, 24, 32}));
  std::vector<double> wanted(64 * 576, -3);
  std::fill_n(wanted.begin() + 33 * 576, 576, 7);
  QVERIFY(allValues(*data->boxReader(), "values") == wanted);
  const auto number = static_cast<std::uint32_t>(data->description().find(0, "values"));
  const auto sources = data->makeSources(m_account, {.stagingBytes = 4 << 20, .readers = 1});
  for (const std::uint64_t page : {0, 7, 8, 9}) {
    std::size_t source = 0, array = number;
    while (array >= sources[source]->description().arrays.size())
      array -= sources[source++]->description().arrays.size();
    const auto nodes = paging::fetchNodes(*sources[source], static_cast<std::uint32_t>(array), page);
    for (std::int64_t n = 0; n < 4 * 576; ++n)
      QCOMPARE(valueAt(nodes.data(), ScalarType::F32, n),
               wanted[page * 4 * 576 + static_cast<std::size_t>(n)]);
  }
}

void TestHdf5::chunksThatAreNotThere() {
  const double fill = -3;
  {
    Hdf5Maker file(m_path);
    DatasetOptions options{.dims = {8, 8, 8}, .chunks = {4, 4, 4}, .gzip = 1, .fill = &fill};
    file.make("some", options);
    file.writeBox("some", {4, 0, 4}, {4, 4, 4}, std::vector<double>(64, 7));
    file.make("none", {.dims = {8, 8, 8}});
    options.fill = nullptr;
    file.make("zeros", options);
  }
  const auto reader = readerOf();
  const auto some = allValues(reader, "some"), none = allValues(reader, "none"),
             zeros = allValues(reader, "zeros");
  for (std::int64_t n = 0; n < 512; ++n) {
    const Index3 at = unlinear(n, {8, 8, 8});
    const bool there = at[2] >= 4 && at[1] < 4 && at[0] >= 4;
    QCOMPARE(some[static_cast<std::size_t>(n)], there ? 7.0 : -3.0);
    QCOMPARE(none[static_cast<std::size_t>(n)], 0.0);
    QCOMPARE(zeros[static_cast<std::size_t>(n)], 0.0);
  }
}

void TestHdf5::boxesAnywhere() {
  {
    Hdf5Maker file(m_path);
    file.makeNumbered("values",
                      {.dims = {21, 19, 23}, .chunks = {5, 8, 7}, .type = H5T_IEEE_F64LE, .gzip = 1});
  }
  const auto reader = readerOf();
  std::mt19937 random(3);
  const Index3 dims{23, 19, 21};
  for (int n = 0; n < 200; ++n) {
    IndexBox box;
    for (std::size_t a = 0; a < 3; ++a) {
      box.first[a] = static_cast<std::int64_t>(random()) % dims[a];
      box.size[a] = 1 + static_cast<std::int64_t>(random()) % (dims[a] - box.first[a]);
    }
    std::vector<double> values(static_cast<std::size_t>(product(box.size)));
    reader.read(0, 0, box, std::as_writable_bytes(std::span(values)));
    for (std::int64_t v = 0; v < product(box.size); ++v) {
      const Index3 at = unlinear(v, box.size);
      const std::int64_t wanted =
          linear({at[0] + box.first[0], at[1] + box.first[1], at[2] + box.first[2]}, dims);
      QCOMPARE(values[static_cast<std::size_t>(v)], static_cast<double>(wanted));
    }
  }
}

void TestHdf5::stepsAndComponents() {
  std::vector<double> values;
  {
    Hdf5Maker file(m_path);
    values = file.makeNumbered("steps", {.dims = {5, 6, 7, 8}, .chunks = {2, 3, 4, 8}});
  }
  const auto reader = readerOf();
  QCOMPARE(reader.description().steps(), std::int64_t{5});
  for (std::int64_t step = 0; step < 5; ++step) {
    const auto found = allValues(reader, "steps", step);
    for (std::size_t n = 0; n < found.size(); ++n)
      QCOMPARE(found[n], values[static_cast<std::size_t>(step) * found.size() + n]);
  }
  const std::string difference = differenceOfPages(values);
  QVERIFY2(difference.empty(), difference.c_str());
  {
    Hdf5Maker file(m_path);
    file.makeNumbered("vectors", {.dims = {6, 7, 8, 3}, .chunks = {4, 4, 4, 3}, .gzip = 1});
    file.makeNumbered("scalars", {.dims = {6, 7, 8}, .chunks = {4, 4, 4}});
  }
  const auto vectors = readerOf();
  const auto& array =
      vectors.description().arrays[static_cast<std::size_t>(vectors.description().find(0, "vectors"))];
  QCOMPARE(array.components, 3);
  QCOMPARE(vectors.description().steps(), std::int64_t{1});
  QCOMPARE(vectors.description().blocks[0].dims, (Index3{8, 7, 6}));
  const auto found = allValues(vectors, "vectors");
  for (std::size_t n = 0; n < found.size(); ++n) QCOMPARE(found[n], static_cast<double>(n));
  QCOMPARE(allValues(vectors, "scalars")[100], 100.0);
}

void TestHdf5::netcdf4ByItsConventions() {
  {
    Hdf5Maker file(m_path);
    file.scale("lon", {0, 10, 30});
    file.text("lon", "units", "degrees_east");
    file.scale("lat", {50, 40});
    file.text("lat", "units", "degrees_north", true);
    file.scale("time", {3, 4.5});
    file.text("time", "units", "days since 1990-01-01");
    file.make("depth", {.dims = {4}});
    file.text("depth", "CLASS", "DIMENSION_SCALE");
    file.text("depth", "NAME", "This is a netCDF dimension but not a netCDF variable         4");
    file.makeNumbered("temp",
                      {.dims = {2, 4, 2, 3}, .chunks = {1, 2, 2, 2}, .type = H5T_STD_I16BE, .gzip = 2});
    file.scales("temp", {"time", "depth", "lat", "lon"});
    file.numbers("temp", "scale_factor", {0.5}, H5T_IEEE_F32LE);
    file.numbers("temp", "add_offset", {10}, H5T_IEEE_F32LE);
    file.numbers("temp", "_FillValue", {7}, H5T_STD_I16LE);
    file.text("temp", "units", "K");
  }
  const auto reader = readerOf();
  const auto& data = reader.description();
  QCOMPARE(data.blocks[0].dims, (Index3{3, 2, 4}));
  QVERIFY(data.blocks[0].kind == paging::GridKind::Rectilinear);
  QCOMPARE((*data.blocks[0].axes)[0], (std::vector<double>{0, 10, 30}));
  QCOMPARE((*data.blocks[0].axes)[1], (std::vector<double>{40, 50}));
  QCOMPARE(data.times, (std::vector<double>{3, 4.5}));
  QCOMPARE(data.attributes.at("units.temp"), std::string("K"));
  for (std::int64_t step = 0; step < 2; ++step) {
    const auto temp = allValues(reader, "temp", step), blank = allValues(reader, "iblank", step);
    for (std::int64_t n = 0; n < 24; ++n) {
      const Index3 at = unlinear(n, {3, 2, 4});
      // latitudes descend in the file
      const std::int64_t stored = 24 * step + linear({at[0], 1 - at[1], at[2]}, {3, 2, 4});
      if (stored == 7)
        QVERIFY(std::isnan(temp[static_cast<std::size_t>(n)]));
      else
        QCOMPARE(temp[static_cast<std::size_t>(n)], 10 + 0.5 * static_cast<double>(stored));
      QCOMPARE(blank[static_cast<std::size_t>(n)], stored == 7 ? 0.0 : 1.0);
    }
  }
}

void TestHdf5::recordsThatNotAllHave_data() {
  QTest::addColumn<int>("times");
  QTest::addColumn<int>("ofT");
  QTest::addColumn<int>("ofU");
  QTest::addColumn<int>("steps");
  QTest::addColumn<bool>("areNumbered");
  QTest::newRow("all") << 3 << 3 << 3 << 3 << false;
  QTest::newRow("one record less") << 3 << 3 << 2 << 3 << false;
  QTest::newRow("a dimension without times, as it was at first") << 1 << 3 << 3 << 3 << true;
  QTest::newRow("one record more") << 2 << 3 << 2 << 2 << false;
  QTest::newRow("two variables are ahead") << 2 << 3 << 3 << 2 << false;
  QTest::newRow("times are ahead") << 3 << 2 << 2 << 2 << false;
  QTest::newRow("no times yet") << 0 << 2 << 2 << 2 << false;
}

/// Of a run that still writes, or was stopped: its times became heights of a grid of one step.
void TestHdf5::recordsThatNotAllHave() {
  QFETCH(int, times);
  QFETCH(int, ofT);
  QFETCH(int, ofU);
  QFETCH(int, steps);
  QFETCH(bool, areNumbered);
  {
    Hdf5Maker file(m_path);
    file.scale("x", {0, 1, 2, 3});
    file.scale("y", {0, 1, 2});
    file.make("time", {.dims = {static_cast<hsize_t>(times)},
                       .chunks = {4},
                       .most = {H5S_UNLIMITED},
                       .type = H5T_IEEE_F64LE});
    std::vector<double> numbers;
    for (int n = 0; n < times; ++n) numbers.push_back(10 * n);
    if (times > 0) file.write("time", numbers);
    file.text("time", "CLASS", "DIMENSION_SCALE");
    file.text("time", "NAME",
              areNumbered ? "This is a netCDF dimension but not a netCDF variable         3" : "time");
    file.text("time", "units", "hours since 2020-01-01");
    for (const auto& [name, records] : {std::pair("T", ofT), std::pair("U", ofU)}) {
      file.makeNumbered(name, {.dims = {static_cast<hsize_t>(records), 3, 4},
                               .chunks = {1, 3, 4},
                               .most = {H5S_UNLIMITED, 3, 4}});
      file.scales(name, {"time", "y", "x"});
    }
  }
  const auto reader = readerOf();
  const auto& data = reader.description();
  QCOMPARE(data.steps(), static_cast<std::int64_t>(steps));
  QCOMPARE(data.blocks[0].dims, (Index3{4, 3, 1}));
  if (times > 0) QCOMPARE(data.times[1], areNumbered ? 1.0 : 10.0);
  for (const char* const name : {"T", "U"}) {
    const auto values = allValues(reader, name, 1);
    QCOMPARE(values.size(), std::size_t{12});
    QCOMPARE(values[5], 17.0);
  }
  if (steps > ofU) {
    QVERIFY(m_explain.find("U has no values after its 2 records") != std::string::npos);
    QCOMPARE(allValues(reader, "T", 2)[5], 29.0);
    for (const double value : allValues(reader, "U", 2)) QVERIFY(std::isnan(value));
  }
  QCOMPARE(m_explain.find("records beyond the 2 of /time; /T has 3") != std::string::npos, times == 2);
}

void TestHdf5::vectorsOfSeveralVariables() {
  {
    Hdf5Maker file(m_path);
    file.group("flow");
    for (const char* const name : {"flow/u", "flow/v", "flow/w"})
      file.makeNumbered(name, {.dims = {6, 5, 4}, .chunks = {3, 3, 3}});
  }
  const auto reader = readerOf({{"vectors", "velocity=u,v,w"}, {"spacing", "0.5,1,2"}, {"origin", "1,2,3"}});
  const auto found = allValues(reader, "velocity");
  for (std::size_t n = 0; n < found.size(); ++n) QCOMPARE(found[n], static_cast<double>(n / 3));
  QCOMPARE(reader.description().blocks[0].spacing.z, 2.0);
  QCOMPARE(reader.description().blocks[0].origin.x, 1.0);
}

void TestHdf5::choicesAreSaid() {
  {
    Hdf5Maker file(m_path);
    file.makeNumbered("a", {.dims = {6, 5, 4}});
    file.makeNumbered("b", {.dims = {6, 5, 4}});
    file.makeNumbered("other", {.dims = {3, 3, 3}});
  }
  readerOf();
  QVERIFY2(m_explain.find("other") != std::string::npos &&
               m_explain.find("--option variable=") != std::string::npos,
           m_explain.c_str());
  QCOMPARE(readerOf({{"variable", "/other"}}).description().blocks[0].dims, (Index3{3, 3, 3}));
  const std::string error = errorOf<Invalid>([&] { readerOf({{"variable", "none"}}); });
  QVERIFY2(error.find("a, b, other") != std::string::npos, error.c_str());
}

void TestHdf5::sourcesClaimWhatTheyAreGiven() {
  {
    Hdf5Maker file(m_path);
    file.makeNumbered("packed",
                      {.dims = {20, 20, 20}, .chunks = {9, 9, 9}, .type = H5T_STD_I16BE, .gzip = 1});
    file.makeNumbered("row", {.dims = {20, 20, 20}});
    file.makeNumbered("plain", {.dims = {20, 20, 20}, .chunks = {9, 9, 9}});
  }
  const auto data = open(m_account);
  for (const std::uint64_t more : {0, 1, 4095, 4097, 99999, 1000000}) {
    const std::uint64_t staging = data->largestStoredBytes() + more, before = m_account.usedBytes();
    const auto sources =
        data->makeSources(m_account, {.stagingBytes = staging, .readers = 2, .processors = 4});
    QVERIFY(m_account.usedBytes() - before <= staging);
  }
}

/// Of a series that is being written the last file is the one.
void TestHdf5::theFileWithFewerRecordsIsNamed() {
  const std::string other = (m_folder.path() / "b.h5").string();
  for (const auto& [path, begins, ofU] : {std::tuple(m_path, 0.0, 3), std::tuple(other, 30.0, 2)}) {
    Hdf5Maker file(path);
    file.scale("x", {0, 1, 2, 3});
    file.scale("y", {0, 1, 2});
    file.make("time", {.dims = {3}, .chunks = {4}, .most = {H5S_UNLIMITED}, .type = H5T_IEEE_F64LE});
    file.write("time", std::vector<double>{begins, begins + 10, begins + 20});
    file.text("time", "CLASS", "DIMENSION_SCALE");
    file.text("time", "NAME", "time");
    file.text("time", "units", "hours since 2020-01-01");
    for (const auto& [name, records] : {std::pair("T", 3), std::pair("U", ofU)}) {
      file.makeNumbered(name, {.dims = {static_cast<hsize_t>(records), 3, 4},
                               .chunks = {1, 3, 4},
                               .most = {H5S_UNLIMITED, 3, 4}});
      file.scales(name, {"time", "y", "x"});
    }
  }
  QCOMPARE(readerOf({}, other).description().steps(), std::int64_t{6});
  QVERIFY2(m_explain.find("U has no values after its 2 records of file " + other) != std::string::npos,
           m_explain.c_str());
  QVERIFY(m_explain.find("T has no values") == std::string::npos);
}

/// Each file of a series may be packed by itself.
void TestHdf5::filesStoredInOtherWays() {
  const std::string other = (m_folder.path() / "b.h5").string();
  const auto make = [](const std::string& path, const DatasetOptions& options, double scale) {
    Hdf5Maker file(path);
    file.makeNumbered("values", options);
    if (scale != 0) file.numbers("values", "scale_factor", {scale});
  };
  make(m_path, {.dims = {4, 4, 4}, .chunks = {4, 4, 4}, .gzip = 4}, 0);
  make(other, {.dims = {4, 4, 4}, .chunks = {4, 4, 4}}, 0);
  const auto data = hdf5::Hdf5DataReader(std::make_shared<paging::ByteStores>())
                        .open({.sources = {m_path, other}}, m_account);
  const auto sources = data->makeSources(m_account, {.stagingBytes = 1 << 20, .readers = 2});
  const paging::ArrayDescription& array = data->description().arrays.front();
  QCOMPARE(array.steps, std::int64_t{2});
  std::vector<std::vector<std::byte>> steps(2);
  for (std::int64_t page = 0; page < array.pageCount(); ++page) {
    const auto nodes = paging::fetchNodes(*sources.front(), 0, static_cast<std::uint64_t>(page));
    auto& step = steps[static_cast<std::size_t>(array.stepOf(static_cast<std::uint64_t>(page)))];
    step.insert(step.end(), nodes.begin(), nodes.end());
  }
  QVERIFY(!steps[0].empty() && steps[0] == steps[1]);
  make(m_path, {.dims = {4, 4, 4}, .type = H5T_STD_I16LE}, 0.5);
  make(other, {.dims = {4, 4, 4}, .type = H5T_STD_I16LE}, 0.25);
  const auto scaled = readerOf({}, other);
  QCOMPARE(allValues(scaled, "values", 0)[5], 2.5);
  QCOMPARE(allValues(scaled, "values", 1)[5], 1.25);
  make(other, {.dims = {4, 4, 4}, .type = H5T_STD_I16BE}, 0.5);
  QVERIFY(errorOf<Unsupported>([&] { readerOf({}, other); }).find("in another way") != std::string::npos);
}

void TestHdf5::inventoryOfRealFiles() {
  NEEDS_DATA("data/hdf/can-vtu.hdf");
  for (const char* const name :
       {"can-vtu.hdf", "can_0.hdf", "transient-fields.cgns", "warping_spheres.vtkhdf"}) {
    const paging::ByteStores stores;
    const auto path = test::dataPath("data/hdf/" + std::string(name)).string();
    hdf5::File file(stores.open(path));
    QVERIFY(!hdf5::contentsHere(file).datasets.empty());
  }
}

QTEST_GUILESS_MAIN(TestHdf5)
#include "tst_hdf5.moc"
