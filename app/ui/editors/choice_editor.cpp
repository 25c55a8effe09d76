#include "app/ui/editors/choice_editor.h"

#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QListView>
#include <QPixmapCache>
#include <QSignalBlocker>
#include <utility>

#include "app/model/document/session_maps.h"
#include "app/ui/widgets/choice_run.h"
#include "app/ui/widgets/map_swatch.h"

namespace farfield::ui {

/// Typing "pressure" finds just that, where the usual list goes on to "pressure-gradient" after what is
/// chosen.
class ChoiceList final : public QListView {
 public:
  using QListView::QListView;
  void keyboardSearch(const QString& typed) override {
    if (!m_sinceKey.isValid() || m_sinceKey.elapsed() > QApplication::keyboardInputInterval())
      m_typed.clear();
    m_sinceKey.start();
    m_typed += typed;
    for (const auto how : {Qt::MatchFixedString, Qt::MatchStartsWith}) {
      const QModelIndexList found = model()->match(model()->index(0, 0), Qt::DisplayRole, m_typed, 1, how);
      // One letter again and again goes through all that begin with it, as everywhere.
      if (!found.isEmpty() && (how == Qt::MatchFixedString || m_typed.size() > 1))
        return setCurrentIndex(found.front());
    }
    QListView::keyboardSearch(typed);
  }
  bool isTyping() const {
    return m_sinceKey.isValid() && m_sinceKey.elapsed() <= QApplication::keyboardInputInterval();
  }
  /// What was typed into another list is the beginning of what is typed here.
  void goOnFrom(const ChoiceList& other) {
    m_typed = other.m_typed;
    m_sinceKey = other.m_sinceKey;
  }

 private:
  QString m_typed;
  QElapsedTimer m_sinceKey;
};

ChoiceEditor::ChoiceEditor(const app::Field& field, QWidget* parent)
    : FieldEditor(parent),
      m_list(new QComboBox(this)),
      m_choices(new ChoiceList(m_list)),
      m_run(new ChoiceRun(m_list)) {
  auto* const row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(m_list);
  m_list->setView(m_choices);
  setFocusProxy(m_list);
  m_list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_list->setMinimumContentsLength(8);
  m_list->setMaxVisibleItems(24);
  for (const auto& [value, label] : field.choices) m_list->addItem(label, value);
  connect(m_run, &ChoiceRun::ended, this, [this] { emit edited(m_list->currentData(), true); });
  connect(m_list, &QComboBox::activated, this,
          [this] { emit edited(m_list->currentData(), !m_run->goesOn()); });
}

void ChoiceEditor::setValue(const QVariant& value) {
  m_list->setCurrentIndex(m_list->findData(value));
}

void ChoiceEditor::handTypingTo(FieldEditor& next) {
  auto* const other = dynamic_cast<ChoiceEditor*>(&next);
  if (!other || other == this) return;
  if (m_choices->isTyping()) other->m_choices->goOnFrom(*m_choices);
  m_run->handTo(*other->m_run);
}

namespace {

constexpr QSize kMapSize{64, 12};

/// A map as it looks, for the list of maps.
QIcon mapIcon(const scene::MapChoice& map) {
  const bool isKnown = map == scene::MapChoice(map.name);  // to all, by its name
  const QString key = QStringLiteral("map/%1").arg(QString::fromStdString(map.name));
  QPixmap pixmap;
  if (isKnown && QPixmapCache::find(key, &pixmap)) return pixmap;
  pixmap = swatchOf(map, kMapSize, color::Vision::Usual, 1);
  if (isKnown) QPixmapCache::insert(key, pixmap);
  return pixmap;
}

}  // namespace

MapChoiceEditor::MapChoiceEditor(const app::Field& field, QWidget* parent) : ChoiceEditor(field, parent) {
  m_list->setIconSize(kMapSize);
  MapChoiceEditor::setField(field);
}

void MapChoiceEditor::setField(const app::Field& field) {
  if (field.maps == m_maps) return;
  const QSignalBlocker quiet(m_list);
  const int count = static_cast<int>(field.maps.size());
  while (m_list->count() > count) m_list->removeItem(m_list->count() - 1);
  for (int row = 0; row < count; ++row) {
    const auto n = static_cast<std::size_t>(row);
    const scene::MapChoice& map = field.maps[n];
    if (row < m_list->count() && n < m_maps.size() && m_maps[n] == map) continue;
    if (row >= m_list->count()) m_list->addItem(QString());
    m_list->setItemText(row, QString::fromStdString(map.name));
    m_list->setItemData(row, QVariant::fromValue(map));
    m_list->setItemIcon(row, mapIcon(map));
  }
  m_maps = field.maps;
  const scene::MapChoice shown = std::exchange(m_shown, {});
  showMap(shown);
}

/// One may be turned over, or banded.
void MapChoiceEditor::showMap(const scene::MapChoice& map) {
  if (map == m_shown) return;
  putIcon(app::plainMap(m_shown), app::plainMap(m_shown));
  m_shown = map;
  putIcon(app::plainMap(m_shown), m_shown);
}

void MapChoiceEditor::putIcon(const scene::MapChoice& at, const scene::MapChoice& seen) {
  m_list->setItemIcon(m_list->findData(QVariant::fromValue(at)), mapIcon(seen));
}

}  // namespace farfield::ui
