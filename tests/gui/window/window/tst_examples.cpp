// Worked sessions of the start page: each opens at a step that shows what it is about; what is made of one is saved where its user wants
// it, and never written over by the next look at it.

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QStandardPaths>

#include "app/model/files/example_sessions.h"
#include "app/ui/widgets/message_list.h"
#include "app/ui/widgets/sample_offers.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

class TestExamples : public QObject {
  Q_OBJECT
 private slots:
  void theyShowWhatTheyAreAbout();
  void whatIsMadeOfThemStays();
  void theyAreSaidWhereNoCopyCanBeMade();
};

/// At the first step nothing has been carried anywhere.
void TestExamples::theyShowWhatTheyAreAbout() {
  Studio studio;
  std::map<app::ObjectId, std::size_t> vertices;
  connect(
      &studio.model.stage(), &app::Stage::itemReady, &studio.window,
      [&](app::ObjectId id, const scene::SceneItem& item) {
        vertices[id] = 0;
        if (item.lines)
          item.lines->visit([&](const scene::LineChunk& chunk) { vertices[id] += chunk.points.size() / 3; });
      });
  for (const ui::SampleOffer& offer : ui::sessionOffers()) {
    const QByteArray name = offer.url.toUtf8();
    studio.model.document().clear();
    vertices.clear();
    auto* const card = studio.child<QPushButton>("session:" + offer.url);
    QVERIFY2(card, name);
    card->click();
    QTRY_VERIFY2_WITH_TIMEOUT(!studio.session().objects.empty(), name, kPatienceMs);
    QTRY_VERIFY2_WITH_TIMEOUT(studio.model.stage().step() > 0 && studio.rests(), name, kPatienceMs);
    QVERIFY2(!studio.model.document().isModified(), name);
    for (const app::ObjectId id : studio.model.document().objectIds()) {
      const session::ObjectType type = studio.model.document().object(id)->type();
      if (type != session::kTypeOf<session::Streaklines> && type != session::kTypeOf<session::Pathlines>)
        continue;
      QTRY_VERIFY2_WITH_TIMEOUT(vertices[id] > 500, name, kPatienceMs);
    }
  }
}

void TestExamples::whatIsMadeOfThemStays() {
  Studio studio;
  const auto click = [&] {
    auto* const card = studio.child<QPushButton>("session:tornado-paths");
    if (card) card->click();
    return card && QTest::qWaitFor([&] { return !studio.session().objects.empty(); }, kPatienceMs);
  };
  QVERIFY(click());
  // Nothing that Save would write over.
  QCOMPARE(studio.model.document().path(), QString());
  QVERIFY(!studio.model.document().isModified());
  QVERIFY(studio.model.settings().recent().isEmpty());
  const std::size_t objects = studio.session().objects.size();
  QTRY_VERIFY_WITH_TIMEOUT(studio.action("addSlice")->isEnabled(), kPatienceMs);
  studio.trigger("addSlice");
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), objects + 1, kPatienceMs);
  studio.trigger("save");
  auto* const dialog = studio.window.findChild<QFileDialog*>();
  QVERIFY(dialog);
  const QString mine = studio.at("mine.json");
  dialog->findChild<QLineEdit*>("fileNameEdit")->setText(mine);
  QVERIFY(QMetaObject::invokeMethod(dialog, "accept"));
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.document().path(), mine, kPatienceMs);
  studio.model.document().clear();
  QVERIFY(click());
  QCOMPARE(studio.session().objects.size(), objects);
  // What was saved is as it was.
  studio.window.openRecent(studio.model.settings().recent().front());
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), objects + 1, kPatienceMs);
}

/// Such as because there is no room left.
void TestExamples::theyAreSaidWhereNoCopyCanBeMade() {
  const QDir place(app::placeOfExamples());
  QVERIFY(QDir(place).removeRecursively() && QDir().mkpath(QFileInfo(place.path()).path()));
  QFile inTheWay(place.path());
  QVERIFY(inTheWay.open(QIODevice::WriteOnly));
  const auto away = qScopeGuard([&] { inTheWay.remove(); });
  Studio studio;
  studio.child<QPushButton>("session:tornado-paths")->click();
  const QString said = studio.window.findChild<ui::MessageList*>()->allText();
  QVERIFY2(said.contains(place.path()), qPrintable(said));
  QVERIFY(studio.session().objects.empty());
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestExamples test;
  return QTest::qExec(&test, count, words);
}
#include "tst_examples.moc"
