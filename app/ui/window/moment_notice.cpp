#include "app/ui/window/moment_notice.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/model/workshop/missing_steps.h"

namespace farfield::ui {
namespace {

bool leavesBadStepsOut(const session::DataSource& source) {
  const auto option = source.options.find("badSteps");
  return option != source.options.end() && session::textOf(option->second) == "skip";
}

}  // namespace

MomentNotice::MomentNotice(app::Document& document, app::Stage& stage,
                           std::function<void(const QString&)> tell, QObject* parent)
    : QObject(parent), m_document(document), m_stage(stage), m_tell(std::move(tell)) {
  connect(&document, &app::Document::replaced, this, [this] {
    m_counted.clear();
    for (const session::DataSource& source : m_document.session().data)
      if (!leavesBadStepsOut(source)) m_counted.insert(source.name);
    m_wantsTime = m_document.session().shownTime.has_value();
    lookAtTime();  // where all of it is open already, nothing is going to be
  });
  connect(&stage, &app::Stage::dataOpened, this, [this](const std::string& name) {
    look(name);
    lookAtTime();
  });
}

void MomentNotice::look(const std::string& name) {
  if (m_counted.erase(name) == 0) return;
  const session::DataSource* const source = m_document.session().find(name);
  const auto summary = m_stage.summary(name);
  if (!source || !summary || !leavesBadStepsOut(*source)) return;
  const std::vector<std::int64_t> leftOut = app::namedStepsLeftOut(*summary);
  const std::int64_t wanted = m_document.session().shownStep, steps = summary->description.steps();
  // Others may have the steps, or somebody has chosen one meanwhile.
  if (leftOut.empty() || m_stage.steps() != steps || m_stage.stepToKeep() != wanted) return;
  m_wantsTime = false;
  const auto before =
      std::count_if(leftOut.begin(), leftOut.end(), [wanted](std::int64_t step) { return step < wanted; });
  const std::int64_t next = wanted - before;
  m_stage.setStep(std::min(next, steps - 1));
  if (std::find(leftOut.begin(), leftOut.end(), wanted) == leftOut.end()) return;
  m_tell((next < steps ? tr("%1: step %2, which was to be shown, is left out: the one after it is shown.")
                       : tr("%1: step %2, which was to be shown, is left out: the one before it is shown."))
             .arg(QString::fromStdString(name))
             .arg(wanted));
}

void MomentNotice::lookAtTime() {
  if (!m_wantsTime) return;
  // Which of several data have the steps is known once all of them are there.
  const session::Session& session = m_document.session();
  if (session.data.empty()) return;
  for (const session::DataSource& source : session.data)
    if (m_stage.dataStatus(source.name).state != app::DataState::Open) return;
  m_wantsTime = false;
  const std::int64_t wanted = session.shownStep, steps = m_stage.steps();
  // Somebody may have chosen one meanwhile.
  if (!session.shownTime || m_stage.stepToKeep() != wanted) return;
  const double time = *session.shownTime;
  if (wanted < steps && m_stage.timeOf(wanted) == time) return;
  std::int64_t nearest = 0;
  double least = m_stage.timeOf(0), greatest = least;
  for (std::int64_t step = 1; step < steps; ++step) {
    const double its = m_stage.timeOf(step);
    least = std::min(least, its);
    greatest = std::max(greatest, its);
    if (std::abs(its - time) < std::abs(m_stage.timeOf(nearest) - time)) nearest = step;
  }
  const bool isInside = time >= least && time <= greatest;
  if (isInside) m_stage.setStep(nearest);
  if (isInside && m_stage.timeOf(nearest) == time) return;
  m_tell((isInside ? tr("No step is at the time %1, which was to be shown: the nearest one is shown.")
                   : tr("No step is at the time %1, which was to be shown."))
             .arg(time));
}

}  // namespace farfield::ui
