#include "app/ui/window/start_page.h"

#include <QApplication>
#include <QCommandLinkButton>
#include <QCursor>
#include <QFileInfo>
#include <QGridLayout>
#include <QIcon>
#include <QLabel>
#include <QPushButton>
#include <QStyleOptionButton>
#include <QStylePainter>
#include <QVBoxLayout>
#include <algorithm>

#include "app/model/files/example_sessions.h"
#include "app/model/files/series_names.h"
#include "app/model/words/some_names.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/names.h"
#include "app/ui/widgets/sample_offers.h"
#include "core/base/machine.h"
#include "core/base/units.h"

namespace farfield::ui {
namespace {

constexpr int kMostRecentShown = 6;
constexpr int kHalvesApart = 36, kRecentLetters = 34;
constexpr int kWidest = 190;  // letters

QLabel* textLabel(const QString& text, QWidget* parent) {
  auto* const label = new QLabel(text, parent);
  label->setWordWrap(true);
  return label;
}

QLabel* bigHeading(const QString& text, QWidget* parent) {
  QLabel* const heading = makeHeading(text, parent);
  QFont font = heading->font();
  font.setPointSizeF(font.pointSizeF() * 1.25);
  heading->setFont(font);
  return heading;
}

/// A name in as much room as the column has: a long one takes none from what lies beside it, and all of it is in the tip.
class RecentButton final : public QPushButton {
 public:
  RecentButton(const QString& name, QWidget* parent) : QPushButton(parent), m_name(name) {
    setAccessibleName(name);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setMinimumWidth(fontMetrics().averageCharWidth() * kRecentLetters + besideText());
    setFlat(true);
    fit(minimumWidth());
  }
  QSize sizeHint() const override {
    return {minimumWidth(), std::max(iconSize().height(), fontMetrics().height()) + 2 * kPadding};
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QPushButton::resizeEvent(event);
    fit(width());
  }
  /// From the left, in the colours of the moment: style sheets keep those of the theme that they were made in.
  void paintEvent(QPaintEvent*) override {
    QStylePainter painter(this);
    QStyleOptionButton frame;
    initStyleOption(&frame);
    frame.text.clear();
    frame.icon = {};
    frame.features |= QStyleOptionButton::CommandLinkButton;  // which is marked where it has the keyboard
    painter.drawControl(QStyle::CE_PushButton, frame);
    const QRect inside = rect().adjusted(kPadding, 0, -kPadding, 0);
    icon().paint(&painter, QRect(inside.topLeft(), QSize(iconSize().width(), height())));
    painter.drawItemText(inside.adjusted(iconSize().width() + kPadding, 0, 0, 0),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextShowMnemonic, palette(), isEnabled(),
                         text(), QPalette::ButtonText);
  }

 private:
  static constexpr int kPadding = 5;  // at each side and beside the icon
  int besideText() const { return iconSize().width() + 3 * kPadding; }
  void fit(int width) { setText(withoutMnemonics(elidedNames(m_name, fontMetrics(), width - besideText()))); }

  QString m_name;
};

}  // namespace

StartPage::StartPage(app::AppModel& model, QWidget* parent) : QScrollArea(parent), m_model(model) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setObjectName("startPage");
  setAccessibleName(tr("Start page"));
  auto* const page = new QWidget(this);
  auto* const outer = new QHBoxLayout(page);
  outer->setContentsMargins(32, 28, 32, 28);
  auto* const inner = new QWidget(page);
  inner->setMaximumWidth(fontMetrics().averageCharWidth() * kWidest);
  // As wide as there is room for; what is left over is at its sides.
  outer->addStretch();
  outer->addWidget(inner, 1);
  outer->addStretch();
  auto* const column = new QVBoxLayout(inner);
  column->setSpacing(10);

  QLabel* const title = makeHeading(tr("Farfield"), inner);
  QFont font = title->font();
  font.setPointSizeF(font.pointSizeF() * 2);
  title->setFont(font);
  column->addWidget(title);
  QLabel* const lead = textLabel(tr("Looks at simulation results that do not fit in memory. Open a file, "
                                    "drop one onto this window, or begin with a sample."),
                                 inner);
  lead->setForegroundRole(QPalette::PlaceholderText);
  column->addWidget(lead);
  auto* const open = new QPushButton(icon("open"), tr("Open …"), inner);
  open->setObjectName("startOpen");
  open->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  open->setMinimumWidth(fontMetrics().averageCharWidth() * 20);
  connect(open, &QPushButton::clicked, this, &StartPage::openWanted);
  auto* const elsewhere = new QPushButton(icon("connect"), tr("Connect …"), inner);
  elsewhere->setObjectName("startConnect");
  elsewhere->setToolTip(tr("Data that stay on another machine"));
  elsewhere->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  elsewhere->setMinimumWidth(open->minimumWidth());
  connect(elsewhere, &QPushButton::clicked, this, &StartPage::connectWanted);
  auto* const both = new QHBoxLayout;
  both->addWidget(open);
  both->addWidget(elsewhere);
  both->addStretch();
  column->addLayout(both);
  column->addSpacing(14);

  m_halves = new QGridLayout;
  m_halves->setHorizontalSpacing(kHalvesApart);
  column->addLayout(m_halves);
  m_halves->addWidget(bigHeading(tr("Samples, made on the spot"), inner), 0, 0);
  m_offers = new QGridLayout;
  m_offers->setSpacing(6);
  for (const SampleOffer& offer : sampleOffers()) {
    auto* const button = new QCommandLinkButton(offer.name, offer.line, inner);
    button->setIcon(icon("data"));
    button->setIconSize({20, 20});
    button->setObjectName(offer.url);
    button->setAccessibleDescription(offer.line);
    connect(button, &QCommandLinkButton::clicked, this, [this, url = offer.url] { emit sampleWanted(url); });
    m_samples.append(button);
  }
  m_sessionHeading = bigHeading(tr("Worked sessions, of steps in time"), inner);
  for (const SampleOffer& offer : sessionOffers()) {
    auto* const button = new QCommandLinkButton(offer.name, offer.line, inner);
    button->setIcon(QIcon(":/sessions/" + offer.url + ".png"));
    button->setIconSize({96, 60});
    button->setObjectName("session:" + offer.url);
    button->setAccessibleDescription(offer.line);
    connect(button, &QCommandLinkButton::clicked, this, [this, name = offer.url] {
      if (const QString file = app::copyOfExample(name); !file.isEmpty())
        emit recentWanted(file);
      else
        emit message(
            tr("The worked session could not be copied to %1: make room there, or let it be written to.")
                .arg(app::placeOfExamples()));
    });
    m_sessions.append(button);
  }
  m_halves->addLayout(m_offers, 1, 0);

  m_recentHeading = bigHeading(tr("Opened last"), inner);
  m_recentPart = new QWidget(inner);
  m_recent = new QVBoxLayout;
  m_recent->setSpacing(2);
  auto* const recentColumn = new QVBoxLayout(m_recentPart);
  recentColumn->setContentsMargins(0, 0, 0, 0);
  recentColumn->addLayout(m_recent);
  recentColumn->addStretch();
  // Beside one another below both halves, where there is room: pictures are tall.
  column->addSpacing(8);
  column->addWidget(m_sessionHeading);
  m_worked = new QGridLayout;
  m_worked->setSpacing(6);
  column->addLayout(m_worked);
  arrangeOffers({2, 2, true});

  column->addSpacing(12);
  column->addWidget(bigHeading(tr("In four steps"), inner));
  auto* const steps = new QGridLayout;
  steps->setHorizontalSpacing(24);
  const std::pair<QString, QString> kSteps[] = {
      {tr("1  Open"), tr("A grid and its solution are found together. An outline and first streamlines "
                         "appear; more come as they are computed.")},
      {tr("2  Show"),
       tr("Add streamlines, surfaces and slices, drag the rake that they start from, and choose what "
          "colours them in the properties at the right.")},
      {tr("3  Keep"), tr("Save the session, write the picture, or copy the command that makes the same "
                         "picture on a machine with no display.")},
      {tr("4  Your own"), tr("Then the same with a file of yours: while you choose it, it says what the "
                             "file holds, and what it could not read is explained.")}};
  for (int step = 0; step < 4; ++step) {
    steps->addWidget(makeHeading(kSteps[step].first, inner), 0, step);
    QLabel* const text = textLabel(kSteps[step].second, inner);
    text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    steps->addWidget(text, 1, step);
    steps->setColumnStretch(step, 1);
  }
  auto* const own = new QPushButton(icon("open"), tr("Open a file of your own …"), inner);
  own->setObjectName("tourOpen");
  own->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  connect(own, &QPushButton::clicked, this, &StartPage::openWanted);
  steps->addWidget(own, 2, 3);
  column->addLayout(steps);
  column->addSpacing(10);
  m_hint = textLabel({}, inner);
  m_hint->setObjectName("startHint");
  m_hint->setForegroundRole(QPalette::PlaceholderText);
  column->addWidget(m_hint);
  connect(&model, &app::AppModel::memoryChanged, this, &StartPage::showHint);
  column->addStretch();
  setWidget(page);
  m_moved.setSingleShot(true);
  m_moved.setInterval(0);
  connect(&m_moved, &QTimer::timeout, this, &StartPage::unmarkCards);
  connect(&model.settings(), &app::Settings::recentChanged, this, &StartPage::showRecent);
  showRecent();
}

/// With what was opened last beside the samples or below them.
void StartPage::arrangeOffers(const Arrangement& wanted) {
  if (m_arrangement == wanted) return;
  m_arrangement = wanted;
  const bool beside = wanted.beside;
  for (QWidget* const part : {static_cast<QWidget*>(m_recentHeading), m_recentPart})
    m_halves->removeWidget(part);
  m_halves->setColumnStretch(0, 3);
  m_halves->setColumnStretch(1, beside ? 2 : 0);
  m_halves->setHorizontalSpacing(beside ? kHalvesApart : 0);
  m_halves->addWidget(m_recentHeading, beside ? 0 : 2, beside ? 1 : 0);
  m_halves->addWidget(m_recentPart, beside ? 1 : 3, beside ? 1 : 0);
  const auto place = [](QGridLayout* grid, const QList<QCommandLinkButton*>& buttons, int columns) {
    for (QCommandLinkButton* const button : buttons) grid->removeWidget(button);
    for (int n = 0; n < buttons.size(); ++n) grid->addWidget(buttons[n], n / columns, n % columns);
  };
  place(m_offers, m_samples, wanted.samples);
  place(m_worked, m_sessions, wanted.sessions);
}

void StartPage::unmarkCards() {
  for (QPushButton* const card : findChildren<QPushButton*>()) {
    if (!card->underMouse() || card->rect().contains(card->mapFromGlobal(QCursor::pos()))) continue;
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(card, &leave);
  }
}

void StartPage::showEvent(QShowEvent* event) {
  QScrollArea::showEvent(event);
  m_moved.start();
  showHint();
}

void StartPage::showHint() {
  m_hint->setText(tr("Ctrl+K finds any command; ? shows the keys and what the mouse does.\n"
                     "Data take at most %1 of this machine's %2 of memory; the settings change that.")
                      .arg(QString::fromStdString(formatBytes(m_model.memoryBytes())),
                           QString::fromStdString(formatBytes(machineMemoryBytes()))));
}

void StartPage::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  m_moved.start();
  // Titles are never cut off: what has no room beside others goes below them.
  const auto widest = [](const QList<QCommandLinkButton*>& buttons) {
    int width = 0;
    for (const QCommandLinkButton* const button : buttons)
      width = std::max(width, button->sizeHint().width());
    return width;
  };
  const int room = std::min(viewport()->width() - 64, fontMetrics().averageCharWidth() * kWidest);
  const auto columnsIn = [](int width, int each, int gap, int most) {
    return std::clamp((width + gap) / (each + gap), 1, most);
  };
  const int sample = widest(m_samples), half = 3 * (room - kHalvesApart) / 5;
  const bool beside = half >= sample;
  arrangeOffers({columnsIn(beside ? half : room, sample, m_offers->spacing(), 2),
                 columnsIn(room, widest(m_sessions), m_worked->spacing(), 3), beside});
}

void StartPage::showRecent() {
  while (QLayoutItem* const item = m_recent->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  const QStringList recent = m_model.settings().recent();
  const QStringList texts = recentTexts(recent);
  QWidget* before = m_samples.back();  // Tab goes as it is seen
  for (qsizetype n = 0; n < std::min<qsizetype>(recent.size(), kMostRecentShown); ++n) {
    const QString& what = recent[n];
    auto* const button = new RecentButton(texts[n], this);
    button->setIcon(icon(what.endsWith(".json") ? "new" : "data"));
    button->setToolTip(app::someNames(app::shownPattern(what).split('\n')));
    connect(button, &QPushButton::clicked, this, [this, what] { emit recentWanted(what); });
    m_recent->addWidget(button);
    setTabOrder(before, button);
    before = button;
  }
  if (recent.isEmpty()) {
    QLabel* const nothing = textLabel(tr("Nothing yet."), this);
    nothing->setForegroundRole(QPalette::PlaceholderText);
    m_recent->addWidget(nothing);
  }
}

}  // namespace farfield::ui
