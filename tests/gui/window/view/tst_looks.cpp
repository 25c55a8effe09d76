// More ways to look: edges of cells over surfaces, lines between bands of colour, what is cut away of the picture by a
// plane or a box; set in the panels, dragged in the view, the same in exported pictures, undone. Needs a display with
// OpenGL; skips where there is none.

#include <QCheckBox>
#include <QSignalSpy>
#include <QStandardPaths>

#include "app/ui/panels/pipeline_panel.h"
#include "core/session/json/session_json.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

struct Looks : Studio {
  explicit Looks(QSize size = QSize(1440, 900)) : Studio(size) {
    model.open({"sample://cylinder?size=17,17,9"});
    if (!QTest::qWaitFor([&] { return rests() && !session().objects.empty(); }, kPatienceMs)) return;
    model.document().edit("Remove", [&](app::Draft& draft) {
      for (const app::ObjectId id : model.document().objectIds()) draft.remove(id);
    });
    trigger("addSlice");
    model.document().edit("Hide what lies over it",
                          [&](app::Draft& draft) { draft.frame().image.legend = false; });
    action("axes")->setChecked(false);
    trigger("viewPlusZ");
    (void)QTest::qWaitFor([&] { return isDone(); }, kPatienceMs);
  }
  bool isDone() { return stateOf(newest()) == app::ObjectState::Done && viewRests(); }
  /// The middle of the view, without handles.
  QImage middle() {
    const QSize view = window.viewport().size();
    return picture().copy(QRect(view.width() / 4, view.height() / 4, view.width() / 2, view.height() / 2));
  }
  static int darkPixels(const QImage& image) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) {
        const QColor pixel = image.pixelColor(x, y);
        count += std::max({pixel.red(), pixel.green(), pixel.blue()}) < 70;
      }
    return count;
  }
  static int whitePixels(const QImage& image) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == qRgb(255, 255, 255);
    return count;
  }
  /// As batch pictures and exports have it.
  QImage exported(QSize size, const scene::Annotations& notes = {}) {
    scene::Scene whole;
    whole.camera = window.viewport().camera();
    whole.bounds = model.stage().bounds();
    whole.background = session().image.background;
    whole.clip = session().image.clip;
    whole.notes = notes;
    const std::string path = at("exported.png").toStdString();
    bool done = false;
    model.engine().draw(
        model.document().objectIds(), whole,
        [this, size, path](const scene::Scene& drawn) {
          scene::Scene plain = drawn;
          for (scene::SceneItem& item : plain.items) item.scale.title.clear();
          model.parts().drawImage(plain, {size.width(), size.height()}, path);
        },
        [&](const std::optional<app::Problem>&) { done = true; });
    return QTest::qWaitFor([&] { return done; }, kPatienceMs) ? QImage(QString::fromStdString(path))
                                                              : QImage();
  }
  /// The largest difference of the means of squares of both.
  static double worst(const QImage& a, const QImage& b) {
    constexpr int kSide = 40;
    double most = 0;
    for (int top = 0; top + kSide <= a.height(); top += kSide)
      for (int left = 0; left + kSide <= a.width(); left += kSide) {
        double sum[3] = {};
        for (int y = top; y < top + kSide; ++y)
          for (int x = left; x < left + kSide; ++x) {
            const QColor one = a.pixelColor(x, y), other = b.pixelColor(x, y);
            sum[0] += one.red() - other.red();
            sum[1] += one.green() - other.green();
            sum[2] += one.blue() - other.blue();
          }
        for (const double each : sum) most = std::max(most, std::abs(each) / (kSide * kSide));
      }
    return most;
  }
  void keep(const QString& name) {
    if (const QString where = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !where.isEmpty())
      QVERIFY(
          window.grab().toImage().convertToFormat(QImage::Format_RGB32).save(where + "/" + name + ".png"));
  }
};

}  // namespace

class TestLooks : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void edgesAreDrawnOverSurfaces();
  void linesAreDrawnBetweenBands();
  void planesCutThePicture();
  void cutsComeBack();
  void otherSessionsHaveTheirFields();
  void focusIsSeenAmongOffers();
  void boxesCutThePicture();
  void directionsAreTheSameInPictures();
};

void TestLooks::initTestCase() {
  Looks looks;
  if (looks.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestLooks::edgesAreDrawnOverSurfaces() {
  Looks looks;
  looks.window.pipeline().select(looks.newest());
  looks.window.viewport().setHandles({});
  const QImage plain = looks.middle();
  const int before = Looks::darkPixels(plain);
  auto* const edges = looks.child<QCheckBox>("edges");
  QVERIFY(edges);
  edges->click();
  QVERIFY(looks.session().objects.back().edges);
  looks.window.viewport().setHandles({});
  QTRY_VERIFY_WITH_TIMEOUT(looks.isDone() && Looks::darkPixels(looks.middle()) > before + 1000, kPatienceMs);
  looks.keep("edges");
  // A click on an edge is one on the surface.
  QSignalSpy clicked(looks.window.findChild<ui::ViewController*>(), &ui::ViewController::itemClicked);
  const QSize view = looks.window.viewport().size();
  QTest::mouseClick(&looks.window.viewport(), Qt::LeftButton, {},
                    QPoint(view.width() / 2, view.height() / 3));
  QTRY_COMPARE_WITH_TIMEOUT(clicked.size(), 1, kPatienceMs);
  QCOMPARE(clicked[0][0].value<app::ObjectId>(), looks.newest());
  looks.window.pipeline().select(0);
  const QImage seen = looks.picture();
  QVERIFY(Looks::worst(seen, looks.exported(seen.size())) < 12);
  looks.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(looks.isDone() && Looks::darkPixels(looks.middle()) < before + 100, kPatienceMs);
}

void TestLooks::linesAreDrawnBetweenBands() {
  Looks looks;
  looks.model.document().edit("Colour", [&](app::Draft& draft) {
    session::Object& object = draft.object(looks.newest());
    object.color.by = "velocity-magnitude";
    object.color.map = scene::MapChoice("grey");
    object.color.range = {{-3, 3}};
  });
  looks.window.pipeline().select(looks.newest());
  QTRY_VERIFY_WITH_TIMEOUT(looks.isDone(), kPatienceMs);
  looks.window.viewport().setHandles({});
  const int before = Looks::darkPixels(looks.middle());
  auto* const lines = looks.child<QCheckBox>("color.lines");
  QVERIFY(lines);
  lines->click();
  QVERIFY(looks.session().objects.back().color.bandLines);
  QCOMPARE(looks.session().objects.back().color.map.bands, 12);  // there were none
  looks.window.viewport().setHandles({});
  QTRY_VERIFY_WITH_TIMEOUT(looks.isDone() && Looks::darkPixels(looks.middle()) > before + 300, kPatienceMs);
  looks.keep("band-lines");
  looks.window.pipeline().select(0);
  const QImage seen = looks.picture();
  QVERIFY(Looks::worst(seen, looks.exported(seen.size())) < 8);
  const session::Session again = session::parseSession(session::toJson(looks.session()));
  QCOMPARE(again.objects.back(), looks.session().objects.back());
  // Without bands there is nothing that lines lie between.
  looks.window.pipeline().select(looks.newest());
  typeNumber(looks.child<QLineEdit>("color.bands"), "");
  QVERIFY(!looks.session().objects.back().color.bandLines);
  QVERIFY(!looks.child<QCheckBox>("color.lines")->isChecked());
}

/// Numbers of a cut come and go with the session that has one, also while the picture's properties are shown.
void TestLooks::otherSessionsHaveTheirFields() {
  Looks looks;
  looks.window.pipeline().select(0);  // the picture as a whole
  QTRY_VERIFY_WITH_TIMEOUT(looks.child<QCheckBox>("image.clip.plane"), kPatienceMs);
  const auto shownNumbers = [&] {
    const auto found = looks.window.findChildren<QWidget*>("image.clip.normal");
    return std::any_of(found.begin(), found.end(), [](QWidget* each) { return each->isVisible(); });
  };
  QVERIFY(!shownNumbers());
  const session::Session plain = looks.session();
  session::Session cut = plain;
  cut.image.clip.planes.push_back({});
  looks.model.document().replace(cut, {});
  QTRY_VERIFY_WITH_TIMEOUT(shownNumbers(), kPatienceMs);
  looks.model.document().replace(plain, {});
  QTRY_VERIFY_WITH_TIMEOUT(!shownNumbers(), kPatienceMs);
}

/// Where the keyboard is on the start page, in both themes.
void TestLooks::focusIsSeenAmongOffers() {
  Looks looks;
  looks.model.document().clear();
  for (const app::Theme theme : {app::Theme::Light, app::Theme::Dark}) {
    ui::applyTheme(theme);
    auto* const offer = looks.child<QWidget>("sample://tornado");
    QVERIFY(offer);
    QTRY_VERIFY_WITH_TIMEOUT(offer->isVisible() && QApplication::activeWindow() == &looks.window,
                             kPatienceMs);
    looks.child<QWidget>("sample://abc")->setFocus(Qt::TabFocusReason);
    const QImage without = offer->grab().toImage();
    offer->setFocus(Qt::TabFocusReason);
    QTRY_VERIFY_WITH_TIMEOUT(offer->hasFocus(), kPatienceMs);
    const QImage with = offer->grab().toImage();
    const QColor frame = with.pixelColor(with.width() / 2, 1),
                 plain = without.pixelColor(with.width() / 2, 1);
    QVERIFY(std::abs(frame.lightness() - plain.lightness()) > 40);
  }
  ui::applyTheme(app::Theme::Light);
}

void TestLooks::planesCutThePicture() {
  Looks looks;
  const int before = Looks::whitePixels(looks.middle());
  looks.window.pipeline().select(0);  // the picture as a whole
  auto* const plane = looks.child<QCheckBox>("image.clip.plane");
  QVERIFY(plane);
  plane->click();
  QCOMPARE(looks.session().image.clip.planes.size(), std::size_t(1));
  const int all = looks.middle().width() * looks.middle().height();
  // Half of what was seen is away.
  QTRY_VERIFY_WITH_TIMEOUT(looks.viewRests() && Looks::whitePixels(looks.middle()) > before + all / 4,
                           kPatienceMs);
  looks.model.document().edit("Edges", [&](app::Draft& draft) { draft.object(looks.newest()).edges = true; });
  QTRY_VERIFY_WITH_TIMEOUT(looks.isDone() && Looks::darkPixels(looks.middle()) > 500, kPatienceMs);
  looks.keep("cut");
  looks.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(looks.isDone() && Looks::darkPixels(looks.middle()) < 500, kPatienceMs);
  QVERIFY(looks.child<QWidget>("image.clip.normal"));
  const scene::ClipPlane cut = looks.session().image.clip.planes[0];
  const QImage handled = looks.picture();
  looks.window.viewport().setHandles({});
  const QImage seen = looks.picture();
  QVERIFY(handled != seen);  // it can be taken hold of
  QVERIFY(Looks::worst(seen, looks.exported(seen.size())) < 8);
  // What is cut away is not pointed at.
  int pointed = 0;
  connect(&looks.window.viewport(), &qt3d::Viewport::clicked, this,
          [&](Vec3, const QString& id) { pointed += !id.isEmpty(); });
  const Vec3 center = cut.origin, away = center - 0.5 * cut.normal, kept = center + 1.5 * cut.normal;
  QSignalSpy clicks(&looks.window.viewport(), &qt3d::Viewport::clicked);
  const auto click = [&](Vec3 place) {
    const qsizetype were = clicks.size();
    QTest::mouseClick(&looks.window.viewport(), Qt::LeftButton, {}, looks.pixelOf(place + Vec3{2, 0, 0}));
    return QTest::qWaitFor([&] { return clicks.size() > were; }, kPatienceMs);
  };
  QVERIFY(click(away));
  QCOMPARE(pointed, 0);
  QVERIFY(click(kept));
  QCOMPARE(pointed, 1);
  // An object that is not to be cut stays whole.
  looks.window.pipeline().select(looks.newest());
  auto* const clipped = looks.child<QCheckBox>("clipped");
  QVERIFY(clipped);
  clipped->click();
  QVERIFY(!looks.session().objects.back().clipped);
  looks.window.pipeline().select(0);
  looks.window.viewport().setHandles({});
  QTRY_VERIFY_WITH_TIMEOUT(looks.isDone() && Looks::whitePixels(looks.middle()) < before + all / 50,
                           kPatienceMs);
  looks.trigger("undo");
  looks.trigger("undo");
  QVERIFY(looks.session().image.clip.empty());
  QTRY_VERIFY_WITH_TIMEOUT(looks.viewRests() && Looks::whitePixels(looks.middle()) < before + all / 50,
                           kPatienceMs);
}

/// The first plane takes away what is before it. Plane and box are, once more, where they were last.
void TestLooks::cutsComeBack() {
  Looks looks;
  looks.window.pipeline().select(0);
  const auto clip = [&] { return looks.session().image.clip; };
  const auto tick = [&](const char* name) { looks.child<QCheckBox>(name)->click(); };
  for (const double side : {-1.0, 1.0}) {
    Looks other;
    other.window.pipeline().select(0);
    other.model.document().edit("Look", [&](app::Draft& draft) {
      draft.frame().camera = session::AutoCamera{{1, side, 0.7}, {0, 0, 1}};
    });
    other.child<QCheckBox>("image.clip.plane")->click();
    QCOMPARE(other.session().image.clip.planes.front().normal.y, -side);
  }
  tick("image.clip.plane");
  looks.model.document().edit("Drag", [&](app::Draft& draft) {
    draft.frame().image.clip.planes.front().origin.y += 1;
    draft.frame().image.clip.planes.front().normal = {1, 1, 0};
  });
  tick("image.clip.box");
  looks.model.document().edit("Drag", [&](app::Draft& draft) { (*draft.frame().image.clip.box)[0].x += 1; });
  const scene::Clip cut = clip();
  tick("image.clip.plane");
  tick("image.clip.box");
  QVERIFY(clip().empty());
  tick("image.clip.plane");
  tick("image.clip.box");
  QVERIFY(clip() == cut);
  // Not that of a session before.
  tick("image.clip.plane");
  looks.model.document().clear();
  looks.model.open({"sample://cylinder?size=17,17,9"});
  QTRY_VERIFY_WITH_TIMEOUT(looks.rests() && !looks.session().objects.empty(), kPatienceMs);
  looks.window.pipeline().select(0);
  tick("image.clip.plane");
  QVERIFY(clip().planes != cut.planes);
}

void TestLooks::boxesCutThePicture() {
  Looks looks(QSize(1024, 700));
  looks.window.pipeline().select(0);
  const QImage plain = looks.picture();
  const int before = Looks::whitePixels(plain);
  looks.child<QCheckBox>("image.clip.box")->click();
  QVERIFY(looks.session().image.clip.box.has_value());
  // It begins around everything, as a volume's does; its frame lies over what is white.
  const QImage framed = looks.picture();
  QVERIFY(framed.convertToFormat(QImage::Format_RGB32) != plain.convertToFormat(QImage::Format_RGB32));
  QVERIFY(Looks::whitePixels(framed) < before);
  const auto box = *looks.session().image.clip.box;
  const Bounds all = looks.model.stage().bounds();
  for (int axis = 0; axis < 3; ++axis) QVERIFY(box[0][axis] < all.min[axis] && box[1][axis] > all.max[axis]);
  // A face is dragged in the view, as one step.
  const int steps = looks.model.document().undoStack().index();
  const QPoint face = looks.pixelOf({box[1].x, 0.5 * (box[0].y + box[1].y), 0.5 * (box[0].z + box[1].z)});
  looks.drag(face, face - QPoint(looks.window.viewport().width() / 6, 0));
  QTRY_VERIFY_WITH_TIMEOUT(looks.session().image.clip.box != std::optional(box), kPatienceMs);
  QCOMPARE(looks.model.document().undoStack().index(), steps + 1);
  QVERIFY((*looks.session().image.clip.box)[1].x < box[1].x);
  QTRY_VERIFY_WITH_TIMEOUT(looks.viewRests() && Looks::whitePixels(looks.picture()) > before + 5000,
                           kPatienceMs);
  looks.keep("clip-box");
  const session::Session again = session::parseSession(session::toJson(looks.session()));
  QVERIFY(again.image.clip == looks.session().image.clip);
}

/// Where pixels of one hue are, which of the directions is in.
QRect hueIn(const QImage& image, int hue) {
  QRect all;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const QColor pixel = image.pixelColor(x, y);
      if (pixel.hsvSaturation() > 120 && std::abs((pixel.hsvHue() - hue + 540) % 360 - 180) < 15)
        all |= QRect(x, y, 1, 1);
    }
  return all;
}

/// How much there is of letters on white, in pixels of black.
double greyInk(const QImage& image) {
  double sum = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const QColor pixel = image.pixelColor(x, y);
      if (pixel.hsvSaturation() < 40) sum += 1 - pixel.valueF();
    }
  return sum;
}

void TestLooks::directionsAreTheSameInPictures() {
  for (const QSize size : {QSize(1440, 900), QSize(1024, 700)}) {
    Looks looks(size);
    looks.action("axes")->setChecked(true);
    looks.trigger("viewIsometric");
    looks.model.document().edit("Hide",
                                [&](app::Draft& draft) { draft.object(looks.newest()).visible = false; });
    QTRY_VERIFY_WITH_TIMEOUT(looks.viewRests(), kPatienceMs);
    looks.window.viewport().setHandles({});
    const QImage seen = looks.picture();
    const QSize corner(seen.height() / 4, seen.height() / 4);
    const auto cornerOf = [&](const QImage& image) {
      const int side = image.height() / 4;
      return image.copy(0, image.height() - side, side, side);
    };
    const QImage shown = cornerOf(seen), made = cornerOf(looks.exported(seen.size(), {.orientation = true}));
    QVERIFY(!made.isNull());
    for (const int hue : {5, 134, 216}) {  // x, y, z
      const QRect inView = hueIn(shown, hue), inPicture = hueIn(made, hue);
      QVERIFY(inView.width() + inView.height() > 20);
      for (const auto& [a, b] : {std::pair(inView.topLeft(), inPicture.topLeft()),
                                 std::pair(inView.bottomRight(), inPicture.bottomRight())})
        QVERIFY2((a - b).manhattanLength() <= 3, qPrintable(QString::number((a - b).manhattanLength())));
    }
    // Letters are of one size, and at the same places.
    QVERIFY2(std::abs(greyInk(shown) - greyInk(made)) < 0.5 * greyInk(made),
             qPrintable(QString("%1 %2").arg(greyInk(shown)).arg(greyInk(made))));
    QVERIFY(Looks::worst(shown, made) < 6);
    looks.keep("directions");
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestLooks test;
  return QTest::qExec(&test, count, words);
}
#include "tst_looks.moc"
