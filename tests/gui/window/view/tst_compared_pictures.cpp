// Pictures of two data sets that are compared: a line between them, what is written into each part, and the colours of the comparison.
// Needs a display with OpenGL; skips where there is none.

#include <QApplication>
#include <QClipboard>
#include <QColorSpace>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStandardPaths>
#include <utility>

#include "app/model/document/view_layout.h"
#include "app/ui/dialogs/animation_dialog.h"
#include "app/ui/view/view_group.h"
#include "app/ui/widgets/message_list.h"
#include "tests/gui/window/support/compared_studio.h"

using namespace farfield;
using namespace farfield::test;

class TestComparedPictures : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void picturesOfComparedDataHaveALine();
  void picturesOfComparedDataSayWhichIsWhere();
  void picturesOfStepsHaveTheColoursOfTheComparison();
  void textsAreOfWhatAPartShows();
};

void TestComparedPictures::initTestCase() {
  Studio studio;
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

/// Without it two halves look like one data set.
void TestComparedPictures::picturesOfComparedDataHaveALine() {
  Compared studio;
  QVERIFY(studio.opened);
  studio.trigger("compareData");
  app::setDivider(studio.model.document(), 0.4);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && studio.rests(), kPatienceMs);
  const QImage picture = exported(studio, "compared.png", {900, 500});
  QCOMPARE(picture.size(), QSize(900, 500));
  for (int y = 0; y < picture.height(); ++y)
    for (const int x : {359, 360}) QCOMPARE(picture.pixelColor(x, y), QColor(128, 128, 128));
  QVERIFY(picture.pixelColor(357, 2) == picture.pixelColor(362, 2) &&
          picture.pixelColor(357, 2) != picture.pixelColor(360, 2));
}

/// Each part has its own directions, as in the window, and its name, unless somebody has written it.
void TestComparedPictures::picturesOfComparedDataSayWhichIsWhere() {
  Compared studio;
  QVERIFY(studio.opened);
  studio.trigger("compareData");
  app::setDivider(studio.model.document(), 0.4);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && studio.rests(), kPatienceMs);
  constexpr int kDivider = 360, kHeight = 500;
  const auto differsIn = [](const QImage& a, const QImage& b, const QRect& area) {
    return a.copy(area) != b.copy(area);
  };
  const QRect corners[] = {{0, kHeight - 130, 130, 130}, {kDivider + 1, kHeight - 130, 130, 130}},
              names[] = {{kDivider - 80, 0, 78, 30}, {kDivider + 2, 0, 78, 30}};
  const QImage with = exported(studio, "with.png", {900, kHeight});
  QVERIFY(studio.action("axes")->isChecked());
  studio.trigger("axes");
  const QImage without = exported(studio, "without.png", {900, kHeight});
  for (const QRect& corner : corners) QVERIFY(differsIn(with, without, corner));
  studio.model.document().edit("Text", [](app::Draft& draft) {
    std::string all;
    for (const session::DataSource& source : draft.frame().data) all += source.name + ", ";
    draft.frame().image.notes.texts = {{.text = all, .place = {0.5, 0.96}}};
  });
  const QImage written = exported(studio, "written.png", {900, kHeight});
  for (const QRect& name : names) {
    QVERIFY(differsIn(with, written, name));
    QVERIFY(!differsIn(with, without, name));
    // Nothing else is there.
    const QImage ground = written.copy(name);
    QVERIFY(ground.pixelColor(0, 0) == ground.pixelColor(40, 15));
  }
  // A batch run has one view, which the command says.
  QSignalSpy saved(&studio.model, &app::AppModel::saved);
  studio.model.save(studio.at("compared.json"));
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatienceMs);
  const auto* const messages = studio.window.findChild<ui::MessageList*>();
  for (const char* const arrangement : {"", "oneView"}) {
    if (*arrangement) studio.trigger(arrangement);
    if (*arrangement) studio.model.save(studio.at("compared.json"));
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && !studio.model.document().isModified(), kPatienceMs);
    studio.trigger("copyCommand");
    QCOMPARE(messages->allText().count("Copied, of the first view alone: farfield batchvis"), 1);
    QCOMPARE(messages->allText().count("Copied: farfield batchvis"), *arrangement ? 1 : 0);
  }
}

/// The values of both count, also where one alone is seen.
void TestComparedPictures::picturesOfStepsHaveTheColoursOfTheComparison() {
  Compared studio;
  QVERIFY(studio.opened);
  studio.trigger("compareData");
  constexpr int kWidth = 600, kHeight = 400;
  studio.model.document().edit("Plain", [&](app::Draft& draft) {
    session::ImageSettings& image = draft.frame().image;
    image.legend = false;  // those of the left part lie at the left while two are compared
    image.sizePixels = {kWidth, kHeight};
    draft.frame().layout.divider = 0.6;
    // Smaller values than those of the other.
    draft.object(studio.ids[0]).color.range.reset();
  });
  if (studio.action("axes")->isChecked()) studio.trigger("axes");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.viewRests(), kPatienceMs);
  QVERIFY(studio.session().layout.over && !studio.session().objects.back().color.range);
  // Below the names of the data.
  const QRect left(0, 40, static_cast<int>(0.6 * kWidth) - 4, kHeight - 40);
  // Qt's pictures say a colour space and ours none, by which they would differ.
  const auto plain = [](QImage picture) {
    picture.setColorSpace({});
    return picture.convertToFormat(QImage::Format_RGB32);
  };
  const QImage seen = plain(exported(studio, "seen.png", {kWidth, kHeight}));
  QSignalSpy saved(&studio.model, &app::AppModel::saved);
  studio.model.save(studio.at("compared.json"));
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatienceMs);
  studio.trigger("copyCommand");
  QStringList words = QApplication::clipboard()->text().split(' ');
  QVERIFY2(words.size() > 4 && words.contains("--view"), qPrintable(words.join(' ')));
  words.removeFirst();
  words.replaceInStrings(QRegularExpression("^'|'$"), "");
  const auto isAsSeen = [&](const QString& file) {
    const QImage picture = plain(QImage(file));
    return picture.size() == seen.size() && picture.copy(left) == seen.copy(left);
  };
  const auto run = [&](const QStringList& arguments) {
    const Outcome outcome = runFarfield(arguments, QFileInfo(studio.at("compared.json")).path());
    if (outcome.status != 0) qWarning("%s", outcome.errors.constData());
    return outcome.status == 0;
  };
  words.replace(words.indexOf("-o") + 1, "command");
  QVERIFY2(run(words), qPrintable(words.join(' ')));
  QVERIFY(isAsSeen(studio.at("command/compared.png")));
  // Without it all lies in one picture.
  QStringList all = words;
  all.remove(all.indexOf("--view"), 2);
  all.replace(all.indexOf("-o") + 1, "all");
  QVERIFY(run(all) && !isAsSeen(studio.at("all/compared.png")));
  QVERIFY(
      !runFarfield({"batchvis", "compared.json", "--view", "3"}, QFileInfo(studio.at("compared.json")).path())
           .errors.isEmpty());
  // Numbered pictures are of the same view.
  ui::AnimationChoice choice;
  choice.kind = ui::AnimationChoice::Kind::Steps;
  choice.sizePixels = {kWidth, kHeight};
  choice.stepTitle = false;
  QVERIFY(QDir().mkpath(studio.at("film")));
  studio.window.exportAnimationTo(studio.at("film"), choice);
  const auto files = [&] { return QDir(studio.at("film")).entryList({"*.png"}); };
  QTRY_VERIFY_WITH_TIMEOUT(files().size() == 1 && !studio.child<QDialog>("animationJob"), kPatienceMs);
  QVERIFY(isAsSeen(studio.at("film") + '/' + files().front()));
}

/// In title and texts, what stands in braces is what the data of that part know.
void TestComparedPictures::textsAreOfWhatAPartShows() {
  Studio studio(QSize(1280, 800));
  for (const char* const name : {"sample://abc?size=9", "sample://taylor-green?size=9&steps=6"}) {
    const std::size_t had = studio.session().objects.size();
    studio.model.open({name});
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() > had && studio.viewRests(),
                             kPatienceMs);
  }
  studio.trigger("compareData");
  studio.model.stage().setStep(3);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && studio.window.views().count() == 2, kPatienceMs);
  app::Document& document = studio.model.document();
  // The one at the left has one step.
  const auto write = [&](const char* title, const char* text) {
    document.edit("Write", [&](app::Draft& draft) {
      draft.frame().image.title = title;
      draft.frame().image.notes.texts = {scene::TextNote{.text = text, .place = {0.1, 0.5}}};
    });
  };
  const auto parts = [&] {
    std::array<QImage, 2> made;
    for (std::size_t number = 0; number < 2; ++number) {
      bool done = false;
      studio.window.views().view(number).capture([&](const QImage& image) {
        made[number] = image;
        done = true;
      });
      if (!QTest::qWaitFor([&] { return done; }, kPatienceMs)) return std::array<QImage, 2>{};
    }
    // Of the one at the left as much as is seen.
    made[0] = made[0].copy(0, 0, made[0].width() / 2 - 8, made[0].height());
    made[1] = made[1].copy(made[1].width() / 2 + 8, 0, made[1].width() / 2 - 8, made[1].height());
    return made;
  };
  // What is written comes a little later than all else, at once in both.
  const auto changed = [&](const std::array<QImage, 2>& from) {
    std::array<QImage, 2> last = from;
    const bool is = QTest::qWaitFor(
        [&] {
          const std::array<QImage, 2> now = parts(), before = std::exchange(last, now);
          return now == before && now[0] != from[0] && now[1] != from[1] && studio.viewRests();
        },
        kPatienceMs);
    return is ? last : std::array<QImage, 2>{};
  };
  for (const std::size_t ofOneStep : {0, 1}) {
    const std::array<QImage, 2> before = parts();
    write("at 0", "step 0");
    const std::array<QImage, 2> first = changed(before);
    QVERIFY(!first[0].isNull());
    write("at 3", "step 3");
    const std::array<QImage, 2> third = changed(first);
    QVERIFY(!third[0].isNull());
    write("at {step}", "step {step}");
    QTRY_VERIFY_WITH_TIMEOUT(parts()[ofOneStep] == first[ofOneStep], kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(parts()[1 - ofOneStep] == third[1 - ofOneStep], kPatienceMs);
    // They go with the data that a part shows.
    write("other", "other");
    document.edit("Turn round", [&](app::Draft& draft) {
      auto& views = draft.frame().layout.views;
      std::swap(views[0].data, views[1].data);
    });
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestComparedPictures test;
  return QTest::qExec(&test, count, words);
}
#include "tst_compared_pictures.moc"
