#include "app/ui/window/cover_notice.h"

#include <utility>
#include <variant>

#include "app/model/document/volume_looks.h"
#include "app/model/stage/covering_surfaces.h"
#include "app/ui/widgets/notice_bar.h"

namespace farfield::ui {
namespace {

/// What the bar knows them by.
QString topicOf(app::ObjectId hidden) {
  return QStringLiteral("cover/%1").arg(hidden);
}
QString topicOfOffer(app::ObjectId cover) {
  return QStringLiteral("covers/%1").arg(cover);
}

}  // namespace

CoverNotice::CoverNotice(app::Document& document, app::Stage& stage, app::ObjectTree& tree, NoticeBar& bar,
                         QObject* parent)
    : QObject(parent), m_document(document), m_stage(stage), m_tree(tree), m_bar(bar) {
  connect(&document, &app::Document::objectAdded, this, [this](app::ObjectId id) { m_added = id; });
  connect(&document, &app::Document::objectChanged, this, &CoverNotice::noteHidden);
  connect(&document, &app::Document::changed, this, &CoverNotice::look);
  // Queued: it changes the document, of whose last change the stage may be in the middle.
  connect(&stage, &app::Stage::statusChanged, this, &CoverNotice::seeAdded, Qt::QueuedConnection);
  connect(&document, &app::Document::replaced, this, [this] {
    m_added = m_hidden = 0;
    m_awaited.clear();
    m_back.clear();
    m_hiddenFor.clear();
    for (const app::ObjectId id : std::exchange(m_said, {})) m_bar.unsay(topicOf(id));
    for (const app::ObjectId id : std::exchange(m_offered, {})) m_bar.unsay(topicOfOffer(id));
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
    m_awaited[added] = hidden;
    m_hiddenFor[added] = {hidden};
    m_bar.say(
        tr("“%1” lies around all of the data and was hidden, so that “%2” is seen.")
            .arg(QString::fromStdString(m_document.object(hidden)->name),
                 QString::fromStdString(m_document.object(added)->name)),
        tr("Show it"),
        [this, hidden] { m_tree.setData(m_tree.indexOf(hidden), Qt::Checked, Qt::CheckStateRole); }, {},
        topicOf(hidden));
  }
  const auto isShown = [this](app::ObjectId id) {
    const session::Object* const surface = m_document.object(id);
    return surface && surface->visible;
  };
  std::erase_if(m_hiddenFor, [&](const auto& each) {
    return m_document.object(each.first) && isShown(each.second.surface);
  });
  for (auto& [forWhat, its] : m_hiddenFor)
    its.isOver = !m_document.object(forWhat) && (its.isOver || isShown(its.surface));
  std::erase_if(m_offered, [&](app::ObjectId id) {
    if (isShown(id)) return false;
    m_bar.unsay(topicOfOffer(id));
    return true;
  });
  std::erase_if(m_said, [this](app::ObjectId id) {
    const session::Object* const surface = m_document.object(id);
    if (surface && !surface->visible) return false;
    m_bar.unsay(topicOf(id));
    return true;
  });
}

app::ObjectId CoverNotice::hiddenFor(app::ObjectId added) const {
  if (const auto found = m_hiddenFor.find(added); found != m_hiddenFor.end()) return found->second.surface;
  // Beside what it was hidden for other things were added, and that has gone before them.
  const session::Object* const its = m_document.object(added);
  for (const auto& [gone, hidden] : m_hiddenFor) {
    const session::Object* const surface = m_document.object(hidden.surface);
    if (!hidden.isOver && !m_document.object(gone) && surface && !surface->visible && its &&
        its->data == surface->data)
      return hidden.surface;
  }
  return 0;
}

void CoverNotice::seeAdded(app::ObjectId id) {
  const app::ObjectStatus status = m_stage.status(id);
  offerHiding(id, status);
  const auto found = m_awaited.find(id);
  if (found == m_awaited.end()) return;
  using State = app::ObjectState;
  if (status.state != State::Done && status.state != State::Failed && status.state != State::Cancelled)
    return;
  const session::Object* const added = m_document.object(id);
  const bool showsNothing = added && app::showsNothing(*added, status);
  const bool hasSight = added && app::volumeIn(*added) && status.state == State::Done && status.hasPicture;
  if (showsNothing || !hasSight) endWait(id, showsNothing);
}

void CoverNotice::showSight(app::ObjectId id, const qt3d::VolumeSight& sight) {
  if (sight.state == qt3d::VolumeSight::State::Complete && !sight.shown.overview) endWait(id, sight.isClear && !sight.isCovered);
}

void CoverNotice::endWait(app::ObjectId id, bool showsNothing) {
  const auto found = m_awaited.find(id);
  if (found == m_awaited.end()) return;
  const app::ObjectId hidden = found->second;
  m_awaited.erase(found);
  const session::Object *const added = m_document.object(id), *const cover = m_document.object(hidden);
  // Whoever has shown it meanwhile, or hidden what was added, has chosen.
  if (added && added->visible && cover && !cover->visible && showsNothing) {
    app::showAgain(m_document, hidden, *added);
    m_back[id] = hidden;
  }
}

void CoverNotice::offerHiding(app::ObjectId id, const app::ObjectStatus& status) {
  const auto found = m_back.find(id);
  if (found == m_back.end() || status.state != app::ObjectState::Done) return;
  const app::ObjectId cover = found->second;
  const session::Object *const added = m_document.object(id), *const its = m_document.object(cover);
  if (!added || !its) {
    m_back.erase(found);
    return;
  }
  // Of a volume it is known by its picture.
  if (!added->visible || app::volumeIn(*added) || app::showsNothing(*added, status)) return;
  m_back.erase(found);
  if (!its->visible || its->opacity < 1) return;
  m_offered.insert(cover);
  m_bar.say(
      tr("“%1” lies around all of the data: “%2”, of which something is there now, is not seen.")
          .arg(QString::fromStdString(its->name), QString::fromStdString(added->name)),
      tr("Hide it"),
      [this, cover] { m_tree.setData(m_tree.indexOf(cover), Qt::Unchecked, Qt::CheckStateRole); }, {},
      topicOfOffer(cover));
}

}  // namespace farfield::ui
