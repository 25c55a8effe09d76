// One quantity has one scale: which ranges are shared in a picture; and texts with what the data know in them.
#include <QTest>

#include "core/session/results/result_extent.h"
#include "core/session/run/picture_text.h"
#include "core/session/run/shared_ranges.h"

using namespace farfield;
using namespace farfield::session;

namespace {

struct Shown {
  Object object;
  scene::SceneItem item;
};

Shown shown(const std::string& data, const std::string& function, double min, double max) {
  Shown one;
  one.object.data = data;
  one.object.color.by = function;
  one.item.colored = true;
  one.item.scale.title = function;
  one.item.scale.min = min;
  one.item.scale.max = max;
  return one;
}

void share(std::vector<Shown>& all, const RangeOfData& ofData = {}) {
  std::vector<ScaledItem> items;
  for (Shown& one : all) items.push_back({&one.object, &one.item});
  shareRanges(items, ofData);
}

bool is(const Shown& one, double min, double max) {
  return one.item.scale.min == min && one.item.scale.max == max;
}

}  // namespace

class TestSharedRanges : public QObject {
  Q_OBJECT
 private slots:
  void objectsOfOneFunctionShare() {
    std::vector<Shown> all{shown("a", "p", 1, 3), shown("a", "p", 2, 7), shown("a", "q", 0, 1),
                           shown("b", "p", 10, 20)};
    share(all);
    QVERIFY(is(all[0], 1, 7) && is(all[1], 1, 7) && is(all[2], 0, 1) && is(all[3], 10, 20));
  }

  void whatHasItsOwnKeepsIt() {
    std::vector<Shown> all{shown("a", "p", 1, 3), shown("a", "p", 2, 7), shown("a", "p", -5, 0),
                           shown("a", "p", 0, 1), shown("a", "p", 100, 200)};
    all[1].object.color.apart = true;
    all[2].object.color.range = {{-5, 0}};
    all[3].item.scale.hasValues = false;
    all[4].item.colored = false;
    share(all);
    QVERIFY(is(all[0], 1, 3) && is(all[1], 2, 7) && is(all[2], -5, 0));
    QVERIFY(is(all[3], 1, 3));  // nothing to show yet: the scale of the others
    QVERIFY(is(all[4], 100, 200));
  }

  void oneThatIsSymmetricMakesAllSo() {
    std::vector<Shown> all{shown("a", "p", -3, 3), shown("a", "p", -2, 7), shown("b", "p", -2, 7)};
    all[0].object.color.rangeOf = RangeOf::Symmetric;
    share(all);
    QVERIFY(is(all[0], -7, 7) && is(all[1], -7, 7) && is(all[2], -2, 7));
  }

  /// On a logarithmic scale.
  void whatHasNoPositiveValuesWidensNothing() {
    std::vector<Shown> all{shown("a", "p", 0, 0), shown("a", "p", 0, 0), shown("b", "p", 0, 0)};
    for (Shown& one : all) one.item.scale.logarithmic = true;
    setRange(all[0].item.scale, {-4, 0.5});
    setRange(all[1].item.scale, {-9, -1});
    setRange(all[2].item.scale, {-9, -1});
    share(all);
    QVERIFY(all[0].item.scale.max == 0.5 && all[1].item.scale.max == 0.5);
    QVERIFY(all[0].item.scale.reachesDown && all[1].item.scale.reachesDown);
    QVERIFY(all[2].item.scale.max == 1);
  }

  void volumesShareToo() {
    std::vector<Shown> all{shown("a", "p", 1, 3), shown("a", "p", 2, 7), shown("a", "p", -5, 0)};
    all[1].object.shape = Volume{};
    all[1].item.volumeLook.opacity = {{2, 0}, {7, 1}};
    Volume own;
    own.range = {{-5, 0}};
    all[2].object.shape = own;
    share(all);
    QVERIFY(is(all[0], 1, 7) && is(all[1], 1, 7) && is(all[2], -5, 0));
    // by value, whatever the colours are
    QCOMPARE(all[1].item.volumeLook.opacity, (std::vector<scene::OpacityPoint>{{2, 0}, {7, 1}}));
  }

  void theWholeDataAreAsked() {
    std::vector<Shown> all{shown("a", "p", 1, 3), shown("a", "p", 2, 7), shown("a", "q", 0, 1)};
    all[0].object.color.rangeOf = all[2].object.color.rangeOf = RangeOf::Data;
    const auto ofData = [](const std::string& data, const std::string& function, RangeOf which) {
      const double most = which == RangeOf::Step ? 8 : 9;
      return data == "a" && function == "p" ? std::optional(std::array{-most, most}) : std::nullopt;
    };
    share(all, ofData);
    QVERIFY(is(all[0], -9, 9) && is(all[1], 2, 7));
    QVERIFY(is(all[2], 0, 1));  // not known: that of what is shown
    all[0].object.color.rangeOf = RangeOf::Step;
    share(all, ofData);
    QVERIFY(is(all[0], -8, 8) && is(all[1], 2, 7));
  }

  /// All colours for rounding would be colours for nothing.
  void whatIsNearlyTheSameIsOneValue() {
    const double more = 1e5 * (1 + 4.0 / (1 << 23)), apart = 1e5 * (1 + 1e-5);
    std::vector<Shown> all{shown("a", "p", 1e5, more),   shown("a", "p", 1e5, more),
                           shown("b", "p", 1e5, apart),  shown("c", "p", 1e5, more),
                           shown("d", "p", -1e-9, 1e-9), shown("e", "p", 1e5, more),
                           shown("f", "p", 1e5, more),   shown("f", "p", 0, 1)};
    all[3].object.color.range = {{1e5, more}};  // somebody wants to see just that
    all[5].object.color.apart = true;
    share(all);
    const double one = 0.5 * 1e5 + 0.5 * more;
    QVERIFY(is(all[0], one, one) && is(all[1], one, one) && is(all[5], one, one));
    QVERIFY(is(all[2], 1e5, apart) && is(all[3], 1e5, more) && is(all[4], -1e-9, 1e-9));
    QVERIFY(is(all[6], 0, more) && is(all[7], 0, more));  // beside something else there is a range
  }

  /// Numbers of six digits, as text files have them, under two names.
  void surfacesHaveTheirValueUnderAnyName() {
    std::vector<Shown> all{shown("a", "p", 5.19799, 5.19801), shown("a", "p", 5.19799, 5.19801),
                           shown("b", "p", 5.19799, 5.19801), shown("c", "p", 5.19799, 5.2)};
    Isosurface surface;
    surface.by = "q";
    surface.values = {5.198};
    all[0].object.shape = all[3].object.shape = surface;
    share(all);
    QVERIFY(is(all[0], 5.198, 5.198) && is(all[1], 5.198, 5.198));  // what shares the scale has it, too
    QVERIFY(is(all[2], 5.19799, 5.19801) && is(all[3], 5.19799, 5.2));
  }

  void logarithmsBeginAboveZero() {
    scene::ColorScale scale;
    scale.logarithmic = true;
    setRange(scale, {2, 50});
    QVERIFY(scale.min == 2 && scale.max == 50 && !scale.reachesDown);
    setRange(scale, {-3, 50});
    QVERIFY(scale.min > 0 && scale.min < 0.01 && scale.max == 50 && scale.reachesDown);
    setRange(scale, {-3, -1});
    QVERIFY(scale.min > 0 && scale.min < scale.max && scale.reachesDown);
    setRange(scale, {0, 5e-324});
    QVERIFY(scale.min > 0 && scale.min <= scale.max);
    scale.logarithmic = false;
    setRange(scale, {-3, -1});
    QVERIFY(scale.min == -3 && scale.max == -1 && !scale.reachesDown);
  }

  void fewTinyValuesAreLeftOut() {
    // One of a thousand far below: the range begins with the others.
    session::ResultExtent one(1), other(1), both(1);
    for (int n = 0; n < 999; ++n) one.add({0, 0, 0}, std::array{1.0 + n});
    other.add({0, 0, 0}, std::array{1e-12});
    other.add({0, 0, 0}, std::array{-1.0});  // has no logarithm
    QVERIFY(*one.usualLeast(0) <= 100 && *one.usualLeast(0) > 0.1);
    both.add(other);
    both.add(one);
    one.add(other);  // in whatever order
    QCOMPARE(*one.usualLeast(0), *both.usualLeast(0));
    QVERIFY(*one.usualLeast(0) > 0.1 && *one.usualLeast(0) < 100);
    scene::ColorScale scale;
    scale.logarithmic = true;
    setRange(scale, {1e-12, 999});
    beginAtUsual(scale, *one.usualLeast(0));
    QVERIFY(scale.min == 0.01 * *one.usualLeast(0) && scale.max == 999 && scale.reachesDown);
    // Not far below, or not logarithmic: all of it.
    setRange(scale, {0.1 * *one.usualLeast(0), 999});
    beginAtUsual(scale, *one.usualLeast(0));
    QVERIFY(scale.min == 0.1 * *one.usualLeast(0) && !scale.reachesDown);
    scale.logarithmic = false;
    setRange(scale, {1e-12, 999});
    beginAtUsual(scale, *one.usualLeast(0));
    QVERIFY(scale.min == 1e-12 && !scale.reachesDown);
    // Values that go down evenly keep all their decades.
    session::ResultExtent even(1);
    for (int n = 0; n <= 120; ++n) even.add({0, 0, 0}, std::array{std::pow(10.0, -0.1 * n)});
    QVERIFY(*even.usualLeast(0) < 1e-12);
    QVERIFY(!session::ResultExtent(1).usualLeast(0));
  }

  void textsSayWhatTheDataKnow() {
    paging::DatasetDescription data;
    data.times = {0, 0.5, 1.25};
    data.attributes = {
        {"mach.0", "0.8"}, {"mach.2", "0.9500000000000001"}, {"gamma", "1.4"}, {"source", "wing.q"}};
    QCOMPARE(pictureText("M {mach}, t = {time}", data, 2), std::string("M 0.95, t = 1.25"));
    QCOMPARE(pictureText("{step}: {mach} {gamma} {source}", data, 1), std::string("1: 0.8 1.4 wing.q"));
    QCOMPARE(pictureText("{alpha} {", data, 0), std::string("{alpha} {"));
    QCOMPARE(pictureText("plain", data, 99), std::string("plain"));
    QCOMPARE(pictureText("{time}", data, 99), std::string("1.25"));
    // as many digits as tell the steps apart
    paging::DatasetDescription hours;
    hours.times = {1454414400, 1454418000, 1454421600};
    QCOMPARE(pictureText("{time}", hours, 1), std::string("1454418000"));
    hours.times = {100000.25, 100000.5};
    QCOMPARE(pictureText("{time}", hours, 0), std::string("100000.25"));
    hours.times = {0, 1e-7, 1};
    QCOMPARE(pictureText("{time}", hours, 1), std::string("1e-07"));
    // dates where times are some, in words of their own: what was written with {time} stays a number
    QCOMPARE(pictureText("{date}", data, 99), std::string("1.25"));
    data.attributes["time.units"] = "days since 2001-1-1";
    data.attributes["time.calendar"] = "360_day";
    QCOMPARE(pictureText("{date}, t = {time}", data, 2), std::string("2001-01-02 06:00, t = 1.25"));
    QCOMPARE(pictureText("{date}", data, 99), std::string("2001-01-02 06:00"));
  }
};

QTEST_APPLESS_MAIN(TestSharedRanges)
#include "tst_shared_ranges.moc"
