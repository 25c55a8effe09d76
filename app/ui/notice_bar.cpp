#include "app/ui/notice_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "app/ui/look.h"

namespace farfield::ui {
namespace {
constexpr int kIconSide = 16;
}

NoticeBar::NoticeBar(QWidget* parent)
    : QFrame(parent),
      m_icon(new QLabel(this)),
      m_text(new QLabel(this)),
      m_button(new QPushButton(this)),
      m_other(new QPushButton(this)) {
  setObjectName("notice");
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::AlternateBase);
  auto* const row = new QHBoxLayout(this);
  row->setContentsMargins(kPanelMargin, 4, 4, 4);
  m_icon->setPixmap(icon("warning").pixmap(kIconSide, kIconSide));
  row->addWidget(m_icon);
  m_text->setWordWrap(true);
  m_text->setObjectName("notice.text");
  row->addWidget(m_text, 1);
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
  row->addWidget(close);
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  connect(m_button, &QPushButton::clicked, this, [this] {
    hide();
    if (m_work) m_work();
  });
  connect(m_other, &QPushButton::clicked, this, [this] {
    hide();
    if (m_otherWork) m_otherWork();
  });
  hide();
}

void NoticeBar::say(const QString& text, const QString& button, std::function<void()> work, Choice other) {
  m_text->setText(text);
  m_button->setText(button);
  m_work = std::move(work);
  m_other->setText(other.text);
  m_other->setVisible(!other.text.isEmpty());
  m_otherWork = std::move(other.work);
  setAccessibleName(text);
  show();
}

void NoticeBar::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) m_icon->setPixmap(icon("warning").pixmap(kIconSide, kIconSide));
}

QString NoticeBar::text() const {
  return m_text->text();
}

}  // namespace farfield::ui
