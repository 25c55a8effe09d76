#include "app/ui/widgets/number_edit.h"

#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QScopedValueRollback>
#include <QStyle>
#include <QStyleOptionFrame>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/widgets/esc_key.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/typed_line.h"
#include "core/base/float_digits.h"
#include "render/color/ticks.h"

namespace farfield::ui {
namespace {
constexpr int kMostDigits = 8, kLeastDigits = 2;
constexpr double kUnbounded = 1e300;
}  // namespace

QString textOfNumber(double value) {
  constexpr double kLastPlace = 6e-8;  // of single precision: what was reckoned in it is not surer
  double read = withFloatDigits(value);
  if (read != value) read = color::plainNumber(read, kLastPlace * std::abs(read));
  return QString::number(read, 'g', kMostDigits);
}

std::array<double, 2> meantRange(std::array<double, 2> found, bool logarithmic, bool outward) {
  constexpr double kSurePart = 1e-5;
  constexpr int kFewDigits = 4;
  const double span = found[1] - found[0];
  std::array<double, 2> meant = found;
  for (std::size_t n = 0; n < 2; ++n) {
    const double size = logarithmic || !(span > 0) ? std::abs(found[n]) : span;
    const double plain = color::plainNumber(found[n], kSurePart * size);
    const bool grows = n == 0 ? plain <= found[0] : plain >= found[1];
    if (QString::number(plain, 'g', kFewDigits).toDouble() == plain && (grows || !outward)) meant[n] = plain;
  }
  return meant;
}

QString textOfRange(double least, double greatest, bool logarithmic) {
  const double size = logarithmic ? 0 : std::max(std::abs(least), std::abs(greatest));
  least = color::withoutRounding(least, size);
  greatest = color::withoutRounding(greatest, size);
  return textOfNumber(least) + QStringLiteral(" … ") + textOfNumber(greatest);
}

NumberEdit::NumberEdit(const NumberBounds& bounds, QWidget* parent) : QLineEdit(parent), m_bounds(bounds) {
  setAcceptDrops(false);  // a file that is dropped here is to be opened, not written out as text
  m_pause.setSingleShot(true);
  m_pause.setInterval(kTypingPauseMs);
  connect(&m_pause, &QTimer::timeout, this, [this] { take(false); });
  connect(this, &QLineEdit::textEdited, this, [this] {
    beginTyping();
    m_untaken = true;
    m_refused = false;
    showValidity();
    m_pause.start();
  });
  connect(this, &QLineEdit::returnPressed, this, [this] { take(true); });
  m_saidLongEnough.setSingleShot(true);
  m_saidLongEnough.setInterval(kProblemReadMs);
  connect(&m_saidLongEnough, &QTimer::timeout, this, [this] { say({}); });
}

QSize NumberEdit::sizeHint() const {
  return {fontMetrics().horizontalAdvance("-0.000000000"), QLineEdit::sizeHint().height()};
}

QSize NumberEdit::minimumSizeHint() const {
  return {fontMetrics().horizontalAdvance("-0.0000"), QLineEdit::minimumSizeHint().height()};
}

std::optional<double> NumberEdit::value() const {
  return m_value;
}

void NumberEdit::setRange(double least, double greatest) {
  m_bounds.least = std::min(least, textOfNumber(least).toDouble());
  m_bounds.greatest = std::max(greatest, textOfNumber(greatest).toDouble());
  showValidity();
}

void NumberEdit::refuse() {
  m_refused = true;
  showValidity();
}

void NumberEdit::setValue(std::optional<double> value) {
  // What was typed here may come back later, when what it belongs to has been drawn.
  const bool other = std::exchange(m_given, value) != value && value != m_value;
  m_value = value;
  if (m_typing && other && !m_untaken && !m_telling) {
    m_typing = false;
    emit interrupted();
  }
  showValue(hasFocus());
  if (m_typing) return;
  m_refused = false;
  // What is chosen to be typed over stays so, whatever else changes in the panel.
  if (!hasFocus()) setCursorPosition(0);
  showValidity();
}

void NumberEdit::showValue(bool whole) {
  if (m_typing) return;
  m_shown = m_value ? textOfNumber(*m_value) : QString();
  m_shownOf = m_value;
  if (!whole && isVisible())
    for (int digits = kMostDigits - 1; digits >= kLeastDigits && !hasRoomFor(m_shown); --digits)
      m_shown = QString::number(withFloatDigits(*m_value), 'g', digits);
  if (m_shown == text()) return;
  const bool all = hasFocus() && hasSelectedText() && selectedText() == text();
  const bool behind = hasFocus() && !text().isEmpty() && cursorPosition() == text().size();
  setText(m_shown);
  if (!behind) setCursorPosition(0);
  if (all) chooseAll(this);
}

bool NumberEdit::hasRoomFor(const QString& text) const {
  constexpr int kInside = 2;  // of Qt's lines, on either side
  QStyleOptionFrame frame;
  initStyleOption(&frame);
  const int room = style()->subElementRect(QStyle::SE_LineEditContents, &frame, this).width() -
                   textMargins().left() - textMargins().right() - 2 * kInside - 1;
  return fontMetrics().horizontalAdvance(text) <= room;
}

bool NumberEdit::event(QEvent* event) {
  if (asksForTyped(*event)) {
    if (m_untaken) take(false);
    event->accept();
    return true;
  }
  if (m_typing && escIn(*event) == Esc::Claimed) return true;
  if (event->type() == QEvent::ToolTip && m_value && !m_typing && m_shown != textOfNumber(*m_value)) {
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), textOfNumber(*m_value), this);
    return true;
  }
  return QLineEdit::event(event);
}

void NumberEdit::resizeEvent(QResizeEvent* event) {
  QLineEdit::resizeEvent(event);
  showValue(hasFocus());
}

void NumberEdit::showEvent(QShowEvent* event) {
  QLineEdit::showEvent(event);
  showValue(hasFocus());
}

void NumberEdit::focusInEvent(QFocusEvent* event) {
  showValue(true);
  QLineEdit::focusInEvent(event);
  // Of what is chosen all at once the beginning is seen: the end alone would read as another number.
  if (const int all = static_cast<int>(text().size()); selectedText().size() == all && !hasRoomFor(text()))
    chooseAll(this);
}

std::optional<double> NumberEdit::parsed(bool* good) const {
  const QString typed = text().trimmed();
  if (typed.isEmpty()) {
    *good = m_bounds.mayBeEmpty;
    return std::nullopt;
  }
  double value = QLocale::c().toDouble(typed, good);
  // "0,5" is what many people write for it.
  if (!*good && typed.count(',') == 1) value = QLocale::c().toDouble(QString(typed).replace(',', '.'), good);
  *good = *good && std::isfinite(value) && value <= m_bounds.greatest &&
          (m_bounds.leastExcluded ? value > m_bounds.least : value >= m_bounds.least) &&
          (!m_bounds.whole || value == std::round(value));
  return value;
}

QString NumberEdit::demand() const {
  const auto number = [](double value) {
    return QString::number(value, 'g', kMostDigits)
        .replace("e-0", "e-")
        .replace("e+0", "e")
        .replace("e+", "e");
  };
  const bool hasLeast = m_bounds.least > -kUnbounded, hasGreatest = m_bounds.greatest < kUnbounded;
  const QString least = number(m_bounds.least), greatest = number(m_bounds.greatest);
  const QString kind = m_bounds.whole ? tr("A whole number") : tr("A number");
  if (hasLeast && hasGreatest)
    return (m_bounds.leastExcluded ? tr("%1 above %2, up to %3") : tr("%1 from %2 to %3"))
        .arg(kind, least, greatest);
  if (hasLeast) return (m_bounds.leastExcluded ? tr("%1 above %2") : tr("%1 from %2 on")).arg(kind, least);
  if (hasGreatest) return tr("%1 up to %2").arg(kind, greatest);
  return m_bounds.whole ? kind : tr("A number, like 0.5 or 1e-6");
}

void NumberEdit::say(const QString& problem) {
  m_saidLongEnough.stop();
  m_problem.show(this, problem, objectName() + ".error");
}

void NumberEdit::showValidity() {
  bool good = false;
  parsed(&good);
  if (good && m_typing) say({});
  // What is shown with few digits may seem to be beyond what may stand here.
  good = !m_refused && (!m_typing || good);
  if (good == m_shownGood) return;  // a palette that is set anew is a repaint, of many fields at a time
  m_shownGood = good;
  showWarning(this, QPalette::Text, !good);
}

void NumberEdit::take(bool final) {
  m_pause.stop();
  bool good = false;
  std::optional<double> typed = parsed(&good);
  if (good && text() == m_shown) typed = m_shownOf;  // it has more digits than are shown
  const bool changed = good && typed != m_value;
  if (good) {
    m_value = typed;
    m_untaken = false;
  }
  m_taken |= changed;
  // The beginning of a number is none yet: not before typing pauses.
  say(good ? QString() : tr("%1 is needed here.").arg(demand()));
  if (final) {
    if (!good) m_saidLongEnough.start();
    m_typing = m_untaken = m_refused = false;
    showValue(hasFocus());  // what made no sense is taken back
    showValidity();
    leaveToDocument(this);
    // Who goes on typing does so behind what was taken.
    if (hasFocus())
      end(false);
    else
      setCursorPosition(0);
  } else if (changed) {
    leaveToDocument(this);
  }
  if (changed || final) tell(final);
}

void NumberEdit::tell(bool final) {
  const QScopedValueRollback telling(m_telling, true);
  emit edited(final);
}

void NumberEdit::beginTyping() {
  if (std::exchange(m_typing, true)) return;
  m_before = m_value;
  m_taken = false;
}

void NumberEdit::step(int steps) {
  if (m_typing) take(false);  // from what stands there
  beginTyping();
  const double now = m_value.value_or(0);
  // A tenth of the number's own size: as far as an arrow key should go in any unit.
  double size = now == 0 ? 1 : std::pow(10, std::floor(std::log10(std::abs(now)) + 1e-9));
  size = m_bounds.whole ? std::max(1.0, size / 10) : size / 10;
  if (m_bounds.arrowStep > 0) size = m_bounds.arrowStep;
  double next = std::round((now + steps * size) / size) * size;
  next = std::min(next, m_bounds.greatest);
  if (next < m_bounds.least || (m_bounds.leastExcluded && next <= m_bounds.least))
    next = m_bounds.leastExcluded ? now : m_bounds.least;
  setText(textOfNumber(next));
  take(false);
}

void NumberEdit::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
    step(event->key() == Qt::Key_Up ? 1 : -1);
    return;
  }
  if (event->key() == Qt::Key_Escape && m_typing) {
    m_pause.stop();
    say({});
    m_typing = m_untaken = m_refused = false;
    if (m_taken) m_value = m_before;
    showValue(hasFocus());
    chooseAll(this);
    showValidity();
    if (!m_taken) return;
    m_takenBack = true;
    tell(true);
    m_takenBack = false;
    return;
  }
  QLineEdit::keyPressEvent(event);
}

void NumberEdit::focusOutEvent(QFocusEvent* event) {
  QLineEdit::focusOutEvent(event);
  finish();
  showValue(false);
}

void NumberEdit::finish() {
  if (m_typing && !m_held) take(true);
}

void NumberEdit::holdTyping() {
  m_held = true;
  m_heldBehind = hasFocus() && !text().isEmpty() && cursorPosition() == text().size();
}

void NumberEdit::handTypingTo(NumberEdit& next) {
  if (&next == this) return;
  if (m_heldBehind) next.end(false);
  if (!std::exchange(m_typing, false)) return;
  handLineTo(*this, next);
  next.m_before = m_before;
  next.m_taken = m_taken;
  next.m_untaken = m_untaken;
  next.m_typing = true;
  next.showValidity();
  if (m_untaken) next.m_pause.start();
}

void NumberEdit::dropTyping() {
  m_pause.stop();
  say({});
  m_held = m_typing = m_untaken = m_refused = false;
  showValue(false);
  showValidity();
}

}  // namespace farfield::ui
