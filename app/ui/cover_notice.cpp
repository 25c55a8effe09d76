#include "app/ui/cover_notice.h"

#include <utility>
#include <variant>

#include "app/ui/notice_bar.h"

namespace farfield::ui {
namespace {

/// What the bar knows them by.
QString topicOf(app::ObjectId hidden) {
  return QStringLiteral("cover/%1").arg(hidden);
}

}  // namespace

CoverNotice::CoverNotice(app::Document& document, NoticeBar& bar, QObject* parent)
    : QObject(parent), m_document(document), m_bar(bar) {
  connect(&document, &app::Document::objectAdded, this, [this](app::ObjectId id) { m_added = id; });
  connect(&document, &app::Document::objectChanged, this, &CoverNotice::noteHidden);
  connect(&document, &app::Document::changed, this, &CoverNotice::look);
  connect(&document, &app::Document::replaced, this, [this] {
    m_added = m_hidden = 0;
    for (const app::ObjectId id : std::exchange(m_said, {})) m_bar.unsay(topicOf(id));
  });
}

void CoverNotice::noteHidden(app::ObjectId id, const session::Object& before) {
  const session::Object* const now = m_document.object(id);
  if (now && std::holds_alternative<session::GridSurface>(now->shape) && before.visible && !now->visible)
    m_hidden = id;
}

void CoverNotice::look() {
  const app::ObjectId added = std::exchange(m_added, 0), hidden = std::exchange(m_hidden, 0);
  if (added && hidden) {
    m_said.insert(hidden);
    m_bar.say(
        tr("The surface %1 lies around all of the data: it is hidden, so that the object %2 is seen.")
            .arg(QString::fromStdString(m_document.object(hidden)->name),
                 QString::fromStdString(m_document.object(added)->name)),
        tr("Show it"),
        [this, hidden] {
          const session::Object* const surface = m_document.object(hidden);
          if (!surface) return;
          session::Object shown = *surface;
          shown.visible = true;
          m_document.setObject(hidden, std::move(shown), tr("Show"));
        },
        {}, topicOf(hidden));
  }
  std::erase_if(m_said, [this](app::ObjectId id) {
    const session::Object* const surface = m_document.object(id);
    if (surface && !surface->visible) return false;
    m_bar.unsay(topicOf(id));
    return true;
  });
}

}  // namespace farfield::ui
