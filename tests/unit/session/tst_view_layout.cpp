// Which objects pictures of one of several views need.

#include <QTest>

#include "core/base/error.h"
#include "core/session/view_layout.h"

using namespace farfield;
using namespace farfield::session;

class TestViewLayout : public QObject {
  Q_OBJECT
 private slots:
  void objectsOfOtherViewsCountForColours();
  void comparedDataAreComputedWhole();
  void viewsHaveTheirCamera();
  void viewsThatThereAreNotAreRefused();
};

namespace {

Object slice(const char* name, const char* data, const char* by) {
  Object object;
  object.name = name;
  object.data = data;
  object.shape = Slice{};
  object.color.by = by;
  return object;
}

/// Two views; the first one shows "near" and "flat", the second one the others.
Session twoViews() {
  Session session;
  session.objects = {slice("near", "d", "pressure"), slice("flat", "e", "mach"),
                     slice("far", "d", "pressure"), slice("other", "d", "mach"),
                     slice("elsewhere", "e", "pressure")};
  session.layout.views.resize(2);
  session.layout.views[0].hidden = {"far", "other", "elsewhere"};
  session.layout.views[1].hidden = {"near", "flat"};
  return session;
}

std::string visibleIn(const Session& session) {
  std::string names;
  for (const Object& object : session.objects)
    if (object.visible) names += object.name + ' ';
  return names;
}

}  // namespace

void TestViewLayout::objectsOfOtherViewsCountForColours() {
  Session session = twoViews();
  QCOMPARE(visibleIn(ofView(session, 0)), std::string("near flat far "));
  QCOMPARE(visibleIn(ofView(session, 1)), std::string("near far other elsewhere "));
  // Not those that are set apart, of either side, nor those that nobody sees.
  session.objects[2].color.apart = true;
  QCOMPARE(visibleIn(ofView(session, 0)), std::string("near flat "));
  session = twoViews();
  session.objects[0].color.apart = true;
  QCOMPARE(visibleIn(ofView(session, 0)), std::string("near flat "));
  session = twoViews();
  session.objects[0].visible = false;
  QCOMPARE(visibleIn(ofView(session, 0)), std::string("flat "));
  session = twoViews();
  session.objects[2].visible = false;
  QCOMPARE(visibleIn(ofView(session, 0)), std::string("near flat "));
  // One view shows all, whatever is hidden in none.
  session.layout = {};
  QCOMPARE(visibleIn(ofView(session, 0)), visibleIn(session));
}

void TestViewLayout::comparedDataAreComputedWhole() {
  Session session = twoViews();
  session.layout.over = true;
  session.layout.views = {{.camera = {}, .data = "d", .hidden = {}},
                          {.camera = {}, .data = "e", .hidden = {}}};
  QCOMPARE(visibleIn(ofView(session, 0)), visibleIn(session));
  QVERIFY(isShownIn(session.layout, 0, session.objects[0]) &&
          !isShownIn(session.layout, 0, session.objects[1]));
}

void TestViewLayout::viewsHaveTheirCamera() {
  Session session = twoViews();
  FixedCamera first, second;
  first.position = {9, 0, 0};
  second.position = {0, 5, 0};
  session.camera = first;
  session.layout.views[1].camera = second;
  QVERIFY(ofView(session, 0).camera == decltype(session.camera)(first));
  QVERIFY(ofView(session, 1).camera == decltype(session.camera)(second));
}

void TestViewLayout::viewsThatThereAreNotAreRefused() {
  QVERIFY_EXCEPTION_THROWN(ofView(twoViews(), 2), Invalid);
  QVERIFY_EXCEPTION_THROWN(ofView(Session(), 1), Invalid);
}

QTEST_APPLESS_MAIN(TestViewLayout)
#include "tst_view_layout.moc"
