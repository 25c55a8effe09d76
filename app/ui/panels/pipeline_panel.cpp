#include "app/ui/panels/pipeline_panel.h"

#include <QItemSelectionModel>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/ui/widgets/flow_layout.h"
#include "app/ui/widgets/look.h"

namespace farfield::ui {
namespace {

constexpr int kGlyph = 16;

/// A glyph for the kind, the name, and at the right how far it is.
class PipelineDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    size.setHeight(std::max(size.height(), kGlyph + 10));
    return size;
  }

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (const QString type = index.data(app::ObjectTree::TypeRole).toString(); !type.isEmpty()) {
      option->features |= QStyleOptionViewItem::HasDecoration;
      option->icon = icon(type);
    }
    option->decorationSize = {kGlyph, kGlyph};
    option->textElideMode = Qt::ElideRight;
    // What waits for a server is still there, and is not gone on with now.
    if (index.data(app::ObjectTree::WaitsRole).toBool()) option->state &= ~QStyle::State_Enabled;
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const override {
    QStyleOptionViewItem option = given;
    const QString state = stateOf(index);
    const bool failed = !index.data(app::ObjectTree::ProblemRole).toString().isEmpty();
    const int width = failed            ? kGlyph + 8
                      : state.isEmpty() ? 0
                                        : option.fontMetrics.horizontalAdvance(state) + 12;
    // The background goes all the way, the name only as far as there is room for it.
    const QStyle* const style = option.widget->style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, option.widget);
    option.rect.adjust(0, 0, -width, 0);
    option.state &= ~QStyle::State_HasFocus;
    QStyledItemDelegate::paint(painter, option, index);
    const QRect place(option.rect.right() + 1, option.rect.top(), width - 4, option.rect.height());
    if (failed) {
      icon("warning").paint(painter,
                            QRect(place.right() - kGlyph, place.center().y() - kGlyph / 2, kGlyph, kGlyph));
    } else if (!state.isEmpty()) {
      painter->save();
      painter->setPen(option.state & QStyle::State_Selected ? option.palette.color(QPalette::HighlightedText)
                                                            : mutedColor());
      painter->drawText(place, Qt::AlignRight | Qt::AlignVCenter, state);
      painter->restore();
    }
    if (given.state & QStyle::State_HasFocus) markKeyboard(painter, given);
  }

 private:
  /// The style's own mark is hardly seen on a row that is selected.
  static void markKeyboard(QPainter* painter, const QStyleOptionViewItem& option) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool selected = option.state & QStyle::State_Selected;
    painter->setPen(QPen(option.palette.color(selected ? QPalette::HighlightedText : QPalette::Link), 1.5));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(option.rect).adjusted(2, 2, -2, -2), 2, 2);
    painter->restore();
  }
  static QString stateOf(const QModelIndex& index) {
    const int state = index.data(app::ObjectTree::StateRole).toInt();
    if (index.data(app::ObjectTree::WaitsRole).toBool()) return PipelinePanel::tr("waits for the link");
    if (index.data(app::ObjectTree::TypeRole).toString() == "data")
      return state == static_cast<int>(app::DataState::Opening) ? PipelinePanel::tr("opening …") : QString();
    switch (static_cast<app::ObjectState>(state)) {
      case app::ObjectState::Waiting:
        return PipelinePanel::tr("waiting");
      case app::ObjectState::Running:
        return PipelinePanel::tr("%1 %").arg(
            static_cast<int>(100 * index.data(app::ObjectTree::FractionRole).toDouble()));
      case app::ObjectState::Cancelled:
        return PipelinePanel::tr("cancelled");
      default:
        return {};
    }
  }
};

}  // namespace

PipelinePanel::PipelinePanel(app::AppModel& model, QWidget* parent)
    : QWidget(parent), m_model(model), m_view(new QTreeView(this)), m_bar(new QWidget(this)) {
  auto* const column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_bar);
  column->addWidget(m_view);
  (new FlowLayout(m_bar, 0))->setContentsMargins(2, 2, 2, 2);
  setMinimumWidth(fontMetrics().averageCharWidth() * 26);  // names are read here, whatever else wants room
  m_view->setModel(&model.tree());
  m_view->setItemDelegate(new PipelineDelegate(m_view));
  m_view->setHeaderHidden(true);
  m_view->setFrameShape(QFrame::NoFrame);
  m_view->setRootIsDecorated(false);
  m_view->setItemsExpandable(false);
  m_view->setUniformRowHeights(true);
  m_view->setDragDropMode(QAbstractItemView::InternalMove);
  m_view->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
  m_view->setContextMenuPolicy(Qt::CustomContextMenu);
  m_view->setAccessibleName(tr("Pipeline"));
  m_view->setObjectName("pipeline");
  m_view->expandAll();
  connect(m_view, &QWidget::customContextMenuRequested, this,
          [this](const QPoint& at) { emit menuWanted(m_view->viewport()->mapToGlobal(at)); });
  connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &PipelinePanel::keepSelection);
  connect(&model.tree(), &QAbstractItemModel::rowsInserted, m_view, &QTreeView::expandAll);
  // Before the tree takes it out, which selects its neighbour.
  connect(&model.document(), &app::Document::objectRemoved, this, [this](app::ObjectId id) {
    if (id == m_object) m_gone = {id};
  });
  connect(&model.document(), &app::Document::replaced, this, [this] { m_gone = {}; });
  connect(&model.tree(), &QAbstractItemModel::rowsInserted, this, [this] {
    if (const QModelIndex back = takeBack(); back.isValid()) m_view->setCurrentIndex(back);
  });
  connect(&model.tree(), &QAbstractItemModel::modelReset, this, [this] {
    m_view->expandAll();
    m_restoring = true;
    if (const QModelIndex index = indexToSelect(); index.isValid()) m_view->setCurrentIndex(index);
    m_restoring = false;
    keepSelection();
  });
  connect(&model.tree(), &app::ObjectTree::nameRefused, this, &PipelinePanel::message);
}

void PipelinePanel::addButton(QAction* action) {
  auto* const button = new QToolButton(m_bar);
  button->setDefaultAction(action);
  button->setAutoRaise(true);
  button->setIconSize({kGlyph, kGlyph});
  button->setFocusPolicy(Qt::NoFocus);  // the menu has the same
  m_bar->layout()->addWidget(button);
}

QSize PipelinePanel::sizeHint() const {
  // All buttons in one row; where less room is given they take more rows.
  return {std::max(fontMetrics().averageCharWidth() * 34, m_bar->sizeHint().width()), 400};
}

QModelIndex PipelinePanel::indexOf(const Selection& what) const {
  return what.object ? m_model.tree().indexOf(what.object) : m_model.tree().indexOfData(what.data);
}

/// What was selected when it was removed is selected again once that is undone.
QModelIndex PipelinePanel::takeBack() {
  if (m_gone.isNothing()) return {};
  const QModelIndex back = indexOf(m_gone);
  if (back.isValid()) m_gone = {};
  return back;
}

QModelIndex PipelinePanel::indexToSelect() {
  if (const QModelIndex back = takeBack(); back.isValid()) return back;
  const Selection now{m_object, m_data};
  const QModelIndex index = indexOf(now);
  if (!index.isValid() && !now.isNothing()) m_gone = now;
  return index;
}

void PipelinePanel::keepSelection() {
  if (m_restoring) return;
  const QModelIndexList selected = m_view->selectionModel()->selectedIndexes();
  const QModelIndex index = selected.isEmpty() ? QModelIndex() : selected.front();
  m_object = m_model.tree().idAt(index);
  m_data = m_model.tree().dataAt(index);
  emit selectionChanged();
}

app::ObjectId PipelinePanel::selectedObject() const {
  return m_object;
}

std::string PipelinePanel::selectedData() const {
  return m_data;
}

bool PipelinePanel::isDataSelected() const {
  return m_object == 0 && !m_data.empty();
}

void PipelinePanel::select(app::ObjectId id) {
  if (const QModelIndex index = m_model.tree().indexOf(id); index.isValid())
    m_view->setCurrentIndex(index);
  else
    m_view->clearSelection();
}

void PipelinePanel::selectData(const std::string& name) {
  if (const QModelIndex index = m_model.tree().indexOfData(name); index.isValid())
    m_view->setCurrentIndex(index);
}

void PipelinePanel::renameSelected() {
  if (const QModelIndex index = m_view->currentIndex(); index.isValid()) m_view->edit(index);
}

}  // namespace farfield::ui
