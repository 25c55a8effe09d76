// Two data sets compared, and no longer: the colours that were joined for it are what they were before, unless somebody changed them.
// Views beside one another are equally large. Needs a display with OpenGL; skips where there is none.

#include <QPushButton>
#include <QStandardPaths>
#include <QToolButton>

#include "app/model/view_layout.h"
#include "app/ui/notice_bar.h"
#include "app/ui/view_group.h"
#include "tests/gui/window/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// Two data sets, each with a slice of the same function; that of the first one is in other colours.
struct Compared : Studio {
  Compared() : Studio(QSize(1280, 800)) {
    for (const char* const name : {"sample://cylinder?size=17,17,9", "sample://abc?size=17"}) {
      const std::size_t had = session().objects.size();
      model.open({name});
      if (!QTest::qWaitFor([&] { return rests() && session().objects.size() > had; }, kPatienceMs)) return;
    }
    for (const session::DataSource& source : std::vector(session().data)) ids.push_back(slice(source.name));
    opened = QTest::qWaitFor([&] { return viewRests(); }, kPatienceMs);
  }
  app::ObjectId slice(const std::string& data) {
    window.pipeline().selectData(data);
    trigger("addSlice");
    session::Object object = *model.document().object(newest());
    object.color.by = "velocity-x";
    if (ids.empty()) object.color.map.name = "plasma";
    if (ids.size() == 2) object.color = model.document().object(ids[1])->color;  // as the panel makes it
    model.document().setObject(newest(), object, "colour");
    return newest();
  }
  std::string mapOf(app::ObjectId id) { return model.document().object(id)->color.map.name; }
  std::vector<app::ObjectId> ids;
  bool opened = false;
};

}  // namespace

class TestTwoViews : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void whoLeavesHasTheColorsFromBefore();
  void whatWasChangedMeanwhileStays();
  void closingTheOtherDataLeavesAsWell();
  void aThirdDataSetIsSaidToBeUnseen();
  void viewsAreEquallyLarge();
  void narrowHeadsEndWithDots();
};

void TestTwoViews::initTestCase() {
  Studio studio;
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestTwoViews::whoLeavesHasTheColorsFromBefore() {
  Compared compared;
  QVERIFY(compared.opened);
  const app::ObjectId second = compared.ids[1];
  const session::Coloring before = compared.model.document().object(second)->color;
  QVERIFY(before.map.name != "plasma");
  for (const char* const leave : {"oneView", "twoViews"}) {
    compared.trigger("compareData");
    QCOMPARE(compared.mapOf(second), std::string("plasma"));
    // What came since with the joined colours goes with them.
    const app::ObjectId later = compared.slice(compared.session().data[1].name);
    QCOMPARE(compared.mapOf(later), std::string("plasma"));
    compared.trigger(leave);
    QVERIFY(compared.model.document().object(second)->color == before);
    QCOMPARE(compared.mapOf(later), before.map.name);
    QCOMPARE(compared.mapOf(compared.ids[0]), std::string("plasma"));
    // Each of it is a step, there and back.
    compared.trigger("undo");
    QCOMPARE(compared.mapOf(second), std::string("plasma"));
    compared.trigger("redo");
    QVERIFY(compared.model.document().object(second)->color == before);
    compared.trigger("undo");
    compared.trigger(leave);
    QVERIFY(compared.model.document().object(second)->color == before);
    while (compared.session().layout.over || !compared.session().layout.views.empty())
      compared.trigger("undo");
    QVERIFY(compared.model.document().object(second)->color == before);
  }
}

void TestTwoViews::whatWasChangedMeanwhileStays() {
  Compared compared;
  QVERIFY(compared.opened);
  compared.trigger("compareData");
  session::Object object = *compared.model.document().object(compared.ids[1]);
  QCOMPARE(object.color.map.name, std::string("plasma"));
  object.color.map.name = "inferno";
  compared.model.document().setObject(compared.ids[1], object, "other colours");
  compared.trigger("oneView");
  QCOMPARE(compared.mapOf(compared.ids[1]), std::string("inferno"));
}

void TestTwoViews::closingTheOtherDataLeavesAsWell() {
  Compared compared;
  QVERIFY(compared.opened);
  const std::string before = compared.mapOf(compared.ids[1]);
  compared.trigger("compareData");
  QCOMPARE(compared.mapOf(compared.ids[1]), std::string("plasma"));
  compared.model.document().removeData(compared.session().data[0].name);
  QVERIFY(!compared.session().layout.over);
  QCOMPARE(compared.mapOf(compared.ids[1]), before);
}

void TestTwoViews::narrowHeadsEndWithDots() {
  Compared compared;
  QVERIFY(compared.opened);
  compared.trigger("compareData");
  const std::string name = compared.session().data[0].name;
  compared.model.document().renameData(name,
                                       "a name that is longer than the line above the view has room for");
  auto* const head = compared.child<QToolButton>("view1.shown");
  QVERIFY(head);
  head->parentWidget()->setMaximumWidth(160);
  QTRY_VERIFY_WITH_TIMEOUT(head->parentWidget()->width() <= 160, kPatienceMs);
  QVERIFY2(head->text().startsWith("1 ·") && head->text().endsWith(QChar(0x2026)), qPrintable(head->text()));
  QTRY_VERIFY_WITH_TIMEOUT(head->width() >= head->sizeHint().width(), kPatienceMs);
}

/// Nothing of it would be in the view, and nobody would know why.
void TestTwoViews::aThirdDataSetIsSaidToBeUnseen() {
  Compared compared;
  QVERIFY(compared.opened);
  compared.trigger("compareData");
  const auto& bar = *compared.window.findChild<ui::NoticeBar*>();
  const auto opens = [&](const char* name) {
    const std::size_t had = compared.session().objects.size();
    compared.model.open({name});
    return QTest::qWaitFor([&] { return compared.rests() && compared.session().objects.size() > had; },
                           kPatienceMs);
  };
  QVERIFY(opens("sample://tornado?size=9"));
  QVERIFY(bar.isVisible() && bar.says("unseen/tornado"));
  QVERIFY2(bar.text().contains("tornado is not seen") && bar.text().contains("cylinder and abc"),
           qPrintable(bar.text()));
  QPushButton* show = nullptr;
  for (QPushButton* const each : bar.findChildren<QPushButton*>())
    if (each->text() == "Compare it with cylinder") show = each;
  QVERIFY(show && show->isVisible());
  QTest::mouseClick(show, Qt::LeftButton);
  QCOMPARE(compared.session().layout.views[1].data, std::string("tornado"));
  QVERIFY(compared.session().layout.over && !bar.says("unseen/tornado"));
  QCOMPARE(compared.mapOf(compared.slice("tornado")), std::string("plasma"));
  compared.trigger("oneView");
  // Of views that show all there is nothing to say, of those that show other data there is.
  QVERIFY(opens("sample://abc?size=9&steps=2") && !bar.isVisible());
  compared.trigger("twoViews");
  for (const std::size_t number : {0U, 1U}) app::showDataIn(compared.model.document(), number, "cylinder");
  QVERIFY(opens("sample://taylor-green?size=9") && bar.says("unseen/taylor-green"));
  QVERIFY2(bar.text().contains("each view shows other data"), qPrintable(bar.text()));
  compared.trigger("oneView");
  QVERIFY(!bar.says("unseen/taylor-green"));
}

void TestTwoViews::viewsAreEquallyLarge() {
  Compared compared;
  QVERIFY(compared.opened);
  ui::ViewGroup& views = compared.window.views();
  for (const char* const how : {"twoViews", "fourViews"}) {
    compared.trigger(how);
    for (const int more : {0, 1, 2, 3}) {
      compared.window.resize(1281 + more, 801 + more);
      QTRY_COMPARE_WITH_TIMEOUT(compared.window.size(), QSize(1281 + more, 801 + more), kPatienceMs);
      QTest::qWait(50);
      for (std::size_t number = 1; number < views.count(); ++number)
        QCOMPARE(views.view(number).size(), views.view(0).size());
      // They fill what is theirs.
      const QRect last = views.view(views.count() - 1).geometry();
      QCOMPARE(last.right(), views.rect().right());
      QCOMPARE(last.bottom(), views.rect().bottom());
    }
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestTwoViews test;
  return QTest::qExec(&test, count, words);
}
#include "tst_two_views.moc"
