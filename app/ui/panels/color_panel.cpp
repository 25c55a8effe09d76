#include "app/ui/panels/color_panel.h"

#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QStandardItemModel>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/model/document/shared_colors.h"
#include "app/model/document/volume_looks.h"
#include "app/ui/editors/legend_part.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/number_edit.h"
#include "app/ui/widgets/typed_line.h"
#include "core/session/legend_owner.h"
#include "render/color/ticks.h"
#include "render/qt3d/viewport.h"

namespace farfield::ui {
namespace {

/// Whether a range that was set by hand has a beginning without a logarithm.
bool beginsBelowLogarithms(const session::Coloring& color) {
  return color.logarithmic && color.range && !((*color.range)[0] > 0);
}

/// Without what is next to nothing beside the other end, which nobody means.
std::array<double, 2> plainRange(std::array<double, 2> range, bool logarithmic) {
  if (logarithmic) return range;
  return {color::withoutRounding(range[0], range[1]), color::withoutRounding(range[1], range[0])};
}

}  // namespace

ColorPanel::ColorPanel(app::AppModel& model, QWidget* parent)
    : QScrollArea(parent),
      m_model(model),
      m_title(new QLabel(this)),
      m_bar(new QLabel(this)),
      m_ends(new QLabel(this)),
      m_parts(new QWidget(this)) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(tr("Colours"));
  auto* const page = new QWidget(this);
  auto* const column = new QVBoxLayout(page);
  column->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
  column->setSpacing(6);
  m_title->setWordWrap(true);
  column->addWidget(m_title);
  auto* const parts = new QVBoxLayout(m_parts);
  parts->setContentsMargins(0, 0, 0, 0);
  parts->setSpacing(6);
  m_bar->setFixedHeight(kBarHeight);
  m_bar->setScaledContents(true);
  m_bar->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  m_bar->setAccessibleName(tr("Colours from the least value to the greatest"));
  m_ends->setObjectName("color.ends");
  m_ends->setAlignment(Qt::AlignHCenter);
  m_ends->setForegroundRole(QPalette::PlaceholderText);
  parts->addWidget(m_bar);
  parts->addWidget(m_ends);
  parts->addWidget(makeMapPart());
  parts->addWidget(makeRangePart());
  parts->addWidget(m_legendPart = new LegendPart(model, m_parts));
  column->addWidget(m_parts);
  column->addWidget(makeViewPart());
  column->addStretch();
  setWidget(page);

  connect(&model.document(), &app::Document::changed, this, &ColorPanel::refresh);
  connect(&model.document(), &app::Document::replaced, this, [this] { showObject(0); });
  connect(&model.maps(), &app::SessionMaps::changed, this, &ColorPanel::refresh);
  connect(&model.stage(), &app::Stage::statusChanged, this, [this](app::ObjectId id) {
    const session::Object* const object = m_model.document().object(m_object);
    if (id != m_object || !object) return;
    refreshRange(app::withPlainColors(*object).color);
    if (const std::string owner = session::legendOwner(*object, m_model.document().session());
        !m_legendPart->shows(owner, legendFunction(*object)))
      m_legendPart->showLegend(owner, legendFunction(*object));
  });
  connect(&model.stage(), &app::Stage::shownValuesChanged, this, [this](const std::string& key) {
    const session::Object* const object = m_model.document().object(m_object);
    if (object && m_model.stage().keyOf(object->data) == key)
      refreshRange(app::withPlainColors(*object).color);
  });
  refresh();
}

void ColorPanel::holdLegendsIn(qt3d::Viewport& viewport) {
  m_legendPart->setHolder([view = QPointer(&viewport)](const std::string& owner, const std::string& function,
                                                       const scene::LegendLook& look) {
    return view ? view->heldInPlace(owner, function, look) : look;
  });
}

QSize ColorPanel::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 56, 520};
}

ColorPanel::Outside ColorPanel::addOutside(QGridLayout* grid, int row, const char* name, const QString& text,
                                           std::optional<scene::Rgba> session::Coloring::*place) {
  const Outside made{place, new QCheckBox(text, grid->parentWidget()), new QPushButton(grid->parentWidget())};
  made.on->setObjectName(QStringLiteral("color.%1").arg(name));
  made.on->setToolTip(
      tr("A colour of their own for values outside of the range; else they have that of its end"));
  made.color->setObjectName(QStringLiteral("color.%1.color").arg(name));
  made.color->setAccessibleName(tr("Colour %1").arg(text.toLower()));
  grid->addWidget(made.on, row, 0);
  grid->addWidget(made.color, row, 1, Qt::AlignLeft);
  connect(made.on, &QCheckBox::clicked, this, [this, place, text](bool on) {
    change(text, {}, [=](session::Coloring& color) {
      // Low and high are told apart, and from most maps.
      const float grey = place == &session::Coloring::above ? 0.7f : 0.35f;
      color.*place = on ? std::optional(scene::Rgba{grey, grey, grey, 1}) : std::nullopt;
    });
  });
  connect(made.color, &QPushButton::clicked, this, [this, place, text] {
    const session::Object* const object = m_model.document().object(m_object);
    if (!object) return;
    askForColor(tr("Colour %1").arg(text.toLower()), (object->color.*place).value_or(object->color.nan),
                [place](session::Coloring& color, const scene::Rgba& picked) { color.*place = picked; });
  });
  return made;
}

QWidget* ColorPanel::makeRangePart() {
  auto* const part = new QWidget(this);
  auto* const grid = new QGridLayout(part);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->addWidget(makeHeading(tr("Range"), part), 0, 0, 1, 4);
  m_range = new QComboBox(part);
  m_range->setObjectName("color.range");
  m_range->addItems({tr("Of what is shown, step by step"), tr("The same, symmetric about 0"),
                     tr("Of the whole data, step by step"), tr("Of the whole data, all steps"),
                     tr("By hand")});
  m_range->setAccessibleName(tr("Range"));
  m_range->setWhatsThis(
      tr("Between which values the colours of the map lie; beyond them they are those of its ends."));
  grid->addWidget(m_range, 1, 0, 1, 4);
  m_rangeNote = new QLabel(part);
  m_rangeNote->setObjectName("color.rangeNote");
  m_rangeNote->setWordWrap(true);
  m_rangeNote->setForegroundRole(QPalette::PlaceholderText);
  m_rangeNote->hide();
  grid->addWidget(m_rangeNote, 2, 0, 1, 4);
  m_least = new NumberEdit({}, part);
  m_least->setObjectName("color.least");
  m_least->setAccessibleName(tr("Least value"));
  m_least->setWhatsThis(
      tr("The value that has the first colour of the map; who types one sets the range by hand."));
  m_greatest = new NumberEdit({}, part);
  m_greatest->setObjectName("color.greatest");
  m_greatest->setAccessibleName(tr("Greatest value"));
  m_greatest->setWhatsThis(
      tr("The value that has the last colour of the map; who types one sets the range by hand."));
  grid->addWidget(m_least, 3, 0);
  grid->addWidget(new QLabel(tr("to"), part), 3, 1);
  grid->addWidget(m_greatest, 3, 2);
  m_take = new QPushButton(tr("Hold"), part);
  m_take->setObjectName("color.take");
  m_take->setToolTip(tr("Keeps the range that is shown now, for all steps and whatever else changes"));
  grid->addWidget(m_take, 3, 3);
  m_log = new QCheckBox(tr("Logarithmic"), part);
  m_log->setObjectName("color.log");
  m_log->setToolTip(tr("Equal steps of colour for equal factors"));
  grid->addWidget(m_log, 4, 0, 1, 4);
  m_logNote = new QLabel(part);
  m_logNote->setObjectName("color.logNote");
  m_logNote->setWordWrap(true);
  m_logNote->setForegroundRole(QPalette::PlaceholderText);
  grid->addWidget(m_logNote, 5, 0, 1, 4);
  m_apart = new QCheckBox(tr("A scale of its own"), part);
  m_apart->setObjectName("color.apart");
  m_apart->setToolTip(
      tr("Objects of the same data that show the same function have one scale of colours, unless one is "
         "set apart"));
  grid->addWidget(m_apart, 6, 0, 1, 4);
  grid->setColumnStretch(0, 1);
  grid->setColumnStretch(2, 1);

  connect(m_range, &QComboBox::activated, this,
          [this](int index) { chooseRange(static_cast<RangeKind>(index)); });
  for (NumberEdit* const end : {m_least, m_greatest}) {
    connect(end, &NumberEdit::edited, this, &ColorPanel::takeTypedRange);
    connect(end, &NumberEdit::interrupted, this, [this] { m_before.reset(); });
  }
  connect(m_take, &QPushButton::clicked, this, [this] { chooseRange(RangeKind::Manual); });
  connect(m_apart, &QCheckBox::clicked, this, &ColorPanel::setApart);
  connect(m_log, &QCheckBox::clicked, this, [this](bool on) {
    change(tr("Logarithmic colours"), {}, [on](session::Coloring& color) {
      color.logarithmic = on;
      if (on && color.rangeOf == session::RangeOf::Symmetric) color.rangeOf = session::RangeOf::Shown;
      // Nothing of it would have a logarithm.
      if (on && color.range && !((*color.range)[1] > 0)) color.range.reset();
    });
  });
  return part;
}

QWidget* ColorPanel::makeViewPart() {
  auto* const part = new QWidget(this);
  auto* const grid = new QGridLayout(part);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->addWidget(makeHeading(tr("In the view"), part), 0, 0, 1, 2);
  m_legend = new QCheckBox(tr("Legends"), part);
  m_legend->setObjectName("color.legend");
  m_legend->setToolTip(tr("Bars that say which colour is which value, also in pictures"));
  grid->addWidget(m_legend, 1, 0, 1, 2);
  m_vision = new QComboBox(part);
  m_vision->setObjectName("color.vision");
  m_vision->addItems({tr("usual vision"), tr("no red cones (protanopia)"),
                      tr("no green cones (deuteranopia)"), tr("no blue cones (tritanopia)"),
                      tr("no colours")});
  m_vision->setToolTip(
      tr("Shows the view and the maps as people with this vision see them; changes nothing else"));
  m_vision->setAccessibleName(tr("Seen with"));
  m_vision->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  auto* const label = new QLabel(tr("Seen with"), part);
  label->setBuddy(m_vision);
  grid->addWidget(label, 2, 0);
  grid->addWidget(m_vision, 2, 1);
  grid->setColumnStretch(1, 1);
  connect(m_legend, &QCheckBox::clicked, this, [this](bool on) {
    m_model.document().edit(tr("Legends"), [on](app::Draft& draft) { draft.frame().image.legend = on; });
  });
  connect(m_vision, &QComboBox::currentIndexChanged, this, [this] {
    m_listed.clear();  // to be painted anew
    refresh();
    emit visionChosen(vision());
  });
  return part;
}

color::Vision ColorPanel::vision() const {
  return static_cast<color::Vision>(std::max(0, m_vision->currentIndex()));
}

void ColorPanel::showObject(app::ObjectId id) {
  // What is being typed belongs to what is shown until now.
  if (id != m_object)
    for (NumberEdit* const edit : findChildren<NumberEdit*>()) edit->finish();
  if (id != m_object) m_bands->finish();
  m_before.reset();
  m_object = id;
  refresh();
}

void ColorPanel::refresh() {
  m_legend->setChecked(m_model.document().session().image.legend);
  const session::Object* const found = m_model.document().object(m_object);
  const session::Object its = found ? app::withPlainColors(*found) : session::Object{};
  const session::Object* const object = found ? &its : nullptr;
  const bool colored = object && !object->color.by.empty();
  m_parts->setVisible(colored);
  if (!object) {
    m_title->setText(tr("Select an object in the pipeline to choose its colours."));
    return;
  }
  const QString name = QString::fromStdString(object->name);
  if (!colored) {
    m_title->setText(
        tr("The object “%1” has one colour. Its properties offer functions to colour it by.").arg(name));
    return;
  }
  const auto sharing = static_cast<int>(app::sharingColors(m_model.document(), m_object).size());
  const QString by = QString::fromStdString(object->color.by);
  QString title = sharing > 1
                      ? tr("“%1” and %2 more of the data, coloured by %3").arg(name).arg(sharing - 1).arg(by)
                      : tr("“%1”, coloured by %2").arg(name, by);
  QStringList scaled;
  for (const app::ObjectId other : app::sharingScaleAlone(m_model.document(), m_object))
    scaled.append(tr("“%1”").arg(QString::fromStdString(m_model.document().object(other)->name)));
  if (!scaled.isEmpty()) title += tr("; the range is also that of %1").arg(scaled.join(QStringLiteral(", ")));
  m_title->setText(title);
  refreshMaps(object->color);
  showWhatThereIs(*object);
  sayOfLines(*object);
  refreshRange(object->color);
  const std::string shown = m_model.stage().status(m_object).scale.title;
  const bool same = std::exchange(m_legendOf, m_object) == m_object;
  if (std::exchange(m_legendBy, object->color.by) != object->color.by || !same)
    m_titleBefore = same ? shown : std::string();
  m_legendPart->showLegend(session::legendOwner(*object, m_model.document().session()),
                           legendFunction(*object));
}

/// The name that the legend has, where it was asked for by number; not that of what was shown before.
std::string ColorPanel::legendFunction(const session::Object& object) const {
  const std::string shown = m_model.stage().status(m_object).scale.title;
  return shown.empty() || object.color.by.empty() || shown == m_titleBefore ? object.color.by : shown;
}

void ColorPanel::refreshRange(const session::Coloring& color) {
  const RangeKind kind = color.range ? RangeKind::Manual : static_cast<RangeKind>(color.rangeOf);
  m_range->setCurrentIndex(static_cast<int>(kind));
  const app::ObjectStatus status = m_model.stage().status(m_object);
  const session::Object* const object = m_model.document().object(m_object);
  const app::WholeRange known =
      object ? m_model.stage().wholeRange(object->data, color.by, kind == RangeKind::Step)
             : app::WholeRange{};
  auto* const items = qobject_cast<QStandardItemModel*>(m_range->model());
  const auto data = object ? m_model.stage().summary(object->data) : nullptr;
  for (const RangeKind which : {RangeKind::Step, RangeKind::Data}) {
    QStandardItem* const whole = items->item(static_cast<int>(which));
    const bool hasOneStep = which == RangeKind::Step && data && data->description.steps() == 1;
    whole->setEnabled((known.canBeFound && !hasOneStep) || kind == which);
    whole->setToolTip(hasOneStep                       ? tr("These data have one step")
                      : known.isWhole && kind == which ? QString()
                      : known.canBeFound
                          ? tr("All of the data are looked through for it once it is chosen, while "
                               "nothing else is computed")
                          : tr("This is not known of the data"));
  }
  m_rangeNote->setVisible(isOfWholeData(color) && object && !known.isWhole);
  m_rangeNote->setText(known.isLooking
                           ? (kind == RangeKind::Step
                                  ? tr("All of this step is being looked through, %1 %. Until then it is the "
                                       "range of what is shown.")
                                  : tr("All of the data are being looked through, %1 %. Until then it is the "
                                       "range of what is shown."))
                                 .arg(std::floor(100 * known.part), 0, 'f', 0)
                           : tr("It cannot be found. This is the range of what is shown."));
  const auto shown = status.shownRange;
  // The scale begins elsewhere then.
  const bool beginsTooLow = beginsBelowLogarithms(color);
  m_logNote->setVisible(status.scale.reachesDown);
  m_logNote->setText(
      beginsTooLow && shown
          ? tr("A logarithmic range begins above 0: the colours begin at %1.").arg(textOfNumber((*shown)[0]))
          : tr("There are values of 0 and less, which have no logarithm, or a few far below the others, "
               "which would take most of the colours. They are shown as below the range."));
  m_apart->setVisible(!object || !app::volumeIn(*object));
  m_apart->setChecked(object && object->color.apart);
  auto ends = color.range ? color.range : shown;
  const auto seen = beginsTooLow && shown ? shown : ends;
  const auto said =
      seen && !color.range ? meantRange(*seen, color.logarithmic) : seen.value_or(std::array{0.0, 0.0});
  // What is typed goes with the other end, and no value falls out of the range by that.
  if (ends && !color.range) ends = meantRange(plainRange(*ends, color.logarithmic), color.logarithmic, true);
  m_least->setValue(ends ? std::optional<double>((*ends)[0]) : std::nullopt);
  m_greatest->setValue(ends ? std::optional<double>((*ends)[1]) : std::nullopt);
  if (m_least->value() < m_greatest->value()) {
    showWarning(m_least, QPalette::Text, beginsTooLow);
    showWarning(m_greatest, QPalette::Text, false);
  }
  m_take->setEnabled(kind != RangeKind::Manual && shown && (*shown)[0] < (*shown)[1]);
  m_log->setChecked(color.logarithmic);
  m_ends->setText(ends ? textOfRange(said[0], said[1], color.logarithmic) : QString());
}

void ColorPanel::change(const QString& text, const QString& key,
                        const std::function<void(session::Coloring&)>& edit) {
  app::editColors(m_model.document(), m_object, text, key, edit);
}

void ColorPanel::setApart(bool apart) {
  const session::Object* const object = m_model.document().object(m_object);
  if (!object) return;
  session::Object changed = *object;
  if (apart)
    changed.color.apart = true;
  else
    changed = app::withSharedColors(changed, m_model.document().session());
  m_model.document().setObject(m_object, std::move(changed), tr("A scale of its own"));
}

void ColorPanel::chooseRange(RangeKind kind) {
  const auto shown = m_model.stage().status(m_object).shownRange;
  change(tr("Range of colours"), {}, [&](session::Coloring& color) {
    if (kind == RangeKind::Symmetric) color.logarithmic = false;
    if (kind != RangeKind::Manual) {
      color.range.reset();
      color.rangeOf = static_cast<session::RangeOf>(kind);
    } else if (!color.range && shown && (*shown)[0] < (*shown)[1]) {
      color.range = plainRange(*shown, color.logarithmic);
      color.rangeOf = session::RangeOf::Shown;
    }
  });
  // By hand needs numbers first: without any it stays as it was.
  refresh();
}

void ColorPanel::takeTypedRange(bool final) {
  const session::Object* const object = m_model.document().object(m_object);
  if (!object) return;
  if (!m_before) m_before = app::withPlainColors(*object).color;
  const session::Coloring before = *m_before;
  if (final) m_before.reset();
  const auto* const typed = qobject_cast<const NumberEdit*>(sender());
  if (typed && typed->isTakenBack()) {
    change(tr("Range of colours"), "color.range", [&](session::Coloring& color) {
      color.range = before.range;
      color.rangeOf = before.rangeOf;
    });
    m_model.document().endMerge();
    return refresh();
  }
  const auto least = m_least->value(), greatest = m_greatest->value();
  const bool ordered = least && greatest && *least < *greatest;
  for (NumberEdit* const end : {m_least, m_greatest}) showWarning(end, QPalette::Text, !ordered);
  if (!ordered) {
    // Who goes on from one end to the other is not done yet.
    const bool goesOn = sender() == m_least ? m_greatest->hasFocus() : m_least->hasFocus();
    if (final && !goesOn) emit message(tr("The least value of a range has to lie below the greatest."), true);
    return;
  }
  if (m_log->isChecked() && !(*greatest > 0)) {
    if (final) emit message(tr("A logarithmic range has to reach above 0."), true);
    return;
  }
  change(tr("Range of colours"), "color.range", [&](session::Coloring& color) {
    color.range = {{*least, *greatest}};
    color.rangeOf = session::RangeOf::Shown;
  });
  if (const session::Object* const now = m_model.document().object(m_object))
    showWarning(m_least, QPalette::Text, beginsBelowLogarithms(now->color));
  if (final) m_model.document().endMerge();
}

void ColorPanel::askForColor(const QString& text, scene::Rgba present,
                             const std::function<void(session::Coloring&, const scene::Rgba&)>& set) {
  auto* const dialog = new QColorDialog(QColor(app::textOfColor(present)), this);
  dialog->setWindowTitle(text);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setOption(QColorDialog::DontUseNativeDialog);
  connect(dialog, &QColorDialog::colorSelected, this, [this, text, set](const QColor& picked) {
    change(text, {}, [&](session::Coloring& color) { set(color, app::colorFromText(picked.name())); });
  });
  dialog->open();
}

}  // namespace farfield::ui
