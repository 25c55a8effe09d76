#include "app/ui/widgets/notice_bar.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "app/ui/widgets/look.h"

namespace farfield::ui {
namespace {
constexpr int kIconSide = 16;
constexpr std::size_t kMost = 9;
constexpr int kLeastLetters = 45;  ///< of a line of text beside the buttons
}  // namespace

NoticeBar::NoticeBar(QWidget* parent)
    : QFrame(parent),
      m_icon(new QLabel(this)),
      m_text(new QLabel(this)),
      m_button(new QPushButton(this)),
      m_other(new QPushButton(this)),
      m_count(new QToolButton(this)) {
  setObjectName("notice");
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::AlternateBase);
  m_grid = new QGridLayout(this);
  m_grid->setContentsMargins(kPanelMargin, 4, 4, 4);
  m_grid->setColumnStretch(1, 1);
  m_icon->setPixmap(icon("warning").pixmap(kIconSide, kIconSide));
  m_grid->addWidget(m_icon, 0, 0);
  // Its room is there before it is needed: nothing moves when something else is said.
  m_count->setObjectName("notice.count");
  m_count->setAutoRaise(true);
  m_count->setToolTip(tr("Shows the next"));
  m_count->setText(tr("%1 of %2").arg(kMost).arg(kMost));
  m_count->setFixedWidth(m_count->sizeHint().width());
  QSizePolicy policy = m_count->sizePolicy();
  policy.setRetainSizeWhenHidden(true);
  m_count->setSizePolicy(policy);
  m_grid->addWidget(m_count, 0, 2);  // where the room looks like the end of the text
  m_text->setWordWrap(true);
  m_text->setObjectName("notice.text");
  m_grid->addWidget(m_text, 0, 1);
  m_choices = new QWidget(this);
  m_grid->addWidget(m_choices, 0, 3);
  auto* const row = new QHBoxLayout(m_choices);
  row->setContentsMargins(0, 0, 0, 0);
  m_button->setObjectName("notice.button");
  row->addWidget(m_button);
  m_other->setObjectName("notice.other");
  row->addWidget(m_other);
  auto* const close = new QToolButton(this);
  close->setObjectName("notice.close");
  close->setAutoRaise(true);
  close->setIcon(icon("cancel"));
  close->setToolTip(tr("Not now"));
  close->setAccessibleName(tr("Not now"));
  m_grid->addWidget(close, 0, 4);
  connect(close, &QToolButton::clicked, this, [this] { take(); });
  connect(m_button, &QPushButton::clicked, this, [this] {
    if (const Notice done = take(); done.first.work) done.first.work();
  });
  connect(m_other, &QPushButton::clicked, this, [this] {
    if (const Notice done = take(); done.other.work) done.other.work();
  });
  connect(m_count, &QToolButton::clicked, this, [this] {
    m_now = (m_now + 1) % m_all.size();
    showNow();
  });
  for (QWidget* const each :
       {static_cast<QWidget*>(m_button), static_cast<QWidget*>(m_other), static_cast<QWidget*>(close)})
    each->installEventFilter(this);
  hide();
}

void NoticeBar::say(const QString& text, const QString& button, std::function<void()> work, Choice other,
                    const QString& about) {
  Notice notice{about, text, {button, std::move(work)}, std::move(other)};
  const auto same = std::find_if(m_all.begin(), m_all.end(), [&](const Notice& each) {
    return about.isEmpty() ? each.text == text : each.about == about;
  });
  const bool isShown = m_all.empty() || same == m_all.begin() + static_cast<std::ptrdiff_t>(m_now);
  if (same != m_all.end()) {
    *same = std::move(notice);
  } else {
    // What waits longest is given up, but for what stands there.
    if (m_all.size() == kMost) {
      m_all.erase(m_all.begin() + (m_now == 0 ? 1 : 0));
      if (m_now > 0) --m_now;
    }
    m_all.push_back(std::move(notice));
  }
  if (isShown)
    showNow();
  else
    countThem();
}

void NoticeBar::unsay(const QString& about) {
  for (std::size_t n = m_all.size(); n-- > 0;) {
    if (m_all[n].about != about) continue;
    if (n == m_now) {
      take();
      continue;
    }
    m_all.erase(m_all.begin() + static_cast<std::ptrdiff_t>(n));
    if (n < m_now) --m_now;
    countThem();
  }
}

bool NoticeBar::says(const QString& about) const {
  return std::any_of(m_all.begin(), m_all.end(), [&](const Notice& each) { return each.about == about; });
}

NoticeBar::Notice NoticeBar::take() {
  if (m_all.empty()) return {};
  Notice taken = std::move(m_all[m_now]);
  m_all.erase(m_all.begin() + static_cast<std::ptrdiff_t>(m_now));
  if (m_now == m_all.size()) m_now = 0;
  showNow();
  return taken;
}

void NoticeBar::showNow() {
  if (m_all.empty()) return hide();
  const Notice& now = m_all[m_now];
  m_text->setText(now.text);
  m_button->setText(now.first.text);
  m_button->setVisible(!now.first.text.isEmpty());
  m_other->setText(now.other.text);
  m_other->setVisible(!now.other.text.isEmpty());
  setAccessibleName(now.text);
  countThem();
  arrange();
  show();
  arrange();  // parts are as large as they are seen only once they are
}

/// Buttons go below the text where they would squeeze it.
void NoticeBar::arrange() {
  const int margins = m_grid->contentsMargins().left() + m_grid->contentsMargins().right(),
            gap = std::max(m_grid->horizontalSpacing(), 0),
            others = kIconSide + m_count->width() + m_grid->itemAtPosition(0, 4)->sizeHint().width(),
            room = width() - margins - 4 * gap - others - m_choices->sizeHint().width();
  const int wanted = std::min(fontMetrics().horizontalAdvance(m_text->text()),
                              kLeastLetters * fontMetrics().averageCharWidth());
  const bool below = room < wanted;
  if (below == m_below) return;
  m_below = below;
  m_grid->removeWidget(m_choices);
  if (below)
    m_grid->addWidget(m_choices, 1, 1, 1, 4, Qt::AlignLeft);
  else
    m_grid->addWidget(m_choices, 0, 3);
}

void NoticeBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  arrange();
}

/// No wider than with the buttons below: what is said must not widen the window.
QSize NoticeBar::minimumSizeHint() const {
  const int margins = m_grid->contentsMargins().left() + m_grid->contentsMargins().right();
  return {
      margins + kIconSide + std::max(m_grid->horizontalSpacing(), 0) + m_choices->minimumSizeHint().width(),
      QFrame::minimumSizeHint().height()};
}

void NoticeBar::countThem() {
  m_count->setVisible(m_all.size() > 1);
  m_count->setText(tr("%1 of %2").arg(m_now + 1).arg(m_all.size()));
  m_count->setAccessibleName(tr("Notice %1 of %2; shows the next").arg(m_now + 1).arg(m_all.size()));
}

/// The second click of a double click was meant for what stood there before.
bool NoticeBar::eventFilter(QObject* watched, QEvent* event) {
  return event->type() == QEvent::MouseButtonDblClick || QFrame::eventFilter(watched, event);
}

void NoticeBar::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) m_icon->setPixmap(icon("warning").pixmap(kIconSide, kIconSide));
}

QString NoticeBar::text() const {
  return m_text->text();
}

}  // namespace farfield::ui
