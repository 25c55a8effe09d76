// Several views in the window: the actions that arrange them, and pictures that have all of them.

#include <QAction>
#include <QActionGroup>
#include <QBuffer>
#include <QColor>
#include <QImage>
#include <QPainter>
#include <QPointer>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <set>

#include "app/model/document/view_layout.h"
#include "app/model/files/file_saver.h"
#include "app/model/stage/view_bounds.h"
#include "app/ui/view/view_controller.h"
#include "app/ui/view/view_group.h"
#include "app/ui/window/awaited_objects.h"
#include "app/ui/window/main_window.h"
#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "core/base/told_progress.h"
#include "core/session/session_camera.h"
#include "core/session/view_layout.h"
#include "render/color/legend.h"
#include "render/view/camera_moves.h"
#include "render/view/picture_notes.h"

namespace farfield::ui {
namespace {

constexpr const char* kArrangements[] = {"oneView", "twoViews", "fourViews",
                                         "compareData"};  // as app::Arrangement
constexpr int kGapPixels = 2;                             // between views in a picture

constexpr QRgb kBetween = 0xFF808080;

/// One view in a picture of several: its scene, where it goes and what of it is seen.
struct Side {
  scene::Scene scene;
  std::string data;             ///< what it shows; empty: all
  std::set<std::string> names;  ///< of the items that it has
  QRect place;
  QRect seen;  ///< part of the picture
};

using DrawImage = std::function<void(const scene::Scene&, std::array<int, 2>, const std::filesystem::path&)>;

/// A picture of which only one part is seen: what is written over it stands in that part, as in the window, and its name with it.
QImage drawnInPart(const DrawImage& draw, const scene::Scene& shown, const Side& side,
                   const std::filesystem::path& file) {
  scene::Scene bare = shown;
  bare.title.clear();
  bare.notes = {};
  for (scene::SceneItem& item : bare.items) {
    item.scale.title.clear();
    item.marks.clear();
  }
  draw(bare, {side.place.width(), side.place.height()}, file);
  QImage picture = QImage(QString::fromStdString(file.string())).convertToFormat(QImage::Format_RGBA8888);
  color::Image written(picture.width(), picture.height());
  const auto row = [&](int y) { return static_cast<std::size_t>(y) * 4 * written.width(); };
  for (int y = 0; y < picture.height(); ++y)
    std::copy_n(picture.constScanLine(y), 4 * written.width(), written.bytes().data() + row(y));
  // Who has written that there already, as a word, has said it.
  static const QRegularExpression::PatternOptions kWords = QRegularExpression::UseUnicodePropertiesOption;
  const QRegularExpression name(
      R"((?<!\w))" + QRegularExpression::escape(QString::fromStdString(side.data)) + R"((?!\w))", kWords);
  const auto says = [&](const std::string& text) { return QString::fromStdString(text).contains(name); };
  const bool isSaid = says(shown.title) || std::any_of(shown.notes.texts.begin(), shown.notes.texts.end(),
                                                       [&](const auto& note) { return says(note.text); });
  view::writeNotes(written, shown, {side.seen.left(), side.seen.width(), isSaid ? std::string() : side.data});
  for (int y = 0; y < picture.height(); ++y)
    std::copy_n(written.bytes().data() + row(y), 4 * written.width(), picture.scanLine(y));
  return picture;
}

}  // namespace

void MainWindow::makeSplitActions() {
  action(kArrangements[0], {}, tr("&One view"), QKeySequence("Alt+1"), tr("The first view alone"),
         [this] { arrangeViews(0); });
  action(kArrangements[1], {}, tr("&Two views"), QKeySequence("Alt+2"),
         tr("Two views beside one another; each shows what is chosen above it"), [this] { arrangeViews(1); });
  action(kArrangements[2], {}, tr("&Four views"), QKeySequence("Alt+4"),
         tr("Four views; each shows what is chosen above it"), [this] { arrangeViews(2); });
  action(kArrangements[3], {}, tr("&Compare two data sets"), QKeySequence("Ctrl+Shift+D"),
         tr("Two data sets seen from the same place, one to the left of a divider, the other to the right"),
         [this] { arrangeViews(3); });
  auto* const one = new QActionGroup(this);
  for (const char* const name : kArrangements) {
    m_actions.at(name)->setCheckable(true);
    one->addAction(m_actions.at(name));
  }
  QAction* const link = action("linkCameras", {}, tr("&Link the cameras"), QKeySequence("L"),
                               tr("All views move together; otherwise each moves on its own"), [] {});
  link->setCheckable(true);
  connect(link, &QAction::triggered, this, [this](bool on) { m_group->setCamerasLinked(on); });
  connect(m_group, &ViewGroup::changed, this, &MainWindow::showSplit);
  showSplit();
}

void MainWindow::arrangeViews(int arrangement) {
  restViews();
  const auto wanted = static_cast<app::Arrangement>(arrangement);
  if (!app::arrange(m_model.document(), wanted, {m_controller->aspect(), m_group->aspectIn(wanted)}))
    tell(tr("To compare, open a second data set (File ▸ Open): there are two then."), true);
  showSplit();
}

void MainWindow::showSplit() {
  const session::ViewLayout& layout = m_model.document().session().layout;
  m_actions.at(kArrangements[static_cast<int>(app::arrangementOf(layout))])->setChecked(true);
  m_actions.at("linkCameras")->setEnabled(m_group->count() > 1 && !layout.over);
  m_actions.at("linkCameras")->setChecked(m_group->areCamerasLinked());
  if (const auto orthographic = m_actions.find("orthographic"); orthographic != m_actions.end())
    orthographic->second->setChecked(m_group->active().isOrthographic());
}

void MainWindow::exportViewsTo(const QString& path, std::array<int, 2> sizePixels, const Looks& from) {
  const session::Session& session = m_model.document().session();
  session::ViewLayout layout = from.layout;
  // What each shows may be called otherwise since.
  if (session.layout.views.size() == layout.views.size())
    for (std::size_t number = 0; number < layout.views.size(); ++number) {
      layout.views[number].data = session.layout.views[number].data;
      layout.views[number].hidden = session.layout.views[number].hidden;
    }
  const QRect whole(0, 0, sizePixels[0], sizePixels[1]);
  const int columns = 2, rows = layout.views.size() == 4 ? 2 : 1;
  const int width = std::max(1, (whole.width() - kGapPixels) / columns),
            height = std::max(1, (whole.height() - (rows - 1) * kGapPixels) / rows);
  const int divider = static_cast<int>(std::lround(layout.divider * whole.width()));
  std::vector<Side> sides;
  Shot shot;
  for (std::size_t number = 0; number < layout.views.size(); ++number) {
    Side side;
    // All are equal, as in the window: of a picture that cannot be parted evenly the gap has the rest.
    const int left = static_cast<int>(number) % columns ? whole.width() - width : 0,
              top = static_cast<int>(number) / columns ? whole.height() - height : 0;
    side.place = layout.over ? whole : QRect(left, top, width, height);
    side.seen = !layout.over  ? side.place
                : number == 0 ? QRect(0, 0, divider, whole.height())
                              : QRect(divider, 0, whole.width() - divider, whole.height());
    shot = shotNow({side.place.width(), side.place.height()}, from, number);
    side.scene = shot.scene;
    side.scene.bounds = app::boundsIn(m_model.document(), m_model.stage(), layout, number);
    if (layout.views[number].camera)
      side.scene.camera =
          view::seeingAll(session::cameraOf(*layout.views[number].camera),
                          static_cast<double>(from.seen.width()) / std::max(1, from.seen.height()),
                          static_cast<double>(side.place.width()) / side.place.height());
    side.data = layout.views[number].data;
    for (const session::Object& object : session.objects)
      if (session::isShownIn(layout, number, object)) side.names.insert(object.name);
    sides.push_back(std::move(side));
  }
  const bool over = layout.over;
  drawFile(path, shot,
           [draw = m_model.parts().drawImage, sides, shot, over, divider, whole,
            file = path](const scene::Scene& all) {
             const QTemporaryDir folder;
             const QString part = folder.filePath("view.png");
             QImage picture(whole.size(), QImage::Format_ARGB32);
             picture.fill(QColor(kBetween));
             QPainter painter(&picture);
             painter.setCompositionMode(QPainter::CompositionMode_Source);
             for (const Side& side : sides) {
               const auto number = static_cast<double>(&side - sides.data()),
                          count = static_cast<double>(sides.size());
               const ToldProgress ofSide(number / count, (number + 1) / count);
               scene::Scene shown = side.scene;
               shown.items = all.items;
               shot.finish(shown);
               std::erase_if(shown.items,
                             [&](const scene::SceneItem& item) { return !side.names.contains(item.name); });
               // What is at the right of the view by itself would be hidden by the other one.
               if (over && side.seen.left() == 0) {
                 std::vector<scene::ColorScale*> scales;
                 for (scene::SceneItem& item : shown.items)
                   if (item.colored) scales.push_back(&item.scale);
                 color::placeAtLeft(scales);
               }
               if (over && side.seen.isEmpty()) continue;
               if (!over) draw(shown, {side.place.width(), side.place.height()}, part.toStdString());
               const QImage drawn = over ? drawnInPart(draw, shown, side, part.toStdString()) : QImage(part);
               painter.drawImage(side.seen.topLeft(), drawn, side.seen.translated(-side.place.topLeft()));
             }
             if (over)  // the line between them
               painter.fillRect(divider - kGapPixels / 2, 0, kGapPixels, whole.height(), QColor(kBetween));
             painter.end();
             StoppableWaits::throwIfStopped();
             picture.setText("Software", "Farfield");  // as all pictures have it
             QBuffer png;
             if (!picture.save(&png, "PNG")) throw Io("cannot be drawn", "choose a smaller size");
             if (const QString problem = app::saveFile(file, png.data()); !problem.isEmpty())
               throw Io("cannot be written: " + problem.toStdString(), "choose another folder");
           });
}

}  // namespace farfield::ui
