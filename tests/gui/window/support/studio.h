#pragma once
// The window with everything behind it, as app/main.cpp puts it together, with settings, recovery and results
// in a folder of the test's own.

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QPoint>
#include <QTest>
#include <QTimer>
#include <functional>

#include "app/ui/panels/pipeline_panel.h"
#include "app/ui/view/view_controller.h"
#include "app/ui/widgets/look.h"
#include "app/ui/window/main_window.h"
#include "core/fields/data/store_data.h"
#include "core/fields/samples/sample_data.h"
#include "plugins/plot3d/plot3d_data.h"
#include "plugins/plot3d/plot3d_detect.h"
#include "render/color/color_map.h"
#include "render/color/png_writer.h"
#include "render/egl/egl_renderer.h"
#include "render/view/screen_map.h"
#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

namespace farfield::test {

/// Only how long a failure takes: the machine may have other things to do.
constexpr int kPatienceMs = 60'000;

inline std::shared_ptr<const fields::ReaderRegistry> allReaders() {
  auto registry = std::make_shared<fields::ReaderRegistry>();
  registry->add(std::make_unique<samples::SampleDataReader>());
  registry->add(std::make_unique<fields::StoreDataReader>());
  registry->add(std::make_unique<plot3d::Plot3dDataReader>());
  return registry;
}

struct Studio {
  /// With settings of its own, or those of `settings`, which another may have left.
  explicit Studio(QSize size = {1280, 800}, const QString& settings = {},
                  const session::VolumeMaker& makeVolume = {},
                  std::shared_ptr<const fields::ReaderRegistry> readers = nullptr,
                  const std::function<void(app::AppParts&)>& more = {})
      : settingsFile(settings.isEmpty() ? at("settings.ini") : settings),
        model(parts(makeVolume, std::move(readers), more)),
        window(model) {
    ui::applyTheme(app::Theme::Light);
    window.resize(size);
    window.show();
    window.activateWindow();
  }

  app::AppParts parts(const session::VolumeMaker& makeVolume = {},
                      std::shared_ptr<const fields::ReaderRegistry> readers = nullptr,
                      const std::function<void(app::AppParts&)>& more = {}) const {
    app::AppParts parts;
    parts.makeVolume = makeVolume;
    parts.readers = readers ? std::move(readers) : allReaders();
    parts.drawImage = [renderer = std::shared_ptr<egl::EglRenderer>()](
                          const scene::Scene& scene, std::array<int, 2> size,
                          const std::filesystem::path& path) mutable {
      if (!renderer) renderer = std::make_shared<egl::EglRenderer>();
      color::writePng(renderer->render(scene, size[0], size[1]), path);
    };
    parts.colorMaps = color::mapNames();
    parts.readingsOf = [](const std::string& grid, const std::string& solution) {
      std::vector<app::FileReading> readings;
      for (const plot3d::Reading& reading : plot3d::readingsOf(grid, solution))
        readings.push_back({reading.text, reading.options});
      return readings;
    };
    parts.program = programPath();
    parts.settingsFile = settingsFile;
    app::Settings(parts.settingsFile).setMemoryBytes(std::uint64_t{1} << 30);
    parts.dataFolder = at("data");
    parts.cacheFolder = at("cache");
    if (more) more(parts);
    return parts;
  }
  QString at(const char* name) const { return QString::fromStdString((folder / name).string()); }

  template <class Widget>
  Widget* child(const QString& name) const {
    return window.findChild<Widget*>(name);
  }
  QAction* action(const char* name) const { return window.findChild<QAction*>(name); }
  void trigger(const char* name) const { action(name)->trigger(); }

  const session::Session& session() { return model.document().session(); }
  /// Of the object that was added last.
  app::ObjectId newest() { return model.document().objectIds().back(); }
  app::ObjectState stateOf(app::ObjectId id) { return model.stage().status(id).state; }
  bool rests() { return !model.stage().isBusy(); }
  /// Whether the view is neither on its way nor about to be: it follows what appears, and a movement that has
  /// ended becomes a step. Nothing of the window waits for anything else: all its other timers repeat.
  bool viewRests() {
    const QList<QTimer*> timers = window.viewport().findChildren<QTimer*>() +
                                  window.findChild<ui::ViewController*>()->findChildren<QTimer*>();
    return rests() &&
           std::none_of(timers.begin(), timers.end(), [](QTimer* timer) { return timer->isActive(); });
  }

  /// Where a place of the data is seen, in the view's coordinates.
  QPoint pixelOf(Vec3 place) {
    const QSize size = window.viewport().size();
    const auto at = view::ScreenMap(window.viewport().camera(), size.width(), size.height()).project(place);
    return at ? QPoint(qRound(at->x), qRound(at->y)) : QPoint(-1, -1);
  }
  void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton) {
    QWidget* const view = &window.viewport();
    // Not QTest::mouseMove(), which moves the display's cursor and waits for the display.
    const auto move = [&](QPoint now, Qt::MouseButtons held) {
      QMouseEvent event(QEvent::MouseMove, now, view->mapToGlobal(now), Qt::NoButton, held, {});
      QApplication::sendEvent(view, &event);
    };
    move(from, Qt::NoButton);
    QTest::mousePress(view, button, {}, from);
    for (int step = 1; step <= 4; ++step) {
      move(from + (to - from) * step / 4, button);
      QTest::qWait(10);
    }
    QTest::mouseRelease(view, button, {}, to);
  }
  /// What the view shows.
  QImage picture() {
    QImage image;
    bool done = false;
    window.viewport().capture([&](const QImage& made) {
      image = made;
      done = true;
    });
    return QTest::qWaitFor([&] { return done; }, kPatienceMs) ? image : QImage();
  }

  TemporaryFolder folder;
  const QString settingsFile;
  app::AppModel model;
  ui::MainWindow window;
};

/// Types `text` in place of all that stands in a field for a number; Return takes it.
inline void typeNumber(QLineEdit* field, const char* text) {
  field->setFocus(Qt::TabFocusReason);
  field->selectAll();
  QTest::keyClick(field, Qt::Key_Delete);
  QTest::keyClicks(field, text);
  QTest::keyClick(field, Qt::Key_Return);
}

/// For initTestCase(): where the view draws nothing there is nothing to be seen of what is tested.
inline void skipWithoutOpenGl() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

/// Pixels of `area` whose colour is not a grey.
inline int colouredPixels(const QImage& image, const QRect& area) {
  int count = 0;
  const QRect inside = area & image.rect();
  for (int y = inside.top(); y <= inside.bottom(); ++y)
    for (int x = inside.left(); x <= inside.right(); ++x) {
      const QColor color = image.pixelColor(x, y);
      const int least = std::min({color.red(), color.green(), color.blue()}),
                most = std::max({color.red(), color.green(), color.blue()});
      count += most - least > 40;
    }
  return count;
}

}  // namespace farfield::test
