#include "app/ui/memory_panel.h"

#include <QGridLayout>
#include <QLabel>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/ui/look.h"
#include "app/ui/sparkline.h"
#include "core/base/units.h"

namespace farfield::ui {
namespace {

QString bytesText(double bytes) {
  return QString::fromStdString(formatBytes(static_cast<std::uint64_t>(std::max(0.0, bytes))));
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
      m_budgetText(new QLabel(this)),
      m_used(new QLabel(this)),
      m_why(new QLabel(this)),
      m_hits(new Sparkline(tr("Found in memory"), 1, this)),
      m_reads(new Sparkline(tr("Reads on their way"), 0, this)),
      m_bytes(new Sparkline(tr("Reading"), 0, this)) {
  auto* const column = new QVBoxLayout(this);
  column->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
  column->setSpacing(6);
  auto* const budget = new QHBoxLayout;
  auto* const label = new QLabel(tr("Memory budget"), this);
  label->setBuddy(m_budget);
  budget->addWidget(label);
  budget->addWidget(m_budget, 1);
  m_budgetText->setMinimumWidth(fontMetrics().horizontalAdvance("000.0 MiB"));
  m_budgetText->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  budget->addWidget(m_budgetText);
  column->addLayout(budget);
  m_used->setForegroundRole(QPalette::PlaceholderText);
  m_used->setWordWrap(true);
  column->addWidget(m_used);
  auto* const lines = new QHBoxLayout;
  lines->setSpacing(12);
  lines->addWidget(m_hits);
  lines->addWidget(m_reads);
  lines->addWidget(m_bytes);
  column->addLayout(lines);
  m_why->setWordWrap(true);
  m_why->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_why->setToolTip(tr("Why the last computation was as fast as it was"));
  column->addWidget(m_why);
  column->addStretch();

  m_budget->setRange(0, kBudgetSteps);
  m_budget->setPageStep(kBudgetSteps / 10);
  m_budget->setAccessibleName(tr("Memory budget"));
  m_budget->setToolTip(tr("Never exceeded: data that do not fit are read again when they are needed"));
  m_budget->setValue(placeOfBudget(model.engine().memoryBytes(), app::machineMemoryBytes()));
  m_budgetText->setText(bytesText(static_cast<double>(model.engine().memoryBytes())));
  connect(m_budget, &QSlider::valueChanged, this,
          [this](int at) { setBudget(at, !m_budget->isSliderDown()); });
  connect(m_budget, &QSlider::sliderReleased, this, [this] { setBudget(m_budget->value(), true); });
  connect(&model.engine(), &app::Engine::counted, this, &MemoryPanel::show);
  show(model.engine().counters());
}

QSize MemoryPanel::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 60, 170};
}

void MemoryPanel::setBudget(int at, bool final) {
  const std::uint64_t bytes = budgetAt(at, app::machineMemoryBytes());
  m_budgetText->setText(bytesText(static_cast<double>(bytes)));
  if (final) m_model.setMemoryBytes(bytes);
}

void MemoryPanel::show(const app::WorkshopCounters& counters) {
  const auto of = [&](Purpose purpose) {
    return bytesText(static_cast<double>(counters.bytesByPurpose[static_cast<std::size_t>(purpose)]));
  };
  m_used->setText(tr("%1 claimed: pages %2 (%3 of them filled), indexes %4, reading %5, tasks %6")
                      .arg(bytesText(static_cast<double>(counters.usedBytes)), of(Purpose::Frames),
                           bytesText(static_cast<double>(counters.residentBytes)), of(Purpose::Index),
                           of(Purpose::Staging), of(Purpose::Stacks)));
  m_hits->add(counters.hitRate, QString::number(100 * counters.hitRate, 'f', 1) + " %");
  m_reads->add(counters.readsInFlight, QString::number(counters.readsInFlight, 'f', 1));
  m_bytes->add(counters.bytesPerSecond, bytesText(counters.bytesPerSecond) + "/s");
  const QString why = QString::fromStdString(counters.boundBy.sentence);
  m_why->setText(why.isEmpty() ? tr("Nothing has been computed yet.")
                               : QString(why).replace("--memory", tr("budget")));
}

}  // namespace farfield::ui
