#include "app/ui/widgets/flow_layout.h"

#include <algorithm>
#include <utility>

namespace farfield::ui {

FlowLayout::FlowLayout(QWidget* parent, int spacing) : QLayout(parent) {
  setContentsMargins(0, 0, 0, 0);
  setSpacing(spacing);
}

FlowLayout::~FlowLayout() = default;

void FlowLayout::addItem(QLayoutItem* item) {
  m_items.emplace_back(item);
}

int FlowLayout::count() const {
  return static_cast<int>(m_items.size());
}

QLayoutItem* FlowLayout::itemAt(int index) const {
  return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
  if (index < 0 || index >= count()) return nullptr;
  QLayoutItem* const taken = m_items[static_cast<std::size_t>(index)].release();
  m_items.erase(m_items.begin() + index);
  return taken;
}

int FlowLayout::heightForWidth(int width) const {
  return arrange({0, 0, width, 0}, false);
}

void FlowLayout::setGeometry(const QRect& place) {
  QLayout::setGeometry(place);
  arrange(place, true);
}

QSize FlowLayout::sizeHint() const {
  QSize size(0, 0);  // without a size it would be -1
  for (const auto& item : m_items) {
    if (item->isEmpty()) continue;
    const QSize its = item->sizeHint();
    size = {size.width() + (size.isEmpty() ? 0 : spacing()) + its.width(),
            std::max(size.height(), its.height())};
  }
  return size.grownBy(contentsMargins());
}

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const auto& item : m_items)
    if (!item->isEmpty()) size = size.expandedTo(item->sizeHint());
  return size.grownBy(contentsMargins());
}

int FlowLayout::arrange(const QRect& place, bool moves) const {
  const QRect room = place.marginsRemoved(contentsMargins());
  int x = room.x(), y = room.y(), high = 0;
  for (const auto& item : m_items) {
    if (item->isEmpty()) continue;
    const QSize size = item->sizeHint();
    if (x > room.x() && x + size.width() > room.x() + room.width()) {
      x = room.x();
      y += std::exchange(high, 0) + spacing();
    }
    if (moves) item->setGeometry({QPoint(x, y), size});
    x += size.width() + spacing();
    high = std::max(high, size.height());
  }
  return y + high - place.y() + contentsMargins().bottom();
}

}  // namespace farfield::ui
