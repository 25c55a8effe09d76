// What a desktop reads: the entry in its menu, the description for software centers, the types of files, the
// icon. Each by its validator, and against the others.

#include <QDir>
#include <QFile>
#include <QMimeDatabase>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

#include "tests/packaging/tool.h"
#include "tests/support/temporary_folder.h"

using farfield::test::haveTool;
using farfield::test::runTool;
using farfield::test::ToolOutcome;

namespace {

const QString kSource = FARFIELD_SOURCE_DIR;
const QString kCommonTypes = "/usr/share/mime/packages/freedesktop.org.xml";

QString textOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// The values of an attribute, or the texts, of all elements of a name.
QSet<QString> elements(const QString& xml, const QString& name, const QString& attribute = {}) {
  QSet<QString> found;
  QXmlStreamReader reader(xml);
  while (!reader.atEnd()) {
    reader.readNext();
    if (reader.isStartElement() && reader.name() == name)
      found +=
          attribute.isEmpty() ? reader.readElementText() : reader.attributes().value(attribute).toString();
  }
  if (reader.hasError()) found += "error: " + reader.errorString();
  return found;
}

QStringList desktopValues(const QString& key, const QString& name = "farfield.desktop") {
  const QString text = textOf(kSource + "/packaging/desktop/" + name);
  const auto match =
      QRegularExpression("^" + key + "=(.*)$", QRegularExpression::MultilineOption).match(text);
  return match.captured(1).split(';', Qt::SkipEmptyParts);
}

}  // namespace

class TestDesktopFiles : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void desktopEntry();
  void metainfo();
  void metainfoOfAPublishedProject();
  void screenshotsAreFetched();
  void mimeTypesAgree();
  void thumbnailer();
  void mimePackage();
  void filesGetTheirTypes();
  void icon();
  void versionsAgree();

 private:
  QString path(const QString& name) const {
    return QString::fromStdString((m_folder / name.toStdString()).string());
  }
  bool write(const QString& name, const QByteArray& bytes) const {
    QFile file(path(name));
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
  }
  QString metainfoFor(const QString& homepage) const;
  farfield::test::TemporaryFolder m_folder;
};

void TestDesktopFiles::initTestCase() {
  QVERIFY(QDir().mkpath(path("data/mime/packages")));
  QVERIFY(
      QFile::copy(kSource + "/packaging/desktop/farfield-mime.xml", path("data/mime/packages/farfield.xml")));
  // Beside the types that every desktop knows, of which those of the package are refinements.
  QFile::copy(kCommonTypes, path("data/mime/packages/freedesktop.org.xml"));
  qputenv("XDG_DATA_HOME", path("none").toLocal8Bit());
  qputenv("XDG_DATA_DIRS", path("data").toLocal8Bit());
}

void TestDesktopFiles::desktopEntry() {
  QCOMPARE(desktopValues("Exec"), QStringList{"farfield %F"});
  QCOMPARE(desktopValues("Icon"), QStringList{"farfield"});
  if (!haveTool("desktop-file-validate")) QSKIP("no desktop-file-validate");
  const ToolOutcome outcome =
      runTool("desktop-file-validate", {kSource + "/packaging/desktop/farfield.desktop"});
  QVERIFY2(outcome.status == 0 && outcome.text.isEmpty(), qPrintable(outcome.text));
}

void TestDesktopFiles::metainfo() {
  QCOMPARE(elements(textOf(FARFIELD_METAINFO), "launchable"), QSet<QString>{"farfield.desktop"});
  if (!haveTool("appstreamcli")) QSKIP("no appstreamcli");
  const ToolOutcome outcome =
      runTool("appstreamcli", {"validate", "--pedantic", "--no-net", FARFIELD_METAINFO});
  QVERIFY2(outcome.status == 0 && !outcome.text.contains(": "), qPrintable(outcome.text));
}

/// The metadata as a build with this FARFIELD_HOMEPAGE has them, as a file.
QString TestDesktopFiles::metainfoFor(const QString& homepage) const {
  const QString made = path("org.farfield.farfield.metainfo.xml");
  QFile::remove(made);
  const ToolOutcome outcome =
      runTool(FARFIELD_CMAKE, {"-DFARFIELD_HOMEPAGE=" + homepage, "-DPROJECT_VERSION=" FARFIELD_VERSION,
                               "-DOUTPUT=" + made, "-P", kSource + "/packaging/desktop/metainfo.cmake"});
  if (outcome.status != 0) qWarning("%s", qPrintable(outcome.text));
  return made;
}

void TestDesktopFiles::metainfoOfAPublishedProject() {
  QVERIFY(elements(textOf(metainfoFor({})), "url").isEmpty());
  QVERIFY(elements(textOf(metainfoFor({})), "image").isEmpty());
  const QString text = textOf(metainfoFor("https://farfield.example/pages/"));
  QCOMPARE(elements(text, "url"), QSet<QString>{"https://farfield.example/pages"});
  const QSet<QString> images = elements(text, "image");
  QVERIFY(images.size() >= 3);
  QVERIFY(elements(text, "caption").size() >= images.size());
  for (const QString& image : images)
    QVERIFY2(QFile::exists(QString(image).replace("https://farfield.example/pages", kSource)),
             qPrintable(image));
  if (!haveTool("appstreamcli")) QSKIP("no appstreamcli");
  const ToolOutcome outcome = runTool(
      "appstreamcli", {"validate", "--pedantic", "--no-net", path("org.farfield.farfield.metainfo.xml")});
  QVERIFY2(outcome.status == 0 && !outcome.text.contains(": "), qPrintable(outcome.text));
}

/// With the pages really there, on a server of this machine, the validator fetches the pictures.
void TestDesktopFiles::screenshotsAreFetched() {
  if (!haveTool("appstreamcli") || !haveTool("python3"))
    QSKIP("no appstreamcli, or no python3 to serve pages");
  QProcess server;
  server.setWorkingDirectory(kSource);
  server.start("python3", {"-u", "-m", "http.server", "0", "--bind", "127.0.0.1"});
  QVERIFY(server.waitForReadyRead(60'000));
  const auto said = QRegularExpression("port (\\d+)").match(server.readAllStandardOutput());
  QVERIFY(said.hasMatch());
  const QString file = metainfoFor("http://127.0.0.1:" + said.captured(1));
  const auto validate = [&] { return runTool("appstreamcli", {"validate", "--pedantic", file}); };
  const ToolOutcome good = validate();
  QVERIFY2(good.status == 0, qPrintable(good.text));
  // That such a server has no https is all there is to say.
  for (const QString& line : good.text.split('\n'))
    if (line.contains(QRegularExpression("^[EWIP]: ")))
      QVERIFY2(line.contains("not-secure"), qPrintable(line));
  // One that is not there is noticed.
  QString broken = textOf(file);
  broken.replace("rake.png", "nothing.png");
  QVERIFY(write("org.farfield.farfield.metainfo.xml", broken.toUtf8()));
  const ToolOutcome bad = validate();
  QVERIFY2(bad.status != 0 && bad.text.contains("screenshot-image-not-found"), qPrintable(bad.text));
  server.kill();
  server.waitForFinished();
}

void TestDesktopFiles::mimeTypesAgree() {
  const QStringList entry = desktopValues("MimeType");
  const QSet<QString> opened(entry.begin(), entry.end());
  const QSet<QString> described = elements(textOf(FARFIELD_METAINFO), "mediatype");
  const QSet<QString> defined =
      elements(textOf(kSource + "/packaging/desktop/farfield-mime.xml"), "mime-type", "type");
  QCOMPARE(opened, described);
  QVERIFY(defined.size() >= 3);
  QVERIFY(opened.contains(defined));
}

void TestDesktopFiles::thumbnailer() {
  QVERIFY(textOf(kSource + "/packaging/desktop/farfield.thumbnailer").startsWith("[Thumbnailer Entry]\n"));
  const QStringList command = desktopValues("Exec", "farfield.thumbnailer").value(0).split(' ');
  QCOMPARE(command.mid(0, 2), (QStringList{"farfield", "info"}));
  for (const char* const field : {"%i", "%o", "%s"}) QCOMPARE(command.count(field), 1);
  // Nobody waits for it, so it must not take much.
  QVERIFY(command.contains("--memory") && command.contains("--time-limit"));
  // Of all that opens alone: a session names data that may be anywhere, a solution needs its grid.
  const QStringList shown = desktopValues("MimeType", "farfield.thumbnailer");
  QSet<QString> types(shown.begin(), shown.end());
  types += {"application/x-farfield-session+json", "application/x-plot3d-solution"};
  const QStringList opened = desktopValues("MimeType");
  QCOMPARE(types, QSet<QString>(opened.begin(), opened.end()));
}

void TestDesktopFiles::mimePackage() {
  if (!haveTool("update-mime-database")) QSKIP("no update-mime-database");
  QVERIFY(QDir().mkpath(path("update/mime/packages")));
  QVERIFY(QFile::copy(path("data/mime/packages/farfield.xml"), path("update/mime/packages/farfield.xml")));
  const ToolOutcome outcome =
      runTool("env", {"XDG_DATA_DIRS=" + path("update"), "update-mime-database", path("update/mime")});
  QVERIFY2(outcome.status == 0 && outcome.text.isEmpty(), qPrintable(outcome.text));
  QVERIFY(textOf(path("update/mime/globs2")).contains("application/x-farfield-session+json:*.farfield.json"));
}

void TestDesktopFiles::filesGetTheirTypes() {
  if (!QFile::exists(kCommonTypes)) QSKIP("no shared-mime-info");
  const QMimeDatabase types;
  const auto typeOf = [&](const QString& name) {
    return types.mimeTypeForFile(name, QMimeDatabase::MatchExtension).name();
  };
  QCOMPARE(typeOf("wing.farfield.json"), QString("application/x-farfield-session+json"));
  QCOMPARE(typeOf("wing.json"), QString("application/json"));
  QCOMPARE(typeOf("wing.xyz"), QString("application/x-plot3d-grid"));
  QCOMPARE(typeOf("wing.q"), QString("application/x-plot3d-solution"));
  QCOMPARE(typeOf("wing.p3d"), QString("application/x-plot3d"));
  QCOMPARE(typeOf("wing.vtu"), QString("application/x-vtk"));
  QCOMPARE(typeOf("wing.pvd"), QString("application/x-vtk"));
  QCOMPARE(typeOf("wing.vtkhdf"), QString("application/x-vtkhdf"));
  QCOMPARE(typeOf("wing.cgns"), QString("application/x-cgns"));
  QCOMPARE(typeOf("wing.exo"), QString("application/x-exodus"));
  QVERIFY(types.mimeTypeForName("application/x-exodus").inherits("application/x-netcdf"));
  QVERIFY(types.mimeTypeForName("application/x-farfield-session+json").inherits("application/json"));
  // By what is in them, as the sessions that come with the program have it.
  for (const char* name : {"cylinder", "bluntfin"}) {
    const QString session = textOf(kSource + "/resources/sessions/" + name + ".json");
    QCOMPARE(types.mimeTypeForData(session.toUtf8()).name(), QString("application/x-farfield-session+json"));
  }
  QVERIFY(types.mimeTypeForData(QByteArray("{\"near\": 1}")).name() != "application/x-farfield-session+json");
}

void TestDesktopFiles::icon() {
  const QString svg = textOf(kSource + "/resources/icons/farfield.svg");
  QCOMPARE(elements(svg, "svg", "viewBox").size(), 1);
  QVERIFY(!elements(svg, "path", "d").isEmpty());
  if (!haveTool("rsvg-convert")) QSKIP("no rsvg-convert");
  const ToolOutcome outcome = runTool(
      "rsvg-convert", {"-w", "16", "-o", path("icon.png"), kSource + "/resources/icons/farfield.svg"});
  QVERIFY2(outcome.status == 0 && outcome.text.isEmpty(), qPrintable(outcome.text));
}

void TestDesktopFiles::versionsAgree() {
  const QString version = FARFIELD_VERSION;
  QVERIFY(elements(textOf(FARFIELD_METAINFO), "release", "version").contains(version));
  QVERIFY(textOf(kSource + "/packaging/debian/changelog").startsWith("farfield (" + version + ") "));
}

QTEST_GUILESS_MAIN(TestDesktopFiles)
#include "tst_desktop_files.moc"
