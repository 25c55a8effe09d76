// Files of VTK that are wrong in one place each, and what is said of them; pieces; what the format allows beside what
// VTK writes.

#include <QTest>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "plugins/vtkfile/vtk_data.h"
#include "plugins/vtkfile/vtk_list.h"
#include "plugins/vtkfile/xml_elements.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/vtkfile/vtk_readers.h"

using namespace farfield;
using namespace farfield::vtkfile;
using namespace farfield::vtkfile::test;
using farfield::test::allValues;
using farfield::test::errorOf;

namespace {

const std::string kXml =
    "<?xml version=\"1.0\"?>\n<!-- a > comment -->\n"
    "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt32\">\n"
    "<ImageData WholeExtent=\"0 2 0 1 0 0\" Origin=\"0 0 0\" Spacing=\"1 1 1\">\n"
    "<Piece Extent=\"0 1 0 1 0 0\"><PointData>\n"
    "<DataArray type=\"Float32\" Name=\"a &lt; b\" format=\"ascii\">1 2 3 4</DataArray>\n"
    "</PointData></Piece>\n"
    "<Piece Extent=\"1 2 0 1 0 0\"><PointData>\n"
    "<DataArray type=\"Float32\" Name='a &lt; b' NumberOfComponents=\"1\" format=\"ascii\">2 5 4 "
    "6</DataArray>\n"
    "</PointData></Piece>\n"
    "</ImageData></VTKFile>\n";

const std::string kLegacy =
    "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 3 2 1\nORIGIN 0 0 0\n"
    "SPACING 1 1 1\nPOINT_DATA 6\nSCALARS s float 1\nLOOKUP_TABLE default\n1 2 3 4 5 6\n"
    "VECTORS v float\n1 0 0 1 0 0 1 0 0\n1 0 0 1 0 0 1 0 0\nFIELD more 1\nt%20x 2 6 int\n1 2 3 4 5 6 7 8 9 "
    "10 11 12\n";

}  // namespace

class TestVtkText : public QObject {
  Q_OBJECT
 private slots:
  void piecesArePutTogether();
  void wrongXmlIsRefused_data();
  void wrongXmlIsRefused();
  void veryManyArraysAreRefused();
  void childrenAreThoseWithin();
  void legacyText();
  void wrongLegacyIsRefused_data();
  void wrongLegacyIsRefused();
  void fieldsWithTimes_data();
  void fieldsWithTimes();
  void imagesThatMoveAreRefused_data();
  void imagesThatMoveAreRefused();
  void partsOfASeriesMayHaveNames();
  void timesAmongTheValues();
  void whatIsHiddenIsBlank();
  void whatIsHiddenTurnsWithItsAxes();
  void otherKindsAreNamed();
  void onlyFilesOfVtkAreTaken();
  void readingOfListsStops();

 private:
  std::string write(const std::string& bytes) {
    std::ofstream(m_folder / "f", std::ios::binary) << bytes;
    return m_folder / "f";
  }
  static std::string changed(const std::string& text, const std::string& from, const std::string& to) {
    std::string result = text;
    const std::size_t at = result.find(from);
    if (at == std::string::npos) return {};
    return result.replace(at, from.size(), to);
  }
  farfield::test::TemporaryFolder m_folder;
  MemoryAccount m_account{std::uint64_t{16} << 20};
};

void TestVtkText::piecesArePutTogether() {
  const auto reader = readerOf({write(kXml)}, {}, m_account);
  QCOMPARE(reader.description().blocks[0].dims, (Index3{3, 2, 1}));
  QCOMPARE(allValues(reader, "a < b"), (std::vector<double>{1, 2, 5, 3, 4, 6}));
}

void TestVtkText::wrongXmlIsRefused_data() {
  QTest::addColumn<QString>("from");
  QTest::addColumn<QString>("to");
  const char* const changes[][2] = {
      {"<VTKFile", "<VTKThing"},
      {"type=\"ImageData\"", "type=\"PolyData\""},
      {"type=\"ImageData\"", ""},
      {"WholeExtent=\"0 2 0 1 0 0\"", ""},
      {"WholeExtent=\"0 2 0 1 0 0\"", "WholeExtent=\"0 2 0 1 0\""},
      {"WholeExtent=\"0 2 0 1 0 0\"", "WholeExtent=\"0 2 0 1 0 -1\""},
      {"WholeExtent=\"0 2 0 1 0 0\"", "WholeExtent=\"0 99999999999999999999 0 1 0 0\""},
      {"WholeExtent=\"0 2 0 1 0 0\"", "WholeExtent=\"0 1000000000000 0 1000000000000 0 1000000000000\""},
      {"WholeExtent=\"0 2 0 1 0 0\"", "WholeExtent=\"0 3 0 1 0 0\""},
      {"WholeExtent=\"0 2 0 1 0 0\"", "WholeExtent=\"0 1 0 1 0 0\""},
      {"Extent=\"0 1 0 1 0 0\"", "Extent=\"0 x 0 1 0 0\""},
      {"Spacing=\"1 1 1\"", "Spacing=\"1 1\""},
      {"Spacing=\"1 1 1\"", "Spacing=\"1 0 1\""},
      {"Spacing=\"1 1 1\"", "Spacing=\"nan 1 1\""},
      {"Origin=\"0 0 0\"", "Origin=\"0 zero 0\""},
      {"Origin=\"0 0 0\"", "Direction=\"1 0 0\""},
      {"format=\"ascii\"", "format=\"appended\""},
      {"format=\"ascii\"", "format=\"appended\" offset=\"0\""},
      {"format=\"ascii\"", "format=\"binary\""},
      {"format=\"ascii\"", "format=\"fancy\""},
      {"type=\"Float32\"", "type=\"Int32\""},
      {"type=\"Float32\"", "type=\"Float32\" NumberOfComponents=\"0\""},
      {"type=\"Float32\"", "type=\"Float32\" NumberOfComponents=\"100000000000\""},
      {"type=\"Float32\"", "type=\"Float32\" NumberOfComponents=\"2\""},
      {"1 2 3 4<", "1 2 3<"},
      {"1 2 3 4<", "1 2 three 4<"},
      {"</ImageData></VTKFile>", "</VTKFile>"},
      {"</ImageData></VTKFile>", ""},
      {"byte_order=\"LittleEndian\"", "byte_order=\"LittleEndian"},
  };
  int number = 0;
  for (const auto& change : changes)
    QTest::newRow(qPrintable(QString("%1: %2").arg(number++).arg(change[1]))) << change[0] << change[1];
}

void TestVtkText::wrongXmlIsRefused() {
  QFETCH(QString, from);
  QFETCH(QString, to);
  const std::string text = changed(kXml, from.toStdString(), to.toStdString());
  QVERIFY(!text.empty());
  QVERIFY_EXCEPTION_THROWN(readerOf({write(text)}, {}, m_account), Error);
}

/// A few megabytes of them took minutes, because each is held against all before it.
void TestVtkText::veryManyArraysAreRefused() {
  constexpr int kCount = 90000;
  std::string xml, legacy;
  for (int n = 0; n < kCount; ++n) {
    const std::string name = "a" + std::to_string(n);
    xml += "<DataArray type=\"Int8\" Name=\"" + name + "\" format=\"appended\" offset=\"0\"/>";
    legacy += "SCALARS " + name + " char 1\nLOOKUP_TABLE default\n1\n";
  }
  const std::string file =
      "<VTKFile type=\"ImageData\" byte_order=\"LittleEndian\" header_type=\"UInt32\">"
      "<ImageData WholeExtent=\"0 0 0 0 0 0\"><Piece><PointData>" +
      xml + "</PointData></Piece></ImageData><AppendedData encoding=\"raw\">_" +
      std::string("\x01\0\0\0\x07", 5) + "</AppendedData></VTKFile>";
  for (const std::string& text :
       {file,
        "# vtk DataFile Version 3.0\nt\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 1 1 1\n"
        "POINT_DATA 1\n" +
            legacy}) {
    const std::string path = write(text);
    const std::string error = errorOf<Unsupported>([&] { readerOf({path}, {}, m_account); });
    QVERIFY2(error.find("more than 4096 arrays") != std::string::npos, error.c_str());
  }
}

/// Only what is in an element is looked at, of however many others.
void TestVtkText::childrenAreThoseWithin() {
  std::string inner;
  constexpr int kCount = 90000;
  for (int n = 0; n < kCount; ++n) inner += "<b/>";
  const auto bytes =
      arrays::fileBytes(write("<a><c><b/><d><b/></d><b/></c>" + inner + "<c/></a>"), arrays::makeFilePool());
  const std::vector<XmlElement> elements = readElements(*bytes);
  QCOMPARE(childrenOf(elements, 0, "c"), (std::vector<int>{1, kCount + 6}));
  QCOMPARE(childrenOf(elements, 1, "b"), (std::vector<int>{2, 5}));
  QCOMPARE(childrenOf(elements, 3, "b"), (std::vector<int>{4}));
  QCOMPARE(childrenOf(elements, 0, "b").size(), static_cast<std::size_t>(kCount));
  std::size_t found = 0;
  for (std::size_t n = 0; n < elements.size(); ++n)
    for (const char* const name : {"a", "b", "c"})
      if (n > 0) found += childrenOf(elements, static_cast<int>(n), name).size();
  QCOMPARE(found, std::size_t{3});
}

void TestVtkText::legacyText() {
  const auto reader = readerOf({write(kLegacy)}, {}, m_account);
  QCOMPARE(allValues(reader, "s"), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  QCOMPARE(allValues(reader, "v").size(), std::size_t{18});
  QCOMPARE(allValues(reader, "t x")[11], 12.0);
}

void TestVtkText::wrongLegacyIsRefused_data() {
  QTest::addColumn<QString>("from");
  QTest::addColumn<QString>("to");
  const char* const changes[][2] = {
      {"# vtk DataFile", "# vtk Datafile"},
      {"ASCII", "TEXT"},
      {"DATASET", "DATA"},
      {"STRUCTURED_POINTS", "POLYDATA"},
      {"DIMENSIONS 3 2 1", "DIMENSIONS 3 2"},
      {"DIMENSIONS 3 2 1\n", ""},
      {"DIMENSIONS 3 2 1", "DIMENSIONS 3 0 1"},
      {"DIMENSIONS 3 2 1", "DIMENSIONS 3 -2 1"},
      {"DIMENSIONS 3 2 1", "DIMENSIONS 1099511627776 1099511627776 1099511627776"},
      {"SPACING 1 1 1", "SPACING 1 one 1"},
      {"POINT_DATA 6", "POINT_DATA 7"},
      {"POINT_DATA 6", "POINT_DATA"},
      {"float 1", "float 99999"},
      {"LOOKUP_TABLE default\n", ""},
      {"1 2 3 4 5 6\n", "1 2 3 4 5 x\n"},
      {"t%20x 2 6 int", "t%20x -2 6 int"},
      {"7 8 9 10 11 12\n", "7 8 9 10 11\n"},
  };
  int number = 0;
  for (const auto& change : changes)
    QTest::newRow(qPrintable(QString("%1: %2").arg(number++).arg(change[1]))) << change[0] << change[1];
}

void TestVtkText::wrongLegacyIsRefused() {
  QFETCH(QString, from);
  QFETCH(QString, to);
  const std::string text = changed(kLegacy, from.toStdString(), to.toStdString());
  QVERIFY(!text.empty());
  QVERIFY_EXCEPTION_THROWN(readerOf({write(text)}, {}, m_account), Error);
}

void TestVtkText::fieldsWithTimes_data() {
  QTest::addColumn<QByteArray>("name");
  for (const char* const name : {"TIME", "TimeValue"}) QTest::newRow(name) << QByteArray(name);
}

void TestVtkText::fieldsWithTimes() {
  QFETCH(QByteArray, name);
  const std::string field = "FIELD FieldData 1\n" + name.toStdString() + " 1 1 double\n";
  const std::string first = changed(kLegacy, "DIMENSIONS", field + "2.5\nDIMENSIONS");
  const std::string second = changed(kLegacy, "DIMENSIONS", field + "4\nDIMENSIONS");
  std::ofstream(m_folder / "one") << first;
  std::ofstream(m_folder / "two") << second;
  const auto reader = readerOf({m_folder / "one", m_folder / "two"}, {}, m_account);
  QCOMPARE(reader.description().times, (std::vector<double>{2.5, 4}));
}

void TestVtkText::imagesThatMoveAreRefused_data() {
  QTest::addColumn<bool>("isXml");
  QTest::addColumn<QString>("from");
  QTest::addColumn<QString>("to");
  QTest::addColumn<QString>("said");
  QTest::addColumn<QString>("option");
  QTest::newRow("origin") << true << "Origin=\"0 0 0\""
                          << "Origin=\"10 0 0\""
                          << "has the origin (10, 0, 0) where the first of the files has (0, 0, 0)"
                          << "origin";
  QTest::newRow("spacing") << true << "Spacing=\"1 1 1\""
                           << "Spacing=\"2 1 1\""
                           << "along i the distance (2, 0, 0) where the first of the files has (1, 0, 0)"
                           << "spacing";
  QTest::newRow("direction") << true << "Spacing"
                             << "Direction=\"0 1 0 1 0 0 0 0 1\" Spacing"
                             << "along i the distance (0, 1, 0)"
                             << "spacing";
  QTest::newRow("legacy origin") << false << "ORIGIN 0 0 0"
                                 << "ORIGIN 0 0 7"
                                 << "has the origin (0, 0, 7)"
                                 << "origin";
  QTest::newRow("legacy spacing") << false << "SPACING 1 1 1"
                                  << "SPACING 1 3 1"
                                  << "along j the distance (0, 3, 0)"
                                  << "spacing";
  QTest::newRow("rounded") << false << "SPACING 1 1 1"
                           << "SPACING 1.0000001 1 1"
                           << ""
                           << "";
  QTest::newRow("of one node") << false << "SPACING 1 1 1"
                               << "SPACING 1 1 9"
                               << ""
                               << "";
}

/// There is one grid for all steps: it was that of the first, wherever the others lay.
void TestVtkText::imagesThatMoveAreRefused() {
  QFETCH(bool, isXml);
  QFETCH(QString, from);
  QFETCH(QString, to);
  QFETCH(QString, said);
  QFETCH(QString, option);
  const std::string& text = isXml ? kXml : kLegacy;
  const std::string first = m_folder / "place-0", second = m_folder / "place-1";
  const std::string other = changed(text, from.toStdString(), to.toStdString());
  QVERIFY(!other.empty());
  std::ofstream(first, std::ios::binary) << text;
  std::ofstream(second, std::ios::binary) << other;
  const auto stepsOf = [&](const arrays::Options& options) {
    return readerOf({first, second}, options, m_account).description().steps();
  };
  if (said.isEmpty()) {
    QCOMPARE(stepsOf({}), std::int64_t{2});
    return;
  }
  const std::string error = errorOf<Unsupported>([&] { stepsOf({}); });
  QVERIFY2(error.find("place-1") != std::string::npos && error.find(said.toStdString()) != std::string::npos,
           error.c_str());
  // who places all alike has said where they are
  if (!option.isEmpty()) QCOMPARE(stepsOf({{option.toStdString(), "1,1,1"}}), std::int64_t{2});
}

/// Of files that only their group or name tells apart the last was kept alone.
void TestVtkText::partsOfASeriesMayHaveNames() {
  std::string text = "<VTKFile type=\"Collection\" version=\"0.1\"><Collection>";
  const auto add = [&](const char* time, const char* group, const char* name, const char* file) {
    text += std::string("<DataSet timestep=\"") + time + "\" group=\"" + group + "\" part=\"0\" name=\"" +
            name + "\" file=\"" + file + "\"/>";
  };
  add("1", "", "solid", "s1.vti");
  add("1", "", "fluid", "old.vti");
  add("0", "", "fluid", "f0.vti");
  add("0", "", "solid", "s0.vti");
  add("0", "far", "solid", "far0.vti");
  add("1", "", "fluid", "f1.vti");  // listed again
  add("1", "far", "solid", "far1.vti");
  const FileList list =
      readList(*arrays::fileBytes(write(text + "</Collection></VTKFile>"), arrays::makeFilePool()));
  std::vector<std::string> names;
  for (const ListedFile& file : list.files) names.push_back(file.name);
  QCOMPARE(names, (std::vector<std::string>{"f0.vti", "s0.vti", "far0.vti", "f1.vti", "s1.vti", "far1.vti"}));
  QCOMPARE(list.notes.size(), std::size_t{1});
}

void TestVtkText::timesAmongTheValues() {
  const auto with = [](const std::string& words) {
    const std::string begin = "Spacing=\"1 1 1\">\n";
    return changed(kXml, begin,
                   begin + "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" " +
                       words + "</FieldData>\n");
  };
  std::ofstream(m_folder / "one") << with("format=\"ascii\">2</DataArray>");
  // the number of bytes, and 2.5; then 4
  std::ofstream(m_folder / "two") << with("format=\"binary\">CAAAAAAAAAAAAARA</DataArray>");
  std::ofstream(m_folder / "three") << changed(
      with("format=\"appended\" offset=\"0\"/>"), "</VTKFile>",
      "<AppendedData encoding=\"base64\">_CAAAAAAAAAAAABBA</AppendedData></VTKFile>");
  const auto reader = readerOf({m_folder / "one", m_folder / "two", m_folder / "three"}, {}, m_account);
  QCOMPARE(reader.description().times, (std::vector<double>{2, 2.5, 4}));
  QVERIFY_EXCEPTION_THROWN(readerOf({write(with("format=\"binary\">CAAA</DataArray>"))}, {}, m_account),
                           Error);
}

/// Hidden cells of structured grids were shown, and probed, as others are.
void TestVtkText::whatIsHiddenIsBlank() {
  const auto grid = [&](const std::string& ofPoints, const std::string& ofCells, const std::string& on) {
    const auto list = [](const std::string& name, const std::string& values) {
      return values.empty() ? std::string()
                            : "<DataArray type=\"UInt8\" Name=\"" + name + "\" format=\"ascii\">" + values +
                                  "</DataArray>";
    };
    const std::string extent = "Extent=\"0 2 0 2 0 1\"";
    const std::string path =
        write("<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\"><ImageData Whole" +
              extent + " Origin=\"0 0 0\" Spacing=\"1 1 1\"><Piece " + extent + "><PointData>" +
              list("s", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17") + list("vtkGhostType", ofPoints) +
              "</PointData><CellData>" + list("c", "0 1 2 3") + list("vtkGhostType", ofCells) +
              "</CellData></Piece></ImageData></VTKFile>");
    const auto reader = readerOf({path}, {{"on", on}}, m_account);
    return reader.description().blocks[0].hasIblank ? allValues(reader, "iblank") : std::vector<double>();
  };
  const auto blankAt = [](std::size_t count, const std::vector<std::size_t>& hidden) {
    std::vector<double> all(count, 1);
    for (const std::size_t n : hidden) all[n] = 0;
    return all;
  };
  const std::string noPoint = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
                    middle = "0 0 0 0 2 0 0 0 0 0 0 0 0 0 0 0 0 1";
  // the ends are as the cells beside them
  std::vector<std::size_t> lowest;
  for (const std::size_t k : {0, 16, 32})
    for (const std::size_t n : {0, 1, 4, 5}) lowest.push_back(k + n);
  QCOMPARE(grid("", "32 0 0 0", "cells"), blankAt(48, lowest));
  QCOMPARE(grid("", "32 0 0 0", "nodes"), blankAt(18, {0, 9}));
  QCOMPARE(grid("", "32 32 0 0", "nodes"), blankAt(18, {0, 1, 2, 9, 10, 11}));
  QCOMPARE(grid(middle, "", "nodes"), blankAt(18, {4}));
  QCOMPARE(grid(middle, "0 0 0 0", "cells"), std::vector<double>(48));
  // nothing is hidden
  QCOMPARE(grid(noPoint, "1 0 0 0", "nodes"), std::vector<double>());
}

/// Axes that descend are turned round, and what is hidden with them.
void TestVtkText::whatIsHiddenTurnsWithItsAxes() {
  const std::string
      head = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET RECTILINEAR_GRID\nDIMENSIONS 3 2 1\n",
      axes = "X_COORDINATES 3 float\n9 4 1\nY_COORDINATES 2 float\n0 1\nZ_COORDINATES 1 float\n0\n",
      values = "POINT_DATA 6\nSCALARS s float 1\nLOOKUP_TABLE default\n0 1 2 3 4 5\n",
      hidden = "SCALARS vtkGhostType unsigned_char 1\nLOOKUP_TABLE default\n2 0 0 0 0 0\n";
  const std::string xml =
      "<VTKFile type=\"RectilinearGrid\" version=\"1.0\" byte_order=\"LittleEndian\"><RectilinearGrid WholeExtent=\"0 2 0 1 0 0\">"
      "<Piece Extent=\"0 2 0 1 0 0\"><PointData><DataArray type=\"Float32\" Name=\"s\" format=\"ascii\">0 1 2 3 4 5</DataArray>"
      "<DataArray type=\"UInt8\" Name=\"vtkGhostType\" format=\"ascii\">2 0 0 0 0 0</DataArray></PointData><Coordinates>"
      "<DataArray type=\"Float32\" format=\"ascii\">9 4 1</DataArray><DataArray type=\"Float32\" format=\"ascii\">0 1</DataArray>"
      "<DataArray type=\"Float32\" format=\"ascii\">0</DataArray></Coordinates></Piece></RectilinearGrid></VTKFile>";
  for (const std::string& file : {head + axes + values + hidden, xml}) {
    const auto reader = readerOf({write(file)}, {}, m_account);
    QVERIFY(reader.description().blocks[0].hasIblank);
    QCOMPARE(allValues(reader, "s"), (std::vector<double>{2, 1, 0, 5, 4, 3}));
    QCOMPARE(allValues(reader, "iblank"), (std::vector<double>{1, 1, 0, 1, 1, 1}));
  }
}

void TestVtkText::otherKindsAreNamed() {
  const std::string xml = errorOf<Unsupported>([&] {
    readerOf({write(changed(kXml, "type=\"ImageData\"", "type=\"HyperTreeGrid\""))}, {}, m_account);
  });
  QVERIFY2(xml.find("HyperTreeGrid") != std::string::npos, xml.c_str());
  const std::string legacy = errorOf<Unsupported>(
      [&] { readerOf({write(changed(kLegacy, "STRUCTURED_POINTS", "DIRECTED_GRAPH"))}, {}, m_account); });
  QVERIFY2(legacy.find("DIRECTED_GRAPH") != std::string::npos, legacy.c_str());
}

void TestVtkText::onlyFilesOfVtkAreTaken() {
  const VtkDataReader reader;
  QVERIFY(reader.recognizes(write(kXml)));
  QVERIFY(reader.recognizes(write(kLegacy)));
  QVERIFY(!reader.recognizes(write("<?xml version=\"1.0\"?><svg type=\"ImageData\"/>")));
  QVERIFY(!reader.recognizes(write("")));
  QVERIFY(!reader.recognizes("sample://abc"));
}

/// A list of ends is read to its end when a file is opened, however long it is.
void TestVtkText::readingOfListsStops() {
  std::string data, arrays;
  const auto add = [&](const std::string& type, const std::string& name, int components, const auto& values) {
    arrays += "<DataArray type=\"" + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
              std::to_string(components) + "\" format=\"appended\" offset=\"" + std::to_string(data.size()) +
              "\"/>";
    const std::uint64_t bytes = values.size() * sizeof values.front();
    data.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    data.append(reinterpret_cast<const char*>(values.data()), bytes);
  };
  arrays += "<Points>";
  add("Float64", "Points", 3, std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
  arrays += "</Points><Cells>";
  add("Int64", "connectivity", 1, std::vector<std::int64_t>{0, 1, 2, 3});
  add("Int64", "offsets", 1, std::vector<std::int64_t>{4});
  add("UInt8", "types", 1, std::vector<std::uint8_t>{10});
  arrays += "</Cells>";
  const std::string path = write(
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\"><UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">" +
      arrays + "</Piece></UnstructuredGrid><AppendedData encoding=\"raw\">_" + data +
      "</AppendedData></VTKFile>");
  QCOMPARE(gridOf(path, m_account).listed, std::int64_t{1});
  std::stop_source stop;
  stop.request_stop();
  const StoppableWaits waits(stop.get_token());
  QVERIFY_EXCEPTION_THROWN(gridOf(path, m_account), Cancelled);
}

QTEST_GUILESS_MAIN(TestVtkText)
#include "tst_vtk_text.moc"
