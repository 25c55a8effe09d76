#include "app/ui/window/unseen_notice.h"

#include <algorithm>
#include <utility>

#include "app/model/document/view_layout.h"
#include "app/ui/widgets/notice_bar.h"

namespace farfield::ui {
namespace {

/// What the bar knows it by.
QString topicOf(const std::string& data) {
  return QStringLiteral("unseen/") + QString::fromStdString(data);
}

}  // namespace

UnseenNotice::UnseenNotice(app::Document& document, NoticeBar& bar, QObject* parent)
    : QObject(parent), m_document(document), m_bar(bar) {
  connect(&document, &app::Document::objectAdded, this, [this](app::ObjectId id) { m_added.insert(id); });
  connect(&document, &app::Document::changed, this, &UnseenNotice::look);
  connect(&document, &app::Document::replaced, this, [this] {
    m_added.clear();
    for (const std::string& data : std::exchange(m_said, {})) m_bar.unsay(topicOf(data));
  });
}

/// Whether the data have objects that are to be seen, all of which every view leaves out because of their data.
bool UnseenNotice::isUnseen(const std::string& data) const {
  const session::Session& session = m_document.session();
  const session::ViewLayout& layout = session.layout;
  const bool isLeftOut =
      !layout.views.empty() &&
      std::all_of(layout.views.begin(), layout.views.end(),
                  [&](const session::SideView& side) { return !side.data.empty() && side.data != data; });
  return isLeftOut &&
         std::any_of(session.objects.begin(), session.objects.end(),
                     [&](const session::Object& object) { return object.data == data && object.visible; });
}

void UnseenNotice::look() {
  for (const app::ObjectId id : std::exchange(m_added, {})) {
    const session::Object* const object = m_document.object(id);
    if (object && isUnseen(object->data) && m_said.insert(object->data).second) say(object->data);
  }
  std::erase_if(m_said, [this](const std::string& data) {
    if (isUnseen(data)) return false;
    m_bar.unsay(topicOf(data));
    return true;
  });
}

void UnseenNotice::say(const std::string& data) {
  const session::ViewLayout& layout = m_document.session().layout;
  const QString name = QString::fromStdString(data);
  const auto see = [this, data] {
    if (isUnseen(data)) app::showNewDataIn(m_document, m_document.session().layout.views.size() - 1, data);
  };
  const NoticeBar::Choice alone{tr("One view"), [this] { app::arrange(m_document, app::Arrangement::One); }};
  if (layout.over)
    m_bar.say(tr("The data %1 are not seen: %2 and %3 are compared, and each side shows one of them.")
                  .arg(name, QString::fromStdString(layout.views[0].data),
                       QString::fromStdString(layout.views[1].data)),
              tr("Compare it with %1").arg(QString::fromStdString(layout.views[0].data)), see, alone,
              topicOf(data));
  else
    m_bar.say(tr("The data %1 are not seen: each view shows other data.").arg(name),
              tr("Show it in view %1").arg(layout.views.size()), see, alone, topicOf(data));
}

}  // namespace farfield::ui
