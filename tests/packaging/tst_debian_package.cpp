// The Debian package, made of this build and looked at with Debian's tools.

#include <QDir>
#include <QRegularExpression>
#include <QTest>

#include "tests/packaging/tool.h"
#include "tests/support/temporary_folder.h"

using farfield::test::haveTool;
using farfield::test::runTool;
using farfield::test::ToolOutcome;

class TestDebianPackage : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void control();
  void contents();
  void unpackedProgramRuns();
  void lintian();

 private:
  farfield::test::TemporaryFolder m_folder;
  QString m_package;
};

void TestDebianPackage::initTestCase() {
#ifdef FARFIELD_SANITIZED
  QSKIP("a sanitized program is not packed");
#endif
  for (const char* tool : {"dpkg-deb", "dpkg-shlibdeps", "file", "strip"})
    if (!haveTool(tool)) QSKIP(tool);
  const QString folder = QString::fromStdString(m_folder.path().string());
  const ToolOutcome made = runTool(
      FARFIELD_CPACK, {"--config", FARFIELD_BINARY_DIR "/CPackConfig.cmake", "-B", folder}, folder, 600'000);
  QVERIFY2(made.status == 0, qPrintable(made.text));
  const QStringList packages = QDir(folder).entryList({"*.deb"});
  // the servers have packages of their own, what renders where there is MPI
  const QStringList pagers = packages.filter(QRegularExpression("^farfield-pagerd_"));
  const QStringList renderers = packages.filter(QRegularExpression("^farfield-slabd_"));
  QCOMPARE(pagers.size(), 1);
  QCOMPARE(packages.size(), 2 + renderers.size());
  for (const QString& package : packages)
    if (package.startsWith(FARFIELD_PACKAGE "_" FARFIELD_VERSION "_")) m_package = folder + "/" + package;
  QVERIFY2(!m_package.isEmpty(), qPrintable(packages.join(' ')));
  for (const QString& renderer : renderers) {
    const QString its = runTool("dpkg-deb", {"-c", folder + "/" + renderer}).text;
    for (const char* const file : {"./usr/bin/farfield-slabd", "./usr/libexec/farfield-slabd/farfield-hdf5",
                                   "man8/farfield-slabd.8.gz"})
      QVERIFY2(its.contains(file), qPrintable(its));
    QVERIFY(runTool("dpkg-deb", {"-f", folder + "/" + renderer, "Depends"}).text.contains("openmpi"));
  }
  const QString server = pagers.front();
  const QString holds = runTool("dpkg-deb", {"-c", folder + "/" + server}).text;
  for (const char* const file : {"./usr/bin/farfield-pagerd", "./usr/libexec/farfield-pagerd/farfield-hdf5",
                                 "man8/farfield-pagerd.8.gz", "system/farfield-pagerd.service"})
    QVERIFY2(holds.contains(file), qPrintable(holds));
  const QString needs = runTool("dpkg-deb", {"-f", folder + "/" + server, "Depends"}).text;
  for (const char* const library : {"libqt6", "libgl", "libegl", "opencl"})
    QVERIFY2(!needs.contains(library, Qt::CaseInsensitive), qPrintable(needs));
}

void TestDebianPackage::control() {
  const auto field = [&](const char* name) {
    return runTool("dpkg-deb", {"-f", m_package, name}).text.trimmed();
  };
  QCOMPARE(field("Package"), QString(FARFIELD_PACKAGE));
  QCOMPARE(field("Version"), QString(FARFIELD_VERSION));
  QCOMPARE(field("Section"), QString("science"));
  // Found by looking at the program.
  for (const char* library : {"libc6 (>= ", "libhdf5-", "libboost-context", "libzstd1", "liburing2"})
    QVERIFY2(field("Depends").contains(library), library);
  // The long description begins with a sentence, not with the short one once more.
  const QStringList description = field("Description").split('\n');
  QVERIFY(description.size() > 5);
  QVERIFY(description[1].startsWith(" Farfield "));
}

void TestDebianPackage::contents() {
  const QString list = runTool("dpkg-deb", {"-c", m_package}).text;
  for (const char* path :
       {"usr/bin/farfield", "usr/libexec/farfield/farfield-hdf5", "usr/share/man/man1/farfield.1.gz",
        "usr/share/man/man1/farfield-batchvis.1.gz", "usr/share/bash-completion/completions/farfield",
        "usr/share/fish/vendor_completions.d/farfield.fish", "/_farfield",
        "usr/share/doc/" FARFIELD_PACKAGE "/copyright", "usr/share/doc/" FARFIELD_PACKAGE "/changelog.gz",
        "usr/share/doc/" FARFIELD_PACKAGE "/examples/cylinder.json"})
    QVERIFY2(list.contains(QString(path) + "\n"), path);
#ifdef FARFIELD_GUI
  const bool wanted = true;
#else
  const bool wanted = false;
#endif
  for (const char* path :
       {"usr/libexec/farfield/farfield-window", "usr/share/applications/farfield.desktop",
        "usr/share/metainfo/org.farfield.farfield.metainfo.xml", "usr/share/mime/packages/farfield.xml",
        "usr/share/icons/hicolor/scalable/apps/farfield.svg"})
    QVERIFY2(list.contains(QString(path) + "\n") == wanted, path);
#ifdef FARFIELD_EGL
  QVERIFY(list.contains("usr/share/thumbnailers/farfield.thumbnailer\n") == wanted);
#endif
}

void TestDebianPackage::unpackedProgramRuns() {
  const QString place = QString::fromStdString((m_folder / "unpacked").string());
  QCOMPARE(runTool("dpkg-deb", {"-x", m_package, place}).status, 0);
  const ToolOutcome version = runTool(place + "/usr/bin/farfield", {"--version"});
  QCOMPARE(version.status, 0);
  QCOMPARE(version.text, QString("farfield " FARFIELD_VERSION "\n"));
#ifdef FARFIELD_GUI
  // It finds its other half.
  const ToolOutcome window = runTool(place + "/usr/bin/farfield", {"doctor", "--json", "--only", "window"});
  QVERIFY2(!window.text.contains("farfield-window"), qPrintable(window.text));
#endif
}

void TestDebianPackage::lintian() {
  if (!haveTool("lintian")) QSKIP("no lintian");
  const ToolOutcome outcome =
      runTool("lintian", {"--allow-root", "--fail-on", "error,warning", m_package}, {}, 240'000);
  QVERIFY2(outcome.status == 0 && outcome.text.isEmpty(), qPrintable(outcome.text));
}

QTEST_GUILESS_MAIN(TestDebianPackage)
#include "tst_debian_package.moc"
