#include "app/ui/widgets/look.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QLabel>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QStyle>
#include <QStyleFactory>
#include <QStyleOption>
#include <QSvgRenderer>
#include <algorithm>

namespace farfield::ui {
namespace {

QColor colorOfLetters(QIcon::Mode mode) {
  const QPalette palette = QApplication::palette();
  return mode == QIcon::Disabled   ? palette.color(QPalette::Disabled, QPalette::WindowText)
         : mode == QIcon::Selected ? palette.color(QPalette::HighlightedText)
                                   : palette.color(QPalette::WindowText);
}

/// Draws one glyph in the palette's colour of the moment, so that a change of theme needs no new icons.
class GlyphEngine final : public QIconEngine {
 public:
  explicit GlyphEngine(QString name) : m_name(std::move(name)) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    QSvgRenderer glyph(":/icons/" + m_name + ".svg");
    if (!glyph.isValid()) return;
    const double ratio = painter->device() ? painter->device()->devicePixelRatio() : 1;
    // Never drawn out to a shape that is not its own.
    QRect square(QPoint(), actualSize(rect.size(), mode, {}));
    square.moveCenter(rect.center());
    QImage image(square.size() * ratio, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter onto(&image);
    glyph.render(&onto);
    onto.setCompositionMode(QPainter::CompositionMode_SourceIn);
    onto.fillRect(image.rect(), colorOfLetters(mode));
    onto.end();
    image.setDevicePixelRatio(ratio);
    painter->drawImage(square.topLeft(), image);
  }
  QSize actualSize(const QSize& size, QIcon::Mode, QIcon::State) override {
    const int side = std::min(size.width(), size.height());
    return {side, side};
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    return scaledPixmap(size, mode, state, 1);
  }
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return pixmap;
  }
  QIconEngine* clone() const override { return new GlyphEngine(m_name); }

 private:
  QString m_name;
};

/// An icon of the style in the palette's colour of letters: those of buttons are black, whatever the theme.
class LettersEngine final : public QIconEngine {
 public:
  explicit LettersEngine(QIcon shape) : m_shape(std::move(shape)) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    const double ratio = painter->device() ? painter->device()->devicePixelRatio() : 1;
    painter->drawPixmap(rect, scaledPixmap(rect.size() * ratio, mode, state, 1));
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    return scaledPixmap(size, mode, state, 1);
  }
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal) override {
    QPixmap made(size);
    made.fill(Qt::transparent);
    QPainter onto(&made);
    m_shape.paint(&onto, made.rect());
    onto.setCompositionMode(QPainter::CompositionMode_SourceIn);
    onto.fillRect(made.rect(), colorOfLetters(mode));
    return made;
  }
  QIconEngine* clone() const override { return new LettersEngine(m_shape); }

 private:
  QIcon m_shape;
};

/// Fusion draws its frames in a darker shade of the window's colour, which cannot be seen in a dark window.
class LookStyle final : public QProxyStyle {
 public:
  LookStyle() : QProxyStyle(QStyleFactory::create("Fusion")) {}
  // Not by style sheets: one for the whole application makes every panel slower to build.
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
    if (metric == PM_DockWidgetTitleMargin || metric == PM_ToolTipLabelFrameWidth) return 5;
    return QProxyStyle::pixelMetric(metric, option, widget);
  }
  QIcon standardIcon(StandardPixmap which, const QStyleOption* option, const QWidget* widget) const override {
    // Fusion has pixels of these, for a scale of 1.
    if (which == SP_TitleBarNormalButton) return icon("float");
    if (which == SP_TitleBarCloseButton) return icon("close");
    const QIcon its = QProxyStyle::standardIcon(which, option, widget);
    const bool ofButtons = which >= SP_DialogOkButton && which <= SP_DialogNoButton;
    return ofButtons && !its.isNull() ? QIcon(new LettersEngine(its)) : its;
  }
  /// Fusion marks the keyboard's place once Tab was pressed in a window; here it is always seen.
  void polish(QWidget* widget) override {
    QProxyStyle::polish(widget);
    if (widget->isWindow()) widget->setAttribute(Qt::WA_KeyboardFocusChange);
  }
  using QProxyStyle::polish;
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element != PE_IndicatorCheckBox && element != PE_IndicatorItemViewItemCheck &&
        element != PE_IndicatorRadioButton && element != PE_FrameLineEdit)
      return;
    if (option->palette.color(QPalette::Window).lightness() >= 128) return;
    if (element == PE_FrameLineEdit && (option->state & State_HasFocus)) return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    QColor frame = option->palette.color(QPalette::PlaceholderText);
    if (element == PE_FrameLineEdit) frame.setAlphaF(kPale);
    painter->setPen(frame);
    painter->setBrush(Qt::NoBrush);
    const QRectF edge = QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5);
    if (element == PE_IndicatorRadioButton)
      painter->drawEllipse(edge);
    else
      painter->drawRoundedRect(edge, 2, 2);
    painter->restore();
  }
  /// Fusion frames nothing that is flat, so the keyboard's place could not be seen among offers.
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override {
    QProxyStyle::drawControl(element, option, painter, widget);
    const auto* const button = qstyleoption_cast<const QStyleOptionButton*>(option);
    if (element != CE_PushButton || !button || !(button->features & QStyleOptionButton::CommandLinkButton) ||
        !(option->state & State_HasFocus))
      return;
    markKeyboard(option, painter);
  }
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override {
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_ToolButton && (option->state & State_On) &&
        option->palette.color(QPalette::Window).lightness() < 128)
      markPressed(option, painter);
    // Fusion's own line around buttons without a frame, and around sliders, is hardly seen.
    if ((control == CC_ToolButton || control == CC_Slider) && (option->state & State_HasFocus))
      markKeyboard(option, painter);
    if (control != CC_SpinBox || (option->state & State_HasFocus) ||
        option->palette.color(QPalette::Window).lightness() >= 128)
      return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    QColor frame = option->palette.color(QPalette::PlaceholderText);
    frame.setAlphaF(kPale);
    painter->setPen(frame);
    painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    painter->restore();
  }

 private:
  /// In the dark, Fusion's two greys of what is pressed and what is not are hardly told apart.
  static void markPressed(const QStyleOption* option, QPainter* painter) {
    QColor mark = option->palette.color(QPalette::Highlight);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(mark, 1.5));
    mark.setAlphaF(kPale);
    painter->setBrush(mark);
    painter->drawRoundedRect(QRectF(option->rect).adjusted(1, 1, -1, -1), 3, 3);
    painter->restore();
  }
  static void markKeyboard(const QStyleOption* option, QPainter* painter) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(option->palette.color(QPalette::Link), 1.5));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(option->rect).adjusted(1, 1, -1, -1), 3, 3);
    painter->restore();
  }

  static constexpr float kPale = 0.45F;  ///< frames around what is read anyway
};

QPalette lightPalette() {
  QPalette palette(QColor(0xf3, 0xf4, 0xf6));
  palette.setColor(QPalette::Window, QColor(0xf3, 0xf4, 0xf6));
  palette.setColor(QPalette::WindowText, QColor(0x1c, 0x21, 0x28));
  palette.setColor(QPalette::Base, Qt::white);
  palette.setColor(QPalette::AlternateBase, QColor(0xf7, 0xf8, 0xfa));
  palette.setColor(QPalette::Text, QColor(0x1c, 0x21, 0x28));
  palette.setColor(QPalette::Button, QColor(0xfa, 0xfb, 0xfc));
  palette.setColor(QPalette::ButtonText, QColor(0x1c, 0x21, 0x28));
  palette.setColor(QPalette::ToolTipBase, QColor(0x2a, 0x31, 0x3b));
  palette.setColor(QPalette::ToolTipText, Qt::white);
  palette.setColor(QPalette::PlaceholderText, QColor(0x65, 0x6d, 0x77));
  palette.setColor(QPalette::Highlight, QColor(0x1f, 0x6f, 0xbf));
  palette.setColor(QPalette::HighlightedText, Qt::white);
  palette.setColor(QPalette::Link, QColor(0x1f, 0x6f, 0xbf));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, QColor(0x9a, 0xa1, 0xab));
  palette.setColor(QPalette::Disabled, QPalette::Base, palette.color(QPalette::Window));
  return palette;
}

QPalette darkPalette() {
  QPalette palette(QColor(0x24, 0x28, 0x2e));
  palette.setColor(QPalette::Window, QColor(0x24, 0x28, 0x2e));
  palette.setColor(QPalette::WindowText, QColor(0xe4, 0xe7, 0xeb));
  palette.setColor(QPalette::Base, QColor(0x1b, 0x1e, 0x23));
  palette.setColor(QPalette::AlternateBase, QColor(0x20, 0x24, 0x29));
  palette.setColor(QPalette::Text, QColor(0xe4, 0xe7, 0xeb));
  palette.setColor(QPalette::Button, QColor(0x30, 0x35, 0x3c));
  palette.setColor(QPalette::ButtonText, QColor(0xe4, 0xe7, 0xeb));
  palette.setColor(QPalette::ToolTipBase, QColor(0x3d, 0x44, 0x4e));
  palette.setColor(QPalette::ToolTipText, QColor(0xf3, 0xf4, 0xf6));
  palette.setColor(QPalette::PlaceholderText, QColor(0x9a, 0xa3, 0xae));
  palette.setColor(QPalette::Highlight, QColor(0x2b, 0x73, 0xbb));
  palette.setColor(QPalette::HighlightedText, Qt::white);
  palette.setColor(QPalette::Link, QColor(0x6c, 0xb0, 0xf5));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, QColor(0x75, 0x7d, 0x87));
  palette.setColor(QPalette::Disabled, QPalette::Base, palette.color(QPalette::Window));
  return palette;
}

}  // namespace

namespace {
constexpr const char* kWarned = "warnedRole";
}

void showWarning(QWidget* widget, QPalette::ColorRole role, bool warn) {
  QPalette its;
  if (warn) its.setColor(role, warningColor());
  widget->setProperty(kWarned, warn ? QVariant(static_cast<int>(role)) : QVariant());
  widget->setPalette(its);
}

void applyTheme(app::Theme theme) {
  // What the system's palette says, asked before it is replaced.
  static const bool s_systemIsDark = QApplication::palette().color(QPalette::Window).lightness() < 128;
  const bool dark = theme == app::Theme::Dark || (theme == app::Theme::System && s_systemIsDark);
  QApplication::setStyle(new LookStyle);
  QApplication::setPalette(dark ? darkPalette() : lightPalette());
  // What paints itself by the theme, and what was given a colour of it.
  for (QWidget* const widget : QApplication::allWidgets()) {
    if (const QVariant role = widget->property(kWarned); role.isValid())
      showWarning(widget, static_cast<QPalette::ColorRole>(role.toInt()), true);
    widget->update();
  }
}

bool isDark() {
  return QApplication::palette().color(QPalette::Window).lightness() < 128;
}

QIcon icon(const QString& name) {
  return QIcon(new GlyphEngine(name));
}

QIcon applicationIcon() {
  QIcon made;
  const QString file = QStringLiteral(":/icons/farfield.svg");
  if (!QFile::exists(file)) return made;
  QSvgRenderer picture(file);
  for (const int size : {16, 32, 48, 128, 256}) {
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    picture.render(&painter);
    made.addPixmap(pixmap);
  }
  return made;
}

QColor warningColor() {
  return isDark() ? QColor(0xff, 0x9e, 0x8a) : QColor(0xb3, 0x2d, 0x1c);
}

QColor mutedColor() {
  return QApplication::palette().color(QPalette::PlaceholderText);
}

QColor keptColor() {
  return isDark() ? QColor(0x3f, 0xa8, 0x7c) : QColor(0x2e, 0x9e, 0x6b);
}

QLabel* makeHeading(const QString& text, QWidget* parent) {
  auto* const heading = new QLabel(text, parent);
  QFont font = heading->font();
  font.setBold(true);
  heading->setFont(font);
  return heading;
}

}  // namespace farfield::ui
