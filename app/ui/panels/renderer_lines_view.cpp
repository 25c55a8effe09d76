#include "app/ui/panels/renderer_lines_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/lifelines/life_style.h"
#include "app/ui/widgets/look.h"

namespace farfield::ui {
namespace {

using remote::Life;
using remote::LifeSpan;
using remote::LifeWhat;

constexpr int kMargin = 6, kGap = 8;

/// By the colours of what is plotted afterwards.
const char* labelOf(LifeWhat what) {
  switch (what) {
    case LifeWhat::Load:
      return "loading";
    case LifeWhat::Render:
    case LifeWhat::Compute:
      return "rendering";
    case LifeWhat::LightSend:
    case LifeWhat::HeavySend:
      return "sending";
    case LifeWhat::Frame:
      return "awaiting a picture";
    default:
      return "receiving";
  }
}

QColor colorOf(const LifeSpan& span) {
  const auto its = lifelines::stepColor(labelOf(span.what), span.step % 2 == 1);
  return its ? QColor::fromRgbF((*its)[0], (*its)[1], (*its)[2]) : mutedColor();
}

QString wordOf(LifeWhat what) {
  switch (what) {
    case LifeWhat::Load:
      return RendererLinesView::tr("read");
    case LifeWhat::Render:
      return RendererLinesView::tr("render");
    case LifeWhat::Compute:
      return RendererLinesView::tr("objects");
    case LifeWhat::LightSend:
    case LifeWhat::HeavySend:
      return RendererLinesView::tr("send");
    case LifeWhat::Frame:
      return RendererLinesView::tr("await");
    default:
      return RendererLinesView::tr("receive");
  }
}

QString rowText(LifeWhat what) {
  return QStringLiteral("%1  %2").arg(QLatin1String(remote::nameOf(what)), wordOf(what));
}

QString secondsText(double seconds) {
  return seconds < 1 ? RendererLinesView::tr("%1 ms").arg(1000 * seconds, 0, 'f', seconds < 0.01 ? 2 : 0)
                     : RendererLinesView::tr("%1 s").arg(seconds, 0, 'f', 2);
}

}  // namespace

std::vector<LifeRow> lifeRowsOf(const std::vector<Life>& lives) {
  constexpr std::array kOfWindow{LifeWhat::Frame, LifeWhat::LightPayload, LifeWhat::HeavyPayload};
  constexpr std::array kOfRank{LifeWhat::Load, LifeWhat::Render, LifeWhat::LightSend, LifeWhat::HeavySend};
  std::vector<LifeRow> rows;
  for (std::size_t n = 0; n < lives.size(); ++n) {
    if (n == 0) {
      for (const LifeWhat what : kOfWindow) rows.push_back({n, what});
      continue;
    }
    for (const LifeWhat what : kOfRank) rows.push_back({n, what});
    if (std::any_of(lives[n].spans.begin(), lives[n].spans.end(),
                    [](const LifeSpan& span) { return span.what == LifeWhat::Compute; }))
      rows.push_back({n, LifeWhat::Compute});
  }
  return rows;
}

QString lifeTextOf(const Life& life) {
  QStringList parts;
  if (!life.isThere) parts.append(RendererLinesView::tr("gone"));
  const auto amount = [&](LifeWhat what) {
    return life.amounts[static_cast<std::size_t>(what) - remote::kLifeTags];
  };
  if (const double used = amount(LifeWhat::Processors); used >= 0)
    parts.append(RendererLinesView::tr("processors: %1").arg(used, 0, 'f', 1));
  if (const double used = amount(LifeWhat::Memory); used >= 0)
    parts.append(RendererLinesView::tr("memory: %1 MiB").arg(used, 0, 'f', 0));
  if (const double used = amount(LifeWhat::Network); used >= 0)
    parts.append(RendererLinesView::tr("network: %1 MiB/s").arg(used, 0, 'f', 1));
  if (life.roundTripSeconds >= 0)
    parts.append(RendererLinesView::tr("round trip: %1").arg(secondsText(life.roundTripSeconds)));
  if (life.lost > 0) parts.append(RendererLinesView::tr("events missed: %1").arg(life.lost));
  return parts.join(QStringLiteral(" · "));
}

RendererLinesView::RendererLinesView(QWidget* parent) : QWidget(parent) {
  setObjectName("renderer.lines");
  setAccessibleName(tr("Life lines of the renderer"));
  setWhatsThis(tr(
      "What each rank and this window did in the last seconds: reading, rendering, sending, receiving and waiting, by the names "
      "that the first system of this kind gave these events. Dark is for even steps, light for odd ones. The clocks of ranks are "
      "set by round trips."));
  arrange();
}

QSize RendererLinesView::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 100, m_bottom};
}

QSize RendererLinesView::minimumSizeHint() const {
  return {m_left + fontMetrics().averageCharWidth() * 20, m_bottom};
}

void RendererLinesView::arrange() {
  m_rows = lifeRowsOf(m_lives);
  m_lines.clear();
  const int height = fontMetrics().height();
  m_left = kMargin + kGap;
  for (int what = 0; what < remote::kLifeTags; ++what)
    m_left = std::max(m_left,
                      kMargin + kGap + fontMetrics().horizontalAdvance(rowText(static_cast<LifeWhat>(what))));
  int top = kMargin + height + 4;  // below the axis
  for (std::size_t row = 0; row < m_rows.size(); ++row) {
    const std::size_t process = m_rows[row].process;
    if (row == 0 || m_rows[row - 1].process != process) {
      m_lines.push_back({process, -1, top, height + 2});
      top += height + 2;
    }
    m_lines.push_back({process, static_cast<int>(row), top, height});
    top += height + (row + 1 == m_rows.size() || m_rows[row + 1].process != process ? kGap : 1);
  }
  if (top + kMargin != m_bottom) {
    m_bottom = top + kMargin;
    updateGeometry();
  }
}

void RendererLinesView::showLives(const std::vector<Life>& lives, std::int64_t now, double seconds) {
  m_lives = lives;
  m_now = now;
  m_seconds = seconds;
  arrange();
  QStringList words;
  for (const Life& life : lives) words.append(QString::fromStdString(life.name) + ": " + lifeTextOf(life));
  setAccessibleDescription(words.join('\n'));
  update();
}

double RendererLinesView::xOf(std::int64_t time) const {
  const double ago = 1e-9 * static_cast<double>(m_now - time);
  return m_left + (width() - kMargin - m_left) * std::clamp(1 - ago / m_seconds, 0.0, 1.0);
}

QRectF RendererLinesView::barOf(const LifeSpan& span, const Line& line) const {
  const double from = xOf(span.from), to = xOf(span.goesOn ? m_now : span.to);
  // However short, it is to be seen.
  return {from, line.top + 1.0, std::max(to - from, 1.5), line.height - 2.0};
}

void RendererLinesView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  const QColor faint = mutedColor(), ink = palette().color(QPalette::Text);
  QColor rule = ink;
  rule.setAlphaF(0.12f);
  const int height = fontMetrics().height();
  // the axis: seconds before now
  const double step = lifelines::niceStep(
      m_seconds, std::max(2, (width() - m_left) / (8 * fontMetrics().averageCharWidth())));
  for (int n = 0; n * step < m_seconds; ++n) {
    const double x = xOf(m_now - static_cast<std::int64_t>(1e9 * n * step));
    painter.fillRect(QRectF(x - 0.5, kMargin + height, 1, m_bottom - 2.0 * kMargin - height), rule);
    painter.setPen(faint);
    const QString text = n == 0 ? tr("now") : tr("−%1 s").arg(n * step, 0, 'g', 3);
    const double half = 0.5 * fontMetrics().horizontalAdvance(text);
    painter.drawText(
        QPointF(std::min(x - half, width() - kMargin - 2 * half), kMargin + fontMetrics().ascent()), text);
  }
  QFont bold = font();
  bold.setBold(true);
  for (const Line& line : m_lines) {
    const Life& life = m_lives[line.process];
    const int base = line.top + fontMetrics().ascent();
    if (line.row < 0) {
      const QString name = line.process == 0 ? tr("this window") : QString::fromStdString(life.name);
      painter.setFont(bold);
      painter.setPen(life.isThere ? ink : warningColor());
      painter.drawText(kMargin, base, name);
      painter.setFont(font());
      painter.setPen(life.isThere ? faint : warningColor());
      const int x = kMargin + QFontMetrics(bold).horizontalAdvance(name) + kGap;
      painter.drawText(x, base,
                       fontMetrics().elidedText(lifeTextOf(life), Qt::ElideRight, width() - kMargin - x));
      continue;
    }
    const LifeWhat what = m_rows[static_cast<std::size_t>(line.row)].what;
    painter.setPen(ink);
    painter.drawText(kMargin, base, rowText(what));
    painter.fillRect(QRectF(m_left, line.top + line.height - 0.5, width() - kMargin - m_left, 0.5), rule);
    for (const LifeSpan& span : life.spans)
      if (span.what == what && (span.goesOn || xOf(span.to) > m_left))
        painter.fillRect(barOf(span, line), colorOf(span));
  }
}

QString RendererLinesView::textAt(QPoint place) const {
  for (const Line& line : m_lines) {
    if (place.y() < line.top || place.y() >= line.top + line.height) continue;
    const Life& life = m_lives[line.process];
    if (line.row < 0) return lifeTextOf(life);
    const LifeWhat what = m_rows[static_cast<std::size_t>(line.row)].what;
    for (auto span = life.spans.rbegin(); span != life.spans.rend(); ++span)
      if (span->what == what && barOf(*span, line).adjusted(-1, 0, 1, 0).contains(place)) {
        const QString took =
            secondsText(1e-9 * static_cast<double>((span->goesOn ? m_now : span->to) - span->from));
        // what nobody wants any more has no step
        return span->step >> 32 ? QStringLiteral("%1: %2").arg(rowText(what), took)
                                : tr("%1, step %2: %3").arg(rowText(what)).arg(span->step).arg(took);
      }
    return wordOf(what);
  }
  return {};
}

bool RendererLinesView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* const help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), textAt(help->pos()), this);
    return true;
  }
  if (event->type() == QEvent::FontChange) arrange();
  return QWidget::event(event);
}

}  // namespace farfield::ui
