// Tab goes through everything that is laid out as it is seen: from above to below, and from left to right in a row; through what stands
// beside something else as a whole, as a column of buttons beside a list. All panels with all that they can show, and all dialogs.

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QDockWidget>
#include <QLayout>
#include <QStandardPaths>

#include "app/ui/window/panel_focus.h"
#include "app/volume_maker.h"
#include "tests/gui/window/support/every_dialog.h"
#include "tests/gui/window/support/studio.h"
#include "tests/support/file_contents.h"

using namespace farfield;
using namespace farfield::test;

namespace {

bool isStop(const QWidget* widget) {
  return widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) &&
         !widget->focusProxy();
}

QString describe(const QWidget* widget) {
  return QString("%1 \"%2\"")
      .arg(widget->metaObject()->className(),
           widget->objectName().isEmpty() ? widget->accessibleName() : widget->objectName());
}

/// Something that is laid out beside others.
struct Item {
  QRect place;
  const QWidget* widget = nullptr;
  QLayout* layout = nullptr;
};

class Order {
 public:
  explicit Order(const QWidget& whole) : m_whole(whole) { add(&whole, true); }
  const QList<const QWidget*>& stops() const { return m_stops; }

 private:
  void add(const QWidget* widget, bool isWhole = false) {
    if (!isWhole && (widget->isWindow() || !widget->isVisible())) return;
    if (!isWhole && isStop(widget)) {
      m_stops.append(widget);
      // Their parts are theirs; but what scrolls has others in it.
      if (!qobject_cast<const QAbstractScrollArea*>(widget)) return;
    }
    if (QLayout* const layout = widget->layout()) return addAll(itemsOf(*layout));
    std::vector<Item> items;
    for (const QObject* const each : widget->children())
      if (const auto* const child = qobject_cast<const QWidget*>(each))
        items.push_back({placeOf(child), child});
    addAll(std::move(items));
  }
  void addAll(std::vector<Item> items) {
    std::stable_sort(items.begin(), items.end(),
                     [](const Item& a, const Item& b) { return a.place.top() < b.place.top(); });
    while (!items.empty()) {
      // A row is what stands beside the one that is highest.
      const int middle = std::max(items.front().place.top(), items.front().place.center().y());
      const auto behind = std::stable_partition(items.begin(), items.end(),
                                                [&](const Item& each) { return each.place.top() <= middle; });
      std::vector<Item> row(items.begin(), behind);
      items.erase(items.begin(), behind);
      std::stable_sort(row.begin(), row.end(),
                       [](const Item& a, const Item& b) { return a.place.left() < b.place.left(); });
      for (const Item& each : row) {
        if (each.layout)
          addAll(itemsOf(*each.layout));
        else
          add(each.widget);
      }
    }
  }
  std::vector<Item> itemsOf(QLayout& layout) const {
    std::vector<Item> items;
    for (int n = 0; n < layout.count(); ++n) {
      QLayoutItem& item = *layout.itemAt(n);
      if (QLayout* const inner = item.layout())
        items.push_back({inner->geometry().translated(origin(*inner)), nullptr, inner});
      else if (const QWidget* const widget = item.widget(); widget && widget->isVisible())
        items.push_back({placeOf(widget), widget});
    }
    return items;
  }
  QPoint origin(const QLayout& layout) const {
    return layout.parentWidget() == &m_whole ? QPoint() : layout.parentWidget()->mapTo(&m_whole, QPoint());
  }
  QRect placeOf(const QWidget* widget) const { return {widget->mapTo(&m_whole, QPoint()), widget->size()}; }

  const QWidget& m_whole;
  QList<const QWidget*> m_stops;
};

/// In the order of the keyboard. What scrolls comes before what is in it (PanelFocus).
QList<const QWidget*> chainOf(const QWidget& whole) {
  QList<const QWidget*> stops;
  for (const QWidget* at = whole.nextInFocusChain(); at && at != &whole; at = at->nextInFocusChain())
    if (whole.isAncestorOf(at) && at->window() == whole.window() && isStop(at)) stops.append(at);
  for (qsizetype n = 1; n < stops.size(); ++n) {
    const auto inside = std::find_if(stops.begin(), stops.begin() + n,
                                     [&](const QWidget* each) { return stops[n]->isAncestorOf(each); });
    if (inside != stops.begin() + n) std::rotate(inside, stops.begin() + n, stops.begin() + n + 1);
  }
  return stops;
}

/// Empty where Tab goes as it is laid out.
QString wrongIn(const QWidget& whole) {
  QList<const QWidget*> chain = chainOf(whole), seen = Order(whole).stops();
  // Parts that are laid over others, or are no one's children here, have no place.
  chain.removeIf([&](const QWidget* each) { return !seen.contains(each); });
  seen.removeIf([&](const QWidget* each) { return !chain.contains(each); });
  if (chain == seen) return {};
  QStringList lines;
  for (qsizetype n = 0; n < chain.size(); ++n)
    if (chain[n] != seen[n])
      lines.append(QString("%1: %2, where %3 is seen").arg(n).arg(describe(chain[n]), describe(seen[n])));
  return lines.join('\n');
}

}  // namespace

class TestTabOrder : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void panels();
  void dataThatCannotBeOpened();
  void dialogs_data();
  void dialogs();
  void startPage();

 private:
  static void look(const QWidget& whole, const QString& where, int least) {
    QCoreApplication::processEvents();
    const QString wrong = wrongIn(whole);
    QVERIFY2(wrong.isEmpty(), qPrintable(where + ":\n" + wrong));
    const auto stops = Order(whole).stops().size();
    QVERIFY2(stops >= least, qPrintable(QString("%1: %2 stops").arg(where).arg(stops)));
  }
};

void TestTabOrder::initTestCase() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestTabOrder::panels() {
  Studio studio({1440, 900}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  const auto dock = [&](const char* name) {
    auto* const its = studio.child<QDockWidget>(name);
    its->show();
    its->raise();
    if (!QTest::qWaitFor([&] { return ui::PanelFocus::isInSight(its); }, kPatienceMs))
      qFatal("%s is not seen", name);
    return its;
  };
  const auto lookAt = [&](const char* name, const QString& what, int least) {
    look(*dock(name), name + (": " + what), least);
  };
  const QList<std::pair<const char*, int>> adding{
      {"addStreamlines", 20}, {"addSurface", 8},    {"addSlice", 15},  {"addIsosurface", 8},
      {"addIsolines", 8},     {"addArrows", 8},     {"addLic", 6},     {"addSurfaceLines", 8},
      {"addVolume", 8},       {"addPathlines", 20}, {"addOutline", 3}, {"addStreaklines", 8},
      {"addProbe", 5}};
  for (const auto& [add, least] : adding) {
    QVERIFY2(studio.action(add)->isEnabled(), add);
    studio.trigger(add);
    lookAt("dock.properties", add, least);
    lookAt("dock.colors", add, 1);
    if (add == std::string("addVolume")) lookAt("dock.volume", add, 6);
  }
  studio.trigger("keepView");
  studio.window.pipeline().select(0);
  studio.model.document().edit("Cut", [](app::Draft& draft) {
    draft.frame().image.clip.planes.push_back({});
    draft.frame().image.clip.box = {{{0, 0, 0}, {1, 1, 1}}};
  });
  lookAt("dock.properties", "picture", 20);
  studio.window.pipeline().selectData("taylor-green");
  lookAt("dock.properties", "data", 5);
  for (const char* const plot : {"plotLine", "plotTime", "plotValues"}) {
    studio.trigger(plot);
    lookAt("dock.plots", plot, 3);
  }
  for (const auto& [name, least] : std::initializer_list<std::pair<const char*, int>>{{"dock.pipeline", 1},
                                                                                      {"dock.views", 2},
                                                                                      {"dock.time", 6},
                                                                                      {"dock.probes", 5},
                                                                                      {"dock.messages", 1}})
    lookAt(name, "as it is", least);
  lookAt("dock.memory", "as it is", 2);
  for (QAbstractButton* const each : dock("dock.memory")->findChildren<QAbstractButton*>())
    if (each->text().contains("Details")) each->click();
  lookAt("dock.memory", "details", 2);
  // The panel of a time bar in two rows.
  studio.window.resize(900, 700);
  lookAt("dock.time", "narrow", 6);
}

/// Forms for what a file does not say.
void TestTabOrder::dataThatCannotBeOpened() {
  Studio studio({1440, 900});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  writeFile(studio.folder / "numbers.bin", std::string(1000, 'x'));
  studio.model.openData({{studio.at("numbers.bin"), {}}});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("numbers").state, app::DataState::Failed,
                            kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QWidget>("raw.dims.i"), kPatienceMs);
  QVERIFY(studio.child<QWidget>("plot3d.read"));
  look(*studio.child<QDockWidget>("dock.properties"), "data that cannot be opened", 18);
}

void TestTabOrder::dialogs_data() {
  addDialogs();
}

void TestTabOrder::dialogs() {
  QFETCH(QString, action);
  QFETCH(int, least);
  Studio studio({1440, 900});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  QDialog* const dialog = openedDialog(studio, action);
  QVERIFY(dialog);
  forEachLook(*dialog, [&](const QString& how) { look(*dialog, action + ": " + how, least); });
  dialog->close();
}

void TestTabOrder::startPage() {
  Studio studio({1440, 900});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.settings().addRecent("/data/wing.xyz");
  studio.model.settings().addRecent("/data/other.h5");
  look(*studio.window.centralWidget(), "start page", 8);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestTabOrder test;
  return QTest::qExec(&test, count, words);
}
#include "tst_tab_order.moc"
