#include "app/model/document/plot_names.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "app/model/document/followed_names.h"
#include "app/model/document/plot_line.h"
#include "core/session/json/look_names.h"

namespace farfield::app {
namespace {

/// The name of the line along which these data, or where `dataName` is empty any, were plotted last.
std::string plotLineIn(const Draft& draft, const std::string& dataName) {
  std::string last;
  for (const DocumentState::Entry& each : draft.objects())
    if (isPlotLine(*each.object) && (dataName.empty() || each.object->data == dataName))
      last = each.object->name;
  return last;
}

/// The name of any probes of these data, or where `dataName` is empty of any.
std::string probesIn(const Draft& draft, const std::string& dataName) {
  for (const DocumentState::Entry& each : draft.objects())
    if (std::holds_alternative<session::Probe>(each.object->shape) && !isPlotLine(*each.object) &&
        (dataName.empty() || each.object->data == dataName))
      return each.object->name;
  return {};
}

}  // namespace

void followPlotNames(const DocumentState& before, Draft& draft) {
  const std::optional<session::PlotChoice>& now = draft.state().frame->plot;
  if (!now) return;
  std::optional<session::PlotChoice> after = now;
  const bool ofAll = after->data == session::kAllData;
  if (ofAll && draft.state().frame->data.empty()) {
    draft.frame().plot.reset();
    return;
  }
  if (!after->data.empty() && !ofAll) {
    after->data = dataAfter(before, draft, after->data);
    if (after->data.empty()) {
      draft.frame().plot.reset();
      return;
    }
  }
  using Kind = session::PlotChoice::Kind;
  const bool atAll = after->kind == Kind::Time && after->place == session::kAllPlaces;
  if (!after->on.empty()) after->on = objectAfter(before, draft, after->on);
  if (after->on.empty() && !now->on.empty()) {
    // Values are of all of the data then, and a line may be that of the data. What has no place any more is not plotted.
    if (!atAll) after->place = 0;
    const std::string of = ofAll ? std::string() : after->data;
    if (after->kind == Kind::Line) after->on = plotLineIn(draft, of);
    if (atAll) after->on = probesIn(draft, of);
    if (after->on.empty() && after->kind != Kind::Values) after.reset();
  }
  if (after != now) draft.frame().plot = std::move(after);
}

}  // namespace farfield::app
