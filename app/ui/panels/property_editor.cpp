#include "app/ui/panels/property_editor.h"

#include <QApplication>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/model/document/shared_colors.h"
#include "app/model/document/volume_looks.h"
#include "app/model/fields/other_data.h"
#include "app/model/fields/picture_fields.h"
#include "app/model/known_texts.h"
#include "app/model/words/unit_words.h"
#include "app/model/workshop/changed_files.h"
#include "app/ui/editors/field_editor.h"
#include "app/ui/editors/field_editors.h"
#include "app/ui/widgets/elided_button.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/number_edit.h"
#include "core/base/units.h"

namespace farfield::ui {
namespace {

constexpr std::size_t kMostPages = 8;
constexpr int kWidestLabel = 15;  // in letters

/// Whether a slider made for `a` does for `b`, whose ends it takes; one of whole numbers has a step for each.
bool slides(const app::Field& a, const app::Field& b) {
  return a.kind == app::FieldKind::Number ? a.slider.has_value() == b.slider.has_value()
                                          : a.slider == b.slider;
}

/// Whether an editor made for `a` does for `b`.
bool looksAlike(const app::Field& a, const app::Field& b) {
  return a.key == b.key && a.group == b.group && a.label == b.label && a.unit == b.unit && a.tip == b.tip &&
         a.kind == b.kind && a.least == b.least && a.greatest == b.greatest &&
         a.leastExcluded == b.leastExcluded && slides(a, b) && a.automatic == b.automatic &&
         a.choices == b.choices && !a.check == !b.check && a.byDefault.isValid() == b.byDefault.isValid();
}

}  // namespace

PropertyEditor::PropertyEditor(app::AppModel& model, QWidget* parent)
    : QScrollArea(parent),
      m_model(model),
      m_noteBox(new QWidget(this)),
      m_note(new QLabel(m_noteBox)),
      m_readAgain(new ElidedButton(icon("reset"), tr("Read again"), m_noteBox)) {
  m_note->setObjectName("properties.note");
  m_note->setWordWrap(true);
  m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_note->setFocusPolicy(Qt::NoFocus);
  auto* const column = new QVBoxLayout(m_noteBox);
  column->setContentsMargins(kPanelMargin, 4, kPanelMargin, 4);
  column->addWidget(m_note);
  column->addWidget(m_readAgain);
  m_noteBox->hide();
  m_readAgain->setObjectName("properties.readAgain");
  m_readAgain->setToolTip(
      tr("Takes the data as their files are now; what is shown of them is computed anew"));
  // Later: what it does takes the button away.
  connect(
      m_readAgain, &QPushButton::clicked, this,
      [this] {
        if (const session::Object* const object = m_model.document().object(m_object))
          m_model.stage().readAgain(object->data);
      },
      Qt::QueuedConnection);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(tr("Properties"));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, QWidget* now) { m_reached = now; });
  connect(&model.document(), &app::Document::changed, this, &PropertyEditor::refresh);
  connect(&model.maps(), &app::SessionMaps::changed, this, &PropertyEditor::refresh);
  connect(&model.document(), &app::Document::replaced, this, [this] {
    m_cutLast = {};
    showPicture();
  });
  connect(&model.document(), &app::Document::imageChanged, this, [this] {
    const scene::Clip& clip = m_model.document().session().image.clip;
    if (!clip.planes.empty()) m_cutLast.planes = clip.planes;
    if (clip.box) m_cutLast.box = clip.box;
  });
  connect(&model.stage(), &app::Stage::statusChanged, this, [this](app::ObjectId id) {
    if (m_subject == Subject::Object && id == m_object) showState();
  });
  // What is set may be of the step that is shown.
  connect(&model.stage(), &app::Stage::stepChanged, this, [this] {
    const session::Object* const object = m_model.document().object(m_object);
    if (m_subject != Subject::Object || !object || !std::holds_alternative<session::Probe>(object->shape))
      return;
    if (const std::vector<app::Field> fields = fieldsNow(); m_page && sameFields(*m_page, fields))
      takeFields(*m_page, fields);
  });
  connect(&model.stage(), &app::Stage::shownValuesChanged, this, [this](const std::string& key) {
    const session::Object* const object = m_model.document().object(m_object);
    if (m_subject == Subject::Object && object && m_model.stage().keyOf(object->data) == key) refresh();
  });
  const auto showAnew = [this](const std::string& name) {
    if (m_subject == Subject::Data && name == m_data) rebuild();
  };
  connect(&model, &app::AppModel::readingsFound, this, showAnew);
  connect(&model.stage(), &app::Stage::linkChanged, this, showAnew);
  connect(&model.stage(), &app::Stage::dataStatusChanged, this, [this](const std::string& name) {
    const session::Object* const object = m_model.document().object(m_object);
    keepChoices(name);
    if (m_subject == Subject::Data && name == m_data) rebuild();
    if (m_subject == Subject::Object && object && object->data == name) rebuild();
  });
  // What is shown of them asks for no login any more.
  connect(&model.stage(), &app::Stage::dataReadAgain, this, showAnew);
  showPicture();
}

PropertyEditor::~PropertyEditor() {
  disconnect(qApp, nullptr, this, nullptr);  // the keyboard goes when this is gone in part
  for (const auto& page : m_pages)
    if (page->widget != widget()) delete page->widget;
}

QSize PropertyEditor::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 64, 500};
}

void PropertyEditor::showObject(app::ObjectId id) {
  if (m_subject == Subject::Object && id == m_object) return;
  finishTyping();
  m_subject = Subject::Object;
  m_object = id;
  m_model.document().endMerge();
  rebuild();
}

void PropertyEditor::showData(const std::string& name) {
  finishTyping();
  m_subject = Subject::Data;
  m_object = 0;
  m_data = name;
  rebuild();
}

void PropertyEditor::showPicture() {
  if (m_subject == Subject::Picture) return refresh();  // another session may have other fields
  finishTyping();
  m_subject = Subject::Picture;
  m_object = 0;
  rebuild();
}

std::vector<app::PictureField> PropertyEditor::pictureFieldsNow() const {
  return app::pictureFields(m_model.document().session(), m_model.stage().bounds(), m_cutLast,
                            app::namedInTexts(m_model));
}

std::vector<app::Field> PropertyEditor::fieldsNow() const {
  if (m_subject == Subject::Object)
    if (const session::Object* const object = m_model.document().object(m_object))
      return app::fieldsOf(*object, m_model.surroundingsOf(*object));
  std::vector<app::Field> fields;
  if (m_subject == Subject::Picture)
    for (const app::PictureField& its : pictureFieldsNow()) fields.push_back(its.field);
  return fields;
}

bool PropertyEditor::sameFields(const Page& page, const std::vector<app::Field>& fields) {
  return std::equal(fields.begin(), fields.end(), page.rows.begin(), page.rows.end(),
                    [](const app::Field& field, const Row& row) { return looksAlike(field, row.field); });
}

// What they set may depend on other things of the session than the object.
void PropertyEditor::takeFields(Page& page, const std::vector<app::Field>& fields) {
  for (std::size_t n = 0; n < fields.size(); ++n) {
    page.rows[n].field = fields[n];
    page.rows[n].editor->setField(fields[n]);
  }
}

void PropertyEditor::refresh() {
  switch (m_subject) {
    case Subject::Object:
      if (!m_model.document().object(m_object)) return showPicture();
      if (const std::vector<app::Field> fields = fieldsNow(); m_page && sameFields(*m_page, fields))
        takeFields(*m_page, fields);
      else
        return rebuild();
      return showValues();
    case Subject::Data:
      if (!m_model.document().session().find(m_data)) showPicture();
      return;
    case Subject::Picture:
      if (const std::vector<app::Field> fields = fieldsNow(); !m_page || !sameFields(*m_page, fields))
        return rebuild();
      return showValues();
    case Subject::Nothing:
      return;
  }
}

void PropertyEditor::finishTyping() {
  if (!m_page) return;
  QWidget* const page = m_page->widget;
  for (NumberEdit* const edit : page->findChildren<NumberEdit*>()) edit->finish();
  if (QWidget* const typing = focusWidget(); typing && page->isAncestorOf(typing)) typing->clearFocus();
}

void PropertyEditor::detachPage() {
  takeWidget();
  // What is known of data is told anew each time. The widget that is being edited may be the one that asked
  // for this.
  const Page* const oldest = m_pages.size() > kMostPages ? m_pages.front().get() : nullptr;
  const auto gone = [&](const std::unique_ptr<Page>& page) {
    if (page->subject != Subject::Data && page.get() != oldest) return false;
    page->widget->deleteLater();
    return true;
  };
  std::erase_if(m_pages, gone);
  m_page = nullptr;
}

PropertyEditor::Page* PropertyEditor::keptPage(const std::vector<app::Field>& fields) {
  const auto found = std::find_if(m_pages.begin(), m_pages.end(), [&](const std::unique_ptr<Page>& page) {
    return page->subject == m_subject && sameFields(*page, fields);
  });
  if (found == m_pages.end()) return nullptr;
  std::rotate(found, found + 1, m_pages.end());
  return m_pages.back().get();
}

void PropertyEditor::rebuild() {
  const std::vector<app::Field> fields = fieldsNow();
  Page* const kept = m_subject == Subject::Data ? nullptr : keptPage(fields);
  if (kept) takeFields(*kept, fields);
  if (kept && kept == m_page) return showValues();
  // A choice that brings other fields with it keeps the keyboard, and its place.
  const Row* const row = heldRow();
  const std::optional<Held> held = row ? std::optional(whatIsHeld(*row)) : std::nullopt;
  // It is told of what has changed before it is left, which it would take for the end of typing: that was undone, perhaps.
  if (const session::Object* const object = m_model.document().object(m_object); held && object)
    for (const app::Field& field : fields)
      if (field.key == held->keys.front()) held->editor->setValue(field.get(*object));
  if (held) held->editor->holdTyping();
  if (held) setFocus(Qt::OtherFocusReason);  // it stays in this panel meanwhile
  detachPage();
  m_page = kept;
  if (!m_page) makePage(fields);
  // Filled before it is shown: for each widget that is added to or removed from a visible window, Qt asks the
  // display where the cursor is, and waits for the answer.
  showValues();
  setWidget(m_page->widget);
  orderNote();
  // There is no scrolling sideways: what stands at the right, units and Reset, must be seen.
  // And not narrower again: with each selection the view would be moved.
  setMinimumWidth(std::max(minimumWidth(), m_page->widget->minimumSizeHint().width() +
                                               style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 2));
  if (held) holdRow(*held);
}

void PropertyEditor::makePage(const std::vector<app::Field>& fields) {
  m_pages.push_back(std::make_unique<Page>());
  m_page = m_pages.back().get();
  m_page->subject = m_subject;
  QWidget* const page = m_page->widget = new QWidget;
  auto* const grid = new QGridLayout(page);
  grid->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
  grid->setHorizontalSpacing(6);
  grid->setVerticalSpacing(5);
  grid->setColumnStretch(1, 1);
  m_page->stateBox = new QFrame(page);
  m_page->state = new QLabel(m_page->stateBox);
  m_page->state->setWordWrap(true);
  m_page->state->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* const box = new QGridLayout(m_page->stateBox);
  box->setContentsMargins(0, 0, 0, 4);
  box->addWidget(m_page->state, 0, 0);
  grid->addWidget(m_page->stateBox, 0, 0, 1, kColumns);
  if (m_subject == Subject::Data)
    buildData(page, grid);
  else
    buildFields(grid, fields);
  grid->setRowStretch(grid->rowCount(), 1);
}

void PropertyEditor::addRow(QGridLayout* grid, int row, const app::Field& field) {
  const std::size_t number = m_page->rows.size();
  Row its{field, makeFieldEditor(field, grid->parentWidget()), nullptr};
  auto* const label = new QLabel(field.label, grid->parentWidget());
  label->setToolTip(field.tip);
  // A long one takes a second line, and no room from the fields.
  if (const int widest = kWidestLabel * fontMetrics().averageCharWidth();
      label->sizeHint().width() > widest) {
    label->setWordWrap(true);
    label->setFixedWidth(widest);
  }
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
            [this, number] { setField(number, m_page->rows[number].field.byDefault, true); });
  }
  connect(its.editor, &FieldEditor::edited, this,
          [this, number, page = m_page](const QVariant& value, bool final) {
            if (page == m_page) return setField(number, value, final);
            // Letters that were typed brought other fields: what was chosen by them is chosen.
            if (final) m_model.document().endMerge();
          });
  connect(its.editor, &FieldEditor::interrupted, this, [this] {
    m_colorBefore.reset();
    m_model.stage().setUrgent(0);
    m_model.document().endMerge();
  });
  m_page->rows.push_back(std::move(its));
}

void PropertyEditor::buildFields(QGridLayout* grid, const std::vector<app::Field>& fields) {
  QString group;
  for (const app::Field& field : fields) {
    if (field.group != group) {
      group = field.group;
      QLabel* const heading = makeHeading(group, grid->parentWidget());
      heading->setContentsMargins(0, m_page->rows.empty() ? 0 : 8, 0, 0);
      grid->addWidget(heading, grid->rowCount(), 0, 1, kColumns);
    }
    addRow(grid, grid->rowCount(), field);
  }
}

void PropertyEditor::setField(std::size_t row, const QVariant& value, bool final) {
  if (!m_page || row >= m_page->rows.size()) return;
  const app::Field field = m_page->rows[row].field;  // the row may be gone after the edit
  app::Document& document = m_model.document();
  if (m_subject == Subject::Object) {
    const session::Object* const object = document.object(m_object);
    if (!object || !field.set) return;
    session::Object changed = *object;
    field.set(changed, value);
    m_model.stage().setUrgent(final ? 0 : m_object);  // a slider that is down
    const auto was = m_model.stage().summary(object->data), is = m_model.stage().summary(changed.data);
    if (field.key == "data" && was && is) app::suitOtherData(changed, *was, *is);
    if (field.key == "data" || field.key == "color.by" || (field.key == "by" && app::volumeIn(changed)))
      changed = app::withSharedColors(changed, document.session());
    if (field.key == "color.map" || field.key == "color.range" || field.key == "color.log") {
      const session::Coloring wanted = app::withPlainColors(changed).color;
      if (!m_colorBefore) m_colorBefore = app::withPlainColors(*object).color;
      const session::Coloring before = *m_colorBefore;
      app::editColors(document, m_object, field.label, field.key, [&](session::Coloring& color) {
        color.map = wanted.map;
        color.range = wanted.range;
        color.logarithmic = wanted.logarithmic;
        if (wanted.range || (wanted.logarithmic && color.rangeOf == session::RangeOf::Symmetric))
          color.rangeOf = session::RangeOf::Shown;
        if (field.key != "color.range" || wanted.range != before.range) return;
        // As before typing, so that it follows again what it followed then.
        color.rangeOf = before.rangeOf;
      });
    } else {
      document.setObject(m_object, changed, field.label, field.key);
    }
  } else if (m_subject == Subject::Picture) {
    for (const app::PictureField& its : pictureFieldsNow())
      if (its.field.key == field.key)
        document.edit(
            field.label, [&](app::Draft& draft) { its.set(draft.frame(), value); }, "picture/" + field.key);
  }
  checkTaken(field, value, final);
  if (!final) return;
  m_colorBefore.reset();
  document.endMerge();
}

/// Says what a property is to be where it has not become what was typed.
void PropertyEditor::checkTaken(const app::Field& field, const QVariant& wanted, bool final) {
  if (field.demand.isEmpty() || !m_page) return;
  QVariant taken;
  if (const session::Object* const object = m_model.document().object(m_object);
      m_subject == Subject::Object && object)
    taken = field.get(*object);
  if (m_subject == Subject::Picture)
    for (const app::PictureField& its : pictureFieldsNow())
      if (its.field.key == field.key) taken = its.get(m_model.document().session());
  if (taken == wanted) return;
  for (const Row& row : m_page->rows)
    if (row.field.key == field.key) row.editor->refuse(field.demand, final);
}

void PropertyEditor::showValues() {
  if (!m_page) return;
  const session::Object* const object = m_model.document().object(m_object);
  const std::vector<app::PictureField> ofPicture =
      m_subject == Subject::Picture ? pictureFieldsNow() : std::vector<app::PictureField>{};
  for (std::size_t n = 0; n < m_page->rows.size(); ++n) {
    Row& row = m_page->rows[n];
    QVariant value;
    if (m_subject == Subject::Object && object) value = row.field.get(*object);
    if (object && row.field.key == "color.map") row.editor->showMap(app::withPlainColors(*object).color.map);
    if (m_subject == Subject::Picture) value = ofPicture[n].get(m_model.document().session());
    row.editor->setValue(value);
    if (!row.reset) continue;
    const bool resets = value != row.field.byDefault;
    // What was reset keeps the keyboard.
    if (!resets && row.reset->hasFocus()) row.editor->setFocus(Qt::TabFocusReason);
    row.reset->setVisible(resets);
  }
  showState();
}

void PropertyEditor::showState() {
  if (!m_page) return;
  QString text;
  bool failed = false;
  if (m_subject == Subject::Object) {
    const app::ObjectStatus status = m_model.stage().status(m_object);
    const QString whyNot = app::whyNotSeen(status);
    const bool isOver = status.state == app::ObjectState::Failed;
    failed = !whyNot.isEmpty();
    const bool reads = status.state == app::ObjectState::Running && status.allSamples > 0;
    if (isOver || reads || status.state == app::ObjectState::Cancelled ||
        status.state == app::ObjectState::Done)
      text = app::stateText(status);
    if (text.isEmpty()) text = whyNot;
    // Said when they are added, and here for as long as it is so.
    const session::Object* const object = m_model.document().object(m_object);
    if (const auto summary = object ? m_model.stage().summary(object->data) : nullptr)
      for (const QString& words : {app::wordsOfUnits(*object, *summary), app::wordsOfTurn(*object, *summary)})
        if (!words.isEmpty()) text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + words;
    QString range;
    if (status.shownRange) {
      const auto ends = meantRange(*status.shownRange, status.scale.logarithmic);
      range = textOfRange(ends[0], ends[1], status.scale.logarithmic);
    }
    for (Row& row : m_page->rows)
      if (row.field.key == "color.range") row.editor->setAutomaticText(range);
  } else if (m_subject == Subject::Data) {
    const app::DataStatus status = m_model.stage().dataStatus(m_data);
    failed = status.state == app::DataState::Failed || !status.problem.message.empty();
    text = app::stateText(status);
  }
  text.replace('/', QStringLiteral("/\u200b"));
  // What is said of an object comes and goes while it is dragged or typed: fields stay where they are.
  const bool below = m_subject == Subject::Object;
  const bool isSaid = !below || m_model.stage().isSettled(m_object);
  // What was said of another object is not said of this one meanwhile.
  if (std::exchange(m_noteOf, m_object) != m_object || isSaid)
    showNote(below && isSaid ? text : QString(), failed,
             below && isSaid && failed && app::asksToReadAgain(m_model.stage().status(m_object).problem));
  m_page->stateBox->setVisible(!below && !text.isEmpty());
  m_page->state->setText(below ? QString() : text);
  if (failed == m_page->failed) return;
  m_page->failed = failed;
  showWarning(m_page->state, QPalette::WindowText, failed);
}

void PropertyEditor::showNote(const QString& text, bool failed, bool asksToRead) {
  const bool isShown = m_noteBox->isVisibleTo(this);
  if (text == m_note->text() && isShown == !text.isEmpty() &&
      asksToRead == m_readAgain->isVisibleTo(m_noteBox))
    return;
  m_note->setText(text);
  showWarning(m_note, QPalette::WindowText, failed);
  m_readAgain->setVisible(asksToRead);
  m_noteBox->setVisible(!text.isEmpty());
  orderNote();
  placeNote();
}

/// It comes behind all fields.
void PropertyEditor::orderNote() {
  if (!m_page || m_page->widget != widget()) return;  // it is put there in a moment
  QWidget* const page = m_page->widget;
  QWidget* last = page;
  for (QWidget* at = page->nextInFocusChain(); at && at != page; at = at->nextInFocusChain())
    if (page->isAncestorOf(at)) last = at;
  setTabOrder(last, m_readAgain);
}

void PropertyEditor::placeNote() {
  const int high =
      m_noteBox->isVisibleTo(this) ? std::min(m_noteBox->heightForWidth(width()), height() / 2) : 0;
  m_noteBox->setGeometry(0, height() - high, width(), high);
  if (viewportMargins().bottom() != high) setViewportMargins(0, 0, 0, high);
}

void PropertyEditor::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  placeNote();
}

}  // namespace farfield::ui
