// Probes that stay: pinned under the cursor by key and menu, listed with their values, dragged, followed through time,
// copied, written, taken away, undone. Needs a display with OpenGL; skips where there is none.

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableWidget>
#include <QToolButton>

#include "app/model/words/csv_text.h"
#include "app/ui/panels/pipeline_panel.h"
#include "app/ui/panels/probe_panel.h"
#include "app/ui/widgets/reading_label.h"
#include "core/session/json/session_json.h"
#include "core/session/session_camera.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

struct Pins : Studio {
  explicit Pins(const char* data = "sample://taylor-green?size=17,17,5&steps=3",
                QSize size = QSize(1440, 900))
      : Studio(size) {
    model.open({data});
    if (!QTest::qWaitFor([&] { return rests() && !session().objects.empty(); }, kPatienceMs)) return;
    model.document().edit("Remove", [&](app::Draft& draft) {
      for (const app::ObjectId id : model.document().objectIds()) draft.remove(id);
    });
    trigger("addSlice");
    (void)QTest::qWaitFor([&] { return stateOf(newest()) == app::ObjectState::Done && viewRests(); },
                          kPatienceMs);
  }
  ui::ViewController& controller() { return *window.findChild<ui::ViewController*>(); }
  ui::ProbePanel& panel() { return *window.findChild<ui::ProbePanel*>(); }
  /// Moves the cursor to a place of the slice, and waits until what is there is known.
  bool pointAt(Vec3 place) {
    const QPoint at = pixelOf(place);
    QMouseEvent event(QEvent::MouseMove, at, window.viewport().mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                      {});
    QApplication::sendEvent(&window.viewport(), &event);
    return QTest::qWaitFor(
        [&] { return controller().hovered() && length(controller().hovered()->place - place) < 0.2; },
        kPatienceMs);
  }
  session::Probe probe() {
    const session::Object& last = session().objects.back();
    const auto* const probe = std::get_if<session::Probe>(&last.shape);
    return probe ? *probe : session::Probe{};
  }
  bool isRead() {
    const auto& rows = panel().rows();
    return !rows.empty() &&
           std::all_of(rows.begin(), rows.end(), [](const app::ProbeRow& row) { return row.known; });
  }
  double value(std::size_t row, const std::string& function) {
    for (const auto& [name, values] : panel().rows()[row].values)
      if (name == function) return values[0];
    return NAN;
  }
  void keep(const QString& name) {
    if (const QString where = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !where.isEmpty())
      QVERIFY(
          window.grab().toImage().convertToFormat(QImage::Format_RGB32).save(where + "/" + name + ".png"));
  }
};

}  // namespace

class TestPins : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void volumesHaveNoPlaces();
  void pinsStay();
  void zerosAreZero();
  void probesBeginInTheData();
  void pinsAreDraggedAndFollowTime();
  void pinsAreCopiedWrittenAndRemoved();
  void whatIsChosenStaysSo();
  void nothingIsPinnedNowhere();
  void wordsKeepClearOfLegends();
  void wordsLieOverHandles();
  void readingsAreWhole();
  void restingCursorsReadTheStepThatIsShown();
};

void TestPins::initTestCase() {
  Pins pins;
  QTRY_VERIFY_WITH_TIMEOUT(pins.viewRests(), kPatienceMs);
  if (pins.picture().isNull()) QSKIP("no OpenGL on this display");
}

/// 7.1e-15 is 0 that went through the picture.
void TestPins::zerosAreZero() {
  Pins pins;
  const Bounds bounds = pins.model.stage().summary("taylor-green")->bounds;
  const Vec3 place = bounds.center();
  pins.controller().pinProbe(
      ui::ViewController::Hovered{{place.x, 7.1e-15, place.z}, "taylor-green", {"pressure"}});
  QCOMPARE(pins.probe().points.size(), std::size_t(1));
  QCOMPARE(pins.probe().points[0].x, place.x);
  QCOMPARE(pins.probe().points[0].y, 0.0);
}

void TestPins::probesBeginInTheData() {
  // The middle of these is inside the cylinder, where there are none.
  Pins pins("sample://cylinder");
  pins.trigger("addProbe");
  QTRY_VERIFY_WITH_TIMEOUT(pins.isRead(), kPatienceMs);
  QVERIFY(pins.panel().rows().front().found);
  // Of a grid in one piece that is the middle of all of it.
  Pins ring("sample://cylinder?size=65,17,9&blocks=1");
  const std::size_t before = ring.session().objects.size();
  ring.trigger("addProbe");
  QTRY_VERIFY_WITH_TIMEOUT(ring.isRead(), kPatienceMs);
  QVERIFY(ring.panel().rows().front().found);
  QCOMPARE(ring.session().objects.size(), before + 1);
  // Beside the hole, whose radius is 1, and not somewhere in the data.
  for (Pins* const each : {&pins, &ring}) {
    const Vec3 place = each->panel().rows().front().place;
    const double radius = std::hypot(place.x, place.y);
    QVERIFY2(radius > 0.97 && radius < 1.05, qPrintable(QString::number(radius)));
  }
  ring.trigger("undo");
  QCOMPARE(ring.session().objects.size(), before);
}

/// Whoever points at a volume hears that it has no places, and what has.
void TestPins::volumesHaveNoPlaces() {
  Pins pins;
  QSignalSpy said(&pins.controller(), &ui::ViewController::message);
  pins.controller().pinProbe({});
  QCOMPARE(said.size(), 1);
  QVERIFY2(!said[0][0].toString().contains("olume"), qPrintable(said[0][0].toString()));
  pins.model.document().edit("Volume", [&](app::Draft& draft) {
    session::Object volume;
    volume.name = "cloud";
    volume.data = "taylor-green";
    volume.color.by = "pressure";
    volume.shape = session::Volume{};
    draft.add(volume);
  });
  pins.window.viewport().setFocus();
  QTest::keyClick(&pins.window.viewport(), Qt::Key_P);
  QVERIFY2(said.size() == 2 && said[1][0].toString().contains("add a slice"),
           qPrintable(said.back()[0].toString()));
}

void TestPins::pinsStay() {
  Pins pins;
  const Bounds bounds = pins.model.stage().summary("taylor-green")->bounds;
  const Vec3 first = bounds.center() + 0.2 * (bounds.max - bounds.center());
  const Vec3 middle{first.x, first.y, bounds.center().z};
  QVERIFY(pins.pointAt(middle));
  pins.window.viewport().setFocus();
  QTest::keyClick(&pins.window.viewport(), Qt::Key_P);
  QTRY_COMPARE_WITH_TIMEOUT(pins.probe().points.size(), std::size_t(1), kPatienceMs);
  QVERIFY(length(pins.probe().points[0] - middle) < 0.2);
  QVERIFY(!pins.probe().show.empty());
  QTRY_VERIFY_WITH_TIMEOUT(pins.isRead() && pins.rests(), kPatienceMs);
  QVERIFY(pins.panel().isVisible());                                 // it came to the front
  QCOMPARE(pins.window.pipeline().selectedObject(), pins.newest());  // so that it can be dragged
  QVERIFY(pins.panel().rows()[0].found);
  // The table says what was read, rounded.
  const std::string function = pins.panel().rows()[0].values[0].first;
  QCOMPARE(pins.panel().table().item(0, 4)->text().toDouble(),
           QString::number(pins.value(0, function), 'g', 6).toDouble());
  // Red around its place in the view, where no handle lies over it.
  pins.window.pipeline().select(0);
  QTRY_VERIFY_WITH_TIMEOUT(pins.viewRests(), kPatienceMs);
  const auto reds = [&] {
    const QImage picture = pins.picture();
    const QPoint at = pins.pixelOf(pins.probe().points.empty() ? middle : pins.probe().points[0]);
    int count = 0;
    for (int y = at.y() - 8; y <= at.y() + 8; ++y)
      for (int x = at.x() - 8; x <= at.x() + 8; ++x) {
        const QColor pixel = picture.pixelColor(x, y);
        count += pixel.red() > 170 && pixel.green() < 120 && pixel.blue() < 120;
      }
    return count;
  };
  QTRY_VERIFY_WITH_TIMEOUT(reds() > 15, kPatienceMs);
  // Another one is another place of the same probes; both are in the session, and each is one step.
  QVERIFY(pins.pointAt({bounds.center().x - 1, bounds.center().y, bounds.center().z}));
  pins.trigger("pinProbe");
  QTRY_COMPARE_WITH_TIMEOUT(pins.panel().rows().size(), std::size_t(2), kPatienceMs);
  QCOMPARE(pins.session().objects.size(), std::size_t(2));
  QTRY_VERIFY_WITH_TIMEOUT(pins.isRead(), kPatienceMs);
  pins.keep("pins");
  const session::Session again = session::parseSession(session::toJson(pins.session()));
  QCOMPARE(again.objects.back(), pins.session().objects.back());
  QUndoStack& undo = pins.model.document().undoStack();
  undo.undo();
  QCOMPARE(pins.panel().rows().size(), std::size_t(1));
  undo.undo();
  QVERIFY(pins.panel().rows().empty());
  QTRY_VERIFY_WITH_TIMEOUT(reds() < 5, kPatienceMs);
  undo.redo();
  QCOMPARE(pins.panel().rows().size(), std::size_t(1));
}

void TestPins::pinsAreDraggedAndFollowTime() {
  Pins pins;
  const Bounds bounds = pins.model.stage().summary("taylor-green")->bounds;
  pins.trigger("addProbe");
  QTRY_VERIFY_WITH_TIMEOUT(pins.isRead() && pins.viewRests(), kPatienceMs);
  QCOMPARE(pins.probe().points[0], bounds.center());
  const int steps = pins.model.document().undoStack().index();
  // The handle is there a moment after what it is of.
  QWidget* const view = &pins.window.viewport();
  QPoint from;
  const auto isOverIt = [&] {
    from = pins.pixelOf(bounds.center());
    QMouseEvent over(QEvent::MouseMove, from, view->mapToGlobal(from), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(view, &over);
    return view->cursor().shape() == Qt::PointingHandCursor;
  };
  QTRY_VERIFY_WITH_TIMEOUT(isOverIt(), kPatienceMs);
  pins.drag(from, from + QPoint(60, 10));
  QTRY_VERIFY_WITH_TIMEOUT(length(pins.probe().points[0] - bounds.center()) > 1e-3 && pins.rests(),
                           kPatienceMs);
  QCOMPARE(pins.model.document().undoStack().index(), steps + 1);
  QTRY_VERIFY_WITH_TIMEOUT(pins.isRead() && pins.panel().rows()[0].place == pins.probe().points[0],
                           kPatienceMs);
  const std::string function = "velocity";
  app::showAtProbes(pins.model, {function}, true);
  QTRY_VERIFY_WITH_TIMEOUT(std::isfinite(pins.value(0, function)) && pins.rests(), kPatienceMs);
  const double before = pins.value(0, function);
  pins.model.stage().setStep(2);
  QTRY_VERIFY_WITH_TIMEOUT(pins.rests() && std::abs(pins.value(0, function) - before) > 1e-6, kPatienceMs);
}

void TestPins::pinsAreCopiedWrittenAndRemoved() {
  Pins pins("sample://taylor-green?size=17,17,5&steps=3", QSize(1024, 700));
  const Vec3 center = pins.model.stage().summary("taylor-green")->bounds.center();
  app::pinProbe(pins.model.document(), "taylor-green", center, {"velocity-x", "velocity"});
  app::pinProbe(pins.model.document(), "taylor-green", center + Vec3{1, 0.5, 0}, {});
  app::pinProbe(pins.model.document(), "taylor-green", center + Vec3{100, 0, 0}, {});
  QTRY_VERIFY_WITH_TIMEOUT(pins.isRead() && pins.rests(), kPatienceMs);
  QVERIFY(!pins.panel().rows()[2].found);
  pins.panel().copy();
  const QStringList lines = QApplication::clipboard()->text().split('\n');
  QCOMPARE(lines.size(), 5);  // and nothing after the last end
  QCOMPARE(lines[0], QString("object\tnumber\tx\ty\tz\tvelocity-x\tvelocity-x\tvelocity-y\tvelocity-z"));
  QCOMPARE(lines[1].split('\t')[5].toDouble(), pins.value(0, "velocity-x"));
  QVERIFY(lines[3].split('\t')[5].isEmpty());
  // All of them, too, where the one that was pinned last is selected by itself.
  pins.panel().showLast(app::ObjectId(pins.newest()));
  QCOMPARE(pins.panel().table().selectionModel()->selectedRows().size(), 1);
  pins.panel().copy();
  QCOMPARE(QApplication::clipboard()->text().split('\n'), lines);
  // The button says which; what is copied has the columns of the table.
  auto* const button = pins.child<QToolButton>("probes.copy");
  QCOMPARE(button->text(), QString("Copy all"));
  const int wide = button->sizeHint().width();
  for (const int row : {1, 2}) {
    pins.panel().table().selectRow(row);
    QCOMPARE(button->text(), QString("Copy rows"));
    QVERIFY(wide <= button->minimumWidth() && button->sizeHint().width() <= button->minimumWidth());
    pins.panel().copy();
    const QStringList chosen = QApplication::clipboard()->text().split('\n');
    QCOMPARE(chosen.size(), 3);
    QCOMPARE(chosen[0], lines[0]);
    QCOMPARE(chosen[1], lines[1 + row]);
  }
  // With no more digits than it takes.
  QCOMPARE(app::csvNumber(5.97), QString("5.97"));
  for (const double value : {1.0 / 3, 6.02214076e23, -7e-300, 0.1 + 0.2})
    QCOMPARE(app::csvNumber(value).toDouble(), value);
  const QString path = pins.at("probes.csv");
  QVERIFY(pins.panel().writeCsv(path) && !pins.panel().writeCsv("/no such folder/probes.csv"));
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QCOMPARE(file.readAll().trimmed().split('\n').size(), 4);
  auto* const dock = pins.child<QWidget>("dock.probes");
  dock->show();
  dock->raise();
  pins.panel().table().selectRow(1);
  pins.keep("pins-small");
  pins.child<QToolButton>("probes.remove")->click();
  QCOMPARE(pins.probe().points.size(), std::size_t(2));
  QCOMPARE(pins.probe().points[1], center + Vec3({100, 0, 0}));
  pins.panel().table().selectAll();
  pins.child<QToolButton>("probes.remove")->click();
  QVERIFY(pins.panel().rows().empty());
  QVERIFY(!std::holds_alternative<session::Probe>(pins.session().objects.back().shape));
}

/// Also when values come to be read at it, as they do a moment after it was pinned.
void TestPins::whatIsChosenStaysSo() {
  Pins pins;
  const std::string data = "taylor-green";
  const app::ObjectId id =
      app::pinProbe(pins.model.document(), data, pins.model.stage().summary(data)->bounds.center(), {});
  QTRY_VERIFY_WITH_TIMEOUT(pins.isRead() && pins.rests(), kPatienceMs);
  pins.panel().showLast(id);
  auto* const remove = pins.child<QToolButton>("probes.remove");
  QVERIFY(remove->isEnabled());
  const int columns = pins.panel().table().columnCount();
  app::showAtProbes(pins.model, {"velocity"}, true);
  QTRY_VERIFY_WITH_TIMEOUT(pins.isRead() && pins.panel().table().columnCount() > columns, kPatienceMs);
  QVERIFY(remove->isEnabled());
  QCOMPARE(pins.panel().table().selectionModel()->selectedRows().size(), 1);
  remove->click();
  QVERIFY(pins.panel().rows().empty());
}

void TestPins::nothingIsPinnedNowhere() {
  Pins pins;
  const std::size_t before = pins.session().objects.size();
  QMouseEvent event(QEvent::MouseMove, QPoint(3, 3), pins.window.viewport().mapToGlobal(QPoint(3, 3)),
                    Qt::NoButton, Qt::NoButton, {});
  QApplication::sendEvent(&pins.window.viewport(), &event);
  QTRY_VERIFY_WITH_TIMEOUT(!pins.controller().hovered(), kPatienceMs);
  QSignalSpy told(&pins.controller(), &ui::ViewController::message);
  pins.trigger("pinProbe");
  QCOMPARE(pins.session().objects.size(), before);
  QCOMPARE(told.size(), 1);
}

/// In a small window, with places under the legend and beside it.
void TestPins::wordsKeepClearOfLegends() {
  Pins pins("sample://taylor-green?size=17,17,5&steps=3", {1024, 700});
  app::Document& document = pins.model.document();
  const app::ObjectId slice = pins.newest();
  document.edit("Colour", [&](app::Draft& draft) { draft.object(slice).color.by = "velocity-magnitude"; });
  pins.window.pipeline().select(0);  // no handle lies over it
  QTRY_VERIFY_WITH_TIMEOUT(pins.stateOf(slice) == app::ObjectState::Done && pins.viewRests(), kPatienceMs);
  document.edit("Camera", [&](app::Draft& draft) {  // it does not follow what is added
    draft.frame().camera = session::fixedCamera(pins.window.viewport().camera());
  });
  // The part of `a` that is not in `b`.
  const auto differing = [](const QImage& a, const QImage& b) {
    QRect all;
    for (int y = 0; y < a.height(); ++y)
      for (int x = 0; x < a.width(); ++x)
        if (a.pixel(x, y) != b.pixel(x, y)) all |= QRect(x, y, 1, 1);
    return all;
  };
  const auto look = [&](bool legend) {
    document.edit("Legend", [&](app::Draft& draft) { draft.frame().image.legend = legend; });
    QImage image;
    // Legends are drawn beside the view.
    (void)QTest::qWaitFor(
        [&] {
          const QImage before = image;
          image = pins.viewRests() ? pins.picture() : QImage();
          return !image.isNull() && image == before;
        },
        kPatienceMs);
    return image;
  };
  QRect legend;
  QImage with;
  QTRY_VERIFY_WITH_TIMEOUT(!(legend = differing(with = look(true), look(false))).isEmpty(), kPatienceMs);
  QVERIFY(legend.width() < with.width() / 3);
  // Places of the plane of the slice that are seen under the legend, at its edge, and left of it.
  const Vec3 origin = *std::get<session::Slice>(document.object(slice)->shape).origin;
  const QPoint middle = pins.pixelOf(origin);
  const Vec3 right = scene::axesOf(pins.window.viewport().camera()).right;
  const double pixel = 1 / double(pins.pixelOf(origin + right).x() - middle.x());
  session::Object probes;
  probes.name = "probes";
  probes.data = document.object(slice)->data;
  session::Probe probe;
  probe.show = {"velocity", "velocity-magnitude"};
  for (const int x : {legend.center().x(), legend.left(), legend.left() - 30})
    probe.points.push_back(origin + (x - middle.x()) * pixel * right);
  probe.look.texts = false;
  probes.shape = probe;
  const app::ObjectId id = document.addObject(probes);
  const auto inLegend = [&](bool texts) {
    document.edit("Texts", [&](app::Draft& draft) {
      std::get<session::Probe>(draft.object(id).shape).look.texts = texts;
    });
    return look(true);
  };
  QTRY_VERIFY_WITH_TIMEOUT(pins.stateOf(id) == app::ObjectState::Done, kPatienceMs);
  pins.window.pipeline().select(0);
  QImage rings, words;
  QTRY_VERIFY_WITH_TIMEOUT((rings = inLegend(false), words = inLegend(true), rings != words), kPatienceMs);
  // Only strokes from words to their rings may cross it.
  int changed = 0;
  for (int y = legend.top(); y <= legend.bottom(); ++y)
    for (int x = legend.left(); x <= legend.right(); ++x) changed += rings.pixel(x, y) != words.pixel(x, y);
  if (const QString where = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !where.isEmpty())
    QVERIFY(words.save(where + "/words-beside-legends.png"));
  QVERIFY2(changed < 4 * legend.width(), qPrintable(QString::number(changed)));
}

/// The rim of a slice that is selected strikes out nothing that is written at a place beside it.
void TestPins::wordsLieOverHandles() {
  Pins pins;
  app::Document& document = pins.model.document();
  const app::ObjectId slice = pins.newest();
  const Bounds bounds = pins.model.stage().summary("taylor-green")->bounds;
  const Vec3 center = bounds.center(), half = 0.92 * (bounds.max - center);
  // Words stand above places and to the right of them: at the rim that is at the left of the view and rises.
  Vec3 place = center;
  const auto reach = [&](Vec3 each) { return pins.pixelOf(each).x() + 2 * pins.pixelOf(each).y(); };
  for (const double side : {-1.0, 1.0})
    for (const double along : {-0.5, 0.5})
      for (const Vec3 each :
           {center + Vec3{side * half.x, along * half.y, 0}, center + Vec3{along * half.x, side * half.y, 0}})
        if (reach(each) < reach(place)) place = each;
  const app::ObjectId probe = app::pinProbe(document, "taylor-green", place, {"velocity-x"});
  const auto seen = [&](bool handles, bool words) {
    pins.window.pipeline().select(handles ? slice : 0);
    document.edit("See", [&](app::Draft& draft) { draft.object(probe).visible = words; });
    return QTest::qWaitFor([&] { return (!words || pins.isRead()) && pins.viewRests(); }, kPatienceMs)
               ? pins.picture()
               : QImage();
  };
  const QImage written = seen(false, true), empty = seen(false, false), rim = seen(true, false),
               both = seen(true, true);
  QVERIFY(!written.isNull() && !empty.isNull() && !rim.isNull() && !both.isNull());
  // The words' box, beside the ring.
  const int beside = pins.pixelOf(place).x() + 9;
  QRect box;
  for (int y = 0; y < written.height(); ++y) {
    QRect row;
    for (int x = beside; x < written.width(); ++x)
      if (written.pixel(x, y) != empty.pixel(x, y)) row |= QRect(x, y, 1, 1);
    if (row.width() > 40) box |= row;
  }
  box.adjust(2, 2, -2, -2);
  QVERIFY(box.width() > 40 && box.height() > 10);
  QVERIFY(rim.copy(box) != empty.copy(box));
  QVERIFY(both.copy(box) == written.copy(box));
}

/// Under the cursor, however little room there is beside what else the status bar says.
void TestPins::readingsAreWhole() {
  Pins pins;
  const Vec3 middle = pins.model.stage().summary("taylor-green")->bounds.center();
  const ui::ReadingLabel* const label = pins.window.findChild<ui::ReadingLabel*>();
  QVERIFY(label);
  // What is coloured by it is read; of so long a name there is no room for all.
  const app::ObjectId slice = pins.newest();
  pins.model.document().edit("Colour", [&](app::Draft& draft) {
    draft.object(slice).color.by =
        "velocity-x*velocity-x + velocity-y*velocity-y + velocity-z*velocity-z + velocity-magnitude*0.5";
  });
  QTRY_COMPARE_WITH_TIMEOUT(pins.stateOf(slice), app::ObjectState::Done, kPatienceMs);
  int shortened = 0;
  for (const int width : {1440, 1200, 1024}) {
    pins.window.resize(width, 700);
    QTRY_VERIFY_WITH_TIMEOUT(pins.window.width() == width && pins.viewRests(), kPatienceMs);
    QVERIFY(pins.pointAt(middle));
    const auto isWhole = [&] {
      const QStringList all = label->toolTip().split(ui::ReadingLabel::kBetween);
      QStringList shown = label->text().split(ui::ReadingLabel::kBetween);
      const bool isShort = shown.last() == QStringLiteral("…");
      if (isShort) shown.removeLast();
      return all.size() > 2 && shown == all.mid(0, shown.size()) && (isShort || shown.size() == all.size()) &&
             label->fontMetrics().horizontalAdvance(label->text()) <= label->contentsRect().width();
    };
    QTRY_VERIFY2_WITH_TIMEOUT(isWhole(), qPrintable(label->text()), kPatienceMs);
    shortened += label->text() != label->toolTip();
  }
  QVERIFY(shortened > 0);
}

/// What the status bar says under a cursor that rests is of the step that is shown, without a touch of the mouse.
void TestPins::restingCursorsReadTheStepThatIsShown() {
  Pins pins;
  const Vec3 middle = pins.model.stage().summary("taylor-green")->bounds.center();
  const ui::ReadingLabel* const label = pins.window.findChild<ui::ReadingLabel*>();
  QVERIFY(label);
  QVERIFY(pins.pointAt({middle.x + 0.3, middle.y + 0.2, middle.z}));
  const auto valuesOf = [&] { return label->toolTip().split(ui::ReadingLabel::kBetween).mid(2); };
  QTRY_VERIFY_WITH_TIMEOUT(!valuesOf().isEmpty(), kPatienceMs);
  QStringList before = valuesOf();
  for (const int step : {1, 2, 0}) {
    pins.model.stage().setStep(step);
    QTRY_VERIFY_WITH_TIMEOUT(!valuesOf().isEmpty() && valuesOf() != before, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(pins.viewRests(), kPatienceMs);
    before = valuesOf();
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestPins test;
  return QTest::qExec(&test, count, words);
}
#include "tst_pins.moc"
