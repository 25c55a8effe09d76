// Reading by VTK's readers: what the program writes is opened and goes with the data; whatever it does wrong is an error. The program is a script here, and VTK
// itself where Python has it.

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>

#include <chrono>
#include <thread>

#include "core/base/error.h"
#include "plugins/vtkfile/vtk_data.h"
#include "plugins/vtkreaders/vtk_readers_data.h"
#include "tests/support/error_words.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using test::errorOf;

class TestVtkReaders : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void cleanup();
  void whatIsWrittenIsOpened();
  void itMustBeNamed();
  void failuresAreSaid_data();
  void failuresAreSaid();
  void aStopEndsTheProgram();
  void vtkItself();

 private:
  /// A program in place of Python; its arguments are -c SCRIPT SOURCE FOLDER.
  void program(const QByteArray& lines);
  std::unique_ptr<fields::OpenData> open(const std::string& name, std::stop_token stop = {});
  QStringList foldersLeft() const {
    return QDir(at("tmp")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
  }
  QString at(const char* name) const { return QString::fromStdString((m_folder->path() / name).string()); }
  std::unique_ptr<test::TemporaryFolder> m_folder;
  MemoryAccount m_account{std::uint64_t{64} << 20};
  QByteArray m_tmp;
};

void TestVtkReaders::init() {
  m_folder = std::make_unique<test::TemporaryFolder>();
  QDir().mkpath(at("tmp"));
  m_tmp = qgetenv("TMPDIR");
  qputenv("TMPDIR", at("tmp").toUtf8());
  QFile source(at("part.stl"));
  QVERIFY(source.open(QIODevice::WriteOnly));
  source.write(
      "solid part\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 2 0 0\nvertex 0 3 1\nendloop\nendfacet\nendsolid part\n");
}

void TestVtkReaders::cleanup() {
  if (m_tmp.isEmpty())
    qunsetenv("TMPDIR");
  else
    qputenv("TMPDIR", m_tmp);
  qunsetenv("FARFIELD_PYTHON");
}

void TestVtkReaders::program(const QByteArray& lines) {
  QFile script(at("python"));
  QVERIFY(script.open(QIODevice::WriteOnly | QIODevice::Truncate));
  script.write("#!/bin/sh\n" + lines);
  script.close();
  QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
  qputenv("FARFIELD_PYTHON", at("python").toUtf8());
}

std::unique_ptr<fields::OpenData> TestVtkReaders::open(const std::string& name, std::stop_token stop) {
  const vtkreaders::VtkReadersDataReader reader(std::make_unique<vtkfile::VtkDataReader>());
  fields::OpenRequest request{{(m_folder->path() / name).string()}};
  request.reader = "vtk-readers";
  request.stop = std::move(stop);
  return reader.open(request, m_account);
}

void TestVtkReaders::whatIsWrittenIsOpened() {
  program(R"(test "$1" = -c && test -f "$3" || exit 1
cat > "$4/data.vti" <<END
<VTKFile type="ImageData"><ImageData WholeExtent="0 1 0 1 0 1" Origin="0 0 0" Spacing="1 1 1"><Piece Extent="0 1 0 1 0 1">
<PointData><DataArray type="Float32" Name="heat" format="ascii">1 2 3 4 5 6 7 8</DataArray></PointData></Piece></ImageData></VTKFile>
END
echo some line
echo data.vti)");
  {
    const auto data = open("part.stl");
    QCOMPARE(data->description().blocks[0].dims, (Index3{2, 2, 2}));
    QCOMPARE(data->description().arrays[0].name, std::string("heat"));
    QCOMPARE(foldersLeft().size(), 1);
    std::vector<std::byte> bytes(8 * sizeof(float));
    data->boxReader()->read(0, 0, {{0, 0, 0}, {2, 2, 2}}, bytes);
    float last = 0;
    std::memcpy(&last, bytes.data() + 7 * sizeof last, sizeof last);
    QCOMPARE(last, 8.0F);
    QVERIFY(data->explanation().back().find("VTK's readers") != std::string::npos);
  }
  QCOMPARE(foldersLeft(), QStringList());
}

void TestVtkReaders::itMustBeNamed() {
  const vtkreaders::VtkReadersDataReader reader(std::make_unique<vtkfile::VtkDataReader>());
  QVERIFY(!reader.recognizes(at("part.stl").toStdString()));
  QVERIFY(errorOf<NotFound>([&] { open("none.stl"); }).find("none.stl") != std::string::npos);
}

void TestVtkReaders::failuresAreSaid_data() {
  QTest::addColumn<QByteArray>("lines");
  QTest::addColumn<std::string>("words");
  QTest::newRow("no vtk") << QByteArray("echo No module named vtk >&2; exit 3")
                          << std::string("pip install vtk");
  QTest::newRow("unreadable") << QByteArray("echo first >&2; echo the second line >&2; exit 1")
                              << std::string("the second line");
  QTest::newRow("nothing") << QByteArray("exit 0") << std::string("wrote nothing");
  QTest::newRow("elsewhere") << QByteArray("echo ../python") << std::string("wrote nothing");
  QTest::newRow("not there") << QByteArray("echo data.vti") << std::string("wrote nothing");
  QTest::newRow("no file of VTK") << QByteArray("echo x > \"$4/data.vti\"; echo data.vti")
                                  << std::string("data.vti");
  QTest::newRow("killed") << QByteArray("kill -SEGV $$") << std::string("crashed");
}

void TestVtkReaders::failuresAreSaid() {
  QFETCH(const QByteArray, lines);
  QFETCH(const std::string, words);
  program(lines);
  const std::string error = errorOf<Error>([&] { open("part.stl"); });
  QVERIFY2(error.find(words) != std::string::npos, error.c_str());
  QVERIFY2(error.find("part.stl") != std::string::npos, error.c_str());
  QCOMPARE(foldersLeft(), QStringList());
}

void TestVtkReaders::aStopEndsTheProgram() {
  program("exec sleep 600");
  std::stop_source stop;
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop.request_stop();
  });
  QVERIFY_EXCEPTION_THROWN(open("part.stl", stop.get_token()), Cancelled);
  QCOMPARE(foldersLeft(), QStringList());
}

void TestVtkReaders::vtkItself() {
  const QByteArray named = qgetenv("FARFIELD_TEST_PYTHON_VTK");
  const QString python = named.isEmpty() ? QStringLiteral("python3") : QString::fromUtf8(named);
  QProcess asked;
  asked.start(python, {"-c", "import vtk"});
  if (!asked.waitForFinished(120'000) || asked.exitCode() != 0) QSKIP("Python has no package vtk");
  qputenv("FARFIELD_PYTHON", python.toUtf8());
  const auto data = open("part.stl");
  const Bounds& bounds = data->description().blocks[0].bounds;
  QCOMPARE(bounds.max.x, 2.0);
  QCOMPARE(bounds.max.y, 3.0);
}

QTEST_GUILESS_MAIN(TestVtkReaders)
#include "tst_vtk_readers.moc"
