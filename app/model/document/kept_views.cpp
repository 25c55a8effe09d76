#include "app/model/document/kept_views.h"

#include <QCoreApplication>
#include <algorithm>

#include "app/model/document/fit_for_files.h"
#include "app/model/document/view_layout.h"
#include "core/session/session_camera.h"

namespace farfield::app {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("KeptViews", text);
}

/// Of a camera with a place of its own; one that is automatic is fitted to any shape.
std::optional<double> aspectFor(const AnyCamera& camera, double aspect) {
  constexpr double kLeast = 0.01, kMost = 100;  // that sessions may have
  if (!std::holds_alternative<session::FixedCamera>(camera)) return std::nullopt;
  return std::clamp(aspect, kLeast, kMost);
}

/// Null where it looks from where the session does.
std::optional<session::FixedCamera>* ownCamera(session::Session& frame, const SeenIn& seen) {
  if (seen.number == 0 || seen.number >= frame.layout.views.size()) return nullptr;
  std::optional<session::FixedCamera>& camera = frame.layout.views[seen.number].camera;
  return camera ? &camera : nullptr;
}

AnyCamera cameraIn(session::Session& frame, const SeenIn& seen) {
  if (const auto* const own = ownCamera(frame, seen)) return **own;
  return frame.camera;
}

template <class Views>
auto* viewNamed(Views& views, const std::string& name) {
  const auto found = std::find_if(views.begin(), views.end(),
                                  [&](const session::NamedView& view) { return view.name == name; });
  return found == views.end() ? nullptr : &*found;
}

void editView(Document& document, const QString& text, const std::string& name,
              const std::function<void(Draft&, session::Session&, session::NamedView&)>& change) {
  document.endMerge();
  document.edit(text.arg(QString::fromStdString(name)), [&](Draft& draft) {
    session::Session& frame = draft.frame();  // asked for once: it may be another one each time
    if (session::NamedView* const view = viewNamed(frame.views, name)) change(draft, frame, *view);
  });
}

}  // namespace

std::string keepView(Document& document, const SeenIn& seen) {
  std::string name;
  document.endMerge();
  document.edit(tr("Keep this view"), [&](Draft& draft) {
    session::Session& frame = draft.frame();
    name = uniqueName(tr("view").toStdString(),
                      [&](const std::string& wish) { return viewNamed(frame.views, wish) != nullptr; });
    const AnyCamera camera = cameraIn(frame, seen);
    frame.views.push_back({name, camera, aspectFor(camera, seen.aspect)});
  });
  return name;
}

void goToView(Document& document, const std::string& name, const SeenIn& seen,
              const std::function<scene::Camera(const session::AutoCamera&)>& automatic) {
  editView(document, tr("Go to %1"), name,
           [&](Draft& draft, session::Session& frame, const session::NamedView& view) {
             AnyCamera camera = view.camera;
             // Of what was kept without it nobody knows how wide it was.
             if (const auto* const fixed = std::get_if<session::FixedCamera>(&view.camera);
                 fixed && view.aspect)
               camera = keptInSight(draft, seen.number, *fixed, {*view.aspect, seen.aspect});
             std::optional<session::FixedCamera>* const own = ownCamera(frame, seen);
             if (!own)
               frame.camera = camera;
             else if (const auto* const fitted = std::get_if<session::AutoCamera>(&camera))
               *own = session::fixedCamera(automatic(*fitted));
             else
               *own = std::get<session::FixedCamera>(camera);
           });
}

QString renameView(Document& document, const std::string& name, const QString& to) {
  const QString plain = plainText(to).trimmed();
  const std::string wish = plain.toStdString();
  if (wish.empty()) return tr("A view needs a name.");
  if (wish == name) return {};
  if (viewNamed(document.session().views, wish)) return tr("Another view is called “%1”.").arg(plain);
  editView(document, tr("Rename %1"), name,
           [&](Draft&, session::Session&, session::NamedView& view) { view.name = wish; });
  return {};
}

void replaceView(Document& document, const std::string& name, const SeenIn& seen) {
  editView(document, tr("Replace %1"), name, [&](Draft&, session::Session& frame, session::NamedView& view) {
    view.camera = cameraIn(frame, seen);
    view.aspect = aspectFor(view.camera, seen.aspect);
  });
}

void forgetView(Document& document, const std::string& name) {
  editView(document, tr("Forget %1"), name, [](Draft&, session::Session& frame, session::NamedView& view) {
    std::erase_if(frame.views,
                  [wanted = view.name](const session::NamedView& each) { return each.name == wanted; });
  });
}

}  // namespace farfield::app
