// Files on which the HDF5 library crashes or does not end: the program says so and goes on.

#include <QTest>

#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/hdf5/damaged_hdf5.h"

using namespace farfield::test;

class TestCliDamaged : public QObject {
  Q_OBJECT
 private slots:
  void crashesAreErrors();
  void valuesAreReadOutside();
  void goodFilesStillOpen();
  void opensThemItselfWithoutTheOther();
  void interruptsEndIt();
  void manyMutants();

 private:
  QString path(const char* name) const { return QString::fromStdString((m_folder.path() / name).string()); }
  TemporaryFolder m_folder;
};

/// The library crashed, and the program with it, without a word.
void TestCliDamaged::crashesAreErrors() {
  SKIP_UNLESS_LIBRARY_FAILS(Damage::Crashes);
  const QString file = path("crashes.h5");
  writeDamagedHdf5(file.toStdString(), Damage::Crashes);
  for (const QStringList& words : {QStringList{"info", file}, QStringList{"verify", file},
                                   QStringList{"info", file, "--reader", "hdf5"}}) {
    const Outcome outcome = runFarfield(words);
    QCOMPARE(outcome.status, 1);
    QCOMPARE(outcome.errorLines().size(), 1);
    QVERIFY2(outcome.errors.contains("crashes.h5") && outcome.errors.contains("damaged HDF5 file"),
             outcome.errors.constData());
  }
}

/// A chunk said to have more bits than it has: the library looks for them far behind it. The file itself is as it should be.
void TestCliDamaged::valuesAreReadOutside() {
  const QString file = path("bits.h5");
  {
    Hdf5Maker made(file.toStdString());
    const hsize_t edge = 256;
    made.make("values", {.dims = {edge, edge, edge},
                         .chunks = {edge, edge, edge},
                         .type = H5T_STD_I32LE,
                         .scaleOffset = true});
    std::vector<int> values(static_cast<std::size_t>(edge * edge * edge));
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = static_cast<int>(n % 2);
    const Hid set(H5Dopen2(made.file(), "values", H5P_DEFAULT), H5Dclose);
    H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
  std::ifstream in(file.toStdString(), std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  // how many bits a number has, and how many bytes the least of them
  const std::size_t chunk = bytes.rfind(std::string("\1\0\0\0\10", 5));
  QVERIFY(chunk != std::string::npos && bytes.size() - chunk > 1 << 20);
  bytes[chunk] = 31;
  std::ofstream(file.toStdString(), std::ios::binary | std::ios::trunc) << bytes;
  SUCCEEDS(runFarfield({"info", file}));
  // another library may find it, and say so
  const Outcome outcome = runFarfield({"info", file, "--ranges"});
  QVERIFY2(outcome.status == 0 || outcome.status == 1, outcome.errors.constData());
}

void TestCliDamaged::goodFilesStillOpen() {
  const QString file = path("good.h5");
  writeDamagedHdf5(file.toStdString(), Damage::None);
  const Outcome outcome = runFarfield({"info", file, "--ranges"});
  SUCCEEDS(outcome);
  QVERIFY2(outcome.out.contains("values"), outcome.out.constData());
}

/// Without the program that opens HDF5 files this one does, and says so once to who asks for more words.
void TestCliDamaged::opensThemItselfWithoutTheOther() {
  const QString file = path("good.h5"), alone = path("farfield");
  writeDamagedHdf5(file.toStdString(), Damage::None);
  QVERIFY(QFile::copy(programPath(), alone));
  for (const bool isVerbose : {false, true}) {
    QProcess process;
    process.start(alone, isVerbose ? QStringList{"info", file, "--verbose"} : QStringList{"info", file});
    const Outcome outcome = outcomeOf(process);
    SUCCEEDS(outcome);
    QVERIFY2(outcome.errors.count("HDF5 files are opened in this process") == (isVerbose ? 1 : 0),
             outcome.errors.constData());
  }
}

/// A file on which the library does not end kept the program for ever, whatever it was sent.
void TestCliDamaged::interruptsEndIt() {
  SKIP_UNLESS_LIBRARY_FAILS(Damage::Endless);
  const QString file = path("endless.h5");
  writeDamagedHdf5(file.toStdString(), Damage::Endless);
  QProcess process;
  process.start(programPath(), {"info", file});
  QVERIFY(process.waitForStarted());
  QVERIFY(!process.waitForFinished(1000));
  process.terminate();
  const Outcome outcome = outcomeOf(process);
  QCOMPARE(outcome.status, 130);
}

/// Whatever bytes are wrong, it ends with an answer or an error.
void TestCliDamaged::manyMutants() {
  const QString good = path("good.h5"), file = path("mutant.h5");
  for (const bool latest : {false, true}) {
    writeDamagedHdf5(good.toStdString(), Damage::None);
    if (latest) {
      Hdf5Maker made(good.toStdString(), true);
      made.group("a");
      for (int n = 0; n < 20; ++n) made.makeNumbered("a/d" + std::to_string(n), {.dims = {2, 2, 2}});
      made.makeNumbered("grows", {.dims = {4, 4, 4}, .chunks = {2, 2, 2}, .most = {H5S_UNLIMITED, 4, 4}});
      // values that only the library can read
      made.makeNumbered("grows twice",
                        {.dims = {4, 4, 4}, .chunks = {2, 2, 2}, .most = {H5S_UNLIMITED, H5S_UNLIMITED, 4}});
      made.makeNumbered("compact", {.dims = {4, 4, 4}, .compact = true});
      made.makeNumbered("few bits", {.dims = {4, 4, 4}, .chunks = {2, 2, 2}, .nbit = true});
      made.makeNumbered("fewer",
                        {.dims = {4, 4, 4}, .chunks = {4, 4, 4}, .type = H5T_STD_I32LE, .scaleOffset = true});
    }
    std::ifstream in(good.toStdString(), std::ios::binary);
    const std::string right(std::istreambuf_iterator<char>(in), {});
    std::mt19937 random(7);
    for (int n = 0; n < 40; ++n) {
      std::string wrong = right;
      for (int k = 0; k < 1 << n % 6; ++k) wrong[random() % wrong.size()] = static_cast<char>(random());
      std::ofstream(file.toStdString(), std::ios::binary | std::ios::trunc) << wrong;
      const Outcome outcome = runFarfield({"info", file, "--ranges"});
      QVERIFY2(outcome.status == 0 || outcome.status == 1,
               qPrintable(QString::number(n) + ": " + outcome.errors));
    }
  }
}

QTEST_GUILESS_MAIN(TestCliDamaged)
#include "tst_cli_damaged.moc"
