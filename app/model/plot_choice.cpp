#include "app/model/plot_choice.h"

#include <QCoreApplication>

#include "app/model/followed_names.h"

namespace farfield::app {

void keepPlot(Document& document, const session::PlotChoice& plot, const QString& key) {
  document.editFurther(
      QCoreApplication::translate("PlotChoice", "Choose what is plotted"),
      [&](Draft& draft) { draft.frame().plot = plot; }, key);
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
