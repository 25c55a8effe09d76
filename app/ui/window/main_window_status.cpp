// What the window says of what is being computed: the bar of progress, the state of objects and how far volumes are.

#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>
#include <algorithm>

#include "app/model/workshop/changed_files.h"
#include "app/ui/panels/volume_panel.h"
#include "app/ui/panels/volume_sight_text.h"
#include "app/ui/view/view_group.h"
#include "app/ui/widgets/elided_label.h"
#include "app/ui/widgets/status_line.h"
#include "app/ui/window/awaited_objects.h"
#include "app/ui/window/main_window.h"
#include "core/base/units.h"

namespace farfield::ui {
namespace {

constexpr int kProgressSteps = 1000;

}  // namespace

void MainWindow::showBusy() {
  const bool busy = m_model.stage().isBusy();
  if (!busy && std::exchange(m_drawsAgain, false)) m_group->castVolumesAgain();
  m_progress->setVisible(busy);
  const bool refining = std::any_of(m_sights.begin(), m_sights.end(), [](const auto& each) {
    return each.second.state == qt3d::VolumeSight::State::Refining;
  });
  m_cancel->setVisible(busy || refining);
  m_actions.at("cancel")->setEnabled(busy || refining);
  if (!busy) return;
  double sum = 0, left = 0;
  int count = 0, waiting = 0;
  for (const app::ObjectId id : m_model.document().objectIds()) {
    const app::ObjectStatus status = m_model.stage().status(id);
    if (status.state != app::ObjectState::Running && status.state != app::ObjectState::Waiting) continue;
    sum += status.fraction;
    left = std::max(left, status.secondsLeft);
    ++count;
    waiting += !status.waitsFor.empty();
  }
  // Data that cannot be opened again for now wait as objects do.
  for (const session::DataSource& source : m_model.document().session().data)
    if (const app::DataStatus status = m_model.stage().dataStatus(source.name);
        status.isReadAgain && !status.lostServer.empty()) {
      ++count;
      ++waiting;
    }
  // Opening says nothing of how far it is.
  m_progress->setRange(0, count > 0 ? kProgressSteps : 0);
  if (count > 0) m_progress->setValue(static_cast<int>(kProgressSteps * sum / count));
  // What nothing comes for is not going on.
  const bool lost = count > 0 && waiting == count;
  m_progress->setEnabled(!lost);
  m_progress->setFormat(lost        ? tr("waits for the link")
                        : left >= 1 ? tr("%1 left").arg(QString::fromStdString(formatSeconds(left)))
                        : count > 0 ? tr("computing")
                                    : tr("opening"));
}

void MainWindow::showStatus(app::ObjectId id) {
  showBusy();
  const app::ObjectStatus status = m_model.stage().status(id);
  const session::Object* const object = m_model.document().object(id);
  const bool isSettled = m_model.stage().isSettled(id);
  // What was said of it may be over, or be said in other words now.
  if (object && m_sights.contains(id) && (isSettled || status.hasPicture)) showSights();
  if (!object || !isSettled) return;
  const bool ended = status.state == app::ObjectState::Failed || status.state == app::ObjectState::Done;
  const QString problem = ended ? app::stateText(status) : QString();
  if (problem.isEmpty()) return takeBackProblem(id);
  if (status.state == app::ObjectState::Failed &&
      (app::asksToReadAgain(status.problem) || status.problem.asksForLogin))
    offerReading(object->data, app::windowMessage(status.problem.message) + '.');
  const QString text = tr("%1: %2").arg(QString::fromStdString(object->name), problem);
  QString& told = m_toldProblems[id];
  // Some seeds outside, or little time, are no problem of what is shown: its properties say how many.
  if (told != text && !app::isNote(status)) tell(text, true);
  told = text;
}

/// What is no more is not said any longer.
void MainWindow::takeBackProblem(app::ObjectId id) {
  const auto told = m_toldProblems.find(id);
  if (told == m_toldProblems.end()) return;
  QString now = statusBar()->currentMessage();
  if (now.endsWith(QChar(0x2026))) now.chop(1);
  if (!now.isEmpty() && told->second.startsWith(now)) statusBar()->clearMessage();
  m_toldProblems.erase(told);
}

void MainWindow::showSight(app::ObjectId id, const qt3d::VolumeSight& told) {
  qt3d::VolumeSight sight = told;
  sight.problem = app::windowText(sight.problem);
  // The renderer's word may come after the volume was hidden.
  if (m_model.document().object(id) && m_model.stage().status(id).hasPicture) {
    const bool failed = sight.state == qt3d::VolumeSight::State::Failed;
    if (failed && app::asksToReadAgain(told.problem))
      offerReading(m_model.document().object(id)->data, sight.problem + '.');
    // Others may have had the memory that it lacks.
    m_drawsAgain |= failed && m_model.stage().isBusy();
    const std::string gone = sight.slabs ? sight.slabs->gone : std::string();
    const auto before = m_sights.find(id);
    const bool wasGone =
        before != m_sights.end() && before->second.slabs && !before->second.slabs->gone.empty();
    if (!gone.empty() && !wasGone)
      tell(
          tr("%1: %2; until it is back, what has come before is shown")
              .arg(QString::fromStdString(m_model.document().object(id)->name), QString::fromStdString(gone)),
          true);
    m_sights[id] = sight;
    m_volume->showSight(id, sight);
    m_model.stage().noteDrawn(id, failed ? sight.problem : QString());
  }
  showSights();
  showBusy();
}

/// But for what the message says that stands there for a while. In a narrow window they would leave no room for what is being written.
void MainWindow::showSights() {
  const PendingFile* const written = pendingFile();
  // What a menu says of its commands took its place, or there is more to be said of it.
  if (const QString now = statusBar()->currentMessage();
      written && !written->canBeStopped && (now.isEmpty() || now == m_drawingSaid))
    return sayDrawing(written->path);
  if (written && !written->canBeStopped && !statusBar()->currentMessage().isEmpty())
    return m_sight->showText({});
  QStringList texts;
  for (const auto& [each, its] : m_sights) {
    const session::Object* const object = m_model.document().object(each);
    if (!object || !m_model.stage().status(each).hasPicture) continue;
    const QString text = tr("%1: %2").arg(QString::fromStdString(object->name),
                                          textOfSight(its, m_model.stage().status(each)));
    if (text != statusBar()->currentMessage()) texts.append(text);
  }
  m_sight->showText(texts.join(QStringLiteral("   ")));
}

/// Pictures of volumes for which the budget was too small.
void MainWindow::retrySights() {
  std::vector<app::ObjectId> failed;
  for (const auto& [id, sight] : m_sights)
    if (sight.state == qt3d::VolumeSight::State::Failed) failed.push_back(id);
  for (const app::ObjectId id : failed) m_model.stage().recompute(id);
}

}  // namespace farfield::ui
