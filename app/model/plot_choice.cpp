#include "app/model/plot_choice.h"

#include <QCoreApplication>
#include "app/model/probes.h"

#include "app/model/followed_names.h"

namespace farfield::app {

void keepPlot(Document& document, const session::PlotChoice& plot, const QString& key) {
  document.editFurther(
      QCoreApplication::translate("PlotChoice", "Choose what is plotted"),
      [&](Draft& draft) { draft.frame().plot = plot; }, key);
}

ObjectId lastProbesOf(const Document& document, const std::string& dataName) {
  ObjectId last = 0;
  for (const DocumentState::Entry& each : document.state().objects)
    if (std::holds_alternative<session::Probe>(each.object->shape) && !isPlotLine(*each.object) &&
        (dataName.empty() || each.object->data == dataName))
      last = each.id;
  return last;
}

void followPlotNames(const DocumentState& before, Draft& draft) {
  const std::optional<session::PlotChoice>& now = draft.state().frame->plot;
  if (!now) return;
  std::optional<session::PlotChoice> after = now;
  if (!after->on.empty()) {
    after->on = objectAfter(before, draft, after->on);
    if (after->on.empty()) after->place = 0;
  }
  if (!after->data.empty()) {
    after->data = dataAfter(before, draft, after->data);
    if (after->data.empty()) after.reset();
  }
  if (after != now) draft.frame().plot = std::move(after);
}

}  // namespace farfield::app
