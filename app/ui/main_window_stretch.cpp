// The window: axes that are stretched, and offering it where the data are long and flat.

#include <algorithm>
#include <cmath>

#include "app/ui/main_window.h"
#include "app/ui/notice_bar.h"
#include "app/ui/stretch_dialog.h"
#include "app/ui/view_group.h"
#include "core/session/session_camera.h"

namespace farfield::ui {
namespace {

/// What is longer beside its height is seen as a line.
constexpr double kLong = 50;

/// One layer of cells of something flat: there is nothing to see in its height.
bool isOneLayer(const app::DataSummary& data) {
  const auto& blocks = data.description.blocks;
  return std::all_of(blocks.begin(), blocks.end(), [](const paging::BlockDescription& block) {
    return !block.isUnstructured() && *std::min_element(block.dims.begin(), block.dims.end()) <= 2;
  });
}

}  // namespace

void MainWindow::stretchAxes() {
  auto* const dialog = new StretchDialog(
      m_group->active(), *m_controller, [this] { return m_model.stage().bounds(); }, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

/// Once for a document, and only where nobody has told from where to look.
void MainWindow::offerStretch() {
  const session::Session& session = m_model.document().session();
  const Bounds bounds = m_model.stage().bounds();
  if (m_stretchOffered || bounds.empty() || session.data.size() != 1 || !m_notice->isHidden()) return;
  const auto summary = m_model.stage().summary(session.data.front().name);
  if (!summary || isOneLayer(*summary)) return;
  const auto* const automatic = std::get_if<session::AutoCamera>(&session.camera);
  if (!automatic || automatic->stretch != scene::kUnstretched) return;
  const Vec3 size = bounds.max - bounds.min;
  int longest = 0, shortest = 0;
  for (int axis = 1; axis < 3; ++axis) {
    if (size[axis] > size[longest]) longest = axis;
    if (size[axis] < size[shortest]) shortest = axis;
  }
  // A sheet has no height to stretch.
  if (!(size[shortest] > 1e-6 * size[longest]) || size[longest] < kLong * size[shortest]) return;
  m_stretchOffered = true;
  m_notice->say(tr("The data are %1 times as long along %2 as along %3.")
                    .arg(std::lround(size[longest] / size[shortest]))
                    .arg(QChar("xyz"[longest]))
                    .arg(QChar("xyz"[shortest])),
                tr("Stretch the axes"),
                [this] { m_controller->setStretch(scene::fillingStretch(m_model.stage().bounds()), true); });
  // Of other data it would be wrong.
  const auto end = [notice = m_notice, text = m_notice->text()] {
    if (notice->text() == text) notice->hide();
  };
  connect(&m_model.document(), &app::Document::replaced, m_notice, end, Qt::SingleShotConnection);
}

}  // namespace farfield::ui
