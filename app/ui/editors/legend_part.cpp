#include "app/ui/editors/legend_part.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>
#include <utility>

#include "app/model/stage/shown_legends.h"
#include "app/ui/editors/text_editor.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/number_edit.h"
#include "app/ui/widgets/what_is_this.h"
#include "core/scene/legend_looks.h"

namespace farfield::ui {
namespace {

app::Field titleField() {
  app::Field field;
  field.key = "legend.title";
  field.label = LegendPart::tr("Title");
  field.kind = app::FieldKind::Text;
  field.tip = LegendPart::tr("Written above the bar; empty: the name of the function");
  field.automatic = LegendPart::tr("the name of the function");
  return field;
}

}  // namespace

LegendPart::LegendPart(app::AppModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_visible(new QCheckBox(tr("Shown"), this)),
      m_title(new TextEditor(titleField(), this)),
      m_digits(new NumberEdit({.least = 1,
                               .greatest = scene::kMostLegendDigits,
                               .whole = true,
                               .mayBeEmpty = true,
                               .arrowStep = 1},
                              this)),
      m_labels(new NumberEdit({.least = 2,
                               .greatest = scene::kMostLegendLabels,
                               .whole = true,
                               .mayBeEmpty = true,
                               .arrowStep = 1},
                              this)),
      m_size(new NumberEdit(
          {.least = scene::kLeastLegendSize, .greatest = scene::kMostLegendSize, .arrowStep = 0.1}, this)),
      m_reset(new QPushButton(tr("All as at first"), this)) {
  auto* const grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->addWidget(makeHeading(tr("Its legend"), this), 0, 0, 1, 2);
  m_visible->setObjectName("legend.visible");
  m_visible->setToolTip(tr("Of this function; the legends of all are switched below"));
  grid->addWidget(m_visible, 1, 0);
  m_reset->setObjectName("legend.reset");
  m_reset->setToolTip(
      tr("Its place on the right, title, digits, numbers and size. Drag it in the view to move it."));
  grid->addWidget(m_reset, 1, 1, Qt::AlignRight);
  auto add = [&, row = 2](const char* name, const QString& text, QWidget* widget,
                          const QString& tip) mutable {
    auto* const label = new QLabel(text, this);
    QWidget* const typed = widget->focusProxy() ? widget->focusProxy() : widget;
    label->setBuddy(typed);
    typed->setObjectName(QStringLiteral("legend.%1").arg(name));
    typed->setAccessibleName(text);
    typed->setToolTip(tip);
    grid->addWidget(label, row, 0);
    grid->addWidget(widget, row++, 1);
  };
  add("title", tr("Title"), m_title, titleField().tip);
  m_title->focusProxy()->setWhatsThis(WhatIsThis::textFor(titleField()));
  m_digits->setPlaceholderText(tr("as needed"));
  add("digits", tr("Digits"), m_digits,
      tr("Significant digits of the numbers; empty: as many as are needed"));
  m_labels->setPlaceholderText(tr("as fit"));
  add("labels", tr("Numbers"), m_labels,
      tr("About so many between the ends; round values are chosen. Empty: as many as fit"));
  add("size", tr("Size"), m_size, tr("Of bar and letters, beside the usual size"));
  setTabOrder(m_visible, m_reset);  // as they stand
  grid->setColumnStretch(1, 1);

  connect(m_visible, &QCheckBox::clicked, this, [this](bool on) {
    change(tr("Legend"), {}, [on](scene::LegendLook& look) { look.visible = on; });
  });
  connect(m_title, &FieldEditor::edited, this, [this](const QVariant& value, bool final) {
    change(tr("Title of the legend"), "title",
           [text = value.toString().toStdString()](scene::LegendLook& look) { look.title = text; });
    if (final) m_model.document().endMerge();
  });
  connect(m_title, &FieldEditor::interrupted, this, [this] { m_model.document().endMerge(); });
  take(m_digits, "digits", tr("Digits of the legend"),
       [](scene::LegendLook& look, std::optional<double> typed) {
         look.digits = static_cast<int>(typed.value_or(0));
       });
  take(m_labels, "labels", tr("Numbers of the legend"),
       [](scene::LegendLook& look, std::optional<double> typed) {
         look.labels = static_cast<int>(typed.value_or(0));
       });
  take(m_size, "size", tr("Size of the legend"), [](scene::LegendLook& look, std::optional<double> typed) {
    look.size = typed.value_or(scene::LegendLook{}.size);
  });
  connect(m_reset, &QPushButton::clicked, this,
          [this] { change(tr("Legend as at first"), {}, [](scene::LegendLook& look) { look = {}; }); });
  connect(&model.document(), &app::Document::imageChanged, this, &LegendPart::refresh);
}

void LegendPart::take(NumberEdit* field, const char* key, const QString& text,
                      void (*set)(scene::LegendLook&, std::optional<double>)) {
  connect(field, &NumberEdit::edited, this, [this, field, key, text, set](bool final) {
    change(text, key, [&](scene::LegendLook& look) { set(look, field->value()); });
    if (final) m_model.document().endMerge();
  });
  connect(field, &NumberEdit::interrupted, this, [this] { m_model.document().endMerge(); });
}

void LegendPart::showLegend(const std::string& owner, const std::string& function) {
  const bool isOther = !shows(owner, function);
  m_owner = owner, m_function = function;
  if (isOther) {
    m_title->endTyping();
    for (NumberEdit* const field : {m_digits, m_labels, m_size}) field->dropTyping();
  }
  setVisible(!function.empty());
  refresh();
}

/// Where others show the function, too, its legend is one of its own.
std::string LegendPart::key() const {
  const std::string own = scene::legendKey(m_owner, m_function);
  if (scene::isOfOneObject(m_owner) || m_model.document().session().image.legends.contains(own)) return own;
  const std::vector<std::string> owners = app::legendOwners(m_model.document(), m_model.stage(), m_function);
  const bool isAlone =
      std::all_of(owners.begin(), owners.end(), [this](const std::string& each) { return each == m_owner; });
  return isAlone ? m_function : own;
}

void LegendPart::refresh() {
  const scene::LegendLook* const now =
      scene::legendLook(m_model.document().session().image.legends, m_owner, m_function);
  const scene::LegendLook look = now ? *now : scene::LegendLook{};
  const auto orNone = [](int number) { return number > 0 ? std::optional<double>(number) : std::nullopt; };
  m_visible->setChecked(look.visible);
  m_title->setValue(QString::fromStdString(look.title));
  m_title->setAutomaticText(QString::fromStdString(m_function));
  m_digits->setValue(orNone(look.digits));
  m_labels->setValue(orNone(look.labels));
  m_size->setValue(look.size);
  m_reset->setEnabled(look != scene::LegendLook{});
}

void LegendPart::change(const QString& text, const QString& key,
                        const std::function<void(scene::LegendLook&)>& edit) {
  if (m_function.empty()) return;
  const std::string own = this->key();
  m_model.document().edit(
      text,
      [&](app::Draft& draft) {
        scene::LegendLooks& looks = draft.frame().image.legends;
        const scene::LegendLook* const now = scene::legendLook(looks, m_owner, m_function);
        scene::LegendLook look = now ? *now : scene::LegendLook{};
        const auto before = look.place;
        const scene::LegendLook asItWas = look;
        edit(look);
        if (look == asItWas) return;
        if (m_hold && look.place) look = m_hold(m_owner, m_function, look);
        // What stands with it in one place stays with it.
        if (before && look.place)
          for (auto& [each, its] : looks)
            if (its.place == before && (each == m_function || each.ends_with(':' + m_function)))
              its.place = look.place;
        scene::keepOwnLooks(looks, own, m_function,
                            app::legendOwners(m_model.document(), m_model.stage(), m_function));
        looks.erase(own);
        // As at first, unless that would be another look.
        const scene::LegendLook* const without = scene::legendLook(looks, m_owner, m_function);
        if (look != scene::LegendLook{} || (without && *without != look)) looks[own] = look;
      },
      key.isEmpty() ? key : "legend/" + key + '/' + QString::fromStdString(own));
}

}  // namespace farfield::ui
