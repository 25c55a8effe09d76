#include "app/ui/dialogs/animation_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "app/ui/widgets/look.h"
#include "app/ui/widgets/tab_order.h"
#include "app/ui/widgets/whole_number_box.h"

namespace farfield::ui {

namespace {
constexpr const char *kNoVideo = "none", *kNoStepTitle = "untitled";
constexpr int kUsualRate = 25, kLeastRate = 2;
constexpr int kWatchedSeconds = 4;  // that a film takes at least, where its speed is free
constexpr int kMostPixels = 8192;   // of a side

/// Of the same shape, where it is larger than pictures of films may be; of even numbers, as videos have them.
std::array<int, 2> fitting(std::array<int, 2> size) {
  const double part = std::min(1.0, static_cast<double>(kMostPixels) / std::max(size[0], size[1]));
  if (part < 1)
    for (int& side : size) side = std::max(16, static_cast<int>(std::lround(part * side / 2)) * 2);
  return size;
}
}  // namespace

AnimationDialog::AnimationDialog(const Offer& offer, QWidget* parent)
    : QDialog(parent), m_dateOf(offer.dateOf) {
  setObjectName("animation");
  setWindowTitle(tr("Export animation"));
  setMinimumWidth(fontMetrics().averageCharWidth() * 56);
  auto* const form = new QFormLayout(this);
  const auto number = [this](const char* name, int least, int greatest, int value, const QString& suffix,
                             const QString& tip) {
    auto* const made = new WholeNumberBox(this);
    made->setObjectName(name);
    made->setRange(least, greatest);
    made->setValue(value);
    made->setSuffix(suffix);
    made->setToolTip(tip);
    connect(made, &QSpinBox::valueChanged, this, [this, made] {
      m_rateChosen |= made == m_rate;
      showCount();
    });
    connect(made, &WholeNumberBox::judged, this, &AnimationDialog::allow);
    return made;
  };
  const int last = static_cast<int>(offer.steps) - 1;
  m_steps = new QRadioButton(tr("The &steps of the data"), this);
  m_steps->setObjectName("steps");
  m_first = number("first", 0, last, 0, {}, tr("The first step that has a picture; they are counted from 0"));
  m_last = number("last", 0, last, last, {}, tr("The last step that has a picture"));
  m_every = number("every", 1, std::max(1, last), 1, {},
                   tr("1: every step has a picture, 2: every other one, and so on"));
  m_turn = new QRadioButton(tr("The view &going round what is shown"), this);
  m_turn->setObjectName("turn");
  m_flow = new QRadioButton(tr("&Particles, dashes and textures that move"), this);
  m_flow->setObjectName("flow");
  m_pictures = number("pictures", 2, 3600, 72, {},
                      tr("How many the whole turn, or the whole round of what moves, has"));
  m_degrees = number("degrees", -3600, 3600, 360, tr("°"),
                     tr("How far the view goes round; a number below 0 is the other way round"));
  m_axis = new QComboBox(this);
  m_axis->addItems({tr("what is up in the view"), "x", "y", "z"});
  m_axis->setToolTip(tr("The direction about which the view goes round"));
  const auto [width, height] = fitting(offer.sizePixels);
  m_width =
      number("width", 16, kMostPixels, width, tr(" px"), tr("Pixels from left to right of each picture"));
  m_height =
      number("height", 16, kMostPixels, height, tr(" px"), tr("Pixels from top to bottom of each picture"));
  m_rate = number("rate", 1, 240, kUsualRate, tr(" pictures a second"),
                  tr("Few steps go by slowly at first, so that the film lasts some seconds"));
  m_video = new QComboBox(this);
  m_video->setObjectName("video");
  m_video->addItem(tr("none"), QString());
  m_video->addItem(tr("MP4"), ".mp4");
  m_video->addItem(tr("WebM"), ".webm");
  m_video->setEnabled(offer.videos);
  m_video->setToolTip(offer.videos ? tr("A film of the pictures, which FFmpeg makes and puts beside them")
                                   : tr("FFmpeg, which makes videos of pictures, is not installed."));
  m_count = new QLabel(this);
  m_count->setForegroundRole(QPalette::PlaceholderText);
  m_count->setObjectName("count");
  m_stepTitle = new QCheckBox(tr("&Write step and time"), this);
  m_stepTitle->setObjectName("stepTitle");
  m_stepTitle->setChecked(true);
  m_nothing = new QCheckBox(tr("&Nothing behind it"), this);
  m_nothing->setObjectName("nothingBehind");
  m_nothing->setChecked(offer.nothingBehind);
  m_nothing->setToolTip(
      tr("A transparent background of the pictures, to lay them over others; a video has the colour"));
  // A film is what most want, and the pictures are there anyway.
  if (offer.videos) m_video->setCurrentIndex(1);
  if (const QStringList before = offer.last.split(' '); before.size() >= 2) {
    if (const int at = m_video->findData(before[0] == kNoVideo ? QString() : before[0]);
        offer.videos && at >= 0)
      m_video->setCurrentIndex(at);
    if (const int rate = before[1].toInt(); rate > 0) {
      m_rate->setValue(rate);
      m_rateChosen = true;
    }
    m_stepTitle->setChecked(!before.contains(kNoStepTitle));
  }

  if (offer.severalViews) {
    auto* const first = new QLabel(tr("Of the first view alone, with what that shows."), this);
    first->setObjectName("firstViewNote");
    form->addRow(first);
  }
  const bool steps = offer.steps > 1;
  form->addRow(m_steps);
  const auto dated = [this](WholeNumberBox* step, const char* name) {
    auto* const date = new QLabel(this);
    date->setObjectName(name);
    date->setForegroundRole(QPalette::PlaceholderText);
    auto* const row = new QHBoxLayout;
    row->addWidget(step, 1);
    row->addWidget(date);
    date->setVisible(m_dateOf && !m_dateOf(0).isEmpty());
    return std::pair(row, date);
  };
  const auto [firstRow, firstDate] = dated(m_first, "firstDate");
  const auto [lastRow, lastDate] = dated(m_last, "lastDate");
  m_firstDate = firstDate, m_lastDate = lastDate;
  // A label of a row of several has no buddy by itself.
  for (const auto& [text, row, step] :
       {std::tuple(tr("From step"), firstRow, m_first), std::tuple(tr("to step"), lastRow, m_last)}) {
    auto* const label = new QLabel(text, this);
    label->setBuddy(step);
    form->addRow(label, row);
    connect(step, &QSpinBox::valueChanged, this, &AnimationDialog::showDates);
  }
  showDates();
  form->addRow(tr("every"), m_every);
  // A title of the session's own is written in any case.
  m_stepTitle->setVisible(steps && !offer.titled);
  m_stepTitle->setToolTip(tr("At the top of each picture, where the view has no title"));
  form->addRow(QString(), m_stepTitle);
  form->addRow(m_turn);
  form->addRow(tr("Angle"), m_degrees);
  form->addRow(tr("About"), m_axis);
  auto* const goes = new QLabel(offer.seesAll ? tr("All that is shown stays in the picture")
                                              : tr("Round what is looked at: not all is in the picture"),
                                this);
  goes->setObjectName("turnNote");
  goes->setForegroundRole(QPalette::PlaceholderText);
  form->addRow(QString(), goes);
  form->addRow(m_flow);
  auto* const still = new QLabel(this);
  still->setObjectName("stillReason");
  still->setWordWrap(true);
  still->setForegroundRole(QPalette::PlaceholderText);
  form->addRow(still);
  form->addRow(tr("Pictures"), m_pictures);
  form->addRow(tr("Width"), m_width);
  form->addRow(tr("Height"), m_height);
  form->addRow(tr("Background"), m_nothing);
  form->addRow(tr("Video"), m_video);
  form->addRow(tr("Speed"), m_rate);
  form->addRow(m_count);
  m_steps->setEnabled(steps);
  m_steps->setToolTip(steps ? tr("A picture of each step of time, from where the view is now")
                            : tr("The data have one step only."));
  m_turn->setEnabled(offer.turns);
  m_flow->setEnabled(offer.turns && offer.flows);
  const QString undrawn = tr("This program was built without what draws pictures.");
  m_turn->setToolTip(offer.turns ? tr("The step that is shown, from all around") : undrawn);
  if (!m_flow->isEnabled())
    still->setText(offer.turns
                       ? tr("Nothing that moves is shown. In the properties of streamlines, draw them as "
                            "particles or with moving dashes; a texture can be moving, too.")
                       : undrawn);
  still->setVisible(!m_flow->isEnabled());
  // Forms give lines that are broken the height of wide ones.
  const QMargins margins = form->contentsMargins();
  still->setMinimumHeight(still->heightForWidth(minimumWidth() - margins.left() - margins.right()));
  m_flow->setToolTip(m_flow->isEnabled() ? tr("One round of what moves, which begins again without a jump")
                                         : still->text());
  (steps ? m_steps : m_turn)->setChecked(true);
  const auto enable = [this] {
    for (QWidget* const each : std::initializer_list<QWidget*>{m_first, m_last, m_every, m_stepTitle})
      each->setEnabled(m_steps->isChecked());
    for (QWidget* const each : {static_cast<QWidget*>(m_degrees), static_cast<QWidget*>(m_axis)})
      each->setEnabled(m_turn->isChecked());
    m_pictures->setEnabled(!m_steps->isChecked());
    showCount();
  };
  for (QRadioButton* const each : {m_steps, m_turn}) connect(each, &QRadioButton::toggled, this, enable);
  enable();

  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  buttons->button(QDialogButtonBox::Ok)->setText(tr("Choose a folder …"));
  buttons->button(QDialogButtonBox::Ok)->setToolTip(tr("Into which the numbered pictures are written"));
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  form->addRow(buttons);
  tabAsLaidOut(*form);
}

int AnimationDialog::pictureCount() const {
  const AnimationChoice now = choice();
  return now.kind != AnimationChoice::Kind::Steps
             ? now.pictures
             : static_cast<int>(std::max<std::int64_t>(now.last - now.first, 0) / now.every + 1);
}

void AnimationDialog::proposeRate() {
  if (m_rateChosen) return;
  const QSignalBlocker quiet(m_rate);
  m_rate->setValue(m_steps->isChecked() ? std::clamp(pictureCount() / kWatchedSeconds, kLeastRate, kUsualRate)
                                        : kUsualRate);
}

void AnimationDialog::showDates() {
  if (!m_dateOf) return;
  m_firstDate->setText(m_dateOf(m_first->value()));
  m_lastDate->setText(m_dateOf(m_last->value()));
}

void AnimationDialog::showCount() {
  proposeRate();
  const int pictures = pictureCount();
  m_count->setText(isBackwards() ? tr("The first step is behind the last one.")
                                 : tr("%1 numbered pictures, %2 s")
                                       .arg(pictures)
                                       .arg(double(pictures) / m_rate->value(), 0, 'f', 1));
  showWarning(m_count, QPalette::PlaceholderText, isBackwards());
  allow();
}

bool AnimationDialog::isBackwards() const {
  return m_steps->isChecked() && m_first->value() > m_last->value();
}

void AnimationDialog::allow() {
  const auto* const buttons = findChild<QDialogButtonBox*>();
  if (!buttons) return;  // not before all is there
  const QList<WholeNumberBox*> numbers = findChildren<WholeNumberBox*>();
  buttons->button(QDialogButtonBox::Ok)
      ->setEnabled(!isBackwards() &&
                   std::all_of(numbers.begin(), numbers.end(), [](const WholeNumberBox* each) {
                     return each->isGood() || !each->isEnabled();
                   }));
}

AnimationChoice AnimationDialog::choice() const {
  AnimationChoice choice;
  choice.kind = m_steps->isChecked()  ? AnimationChoice::Kind::Steps
                : m_flow->isChecked() ? AnimationChoice::Kind::Flow
                                      : AnimationChoice::Kind::Turn;
  choice.first = m_first->value();
  choice.last = m_last->value();
  choice.every = m_every->value();
  choice.pictures = m_pictures->value();
  choice.degrees = m_degrees->value();
  choice.axis = static_cast<AnimationChoice::Axis>(m_axis->currentIndex());
  choice.video = m_video->currentData().toString();
  choice.picturesPerSecond = m_rate->value();
  choice.stepTitle = m_stepTitle->isChecked();
  choice.nothingBehind = m_nothing->isChecked();
  choice.sizePixels = {m_width->value(), m_height->value()};
  return choice;
}

QString AnimationDialog::howFilmed() const {
  const QString video = m_video->currentData().toString();
  QStringList words{video.isEmpty() ? kNoVideo : video, QString::number(m_rateChosen ? m_rate->value() : 0)};
  if (!m_stepTitle->isChecked()) words.append(kNoStepTitle);
  return words.join(' ');
}

}  // namespace farfield::ui
