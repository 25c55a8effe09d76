#include "app/ui/detail_label.h"

#include <algorithm>

#include "render/qt3d/viewport.h"

namespace farfield::ui {

DetailLabel::DetailLabel(app::AppModel& model, qt3d::Viewport& viewport, QWidget* parent)
    : QLabel(parent), m_model(model) {
  setObjectName("detail");
  setAccessibleName(tr("What is shown in less detail"));
  app::Stage& stage = model.stage();
  connect(&stage, &app::Stage::statusChanged, this, &DetailLabel::showText);
  connect(&stage, &app::Stage::itemReady, this, [this](app::ObjectId id, const scene::SceneItem& item) {
    m_held[id].lines = item.lines != nullptr;
  });
  connect(&stage, &app::Stage::itemGone, this, [this](app::ObjectId id) {
    m_held.erase(id);
    showText();
  });
  connect(&viewport, &qt3d::Viewport::itemHeld, this, [this](const QString& id, double part) {
    const auto found = m_held.find(id.toULongLong());
    if (found == m_held.end() || found->second.part == part) return;
    found->second.part = part;
    showText();
  });
  connect(&model.document(), &app::Document::replaced, this, [this] {
    m_held.clear();
    showText();
  });
}

QString DetailLabel::textOf(app::ObjectId id) const {
  if (m_model.stage().status(id).coarse) return tr("coarse, being computed");
  const auto held = m_held.find(id);
  if (held == m_held.end() || held->second.part >= 1) return {};
  const int percent = std::max(1, static_cast<int>(100 * held->second.part));
  return held->second.lines ? tr("too many lines for the view: %1 % are shown").arg(percent)
                            : tr("too large for the view: simplified to %1 % of its triangles").arg(percent);
}

void DetailLabel::showText() {
  QStringList texts;
  for (const app::ObjectId id : m_model.document().objectIds())
    if (const QString text = textOf(id); !text.isEmpty())
      texts.append(QString::fromStdString(m_model.document().object(id)->name) + ": " + text);
  const QString all = texts.join(QStringLiteral("   "));
  if (all != text()) setText(all);
}

}  // namespace farfield::ui
