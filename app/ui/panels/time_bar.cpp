#include "app/ui/panels/time_bar.h"

#include <QAction>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QStyle>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "app/model/words/some_names.h"
#include "app/model/workshop/missing_steps.h"
#include "app/ui/panels/step_strip.h"
#include "app/ui/widgets/elided_label.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/number_edit.h"
#include "app/ui/widgets/tab_order.h"
#include "core/fields/words/axis_names.h"
#include "core/fields/words/dates.h"

namespace farfield::ui {

namespace {

const QString kLoop = QStringLiteral("time.loop"), kSpeed = QStringLiteral("time.speed");
constexpr double kUsualSpeed = 8, kLeastSpeed = 0.1, kMostSpeed = 60;  // steps a second

/// Puts numbers below the slider where both have no room beside each other, and what is said besides below the numbers: narrow windows
/// stay narrow.
class Folding final : public QObject {
 public:
  Folding(QWidget& bar, QGridLayout& grid, QLayout& track, QWidget& numbers, QHBoxLayout& numberRow,
          QWidget& besides)
      : QObject(&bar),
        m_bar(bar),
        m_grid(grid),
        m_track(track),
        m_numbers(numbers),
        m_numberRow(numberRow),
        m_besides(besides),
        m_besidesAt(numberRow.indexOf(&besides)) {
    m_grid.addWidget(&m_numbers, 0, 1);
  }
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) arrange();
    return false;
  }

 private:
  void arrange() {
    constexpr int kSliderLetters = 10;
    const QMargins margins = m_grid.contentsMargins();
    const int around = margins.left() + margins.right(), track = m_track.minimumSize().width();
    // The numbers alone, wherever the rest stands. What is said besides is shortened rather than that the window becomes wider.
    const bool says = !m_besides.isHidden();
    const int besides = says ? m_besides.sizeHint().width() + m_numberRow.spacing() : 0,
              leastBesides = says ? m_besides.minimumSizeHint().width() + m_numberRow.spacing() : 0;
    const int numbers = m_numbers.sizeHint().width() - (m_below ? 0 : besides),
              leastNumbers = m_numbers.minimumSizeHint().width() - (m_below ? 0 : leastBesides);
    m_bar.setMinimumWidth(around + std::max({track, leastNumbers, leastBesides}));
    const int slider =
        track + m_grid.horizontalSpacing() + kSliderLetters * m_bar.fontMetrics().averageCharWidth();
    const bool folded = m_bar.width() < around + slider + numbers + besides;
    const bool below = folded && says && m_bar.width() < around + numbers + besides;
    if (folded != m_folded) {
      m_folded = folded;
      m_grid.removeWidget(&m_numbers);
      m_grid.addWidget(&m_numbers, folded ? 1 : 0, folded ? 0 : 1);
    }
    if (below == m_below) return;
    m_below = below;
    if (below) {
      m_numberRow.removeWidget(&m_besides);
      m_besides.setParent(&m_bar);
      m_grid.addWidget(&m_besides, 2, 0);
    } else {
      m_grid.removeWidget(&m_besides);
      m_numberRow.insertWidget(m_besidesAt, &m_besides);
    }
    m_besides.setVisible(says);
  }

  QWidget& m_bar;
  QGridLayout& m_grid;
  QLayout& m_track;
  QWidget& m_numbers;
  QHBoxLayout& m_numberRow;
  QWidget& m_besides;
  const int m_besidesAt;
  bool m_folded = false, m_below = false;
};

/// The widget that both stand in, where one of them has something to say.
void showParentOf(const QWidget& one, const QWidget& other) {
  one.parentWidget()->setVisible(!one.isHidden() || !other.isHidden());
}

/// Names of files and data are no markup.
QString tipOf(const QStringList& lines) {
  return "<p>" + app::someNames(lines).toHtmlEscaped().replace('\n', "<br>") + "</p>";
}

}  // namespace

TimeBar::TimeBar(app::AppModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_play(new QAction(icon("play"), tr("Play"), this)),
      m_first(new QAction(icon("step-first"), tr("First step"), this)),
      m_back(new QAction(icon("step-back"), tr("Step back"), this)),
      m_forward(new QAction(icon("step-forward"), tr("Step forward"), this)),
      m_last(new QAction(icon("step-last"), tr("Last step"), this)),
      m_loop(new QAction(icon("loop"), tr("Loop"), this)),
      m_slider(new QSlider(Qt::Horizontal, this)),
      m_strip(new StepStrip(this)),
      m_step(new NumberEdit({.least = 0, .greatest = 0, .whole = true, .arrowStep = 1}, this)),
      m_of(new QLabel(this)),
      m_speed(new NumberEdit({.least = kLeastSpeed, .greatest = kMostSpeed, .arrowStep = 1}, this)),
      m_time(new QLabel(this)),
      m_leftOut(new ElidedLabel(this)),
      m_others(new ElidedLabel(this)) {
  auto* const grid = new QGridLayout(this);
  grid->setContentsMargins(kPanelMargin, 4, kPanelMargin, 4);
  grid->setColumnStretch(0, 1);
  auto* const row = new QHBoxLayout;
  grid->addLayout(row, 0, 0);
  auto* const numbers = new QWidget(this);
  auto* const numberRow = new QHBoxLayout(numbers);
  numberRow->setContentsMargins(0, 0, 0, 0);
  m_play->setCheckable(true);
  m_play->setShortcut(Qt::Key_Space);
  m_play->setToolTip(tr("Play through the steps (Space)"));
  m_back->setShortcut(Qt::Key_PageUp);
  m_forward->setShortcut(Qt::Key_PageDown);
  m_first->setShortcut(Qt::CTRL | Qt::Key_PageUp);
  m_last->setShortcut(Qt::CTRL | Qt::Key_PageDown);
  m_loop->setCheckable(true);
  m_loop->setToolTip(tr("Start again after the last step"));
  // The ends are in the menu and have keys; a narrow bar has no room for them beside the slider.
  for (QAction* const action : {m_back, m_play, m_forward, m_loop}) {
    auto* const button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setIconSize({20, 20});
    button->setAccessibleName(action->text());
    row->addWidget(button);
  }
  m_slider->setAccessibleName(tr("Step"));
  m_slider->setWhatsThis(tr("The step that is shown; arrow keys go to the next one, Space plays."));
  m_slider->setTracking(true);
  m_slider->addAction(m_play);  // Space, which it has no use for
  auto* const track = new QVBoxLayout;
  track->setSpacing(1);
  track->addWidget(m_slider);
  track->addWidget(m_strip);
  m_strip->setObjectName("time.strip");
  m_strip->hide();
  m_strip->setInset(style()->pixelMetric(QStyle::PM_SliderLength, nullptr, m_slider) / 2);
  row->addLayout(track, 1);
  auto* const label = new QLabel(tr("Step"), numbers);
  label->setBuddy(m_step);
  numberRow->addWidget(label);
  numberRow->addWidget(m_step);
  m_step->setObjectName("time.step");
  m_step->setAccessibleName(tr("Step"));
  m_step->setToolTip(tr("Steps are numbered from 0, as in sessions and in the names of files"));
  numberRow->addWidget(m_of);
  m_time->setObjectName("time.now");
  numberRow->addWidget(m_time);
  m_leftOut->setObjectName("time.leftOut");
  m_others->setObjectName("time.others");
  auto* const besides = new QWidget(numbers);
  besides->hide();
  auto* const besidesRow = new QHBoxLayout(besides);
  besidesRow->setContentsMargins(0, 0, 0, 0);
  for (ElidedLabel* const besidesTime : {m_leftOut, m_others}) {
    besidesTime->hide();
    besidesRow->addWidget(besidesTime);
  }
  numberRow->addWidget(besides);
  numberRow->addStretch();
  // Who plays so plays so the next time as well.
  const double kept = model.settings().windowLayout(kSpeed).toDouble();
  m_speed->setValue(kept >= kLeastSpeed && kept <= kMostSpeed ? kept : kUsualSpeed);
  m_loop->setChecked(model.settings().windowLayout(kLoop) == "on");
  m_speed->setObjectName("time.speed");
  m_speed->setToolTip(tr("How fast at most; every step is computed before the next one is shown"));
  m_speed->setAccessibleName(tr("Speed"));
  m_speed->setFixedWidth(m_speed->minimumSizeHint().width());
  numberRow->addWidget(m_speed);
  auto* const unit = new QLabel(tr("steps/s"), numbers);
  unit->setBuddy(m_speed);
  numberRow->addWidget(unit);
  installEventFilter(new Folding(*this, *grid, *row, *numbers, *numberRow, *besides));
  tabAsLaidOut(*grid);

  app::Stage& stage = model.stage();
  connect(m_slider, &QSlider::valueChanged, this, [&stage](int step) { stage.setStep(step); });
  connect(m_step, &NumberEdit::edited, this, [this, &stage] {
    if (const auto step = m_step->value()) stage.setStep(static_cast<std::int64_t>(*step));
  });
  connect(m_back, &QAction::triggered, this, [&stage] { stage.setStep(stage.step() - 1); });
  connect(m_forward, &QAction::triggered, this, [&stage] { stage.setStep(stage.step() + 1); });
  connect(m_first, &QAction::triggered, this, [&stage] { stage.setStep(0); });
  connect(m_last, &QAction::triggered, this, [&stage] { stage.setStep(stage.steps() - 1); });
  connect(m_play, &QAction::toggled, this, &TimeBar::play);
  connect(m_loop, &QAction::toggled, this,
          [this](bool on) { m_model.settings().setWindowLayout(kLoop, on ? "on" : ""); });
  connect(m_speed, &NumberEdit::edited, this,
          [this] { m_model.settings().setWindowLayout(kSpeed, QByteArray::number(speed())); });
  connect(&stage, &app::Stage::stepsChanged, this, &TimeBar::update);
  connect(&stage, &app::Stage::dataStatusChanged, this, [this] {
    showLeftOut();
    showOthers();
  });
  connect(&stage, &app::Stage::stepChanged, this, &TimeBar::update);
  connect(&stage, &app::Stage::busyChanged, this, [this](bool busy) {
    if (!busy && isPlaying() && !m_next.isActive()) advance();
  });
  connect(&model.engine(), &app::Engine::counted, this, &TimeBar::showSteps);
  m_next.setSingleShot(true);
  connect(&m_next, &QTimer::timeout, this, [this] {
    if (!m_model.stage().isBusy()) advance();
  });
  update();
}

double TimeBar::speed() const {
  return m_speed->value().value_or(kUsualSpeed);
}

bool TimeBar::isPlaying() const {
  return m_play->isChecked();
}

void TimeBar::update() {
  const app::Stage& stage = m_model.stage();
  const auto steps = static_cast<int>(std::min<std::int64_t>(stage.steps(), 1'000'000'000));
  const auto step = static_cast<int>(stage.step());
  for (QAction* const action : {m_play, m_loop}) action->setEnabled(steps > 1);
  for (QAction* const action : {m_first, m_back}) action->setEnabled(step > 0);
  for (QAction* const action : {m_forward, m_last}) action->setEnabled(step + 1 < steps);
  if (steps < 2) m_play->setChecked(false);
  for (QWidget* const widget :
       {static_cast<QWidget*>(m_slider), static_cast<QWidget*>(m_step), static_cast<QWidget*>(m_speed)})
    widget->setEnabled(steps > 1);
  const QSignalBlocker slider(m_slider);
  m_slider->setRange(0, steps - 1);
  m_slider->setPageStep(std::max(1, steps / 10));
  m_slider->setValue(step);
  m_step->setRange(0, steps - 1);
  m_step->setValue(step);
  // Room for every step, in a bar that has none to spare.
  m_step->setFixedWidth(std::max(m_step->minimumSizeHint().width(),
                                 m_step->fontMetrics().horizontalAdvance(QString::number(steps) + "00")));
  m_of->setText(tr("of 0–%1").arg(steps - 1));
  const QString plain = tr("t = %1").arg(textOfNumber(stage.timeOf(step)));
  const auto date = stage.dateOf(step);
  const QString units = date ? QString() : unitsOfTime();
  const QString time = units.isEmpty() ? plain : plain + ' ' + units;
  m_time->setText(date ? QString::fromStdString(*date) : steps > 1 ? time : QString());
  m_time->setToolTip(date ? plain : QString());
  // Dates whole, and numbers in room that does not change from step to step.
  m_time->setMinimumWidth(
      std::max(fontMetrics().horizontalAdvance("t = -0.0000000"), m_time->sizeHint().width()));
  showOthers();
}

/// Of the data that have all the steps.
QString TimeBar::unitsOfTime() const {
  for (const session::DataSource& source : m_model.document().session().data)
    if (const auto summary = m_model.stage().summary(source.name);
        summary && summary->description.steps() == m_model.stage().steps())
      return QString::fromStdString(fields::timeUnitsOf(summary->description));
  return {};
}

/// Of all data: a step that is not there is missed wherever it is.
void TimeBar::showLeftOut() {
  QStringList lines;
  for (const session::DataSource& source : m_model.document().session().data)
    if (const auto summary = m_model.stage().summary(source.name))
      for (const std::string& line : app::stepsLeftOut(*summary))
        lines.append(QString::fromStdString(source.name + ", " + line));
  m_leftOut->setVisible(!lines.isEmpty());
  m_leftOut->setText(tr("%1 left out").arg(lines.size()));
  m_leftOut->setMinimumWidth(m_leftOut->fontMetrics().horizontalAdvance(QStringLiteral("…")));
  showParentOf(*m_leftOut, *m_others);
  m_leftOut->setAccessibleDescription(lines.join('\n'));
  m_leftOut->setToolTip(tipOf(lines));
}

/// Data of fewer steps stay at their last one, and each step of others may have a date of its own.
void TimeBar::showOthers() {
  const app::Stage& stage = m_model.stage();
  QStringList lines, shortly;
  for (const session::DataSource& source : m_model.document().session().data) {
    const auto summary = stage.summary(source.name);
    if (!summary || summary->description.steps() < 2) continue;
    const paging::DatasetDescription& its = summary->description;
    const std::int64_t last = its.steps() - 1, step = std::min(stage.step(), last);
    const double time = its.times[static_cast<std::size_t>(step)];
    const auto date = fields::saidDate(its, step);
    if (date == stage.dateOf(stage.step()) && (date || time == stage.timeOf(stage.step()))) continue;
    const QString units = QString::fromStdString(fields::timeUnitsOf(its));
    const QString plain = tr("t = %1").arg(textOfNumber(time));
    const QString said = date ? QString::fromStdString(*date) : units.isEmpty() ? plain : plain + ' ' + units;
    shortly.append(QString::fromStdString(source.name) + ": " + said);
    lines.append((step == last ? tr("%1: step %2, its last, %3") : tr("%1: step %2, %3"))
                     .arg(QString::fromStdString(source.name))
                     .arg(step)
                     .arg(said));
  }
  m_others->setVisible(!lines.isEmpty());
  showParentOf(*m_leftOut, *m_others);
  m_others->setText(shortly.size() == 1 ? shortly.front() : tr("%1 at other times").arg(shortly.size()));
  m_others->setAccessibleDescription(lines.join('\n'));
  m_others->setToolTip(tipOf(lines));
  // At least that there is something, in a narrow bar; all of it is in the tips.
  m_others->setMinimumWidth(m_others->fontMetrics().horizontalAdvance(QStringLiteral("…")));
  if (lines.isEmpty()) return;
  const QString now = m_time->toolTip().isEmpty() ? m_time->text() : m_time->toolTip();
  m_time->setToolTip(tipOf(QStringList(now) + lines));
}

void TimeBar::showSteps(const app::WorkshopCounters& counters) {
  const app::Stage& stage = m_model.stage();
  m_strip->setVisible(stage.steps() > 1);
  if (stage.steps() < 2) return m_strip->showSteps({}, {}, {});
  // Of the data that have all the steps.
  for (const session::DataSource& source : m_model.document().session().data) {
    const auto found = counters.residentSteps.find(stage.keyOf(source.name));
    const auto summary = stage.summary(source.name);
    if (!summary || summary->description.steps() != stage.steps()) continue;
    const std::string& from = source.source.front();
    const QString elsewhere = from.starts_with("sample://")           ? tr("computed when it is asked for")
                              : from.find("://") != std::string::npos ? tr("remote")
                                                                      : tr("on disk");
    std::vector<float> resident(static_cast<std::size_t>(std::min<std::int64_t>(stage.steps(), 4096)));
    if (found != counters.residentSteps.end() && !found->second.empty()) resident = found->second;
    const auto kept = counters.keptSteps.find(stage.keyOf(source.name));
    return m_strip->showSteps(std::move(resident),
                              kept == counters.keptSteps.end() ? std::vector<float>{} : kept->second,
                              elsewhere);
  }
}

void TimeBar::play(bool on) {
  m_play->setIcon(icon(on ? "pause" : "play"));
  m_play->setText(on ? tr("Pause") : tr("Play"));
  m_next.stop();
  m_begun = false;
  if (!on) m_model.stage().expectStep(-1);
  if (on) advance();
}

void TimeBar::advance() {
  if (!isPlaying()) return;
  app::Stage& stage = m_model.stage();
  std::int64_t step = stage.step() + 1;
  if (step >= stage.steps()) {
    // From the end, playing begins at the beginning.
    if (m_begun && !m_loop->isChecked()) {
      m_play->setChecked(false);
      return;
    }
    step = 0;
  }
  m_begun = true;
  std::int64_t after = step + 1;
  if (after >= stage.steps()) after = m_loop->isChecked() ? 0 : -1;
  stage.expectStep(after);
  stage.setStep(step);
  m_next.start(static_cast<int>(std::lround(1000 / speed())));
}

}  // namespace farfield::ui
