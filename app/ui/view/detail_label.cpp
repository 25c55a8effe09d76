#include "app/ui/view/detail_label.h"

#include <algorithm>
#include <utility>

#include "app/model/document/volume_looks.h"
#include "app/ui/view/view_group.h"
#include "core/base/units.h"

namespace farfield::ui {
namespace {
constexpr int kPatienceMs = 300, kViewRestsMs = 1500, kMovesMs = 1500;
}  // namespace

DetailLabel::DetailLabel(app::AppModel& model, ViewGroup& views, QWidget* parent)
    : ElidedLabel(parent), m_model(model), m_views(views) {
  qt3d::Viewport& viewport = views.view(0);
  setObjectName("detail");
  setAccessibleName(tr("What is shown in less detail"));
  app::Stage& stage = model.stage();
  connect(&stage, &app::Stage::statusChanged, this, &DetailLabel::refresh);
  connect(&stage, &app::Stage::itemReady, this, [this](app::ObjectId id, const scene::SceneItem& item) {
    m_held[id].lines = item.lines != nullptr;
  });
  connect(&stage, &app::Stage::itemGone, this, [this](app::ObjectId id) {
    m_held.erase(id);
    refresh();
  });
  connect(&viewport, &qt3d::Viewport::itemHeld, this, [this](const QString& id, double part) {
    const auto found = m_held.find(id.toULongLong());
    if (found == m_held.end()) return;
    if (found->second.drawing == Held::Drawing::Loading) found->second.drawing = Held::Drawing::Loaded;
    if (found->second.part == part) return;
    found->second.part = part;
    refresh();
  });
  using Drawing = Held::Drawing;
  m_patience.setSingleShot(true);
  m_patience.setInterval(kPatienceMs);
  connect(&m_patience, &QTimer::timeout, this, &DetailLabel::refresh);
  connect(&viewport, &qt3d::Viewport::itemLoading, this, [this](const QString& id) {
    bool isObject = false;  // and not edges, which belong to one
    const app::ObjectId object = id.toULongLong(&isObject);
    if (isObject && std::exchange(m_held[object].drawing, Drawing::Loading) == Drawing::Done)
      m_patience.start();
  });
  connect(&viewport, &qt3d::Viewport::itemShown, this, [this](const QString& id) {
    const auto found = m_held.find(id.toULongLong());
    if (found != m_held.end() && found->second.drawing == Drawing::Loaded)
      found->second.drawing = Drawing::Shown;
  });
  connect(&viewport, &qt3d::Viewport::itemFailed, this, [this](const QString& id) {
    const auto found = m_held.find(id.toULongLong());
    if (found != m_held.end()) found->second.drawing = Drawing::Done;
    refresh();
  });
  m_viewRests.setSingleShot(true);
  m_viewRests.setInterval(kViewRestsMs);
  connect(&m_viewRests, &QTimer::timeout, this, &DetailLabel::refresh);
  const auto settle = [this] {
    m_viewSettled = true;
    m_viewRests.stop();
    // A large picture comes and settles at once, long after that it is awaited has been said.
    bool any = m_viewSaid || textOfRest() != m_restSaid;
    for (auto& [id, held] : m_held)
      if (held.drawing == Drawing::Shown) held.drawing = Drawing::Done, any = true;
    if (any) refresh();
  };
  m_moves.setSingleShot(true);
  m_moves.setInterval(kMovesMs);
  connect(&m_moves, &QTimer::timeout, this, [this] {
    m_movesSaid = true;
    refresh();
  });
  connect(&viewport, &qt3d::Viewport::settled, this, settle);
  connect(&viewport, &qt3d::Viewport::frameDrawn, this, [this, &viewport, settle] {
    // Of particles on their way no picture is the last one.
    if (viewport.movesByItself()) return settle();
    m_viewSettled = false;
    m_viewRests.start();
    if (textOfRest() != m_restSaid) refresh();
  });
  connect(&views, &ViewGroup::othersDrawn, this, [this] {
    if (textOfRest() != m_restSaid) refresh();
  });
  connect(&views, &ViewGroup::changed, this, [this] {
    watchMotion();
    if (textOfRest() != m_restSaid) refresh();
  });
  watchMotion();
  connect(&model.document(), &app::Document::replaced, this, [this] {
    m_held.clear();
    refresh();
  });
}

/// A view tells of each picture, and of those that are as sharp as it becomes that they are.
void DetailLabel::watchMotion() {
  for (std::size_t number = 0; number < m_views.count(); ++number) {
    qt3d::Viewport* const view = &m_views.view(number);
    if (m_watched.contains(view)) continue;
    m_watched.insert(view);
    const auto note = [this, view](bool isCoarse) {
      if (isCoarse)
        m_movingCoarse.insert(view);
      else
        m_movingCoarse.remove(view);
      lookAtMotion();
    };
    connect(view, &qt3d::Viewport::frameDrawn, this, [note, view] { note(view->movesByItself()); });
    connect(view, &qt3d::Viewport::settled, this, [note] { note(false); });
    // Views go with the window: there is nothing to be said then, and nothing to be asked.
    connect(view, &QObject::destroyed, this, [this, view] {
      m_watched.remove(view);
      m_movingCoarse.remove(view);
    });
  }
}

/// Not of a moment, as while such a view is turned.
void DetailLabel::lookAtMotion() {
  if (!m_movingCoarse.isEmpty()) {
    if (!m_movesSaid && !m_moves.isActive()) m_moves.start();
    return;
  }
  m_moves.stop();
  if (std::exchange(m_movesSaid, false)) refresh();
}

/// Computed, or drawn longer than for a moment.
bool DetailLabel::isOnItsWay(app::ObjectId id) const {
  const app::ObjectState state = m_model.stage().status(id).state;
  if (state == app::ObjectState::Running || state == app::ObjectState::Waiting) return true;
  const auto held = m_held.find(id);
  return held != m_held.end() && held->second.drawing != Held::Drawing::Done && !m_patience.isActive();
}

QString DetailLabel::textOf(app::ObjectId id) const {
  using State = app::ObjectState;
  const app::ObjectStatus status = m_model.stage().status(id);
  if (status.state == State::Hidden || !status.hasPicture) return {};
  const bool computed = status.state == State::Running || status.state == State::Waiting;
  if (status.coarse && app::volumeIn(*m_model.document().object(id)))
    return computed ? tr("a first sight, its values are being read")
                    : tr("a first sight, reading its values was stopped");
  if (status.coarse && computed) return tr("coarse, being computed");
  if (status.coarse)
    return status.state == State::Cancelled ? tr("coarse, computing was stopped")
                                            : tr("coarse in part, its time was up");
  if (computed && !status.complete) return tr("not all of it yet, being computed");
  const auto held = m_held.find(id);
  if (held == m_held.end()) return {};
  if (!computed && isOnItsWay(id)) return tr("being drawn");
  if (held->second.part >= 1) return {};
  const int percent = std::max(1, static_cast<int>(100 * held->second.part));
  return held->second.lines ? tr("too many lines for the view: %1 % are shown").arg(percent)
                            : tr("too large for the view: simplified to %1 % of its triangles").arg(percent);
}

QString DetailLabel::textOfRest() const {
  double seconds = 0;
  for (std::size_t number = 0; number < m_views.count(); ++number)
    if (number > 0 || m_viewSettled) seconds = std::max(seconds, m_views.view(number).secondsToSharp());
  if (seconds <= 0) return {};
  return tr("the view: not as sharp as it can be, drawing that would take about %1")
      .arg(QString::fromStdString(formatSeconds(seconds)));
}

void DetailLabel::refresh() {
  QStringList texts;
  bool saysThatMoreComes = false;
  for (const app::ObjectId id : m_model.document().objectIds())
    if (const QString text = textOf(id); !text.isEmpty()) {
      texts.append(QString::fromStdString(m_model.document().object(id)->name) + ": " + text);
      saysThatMoreComes |= isOnItsWay(id);
    }
  // That one is too large for the view, as it will be when all is drawn, says nothing of how the others are seen until then.
  m_viewSaid = !m_viewSettled && !m_viewRests.isActive() && !saysThatMoreComes;
  if (m_viewSaid) texts.append(tr("the view: being drawn"));
  m_restSaid = textOfRest();
  if (!m_restSaid.isEmpty()) texts.append(m_restSaid);
  if (m_movesSaid) texts.append(tr("the view: not as sharp as it can be while dashes or particles move"));
  showText(texts.join(QStringLiteral("   ")));
}

}  // namespace farfield::ui
