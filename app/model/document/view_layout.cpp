#include "app/model/document/view_layout.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "app/model/document/followed_names.h"
#include "app/model/document/shared_colors.h"
#include "core/session/session_camera.h"
#include "render/view/camera_moves.h"

namespace farfield::app {
namespace {

/// Of a drag at the edge, something of both stays to be seen.
constexpr double kLeastPart = 0.02;

QString tr(const char* text) {
  return QCoreApplication::translate("ViewLayout", text);
}

void editSide(Document& document, const QString& text, std::size_t number,
              const std::function<void(session::SideView&)>& change, const QString& key = {}) {
  document.edit(
      text,
      [&](Draft& draft) {
        session::ViewLayout& layout = draft.frame().layout;
        if (number < layout.views.size()) change(layout.views[number]);
      },
      key);
}

CameraLens lensOf(const session::FixedCamera& camera) {
  return {camera.fieldOfViewDegrees, camera.orthographicHeight};
}

/// But for rounding.
bool sameLens(const CameraLens& a, const CameraLens& b) {
  const auto same = [](double x, double y) { return std::abs(x - y) <= 1e-6 * std::abs(y); };
  if (a.orthographicHeight && b.orthographicHeight) return same(*a.orthographicHeight, *b.orthographicHeight);
  return a.orthographicHeight == b.orthographicHeight && same(a.fieldOfViewDegrees, b.fieldOfViewDegrees);
}

void keepInSight(std::vector<DocumentState::WidenedLens>& widened, std::size_t view,
                 session::FixedCamera& camera, const ViewShapes& shapes) {
  session::FixedCamera wanted = camera;
  double aspect = shapes.now;
  const auto known =
      std::find_if(widened.begin(), widened.end(), [&](const auto& each) { return each.view == view; });
  if (known != widened.end()) {
    // Wherever it has been moved to. One that sees otherwise by now has been brought by somebody.
    if (sameLens(known->given, lensOf(camera))) {
      wanted.fieldOfViewDegrees = known->before.fieldOfViewDegrees;
      wanted.orthographicHeight = known->before.orthographicHeight;
      aspect = known->aspect;
    }
    widened.erase(known);
  }
  const scene::Camera wide = view::seeingAll(session::cameraOf(wanted), aspect, shapes.then);
  camera = wanted;
  camera.fieldOfViewDegrees = wide.fieldOfViewDegrees;
  if (wide.orthographic) camera.orthographicHeight = wide.orthographicHeight;
  widened.push_back({view, lensOf(wanted), lensOf(camera), aspect});
}

/// Automatic cameras are fitted to any shape by themselves.
void keepInSight(std::vector<DocumentState::WidenedLens>& widened, session::Session& frame,
                 const ViewShapes& shapes) {
  if (auto* const camera = std::get_if<session::FixedCamera>(&frame.camera))
    keepInSight(widened, 0, *camera, shapes);
  for (std::size_t view = 1; view < frame.layout.views.size(); ++view)
    if (std::optional<session::FixedCamera>& camera = frame.layout.views[view].camera)
      keepInSight(widened, view, *camera, shapes);
}

}  // namespace

Arrangement arrangementOf(const session::ViewLayout& layout) {
  return layout.views.empty()       ? Arrangement::One
         : layout.over              ? Arrangement::Compare
         : layout.views.size() == 2 ? Arrangement::Two
                                    : Arrangement::Four;
}

bool arrange(Document& document, Arrangement arrangement, const ViewShapes& shapes) {
  const session::Session& session = document.session();
  if (arrangement == Arrangement::Compare && session.data.size() < 2) return false;
  document.endMerge();
  const QString text = arrangement == Arrangement::One    ? tr("One view")
                       : arrangement == Arrangement::Two  ? tr("Two views")
                       : arrangement == Arrangement::Four ? tr("Four views")
                                                          : tr("Compare two data sets");
  document.edit(text, [&](Draft& draft) {
    session::Session& frame = draft.frame();
    session::ViewLayout& layout = frame.layout;
    layout.over = arrangement == Arrangement::Compare;
    keepInSight(draft.widened(), frame, shapes);
    if (arrangement == Arrangement::One) {
      draft.widened().clear();
      layout = {};
      return;
    }
    layout.views.resize(arrangement == Arrangement::Four ? 4 : 2);
    if (!layout.over) return;
    for (session::SideView& side : layout.views) side.camera.reset();  // the same is seen in both
    const auto differ = [&] {
      return !layout.views[0].data.empty() && !layout.views[1].data.empty() &&
             layout.views[0].data != layout.views[1].data;
    };
    if (!differ()) {
      layout.views[0] = {{}, frame.data[0].name, {}};
      layout.views[1] = {{}, frame.data[1].name, {}};
    }
    joinColors(document, draft, layout.views[0].data);
  });
  return true;
}

session::FixedCamera keptInSight(Draft& draft, std::size_t number, session::FixedCamera camera,
                                 const ViewShapes& shapes) {
  std::erase_if(draft.widened(), [&](const auto& each) { return each.view == number; });
  keepInSight(draft.widened(), number, camera, shapes);
  return camera;
}

void showIn(Document& document, std::size_t number, const std::string& object, bool shown) {
  const QString text = shown ? tr("Show %1 in view %2") : tr("Hide %1 in view %2");
  editSide(document, text.arg(QString::fromStdString(object)).arg(number + 1), number,
           [&](session::SideView& side) {
             std::erase(side.hidden, object);
             if (!shown) side.hidden.push_back(object);
           });
}

void showDataIn(Document& document, std::size_t number, const std::string& data) {
  const QString text = data.empty()
                           ? tr("Show all objects in view %1").arg(number + 1)
                           : tr("Show %1 in view %2").arg(QString::fromStdString(data)).arg(number + 1);
  editSide(document, text, number, [&](session::SideView& side) {
    side.data = data;
    side.hidden.clear();
  });
}

void showNewDataIn(Document& document, std::size_t number, const std::string& data) {
  if (!document.session().layout.over) return showDataIn(document, number, data);
  document.edit(tr("Compare other data"), [&](Draft& draft) {
    session::ViewLayout& layout = draft.frame().layout;
    if (number >= layout.views.size()) return;
    layout.views[number] = {{}, data, {}};
    joinColors(document, draft, layout.views[0].data);
  });
}

void setCameraIn(Document& document, std::size_t number, const std::optional<session::FixedCamera>& camera,
                 const QString& text) {
  if (number == 0) return;
  editSide(
      document, text, number, [&](session::SideView& side) { side.camera = camera; },
      "camera." + QString::number(number));
}

void setCamerasIn(Document& document,
                  const std::map<std::size_t, std::optional<session::FixedCamera>>& cameras,
                  const QString& text) {
  document.endMerge();
  document.edit(text, [&](Draft& draft) {
    std::vector<session::SideView>& views = draft.frame().layout.views;
    for (const auto& [number, camera] : cameras)
      if (number > 0 && number < views.size()) views[number].camera = camera;
  });
}

void setDivider(Document& document, double place) {
  document.edit(
      tr("Move the divider"),
      [&](Draft& draft) { draft.frame().layout.divider = std::clamp(place, kLeastPart, 1 - kLeastPart); },
      "divider");
}

void followNames(const DocumentState& before, Draft& draft) {
  const session::ViewLayout& now = draft.state().frame->layout;
  if (now.views.empty()) return;
  session::ViewLayout after = now;
  for (session::SideView& side : after.views) {
    std::vector<std::string> kept;
    for (const std::string& name : side.hidden)
      if (std::string its = objectAfter(before, draft, name); !its.empty()) kept.push_back(std::move(its));
    side.hidden = std::move(kept);
    if (!side.data.empty()) side.data = dataAfter(before, draft, side.data);
  }
  if (after.over && (after.views[0].data.empty() || after.views[1].data.empty()))
    after = {};  // nothing to compare with
  if (after != now) draft.frame().layout = std::move(after);
}

}  // namespace farfield::app
