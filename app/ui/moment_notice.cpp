#include "app/ui/moment_notice.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/model/missing_steps.h"

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
  });
  connect(&stage, &app::Stage::dataOpened, this, &MomentNotice::look);
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

}  // namespace farfield::ui
