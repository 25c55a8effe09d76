#include "app/ui/panels/memory_panel.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QResizeEvent>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/ui/panels/life_lines_view.h"
#include "app/ui/panels/page_map_view.h"
#include "app/ui/widgets/budget_edit.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/sparkline.h"
#include "app/ui/widgets/tab_order.h"
#include "core/base/machine.h"
#include "core/base/units.h"

namespace farfield::ui {
namespace {

constexpr std::int64_t kLifeSpanNanoseconds = 2'000'000'000;
constexpr std::size_t kWaitLines = 4;

QString bytesText(double bytes) {
  return QString::fromStdString(formatBytes(static_cast<std::uint64_t>(std::max(0.0, bytes))));
}

QString swatch(const QColor& color) {
  return QStringLiteral("<span style='color:%1'>■</span>").arg(color.name());
}

/// `over` as it looks on `under`.
QColor mixed(const QColor& over, const QColor& under) {
  const float a = over.alphaF();
  return QColor::fromRgbF(a * over.redF() + (1 - a) * under.redF(),
                          a * over.greenF() + (1 - a) * under.greenF(),
                          a * over.blueF() + (1 - a) * under.blueF());
}

}  // namespace

std::uint64_t budgetAt(int place, std::uint64_t most) {
  const double low = std::log2(static_cast<double>(app::kLeastMemoryBytes)),
               high = std::log2(static_cast<double>(most));
  const double bytes = std::exp2(low + (high - low) * place / kBudgetSteps);
  // In steps that people would choose.
  const double step = std::exp2(std::floor(std::log2(bytes)) - 4);
  return std::clamp(static_cast<std::uint64_t>(std::round(bytes / step) * step), app::kLeastMemoryBytes,
                    most);
}

int placeOfBudget(std::uint64_t bytes, std::uint64_t most) {
  const double low = std::log2(static_cast<double>(app::kLeastMemoryBytes)),
               high = std::log2(static_cast<double>(most));
  const double at = (std::log2(static_cast<double>(std::max<std::uint64_t>(1, bytes))) - low) / (high - low);
  return static_cast<int>(std::lround(std::clamp(at, 0.0, 1.0) * kBudgetSteps));
}

MemoryPanel::MemoryPanel(app::AppModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_budget(new QSlider(Qt::Horizontal, this)),
      m_budgetText(new BudgetEdit(model, this)),
      m_used(new QLabel(this)),
      m_why(new QLabel(this)),
      m_hits(new Sparkline(tr("Hits"), 1, "100.0 %", this)),
      m_reads(new Sparkline(tr("In flight"), 0, "99.9", this)),
      m_bytes(new Sparkline(tr("Read"), 0, "999.9 MiB/s", this)),
      m_block(new QSpinBox(this)),
      m_array(new QComboBox(this)),
      m_along(new QComboBox(this)),
      m_map(new PageMapView(this)),
      m_mapText(new QLabel(this)),
      m_waits(new QLabel(this)),
      m_lives(new LifeLinesView(this)),
      m_more(new QToolButton(this)) {
  auto* const column = new QVBoxLayout(this);
  column->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
  column->setSpacing(6);
  column->addWidget(m_line = makeBudgetLine());
  m_details = new QWidget(this);
  column->addWidget(m_details, 1);
  auto* const row = new QHBoxLayout(m_details);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(10);
  row->addWidget(m_readingPart = makeReadingPart(), 6);
  row->addWidget(m_mapPart = makeMapPart(), 4);
  row->addWidget(m_taskPart = makeTaskPart(), 2);
  tabAsLaidOut(*column);
  connect(&model.engine(), &app::Engine::counted, this, &MemoryPanel::showCounters);
  connect(&model.stage(), &app::Stage::dataStatusChanged, this, [this] { offerBlocks(); });
  connect(&model.stage(), &app::Stage::stepChanged, this, [this] { watch(); });
  connect(&model.document(), &app::Document::replaced, this, [this] { showData({}); });
  setDetailed(false);
  offerBlocks();
  showCounters(model.engine().counters());
}

MemoryPanel::~MemoryPanel() = default;

QSize MemoryPanel::sizeHint() const {
  if (m_details && !isDetailed()) return {fontMetrics().averageCharWidth() * 100, minimumSizeHint().height()};
  return {fontMetrics().averageCharWidth() * 100, 15 * fontMetrics().height()};
}

bool MemoryPanel::isDetailed() const {
  return !m_details->isHidden();
}

void MemoryPanel::setDetailed(bool detailed) {
  m_details->setVisible(detailed);
  m_more->setChecked(detailed);
  m_more->setArrowType(detailed ? Qt::DownArrow : Qt::RightArrow);
  boundHeight();
  detailed ? watch() : m_model.engine().setSight({});
}

void MemoryPanel::setMayBeHigh(bool mayBe) {
  m_mayBeHigh = mayBe;
  boundHeight();
}

void MemoryPanel::boundHeight() {
  // Small, it does not take the height that a dock has to give.
  const bool isLow = !isDetailed() && !m_mayBeHigh;
  setSizePolicy(QSizePolicy::Preferred, isLow ? QSizePolicy::Maximum : QSizePolicy::Preferred);
  updateGeometry();
}

QSize MemoryPanel::minimumSizeHint() const {
  if (!m_readingPart) return QWidget::minimumSizeHint();
  const int width = std::max(m_line->minimumSizeHint().width(), m_readingPart->minimumSizeHint().width());
  return {width + 2 * kPanelMargin, QWidget::minimumSizeHint().height()};
}

void MemoryPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_used->setVisible(event->size().width() >= 2 * minimumSizeHint().width());
  // In a small window what it is bound by goes before the pages, and these before the tasks.
  int left = event->size().width() - minimumSizeHint().width();
  for (QWidget* const part : {m_mapPart, m_taskPart}) {
    left -= part->minimumSizeHint().width() + m_details->layout()->spacing();
    part->setVisible(left >= 0);
  }
}

QWidget* MemoryPanel::makeBudgetLine() {
  auto* const part = new QWidget(this);
  auto* const budget = new QHBoxLayout(part);
  budget->setContentsMargins(0, 0, 0, 0);
  m_more->setObjectName("memory.more");
  m_more->setText(tr("Details"));
  m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_more->setAutoRaise(true);
  m_more->setCheckable(true);
  m_more->setToolTip(tr("How reading goes, which pages are in memory, what waits for what"));
  connect(m_more, &QToolButton::clicked, this, [this](bool on) {
    setDetailed(on);
    emit detailsWanted(on);
  });
  budget->addWidget(m_more);
  auto* const label = new QLabel(tr("Memory budget"), part);
  label->setBuddy(m_budget);
  budget->addWidget(label);
  budget->addWidget(m_budget);
  m_budgetText->setObjectName("memory.bytes");
  m_budgetText->setFixedWidth(fontMetrics().horizontalAdvance("0000.0 MiB") + 2 * kPanelMargin);
  m_budgetText->setAccessibleName(tr("Memory budget as a number"));
  connect(m_budgetText, &BudgetEdit::wasTyped, this, [this] { showBudget(m_model.memoryBytes()); });
  budget->addWidget(m_budgetText);
  m_used->setObjectName("memory.used");
  m_used->setForegroundRole(QPalette::PlaceholderText);
  m_used->setMinimumWidth(1);
  budget->addWidget(m_used, 1);

  m_budget->setObjectName("memory.budget");
  m_budget->setRange(0, kBudgetSteps);
  m_budget->setPageStep(kBudgetSteps / 10);
  m_budget->setAccessibleName(tr("Memory budget"));
  m_budget->setToolTip(tr("Never exceeded: data that do not fit are read again when they are needed"));
  showBudget(m_model.memoryBytes());
  connect(m_budget, &QSlider::valueChanged, this,
          [this](int at) { setBudget(at, !m_budget->isSliderDown()); });
  connect(m_budget, &QSlider::sliderReleased, this, [this] { setBudget(m_budget->value(), true); });
  return part;
}

QWidget* MemoryPanel::makeReadingPart() {
  auto* const part = new QWidget(m_details);
  auto* const column = new QVBoxLayout(part);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  auto* const lines = new QHBoxLayout;
  lines->setSpacing(6);
  lines->addWidget(m_hits);
  lines->addWidget(m_reads);
  lines->addWidget(m_bytes);
  column->addLayout(lines);
  m_hits->setToolTip(tr("The part of page look-ups that found their page in memory"));
  m_reads->setToolTip(tr("Pages being read, on average of the last moments"));
  m_bytes->setToolTip(tr("Bytes read, as they are stored"));
  m_why->setObjectName("memory.why");
  m_why->setWordWrap(true);
  m_why->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  // The longest of these sentences, in a panel as narrow as it gets beside the others.
  m_why->setMinimumHeight(5 * fontMetrics().lineSpacing());
  m_why->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_why->setToolTip(tr("Why the last computation was as fast as it was"));
  column->addWidget(m_why);
  column->addStretch();
  return part;
}

QWidget* MemoryPanel::makeMapPart() {
  auto* const part = new QWidget(m_details);
  auto* const column = new QVBoxLayout(part);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  auto* const row = new QHBoxLayout;
  row->setSpacing(6);
  row->addWidget(makeHeading(tr("Pages"), part));
  m_array->setObjectName("memory.array");
  m_array->setAccessibleName(tr("Array"));
  m_array->setToolTip(tr("The array whose pages are shown"));
  m_block->setObjectName("memory.block");
  m_block->setPrefix(tr("block "));
  m_block->setAccessibleName(tr("Block"));
  m_block->setToolTip(tr("Whose pages the map below shows"));
  m_along->addItems({tr("along i"), tr("along j"), tr("along k")});
  m_along->setCurrentIndex(2);
  m_along->setAccessibleName(tr("Looked along"));
  m_along->setToolTip(tr("Pages that lie behind one another along this axis are one square"));
  row->addWidget(m_array, 1);
  row->addWidget(m_block);
  row->addWidget(m_along);
  column->addLayout(row);
  column->addWidget(m_map, 1);
  m_mapText->setObjectName("memory.map");
  m_mapText->setTextFormat(Qt::RichText);
  m_mapText->setWordWrap(true);
  column->addWidget(m_mapText);
  connect(m_array, &QComboBox::activated, this, [this] { watch(); });
  connect(m_along, &QComboBox::activated, this, [this] { watch(); });
  connect(m_block, &QSpinBox::valueChanged, this, [this] {
    offerArrays();
    watch();
  });
  return part;
}

QWidget* MemoryPanel::makeTaskPart() {
  auto* const part = new QWidget(m_details);
  auto* const column = new QVBoxLayout(part);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(makeHeading(tr("Tasks"), part));
  column->addWidget(m_lives, 1);
  m_waits->setObjectName("memory.waits");
  m_waits->setWordWrap(true);
  m_waits->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_waits->setMinimumHeight(static_cast<int>(kWaitLines + 1) * fontMetrics().height());
  m_waits->setToolTip(
      tr("Pages that are being read, the oldest request first, and how many tasks wait for each"));
  column->addWidget(m_waits);
  return part;
}

void MemoryPanel::showEvent(QShowEvent*) {
  watch();
}

void MemoryPanel::hideEvent(QHideEvent*) {
  m_model.engine().setSight({});
}

std::string MemoryPanel::dataName() const {
  const session::Session& session = m_model.document().session();
  if (session.find(m_data) && m_model.stage().summary(m_data)) return m_data;
  for (const session::DataSource& source : session.data)
    if (m_model.stage().summary(source.name)) return source.name;
  return {};
}

void MemoryPanel::showData(const std::string& name) {
  m_data = name;
  offerBlocks();
}

void MemoryPanel::offerBlocks() {
  const auto summary = m_model.stage().summary(dataName());
  const int blocks = summary ? static_cast<int>(summary->description.blocks.size()) : 0;
  {
    const QSignalBlocker quiet(m_block);
    m_block->setRange(0, std::max(0, blocks - 1));
  }
  m_block->setEnabled(blocks > 1);
  m_block->setSuffix(blocks > 1 ? tr(" of %1").arg(blocks) : QString());
  offerArrays();
  watch();
}

void MemoryPanel::offerArrays() {
  const QString before = m_array->currentText();
  const QSignalBlocker quiet(m_array);
  m_array->clear();
  if (const auto summary = m_model.stage().summary(dataName())) {
    // What is coloured and followed before what locates it.
    for (const bool grid : {false, true})
      for (const paging::ArrayDescription& array : summary->description.arrays) {
        if (array.block == m_block->value() && array.isGrid() == grid)
          m_array->addItem(QString::fromStdString(array.name));
      }
  }
  if (const int at = m_array->findText(before); at >= 0) m_array->setCurrentIndex(at);
  m_array->setEnabled(m_array->count() > 0);
  m_along->setEnabled(m_array->count() > 0);
}

void MemoryPanel::watch() {
  if (!isVisible() || !isDetailed()) return;
  app::SightRequest request;
  request.wanted = true;
  request.dataKey = m_model.stage().keyOf(dataName());
  request.block = m_block->value();
  request.array = m_array->currentText().toStdString();
  request.step = m_model.stage().step();
  request.along = m_along->currentIndex();
  m_model.engine().setSight(request);
}

void MemoryPanel::setBudget(int at, bool final) {
  const std::uint64_t bytes = budgetAt(at, machineMemoryBytes());
  m_budgetText->setText(bytesText(static_cast<double>(bytes)));
  showWarning(m_budgetText, QPalette::Text, bytes < m_model.leastMemoryBytes());
  if (!final || m_model.setMemoryBytes(bytes)) return;
  m_budgetText->sayNotTaken();
  showBudget(m_model.memoryBytes());
}

void MemoryPanel::showBudget(std::uint64_t bytes) {
  const QSignalBlocker quiet(m_budget);
  m_budget->setValue(placeOfBudget(bytes, machineMemoryBytes()));
  m_budgetText->showBudget(bytes);
}

void MemoryPanel::showCounters(const app::WorkshopCounters& counters) {
  // It may have been set elsewhere; a slider that is dragged is left alone.
  const std::uint64_t budget = m_model.memoryBytes();
  if (!m_budget->isSliderDown() && budget != m_shownBudget) showBudget(m_shownBudget = budget);
  const auto of = [&](Purpose purpose) {
    return bytesText(static_cast<double>(counters.bytesByPurpose[static_cast<std::size_t>(purpose)]));
  };
  const std::uint64_t lent = m_model.lentBytes();
  const QString shared =
      lent > 0 ? tr("%1 lent to what is being written").arg(bytesText(static_cast<double>(lent))) : QString();
  const QString ofData = tr("%1 of data").arg(bytesText(static_cast<double>(counters.residentBytes)));
  // Room for pages that holds none is nobody's.
  const std::uint64_t frames = counters.bytesByPurpose[static_cast<std::size_t>(Purpose::Frames)];
  const std::uint64_t work = counters.usedBytes - std::min(counters.usedBytes, frames);
  const QString claimed = tr("%1, %2 at work").arg(ofData, bytesText(static_cast<double>(work)));
  QString all = tr("%1, %2 of pictures").arg(claimed, bytesText(static_cast<double>(m_pictureBytes)));
  if (lent > 0) all += ", " + shared;
  // Half a number would be another number.
  const auto fits = [&](const QString& text) {
    return m_used->fontMetrics().horizontalAdvance(text) <= m_used->width();
  };
  m_used->setText(fits(all) ? all : lent > 0 ? shared : fits(claimed) ? claimed : ofData);
  m_used->setToolTip(
      all + '\n' +
      (lent > 0 ? tr("Until that is done, the window has %1 of the budget.")
                          .arg(bytesText(static_cast<double>(budget - std::min(budget, lent)))) +
                      '\n'
                : QString()) +
      tr("Claimed of the budget: %1, of it room for pages %2, indexes %3, reading %4, tasks %5.\n"
         "Pictures, beside the budget: what is drawn of objects that are shown; graphics memory holds it once more.")
          .arg(bytesText(static_cast<double>(counters.usedBytes)), of(Purpose::Frames), of(Purpose::Index),
               of(Purpose::Staging), of(Purpose::Stacks)));
  m_hits->add(counters.hitRate, QString::number(100 * counters.hitRate, 'f', 1) + " %");
  m_reads->add(counters.readsInFlight, QString::number(counters.readsInFlight, 'f', 1));
  m_bytes->add(counters.bytesPerSecond, bytesText(counters.bytesPerSecond) + "/s");
  const QString why = QString::fromStdString(counters.boundBy.sentence);
  // Where nothing was in the way, nothing is said.
  const bool waited = counters.boundBy.what == "disk" || counters.boundBy.what == "latency" ||
                      counters.boundBy.what == "link" || counters.boundBy.what == "budget";
  m_why->setText(why.isEmpty() ? tr("Nothing has been computed yet.")
                 : waited      ? app::windowAdvice(counters.boundBy.sentence)
                               : tr("Nothing had to wait for data."));
  if (counters.sight) showSight(*counters.sight);
}

void MemoryPanel::showSight(const app::PagingSight& sight) {
  m_map->showMap(sight.map);
  m_lives->showLives(sight.lives, sight.atNanoseconds, kLifeSpanNanoseconds);
  const app::PageMap& map = sight.map;
  const QColor window = palette().color(QPalette::Window);
  if (map.cells.empty()) {
    m_mapText->clear();
  } else {
    const bool isRemote = m_model.engine().counters().links.contains(m_model.stage().keyOf(dataName()));
    QStringList parts{
        tr("%1&nbsp;%2 of %3 pages in memory")
            .arg(swatch(m_map->residentColor()))
            .arg(map.resident)
            .arg(map.total),
        tr("%1&nbsp;%2&nbsp;being&nbsp;read").arg(swatch(PageMapView::readingColor())).arg(map.reading)};
    if (isRemote)
      parts.append(tr("%1&nbsp;%2&nbsp;%&nbsp;kept&nbsp;on&nbsp;this&nbsp;disk")
                       .arg(swatch(keptColor()))
                       .arg(100 * map.keptPart, 0, 'f', map.keptPart > 0 && map.keptPart < 0.1 ? 1 : 0));
    parts.append((isRemote ? tr("%1&nbsp;remote") : tr("%1&nbsp;not&nbsp;read"))
                     .arg(swatch(mixed(m_map->missingColor(), window))));
    parts.append(tr("(%1×%2×%3&nbsp;pages)").arg(map.pages[0]).arg(map.pages[1]).arg(map.pages[2]));
    m_mapText->setText(parts.join(QStringLiteral(" &nbsp;")));
  }
  QStringList lines;
  if (sight.reading == 0) {
    lines.append(tr("Nothing is being read, and no task waits."));
  } else {
    lines.append(tr("Tasks that wait: %1. Pages on their way: %2.").arg(sight.awaited).arg(sight.reading));
    for (std::size_t n = 0; n < std::min(kWaitLines, sight.oldest.size()); ++n) {
      const app::ReadInFlight& read = sight.oldest[n];
      const QString page = tr("page %1,%2,%3 of %4, block %5")
                               .arg(read.page[0])
                               .arg(read.page[1])
                               .arg(read.page[2])
                               .arg(QString::fromStdString(read.array))
                               .arg(read.block);
      lines.append((read.waiters > 1    ? tr("%1 wait for %2").arg(read.waiters).arg(page)
                    : read.waiters == 1 ? tr("one waits for %1").arg(page)
                                        : tr("ahead: %1").arg(page)) +
                   tr(" (%1 ms)").arg(read.milliseconds, 0, 'f', 1));
    }
  }
  m_waits->setText(lines.join('\n'));
}

}  // namespace farfield::ui
