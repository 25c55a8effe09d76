// What programs that read the window aloud get: every control of the window and of its dialogs has a name and a role. And
// what people with weak eyes get: words that stand out from what is behind them, in both themes.

#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollBar>
#include <QStandardPaths>
#include <cmath>

#include "app/ui/panels/pipeline_panel.h"
#include "app/ui/widgets/look.h"
#include "tests/gui/window/support/every_dialog.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// What somebody works with, by its role.
bool isControl(QAccessible::Role role) {
  switch (role) {
    case QAccessible::Button:
    case QAccessible::ButtonMenu:
    case QAccessible::ButtonDropDown:
    case QAccessible::CheckBox:
    case QAccessible::ComboBox:
    case QAccessible::EditableText:
    case QAccessible::List:
    case QAccessible::MenuItem:
    case QAccessible::PageTab:
    case QAccessible::RadioButton:
    case QAccessible::Slider:
    case QAccessible::SpinBox:
    case QAccessible::Table:
    case QAccessible::Tree:
      return true;
    default:
      return false;
  }
}

/// Within controls, parts that Qt makes itself and which the control speaks for.
bool isPart(const QAccessibleInterface& its) {
  const QAccessibleInterface* const parent = its.parent();
  if (!parent) return false;
  const QAccessible::Role role = parent->role();
  return role == QAccessible::SpinBox || role == QAccessible::ComboBox || role == QAccessible::ScrollBar ||
         role == QAccessible::Table || role == QAccessible::Tree || role == QAccessible::List ||
         role == QAccessible::TitleBar;
}

QString pathOf(const QAccessibleInterface& its) {
  QStringList path;
  for (const QObject* object = its.object(); object; object = object->parent())
    path.prepend(QString("%1(%2)").arg(object->metaObject()->className(), object->objectName()));
  return path.mid(std::max<qsizetype>(0, path.size() - 4)).join(" > ");
}

class Walk {
 public:
  /// All of it that is seen.
  void through(QAccessibleInterface* its, int depth = 0) {
    if (!its || depth > 60 || its->state().invisible) return;
    const auto* const widget = qobject_cast<QWidget*>(its->object());
    // Qt keeps tab bars for panels that are not behind one another; those without tabs are nothing.
    if (const auto* const tabs = qobject_cast<const QTabBar*>(widget); tabs && tabs->count() == 0) return;
    const bool takesKeys = widget && widget->isVisible() && widget->focusPolicy() != Qt::NoFocus &&
                           !widget->focusProxy() && !qobject_cast<const QScrollBar*>(widget);
    if (takesKeys && its->role() == QAccessible::NoRole) m_problems.append("no role: " + pathOf(*its));
    if ((isControl(its->role()) || takesKeys) && !isPart(*its)) {
      ++m_controls;
      if (its->text(QAccessible::Name).trimmed().isEmpty() &&
          // what can be scrolled takes keys for that alone
          !(takesKeys && widget->inherits("QScrollArea")))
        m_problems.append(QString("no name: %1, role %2").arg(pathOf(*its)).arg(its->role()));
    }
    for (int n = 0; n < its->childCount(); ++n) through(its->child(n), depth + 1);
  }
  int controls() const { return m_controls; }
  const QStringList& problems() const { return m_problems; }

 private:
  QStringList m_problems;
  int m_controls = 0;
};

/// WCAG 2: relative luminance and contrast.
double luminanceOf(const QColor& color) {
  const auto part = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * part(color.redF()) + 0.7152 * part(color.greenF()) + 0.0722 * part(color.blueF());
}
double contrastOf(const QColor& a, const QColor& b) {
  const double high = std::max(luminanceOf(a), luminanceOf(b)),
               low = std::min(luminanceOf(a), luminanceOf(b));
  return (high + 0.05) / (low + 0.05);
}

}  // namespace

class TestAccessibility : public QObject {
  Q_OBJECT
 private slots:
  void everyControlHasANameAndARole();
  void dialogsDoAsWell_data();
  void dialogsDoAsWell();
  void marksStandOut();
  void wordsStandOut_data();
  void wordsStandOut();
  void wordsThatAreSeenStandOut_data();
  void wordsThatAreSeenStandOut();
};

void TestAccessibility::everyControlHasANameAndARole() {
  Studio studio(QSize(1440, 900));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const auto look = [&](const char* where, int least) {
    Walk walk;
    walk.through(QAccessible::queryAccessibleInterface(&studio.window));
    QVERIFY2(walk.problems().isEmpty(), qPrintable(where + (":\n" + walk.problems().join('\n'))));
    QVERIFY2(walk.controls() >= least,
             qPrintable(QString("%1: %2 controls").arg(where).arg(walk.controls())));
  };
  look("start page", 8);
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  for (const char* const add : {"addStreamlines", "addSurface", "addSlice", "addIsosurface", "addIsolines",
                                "addArrows", "addLic", "addPathlines", "addOutline", "addProbe"}) {
    studio.trigger(add);
    look(add, 40);
  }
  studio.trigger("keepView");
  studio.window.pipeline().select(0);
  studio.model.document().edit("Cut", [](app::Draft& draft) {
    draft.frame().image.clip.planes.push_back({});
    draft.frame().image.clip.box = {{{0, 0, 0}, {1, 1, 1}}};
  });
  look("picture", 40);
  studio.window.pipeline().selectData("taylor-green");
  look("data", 40);
  // Panel after panel, each in front of the others.
  studio.window.pipeline().select(studio.model.document().objectIds()[2]);
  for (QDockWidget* const dock : studio.window.findChildren<QDockWidget*>()) {
    dock->show();
    dock->raise();
    QTRY_VERIFY_WITH_TIMEOUT(dock->widget()->isVisible(), kPatienceMs);
    look(qPrintable(dock->objectName()), 40);
  }
  // And torn off, as a window of its own.
  for (QDockWidget* const dock : studio.window.findChildren<QDockWidget*>()) {
    dock->setFloating(true);
    dock->show();
    QTRY_VERIFY_WITH_TIMEOUT(dock->isFloating() && dock->widget()->isVisible(), kPatienceMs);
    Walk walk;
    walk.through(QAccessible::queryAccessibleInterface(dock));
    QVERIFY2(walk.problems().isEmpty(), qPrintable(dock->objectName() + ":\n" + walk.problems().join('\n')));
    QVERIFY2(walk.controls() > 0, qPrintable(dock->objectName()));
    QVERIFY(!dock->windowTitle().isEmpty());
    dock->setFloating(false);
  }
}

void TestAccessibility::dialogsDoAsWell_data() {
  addDialogs();
  QTest::newRow("open") << QString("open") << 6;
}

void TestAccessibility::dialogsDoAsWell() {
  QFETCH(QString, action);
  QFETCH(int, least);
  Studio studio(QSize(1440, 900));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  QDialog* const dialog = openedDialog(studio, action);
  QVERIFY(dialog);
  forEachLook(*dialog, [&](const QString& how) {
    Walk walk;
    walk.through(QAccessible::queryAccessibleInterface(dialog));
    QVERIFY2(walk.problems().isEmpty(), qPrintable(how + '\n' + walk.problems().join('\n')));
    QVERIFY2(walk.controls() >= least, qPrintable(QString("%1: %2").arg(how).arg(walk.controls())));
  });
  QVERIFY(!dialog->windowTitle().isEmpty() || action == "palette");
  dialog->close();
}

void TestAccessibility::marksStandOut() {
  // As for parts of a picture that have to be understood, by WCAG 2; light windows have what the toolkit draws.
  ui::applyTheme(app::Theme::Dark);
  const QColor behind = QApplication::palette().color(QPalette::Window);
  // What is to be ticked is seen while it is not.
  QRadioButton radio;
  QCheckBox tick;
  for (QWidget* const mark : {static_cast<QWidget*>(&radio), static_cast<QWidget*>(&tick)}) {
    mark->resize(mark->sizeHint());
    const QImage seen = mark->grab().toImage();
    double most = 1;
    for (int y = 0; y < seen.height(); ++y)
      for (int x = 0; x < seen.width(); ++x) most = std::max(most, contrastOf(seen.pixelColor(x, y), behind));
    QVERIFY2(most >= 3, qPrintable(QString("%1: %2").arg(mark->metaObject()->className()).arg(most)));
  }
  ui::applyTheme(app::Theme::Light);
}

void TestAccessibility::wordsStandOut_data() {
  QTest::addColumn<bool>("dark");
  QTest::newRow("light") << false;
  QTest::newRow("dark") << true;
}

void TestAccessibility::wordsStandOut() {
  QFETCH(bool, dark);
  ui::applyTheme(dark ? app::Theme::Dark : app::Theme::Light);
  const QPalette palette = QApplication::palette();
  using Role = QPalette::ColorRole;
  // A window behind another has words as well.
  for (int role = 0; role < QPalette::NColorRoles; ++role)
    QCOMPARE(palette.color(QPalette::Inactive, Role(role)), palette.color(QPalette::Active, Role(role)));
  const struct {
    const char* what;
    QColor words, behind;
  } kPairs[] = {
      {"text of the window", palette.color(Role::WindowText), palette.color(Role::Window)},
      {"text of fields", palette.color(Role::Text), palette.color(Role::Base)},
      {"text of every other row", palette.color(Role::Text), palette.color(Role::AlternateBase)},
      {"text of buttons", palette.color(Role::ButtonText), palette.color(Role::Button)},
      {"text that is chosen", palette.color(Role::HighlightedText), palette.color(Role::Highlight)},
      {"hints in the window", palette.color(Role::PlaceholderText), palette.color(Role::Window)},
      {"hints in fields", palette.color(Role::PlaceholderText), palette.color(Role::Base)},
      {"tool tips", palette.color(Role::ToolTipText), palette.color(Role::ToolTipBase)},
      {"links in the window", palette.color(Role::Link), palette.color(Role::Window)},
      {"links in pages", palette.color(Role::Link), palette.color(Role::Base)},
      {"warnings in the window", ui::warningColor(), palette.color(Role::Window)},
      {"warnings in fields", ui::warningColor(), palette.color(Role::Base)},
      {"muted words", ui::mutedColor(), palette.color(Role::Base)},
      {"muted words in the window", ui::mutedColor(), palette.color(Role::Window)},
  };
  for (const auto& pair : kPairs)
    QVERIFY2(contrastOf(pair.words, pair.behind) >= 4.5,
             qPrintable(QString("%1: %2 on %3 is %4 : 1")
                            .arg(pair.what, pair.words.name(), pair.behind.name())
                            .arg(contrastOf(pair.words, pair.behind))));
  ui::applyTheme(app::Theme::Light);
}

void TestAccessibility::wordsThatAreSeenStandOut_data() {
  wordsStandOut_data();
}

/// In the colours that each has, in all panels; but for what cannot be used now.
void TestAccessibility::wordsThatAreSeenStandOut() {
  QFETCH(bool, dark);
  Studio studio(QSize(1440, 900));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  ui::applyTheme(dark ? app::Theme::Dark : app::Theme::Light);
  int looked = 0;
  const auto look = [&](const QString& where) {
    for (const QWidget* const each : studio.window.findChildren<QWidget*>()) {
      if (!each->isVisible() || !each->isEnabled()) continue;
      QPalette::ColorRole words = each->foregroundRole(), behind = each->backgroundRole();
      if (const auto* const label = qobject_cast<const QLabel*>(each)) {
        if (label->text().isEmpty()) continue;
      } else if (qobject_cast<const QLineEdit*>(each) || qobject_cast<const QAbstractItemView*>(each)) {
        words = QPalette::Text, behind = QPalette::Base;
      } else if (qobject_cast<const QPushButton*>(each) || qobject_cast<const QComboBox*>(each)) {
        words = QPalette::ButtonText, behind = QPalette::Button;
      } else if (!qobject_cast<const QAbstractButton*>(each)) {
        continue;
      }
      ++looked;
      for (const QPalette::ColorGroup group : {QPalette::Active, QPalette::Inactive}) {
        const double contrast =
            contrastOf(each->palette().color(group, words), each->palette().color(group, behind));
        QVERIFY2(contrast >= 4.5,
                 qPrintable(QString("%1: %2 \"%3\" has %4 : 1")
                                .arg(where, each->metaObject()->className(), each->objectName())
                                .arg(contrast)));
      }
    }
  };
  look("start page");
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  for (const char* const add : {"addStreamlines", "addSlice", "plotLine", "addProbe"}) {
    studio.trigger(add);
    for (QDockWidget* const dock : studio.window.findChildren<QDockWidget*>()) {
      dock->show();
      dock->raise();
      QTRY_VERIFY_WITH_TIMEOUT(dock->widget()->isVisible(), kPatienceMs);
      look(QString(add) + ", " + dock->objectName());
    }
  }
  QVERIFY2(looked > 500, qPrintable(QString::number(looked)));
  ui::applyTheme(app::Theme::Light);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestAccessibility test;
  return QTest::qExec(&test, count, words);
}
#include "tst_accessibility.moc"
