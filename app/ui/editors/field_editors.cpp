#include "app/ui/editors/field_editors.h"

#include <QApplication>
#include <QCheckBox>
#include <QColorDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QSlider>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "app/ui/editors/choice_editor.h"
#include "app/ui/editors/field_editor.h"
#include "app/ui/editors/function_editor.h"
#include "app/ui/editors/text_editor.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/number_edit.h"
#include "app/ui/widgets/typed_line.h"
#include "app/ui/widgets/what_is_this.h"
#include "core/base/units.h"
#include "render/color/ticks.h"

namespace farfield::ui {
namespace {

QHBoxLayout* rowIn(QWidget* widget) {
  auto* const row = new QHBoxLayout(widget);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(4);
  return row;
}

class FlagEditor final : public FieldEditor {
 public:
  FlagEditor(const app::Field&, QWidget* parent) : FieldEditor(parent), m_box(new QCheckBox(this)) {
    rowIn(this)->addWidget(m_box);
    setFocusProxy(m_box);
    connect(m_box, &QCheckBox::clicked, this, [this](bool on) { emit edited(on, true); });
  }
  void setValue(const QVariant& value) override { m_box->setChecked(value.toBool()); }

 private:
  QCheckBox* m_box;
};

NumberBounds boundsOf(const app::Field& field) {
  NumberBounds bounds;
  if (field.greatest > field.least) {
    bounds.least = field.least;
    bounds.greatest = field.greatest;
  }
  bounds.leastExcluded = field.leastExcluded;
  bounds.whole = field.kind == app::FieldKind::Integer;
  bounds.mayBeEmpty = !field.automatic.isEmpty();
  return bounds;
}

/// A number; with a slider where the field says so, or it lies between 0 and 1.
class NumberEditor final : public FieldEditor {
 public:
  NumberEditor(const app::Field& field, QWidget* parent)
      : FieldEditor(parent),
        m_whole(field.kind == app::FieldKind::Integer),
        m_edit(new NumberEdit(boundsOf(field), this)) {
    QHBoxLayout* const row = rowIn(this);
    if (field.slider) m_ends = *field.slider;
    if (m_whole && m_ends[1] - m_ends[0] >= 1)
      m_steps = static_cast<int>(std::min(m_ends[1] - m_ends[0], 1e6));
    if (field.slider || (!m_whole && field.least == 0 && field.greatest == 1)) {
      m_slider = new QSlider(Qt::Horizontal, this);
      m_slider->setRange(0, m_steps);
      m_slider->setPageStep(std::max(1, m_steps / 10));
      m_slider->setObjectName(field.key + ".slider");
      m_slider->setAccessibleName(field.label);
      row->addWidget(m_slider, 1);
      setTabOrder(m_slider, m_edit);
      connect(m_slider, &QSlider::valueChanged, this, [this](int at) {
        if (m_setting) return;
        const double value = valueAt(at);
        m_edit->setValue(value);
        emit edited(asValue(value), false);
        if (!m_slider->isSliderDown()) m_keysRest.start();
      });
      connect(m_slider, &QSlider::sliderReleased, this,
              [this] { emit edited(asValue(valueAt(m_slider->value())), true); });
      m_keysRest.setSingleShot(true);
      m_keysRest.setInterval(kTypingPauseMs);
      connect(&m_keysRest, &QTimer::timeout, this, [this] {
        if (m_slider->isSliderDown()) return;
        const std::optional<double> value = m_edit->value();  // which may have been undone meanwhile
        emit edited(value ? asValue(*value) : QVariant(), true);
      });
    }
    row->addWidget(m_edit, m_slider ? 0 : 1);
    m_edit->setPlaceholderText(field.automatic);
    setFocusProxy(m_edit);
    m_saidLongEnough.setSingleShot(true);
    m_saidLongEnough.setInterval(kProblemReadMs);
    connect(&m_saidLongEnough, &QTimer::timeout, this, [this] { m_problem.show(this, {}, {}); });
    connect(m_edit, &NumberEdit::edited, this, [this](bool final) {
      m_saidLongEnough.stop();
      m_problem.show(this, {}, {});
      const std::optional<double> value = m_edit->value();
      emit edited(value ? asValue(*value) : QVariant(), final);
    });
    connect(m_edit, &NumberEdit::interrupted, this, &FieldEditor::interrupted);
  }
  void setValue(const QVariant& value) override {
    m_value = QVariant(value);  // which may be the same one
    m_edit->setValue(value.isValid() ? std::optional(value.toDouble()) : std::nullopt);
    if (!m_slider) return;
    m_setting = true;
    const double share = (value.toDouble() - m_ends[0]) / (m_ends[1] - m_ends[0]);
    m_slider->setValue(static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * m_steps)));
    m_setting = false;
  }
  void setField(const app::Field& field) override {
    // Not under a hand that holds it.
    if (m_slider && field.slider && !m_slider->isSliderDown()) m_ends = *field.slider;
  }
  void refuse(const QString& why, bool final) override {
    m_problem.show(this, why, objectName() + ".error");
    if (!final) return m_edit->refuse();
    setValue(m_value);
    m_saidLongEnough.start();
  }
  void holdTyping() override { m_edit->holdTyping(); }
  void handTypingTo(FieldEditor& next) override {
    if (auto* const other = dynamic_cast<NumberEditor*>(&next)) m_edit->handTypingTo(*other->m_edit);
  }
  void dropTyping() override { m_edit->dropTyping(); }

 protected:
  /// A slider that is no wider than its handle looks like something to tick.
  void resizeEvent(QResizeEvent* event) override {
    FieldEditor::resizeEvent(event);
    if (m_slider)
      m_slider->setVisible(width() >=
                           layout()->spacing() + m_edit->sizeHint().width() + m_slider->sizeHint().width());
  }

 private:
  double valueAt(int step) const {
    const double value = m_ends[0] + (m_ends[1] - m_ends[0]) * static_cast<double>(step) / m_steps;
    if (m_whole) return std::round(value);
    // As round as it can be told from the next step; the ends, beyond which there is nothing, are what they are.
    constexpr double kPartOfStep = 0.4;
    return step == 0 || step == m_steps
               ? value
               : color::plainNumber(value, kPartOfStep * (m_ends[1] - m_ends[0]) / m_steps);
  }
  QVariant asValue(double value) const {
    return m_whole ? QVariant::fromValue<qlonglong>(std::llround(value)) : QVariant(value);
  }

  int m_steps = 200;
  std::array<double, 2> m_ends{0, 1};
  bool m_whole, m_setting = false;
  NumberEdit* m_edit;
  QSlider* m_slider = nullptr;
  QTimer m_keysRest;  ///< runs while another key may follow, with which it is one movement
  QVariant m_value;
  ProblemLabel m_problem;
  QTimer m_saidLongEnough;  ///< once what it is about has been taken back
};

/// Several numbers side by side: a point, or the two ends of a range.
class NumbersEditor final : public FieldEditor {
 public:
  NumbersEditor(const app::Field& field, QWidget* parent)
      : FieldEditor(parent),
        m_vector(field.kind == app::FieldKind::Vector),
        m_automatic(!field.automatic.isEmpty()) {
    QHBoxLayout* const row = rowIn(this);
    for (int n = 0; n < (m_vector ? 3 : 2); ++n) {
      auto* const edit = new NumberEdit(boundsOf(field), this);
      edit->setAccessibleName(field.label + ' ' +
                              (m_vector ? QString(QChar("xyz"[n]))
                               : n == 0 ? tr("from")
                                        : tr("to")));
      edit->setToolTip(m_vector ? QString(QChar("xyz"[n]))
                       : n == 0 ? tr("the least value")
                                : tr("the greatest value"));
      if (m_automatic) edit->setPlaceholderText(tr("auto"));
      row->addWidget(edit, 1);
      m_edits.push_back(edit);
      connect(edit, &NumberEdit::edited, this, [this, edit](bool final) { tell(*edit, final); });
      connect(edit, &NumberEdit::interrupted, this, [this] {
        m_before.reset();
        emit interrupted();
      });
    }
    setFocusProxy(m_edits.front());
    m_saidLongEnough.setSingleShot(true);
    m_saidLongEnough.setInterval(kProblemReadMs);
    connect(&m_saidLongEnough, &QTimer::timeout, this, [this] { m_problem.show(this, {}, {}); });
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
      if (m_goesOn && now && !isAncestorOf(now)) takeBack();
    });
  }
  void setValue(const QVariant& value) override {
    m_value = value;
    if (m_vector) {
      const Vec3 point = value.value<Vec3>();
      for (int n = 0; n < 3; ++n) m_edits[static_cast<std::size_t>(n)]->setValue(point[n]);
      return;
    }
    const QVariantList ends = value.toList();
    for (std::size_t n = 0; n < 2; ++n)
      m_edits[n]->setValue(ends.size() == 2 ? std::optional(ends[static_cast<qsizetype>(n)].toDouble())
                                            : std::nullopt);
  }
  void setAutomaticText(const QString& text) override {
    m_ends = text.split(QStringLiteral(" … "));
    for (std::size_t n = 0; n < m_edits.size(); ++n) {
      bool good = false;
      const QString end = m_ends.size() == 2 ? m_ends[static_cast<qsizetype>(n)] : tr("auto");
      const double value = end.toDouble(&good);
      // Few digits, so that the exponent is seen in a narrow field.
      m_edits[n]->setPlaceholderText(good ? QString::fromStdString(formatRounded(value)) : end);
    }
  }
  void refuse(const QString& why, bool final) override {
    m_problem.show(this, why, objectName() + ".error");
    // Of 1, 0, 0 on the way to 0, 1, 0 the next number is typed.
    const QWidget* const held = QApplication::focusWidget();
    m_goesOn = final && held && held != m_typedIn && isAncestorOf(held);
    if ((!final || m_goesOn) && m_typedIn) m_typedIn->refuse();
    if (final && !m_goesOn) takeBack();
  }
  void holdTyping() override {
    for (NumberEdit* const edit : m_edits) edit->holdTyping();
    m_heldAt.reset();
    for (std::size_t n = 0; n < m_edits.size(); ++n)
      if (m_edits[n]->hasFocus()) m_heldAt = n;
  }
  void handTypingTo(FieldEditor& next) override {
    auto* const other = dynamic_cast<NumbersEditor*>(&next);
    if (!other || other == this || other->m_edits.size() != m_edits.size()) return;
    for (std::size_t n = 0; n < m_edits.size(); ++n) m_edits[n]->handTypingTo(*other->m_edits[n]);
    other->m_before = std::exchange(m_before, std::nullopt);
    if (m_heldAt) other->m_edits[*m_heldAt]->setFocus(Qt::OtherFocusReason);
  }
  void dropTyping() override {
    for (NumberEdit* const edit : m_edits) edit->dropTyping();
    m_before.reset();
    m_goesOn = false;
  }

 private:
  void takeBack() {
    m_goesOn = false;
    setValue(m_value);
    m_saidLongEnough.start();
  }
  void tell(NumberEdit& edit, bool final) {
    m_typedIn = &edit;
    m_goesOn = false;
    m_saidLongEnough.stop();
    m_problem.show(this, {}, {});
    if (!m_before) m_before = m_value;
    const QVariant before = *m_before;
    if (final) m_before.reset();
    // Also the other end, which was chosen together with what was typed.
    if (edit.isTakenBack()) return emit edited(before, final);
    if (m_vector) {
      Vec3 point;
      for (int n = 0; n < 3; ++n) point[n] = m_edits[static_cast<std::size_t>(n)]->value().value_or(0);
      emit edited(QVariant::fromValue(point), final);
      return;
    }
    const auto low = m_edits[0]->value(), high = m_edits[1]->value();
    if (!low && !high) {
      emit edited({}, final);
      return;
    }
    // One end alone: the other is what is shown now.
    bool good = true;
    const double least = low ? *low : m_ends.value(0).toDouble(&good);
    const double greatest = high ? *high : m_ends.value(1).toDouble(&good);
    if (good && least < greatest)
      emit edited(QVariantList{least, greatest}, final);
    else if (good)
      refuse(tr("The first number is to be below the second."), final);
  }
  bool m_vector, m_automatic;
  std::vector<NumberEdit*> m_edits;
  NumberEdit* m_typedIn = nullptr;  ///< last
  ProblemLabel m_problem;
  bool m_goesOn = false;    ///< what is shown was not taken, and the next number of the row may mend that
  QTimer m_saidLongEnough;  ///< once what it is about has been taken back
  QStringList m_ends;       ///< as they are chosen automatically; one that is no number: not known
  QVariant m_value;
  std::optional<QVariant> m_before;     ///< when typing began, while it goes on
  std::optional<std::size_t> m_heldAt;  ///< where the keyboard was
};

class ColorEditor final : public FieldEditor {
 public:
  ColorEditor(const app::Field& field, QWidget* parent)
      : FieldEditor(parent), m_button(new QToolButton(this)) {
    QHBoxLayout* const row = rowIn(this);
    row->addWidget(m_button);
    row->addStretch();
    m_button->setIconSize({40, 14});
    m_button->setToolTip(tr("Choose a colour"));
    m_button->setAccessibleName(field.label);
    setFocusProxy(m_button);
    connect(m_button, &QToolButton::clicked, this, &ColorEditor::choose);
  }
  void setValue(const QVariant& value) override {
    const QColor color(value.toString());
    if (color == m_color && !m_button->icon().isNull()) return;
    m_color = color;
    QPixmap swatch(40, 14);
    swatch.fill(m_color);
    QPainter painter(&swatch);
    painter.setPen(mutedColor());
    painter.drawRect(swatch.rect().adjusted(0, 0, -1, -1));
    painter.end();
    m_button->setIcon(swatch);
  }

 private:
  void choose() {
    auto* const dialog = new QColorDialog(m_color, window());
    dialog->setWindowTitle(m_button->accessibleName());
    dialog->setOption(QColorDialog::DontUseNativeDialog);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QColorDialog::currentColorChanged, this,
            [this](const QColor& c) { emit edited(c.name(), false); });
    connect(dialog, &QColorDialog::finished, this, [this, dialog, before = m_color](int result) {
      emit edited((result ? dialog->selectedColor() : before).name(), true);
    });
    dialog->open();
  }
  QToolButton* m_button;
  QColor m_color;
};

/// Some of a list of things, by ticks and as a text; all of them where nothing is said.
class BlocksEditor final : public FieldEditor {
 public:
  BlocksEditor(const app::Field& field, QWidget* parent)
      : FieldEditor(parent), m_list(new QListWidget(this)) {
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    app::Field text = field;
    text.kind = app::FieldKind::Text;
    text.choices.clear();
    m_text = new TextEditor(text, this);
    column->addWidget(m_text);
    setFocusProxy(m_text->focusProxy());
    m_list->setObjectName(field.key + ".list");
    m_list->setAccessibleName(field.label);
    m_list->setUniformItemSizes(true);
    m_list->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    m_list->setFixedHeight(
        static_cast<int>(std::min<std::size_t>(std::max<std::size_t>(field.choices.size(), 2), 7)) *
            (fontMetrics().height() + 4) +
        2 * m_list->frameWidth());
    for (const auto& [value, label] : field.choices) {
      auto* const item = new QListWidgetItem(label, m_list);
      item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
      item->setCheckState(Qt::Checked);
    }
    m_list->setHidden(field.choices.empty());
    column->addWidget(m_list);
    connect(m_text, &FieldEditor::edited, this, &FieldEditor::edited);
    connect(m_text, &FieldEditor::interrupted, this, &FieldEditor::interrupted);
    connect(m_list, &QListWidget::itemChanged, this, [this] {
      std::vector<std::int64_t> chosen;
      for (int n = 0; n < m_list->count(); ++n)
        if (m_list->item(n)->checkState() == Qt::Checked) chosen.push_back(n);
      const bool all = chosen.size() == static_cast<std::size_t>(m_list->count());
      // An object of no block at all is hidden by the eye in the pipeline.
      if (chosen.empty()) return setValue(m_value);
      emit edited(all ? QVariant() : QVariant(app::textOfNumbers(chosen)), true);
    });
  }
  void setValue(const QVariant& value) override {
    m_value = value;
    m_text->setValue(value);
    const auto numbers = value.isValid() ? app::numbersFromText(value.toString()) : std::nullopt;
    const QSignalBlocker quiet(m_list);
    for (int n = 0; n < m_list->count(); ++n)
      m_list->item(n)->setCheckState(
          !numbers || std::find(numbers->begin(), numbers->end(), n) != numbers->end() ? Qt::Checked
                                                                                       : Qt::Unchecked);
  }
  void holdTyping() override { m_text->holdTyping(); }
  void handTypingTo(FieldEditor& next) override {
    if (auto* const other = dynamic_cast<BlocksEditor*>(&next)) m_text->handTypingTo(*other->m_text);
  }
  void dropTyping() override { m_text->dropTyping(); }

 private:
  TextEditor* m_text;
  QListWidget* m_list;
  QVariant m_value;
};

class InformationEditor final : public FieldEditor {
 public:
  InformationEditor(const app::Field&, QWidget* parent) : FieldEditor(parent), m_label(new QLabel(this)) {
    rowIn(this)->addWidget(m_label);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_label->setWordWrap(true);
  }
  void setValue(const QVariant& value) override { m_label->setText(value.toString()); }

 private:
  QLabel* m_label;
};

}  // namespace

FieldEditor* makeFieldEditor(const app::Field& field, QWidget* parent) {
  FieldEditor* editor = nullptr;
  switch (field.kind) {
    case app::FieldKind::Flag:
      editor = new FlagEditor(field, parent);
      break;
    case app::FieldKind::Integer:
    case app::FieldKind::Number:
      editor = new NumberEditor(field, parent);
      break;
    case app::FieldKind::Choice:
      if (field.check)
        editor = new FunctionEditor(field, parent);
      else
        editor = new ChoiceEditor(field, parent);
      break;
    case app::FieldKind::Map:
      editor = new MapChoiceEditor(field, parent);
      break;
    case app::FieldKind::Vector:
    case app::FieldKind::Interval:
      editor = new NumbersEditor(field, parent);
      break;
    case app::FieldKind::Color:
      editor = new ColorEditor(field, parent);
      break;
    case app::FieldKind::Text:
      editor = new TextEditor(field, parent);
      break;
    case app::FieldKind::Blocks:
      editor = new BlocksEditor(field, parent);
      break;
    case app::FieldKind::Information:
      editor = new InformationEditor(field, parent);
      break;
  }
  editor->setToolTip(field.tip);
  editor->setObjectName("field." + field.key);
  const QString explained = WhatIsThis::textFor(field);
  editor->setWhatsThis(explained);
  for (QWidget* const part : editor->findChildren<QWidget*>()) part->setWhatsThis(explained);
  if (QWidget* const inner = editor->focusProxy()) {
    inner->setObjectName(field.key);
    if (inner->accessibleName().isEmpty()) inner->setAccessibleName(field.label);
    inner->setAccessibleDescription(field.tip);
  }
  return editor;
}

}  // namespace farfield::ui
