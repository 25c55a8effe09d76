#include "app/ui/property_editor.h"

#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

#include "app/model/first_objects.h"
#include "app/model/picture_fields.h"
#include "app/ui/field_editor.h"
#include "app/ui/look.h"
#include "app/ui/number_edit.h"
#include "core/base/units.h"

namespace farfield::ui {
PropertyEditor::PropertyEditor(app::AppModel& model, QWidget* parent) : QScrollArea(parent), m_model(model) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(&model.document(), &app::Document::changed, this, &PropertyEditor::refresh);
  connect(&model.document(), &app::Document::replaced, this, &PropertyEditor::showPicture);
  connect(&model.stage(), &app::Stage::statusChanged, this, [this](app::ObjectId id) {
    if (m_subject == Subject::Object && id == m_object) showState();
  });
  connect(&model, &app::AppModel::readingsFound, this, [this](const std::string& name) {
    if (m_subject == Subject::Data && name == m_data) rebuild();
  });
  connect(&model.stage(), &app::Stage::dataStatusChanged, this, [this](const std::string& name) {
    const session::Object* const object = m_model.document().object(m_object);
    if (m_subject == Subject::Data && name == m_data) rebuild();
    if (m_subject == Subject::Object && object && object->data == name) rebuild();
  });
  showPicture();
}

PropertyEditor::~PropertyEditor() = default;

QSize PropertyEditor::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 56, 500};
}

void PropertyEditor::showObject(app::ObjectId id) {
  if (m_subject == Subject::Object && id == m_object) return;
  m_subject = Subject::Object;
  m_object = id;
  m_model.document().endMerge();
  rebuild();
}

void PropertyEditor::showData(const std::string& name) {
  m_subject = Subject::Data;
  m_object = 0;
  m_data = name;
  rebuild();
}

void PropertyEditor::showPicture() {
  if (m_subject == Subject::Picture) return showValues();
  m_subject = Subject::Picture;
  m_object = 0;
  rebuild();
}

std::vector<app::Field> PropertyEditor::fieldsNow() const {
  if (m_subject == Subject::Object)
    if (const session::Object* const object = m_model.document().object(m_object))
      return app::fieldsOf(*object, m_model.surroundingsOf(*object));
  return {};
}

bool PropertyEditor::sameFields(const std::vector<app::Field>& fields) const {
  if (fields.size() != m_rows.size()) return false;
  for (std::size_t n = 0; n < fields.size(); ++n)
    if (fields[n].key != m_rows[n].field.key || fields[n].choices != m_rows[n].field.choices) return false;
  return true;
}

void PropertyEditor::refresh() {
  switch (m_subject) {
    case Subject::Object:
      if (!m_model.document().object(m_object)) return showPicture();
      if (!sameFields(fieldsNow())) return rebuild();
      return showValues();
    case Subject::Data:
      if (!m_model.document().session().find(m_data)) showPicture();
      return;
    case Subject::Picture:
      return showValues();
    case Subject::Nothing:
      return;
  }
}

void PropertyEditor::rebuild() {
  // The widget that is being edited may be the one that asked for this.
  if (QWidget* const before = takeWidget()) before->deleteLater();
  m_rows.clear();
  m_state = nullptr;
  auto* const page = new QWidget(this);
  auto* const grid = new QGridLayout(page);
  grid->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
  grid->setHorizontalSpacing(6);
  grid->setVerticalSpacing(5);
  grid->setColumnStretch(1, 1);
  m_stateBox = new QFrame(page);
  m_state = new QLabel(m_stateBox);
  m_state->setWordWrap(true);
  m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* const box = new QGridLayout(m_stateBox);
  box->setContentsMargins(0, 0, 0, 4);
  box->addWidget(m_state, 0, 0);
  grid->addWidget(m_stateBox, 0, 0, 1, kColumns);
  switch (m_subject) {
    case Subject::Object:
      buildObject(grid);
      break;
    case Subject::Data:
      buildData(page, grid);
      break;
    default:
      buildPicture(grid);
      break;
  }
  grid->setRowStretch(grid->rowCount(), 1);
  setWidget(page);
  // There is no scrolling sideways: what stands at the right, units and Reset, must be seen.
  setMinimumWidth(page->minimumSizeHint().width() + style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 2);
  showValues();
}

void PropertyEditor::addRow(QGridLayout* grid, int row, const app::Field& field) {
  const std::size_t number = m_rows.size();
  Row its{field, FieldEditor::make(field, grid->parentWidget()), nullptr};
  auto* const label = new QLabel(field.label, grid->parentWidget());
  label->setToolTip(field.tip);
  label->setBuddy(its.editor->focusProxy() ? its.editor->focusProxy() : its.editor);
  grid->addWidget(label, row, 0, Qt::AlignLeft | Qt::AlignVCenter);
  grid->addWidget(its.editor, row, 1);
  if (!field.unit.isEmpty()) {
    auto* const unit = new QLabel(field.unit, grid->parentWidget());
    unit->setToolTip(field.tip);
    unit->setForegroundRole(QPalette::PlaceholderText);
    grid->addWidget(unit, row, 2);
  }
  if (field.byDefault.isValid() || !field.automatic.isEmpty()) {
    its.reset = new QToolButton(grid->parentWidget());
    its.reset->setAutoRaise(true);
    its.reset->setIcon(icon("reset"));
    its.reset->setIconSize({14, 14});
    its.reset->setToolTip(tr("Back to the default"));
    its.reset->setAccessibleName(tr("Reset %1").arg(field.label));
    QSizePolicy policy = its.reset->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    its.reset->setSizePolicy(policy);
    grid->addWidget(its.reset, row, 3);
    connect(its.reset, &QToolButton::clicked, this,
            [this, number] { setField(number, m_rows[number].field.byDefault, true); });
  }
  connect(its.editor, &FieldEditor::edited, this,
          [this, number](const QVariant& value, bool final) { setField(number, value, final); });
  m_rows.push_back(std::move(its));
}

void PropertyEditor::buildObject(QGridLayout* grid) {
  QString group;
  for (const app::Field& field : fieldsNow()) {
    if (field.group != group) {
      group = field.group;
      QLabel* const heading = makeHeading(group, grid->parentWidget());
      heading->setContentsMargins(0, m_rows.empty() ? 0 : 8, 0, 0);
      grid->addWidget(heading, grid->rowCount(), 0, 1, kColumns);
    }
    addRow(grid, grid->rowCount(), field);
  }
}

void PropertyEditor::buildPicture(QGridLayout* grid) {
  QString group;
  for (const app::PictureField& its : app::pictureFields()) {
    if (its.field.group != group) {
      group = its.field.group;
      QLabel* const heading = makeHeading(group, grid->parentWidget());
      heading->setContentsMargins(0, m_rows.empty() ? 0 : 8, 0, 0);
      grid->addWidget(heading, grid->rowCount(), 0, 1, kColumns);
    }
    addRow(grid, grid->rowCount(), its.field);
  }
}

void PropertyEditor::setField(std::size_t row, const QVariant& value, bool final) {
  if (row >= m_rows.size()) return;
  const app::Field field = m_rows[row].field;  // the row may be gone after the edit
  app::Document& document = m_model.document();
  if (m_subject == Subject::Object) {
    const session::Object* const object = document.object(m_object);
    if (!object || !field.set) return;
    session::Object changed = *object;
    field.set(changed, value);
    document.setObject(m_object, changed, field.label, field.key);
  } else if (m_subject == Subject::Picture) {
    for (const app::PictureField& its : app::pictureFields())
      if (its.field.key == field.key)
        document.edit(
            field.label, [&](app::Draft& draft) { its.set(draft.frame(), value); }, "picture/" + field.key);
  }
  if (final) document.endMerge();
}

void PropertyEditor::showValues() {
  const session::Object* const object = m_model.document().object(m_object);
  for (std::size_t n = 0; n < m_rows.size(); ++n) {
    Row& row = m_rows[n];
    QVariant value;
    if (m_subject == Subject::Object && object) value = row.field.get(*object);
    if (m_subject == Subject::Picture)
      for (const app::PictureField& its : app::pictureFields())
        if (its.field.key == row.field.key) value = its.get(m_model.document().session());
    row.editor->setValue(value);
    if (row.reset) row.reset->setVisible(value != row.field.byDefault);
  }
  showState();
}

void PropertyEditor::showState() {
  if (!m_state) return;
  QString text;
  bool failed = false;
  if (m_subject == Subject::Object) {
    const app::ObjectStatus status = m_model.stage().status(m_object);
    failed = status.state == app::ObjectState::Failed;
    if (failed || status.state == app::ObjectState::Cancelled || status.state == app::ObjectState::Done)
      text = app::stateText(status);
    for (Row& row : m_rows)
      if (row.field.key == "color.range" && status.shownRange)
        row.editor->setAutomaticText(textOfRange((*status.shownRange)[0], (*status.shownRange)[1]));
  } else if (m_subject == Subject::Data) {
    const app::DataStatus status = m_model.stage().dataStatus(m_data);
    failed = status.state == app::DataState::Failed;
    text = app::stateText(status);
  }
  m_stateBox->setVisible(!text.isEmpty());
  m_state->setText(text.replace('/', QStringLiteral("/\u200b")));
  QPalette its = palette();
  if (failed) its.setColor(QPalette::WindowText, warningColor());
  m_state->setPalette(its);
}

}  // namespace farfield::ui
