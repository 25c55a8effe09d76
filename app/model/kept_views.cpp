#include "app/model/kept_views.h"

#include <QCoreApplication>
#include <algorithm>

#include "app/model/fit_for_files.h"
#include "app/model/view_layout.h"

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

std::string keepView(Document& document, double aspect) {
  std::string name;
  document.endMerge();
  document.edit(tr("Keep this view"), [&](Draft& draft) {
    session::Session& frame = draft.frame();
    name = uniqueName(tr("view").toStdString(),
                      [&](const std::string& wish) { return viewNamed(frame.views, wish) != nullptr; });
    frame.views.push_back({name, frame.camera, aspectFor(frame.camera, aspect)});
  });
  return name;
}

void goToView(Document& document, const std::string& name, double aspect) {
  editView(document, tr("Go to %1"), name,
           [&](Draft& draft, session::Session& frame, const session::NamedView& view) {
             const auto* const fixed = std::get_if<session::FixedCamera>(&view.camera);
             frame.camera = view.camera;
             // Of what was kept without it nobody knows how wide it was.
             if (fixed && view.aspect) frame.camera = keptInSight(draft, *fixed, {*view.aspect, aspect});
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

void replaceView(Document& document, const std::string& name, double aspect) {
  editView(document, tr("Replace %1"), name, [&](Draft&, session::Session& frame, session::NamedView& view) {
    view.camera = frame.camera;
    view.aspect = aspectFor(view.camera, aspect);
  });
}

void forgetView(Document& document, const std::string& name) {
  editView(document, tr("Forget %1"), name, [](Draft&, session::Session& frame, session::NamedView& view) {
    std::erase_if(frame.views,
                  [wanted = view.name](const session::NamedView& each) { return each.name == wanted; });
  });
}

}  // namespace farfield::app
