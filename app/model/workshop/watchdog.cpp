#include "app/model/workshop/watchdog.h"

#include <QCoreApplication>
#include <QEvent>
#include <algorithm>
#include <chrono>
#include <cmath>

namespace farfield::app {
namespace {

constexpr std::chrono::milliseconds kPause{10};
constexpr double kSmallestMs = 0.1;
constexpr double kBinsPerOctave = 8;

std::int64_t now() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

QEvent::Type letterType() {
  static const int s_type = QEvent::registerEventType();
  return static_cast<QEvent::Type>(s_type);
}

}  // namespace

Watchdog::Watchdog(QObject* parent) : QObject(parent) {}

Watchdog::~Watchdog() {
  stop();
}

void Watchdog::start() {
  if (m_thread.joinable()) return;
  m_answered = true;
  m_thread = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

void Watchdog::stop() {
  m_thread = {};
  QCoreApplication::removePostedEvents(this, letterType());
}

void Watchdog::watch(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(kPause);
    if (!m_answered) continue;
    m_answered = false;
    m_sentAt = now();
    QCoreApplication::postEvent(this, new QEvent(letterType()));
  }
}

bool Watchdog::event(QEvent* event) {
  if (event->type() != letterType()) return QObject::event(event);
  add(1e-6 * static_cast<double>(now() - m_sentAt.load()));
  m_answered = true;
  return true;
}

void Watchdog::add(double milliseconds) {
  const double bin = kBinsPerOctave * std::log2(std::max(milliseconds, kSmallestMs) / kSmallestMs);
  ++m_bins[std::min(kBins - 1, static_cast<std::size_t>(bin))];
  ++m_samples;
  if (milliseconds > 50) ++m_over50;
  if (milliseconds > m_worstMs) m_worstMs = milliseconds;
}

Watchdog::Report Watchdog::report() const {
  Report report;
  std::array<std::uint64_t, kBins> bins{};
  for (std::size_t n = 0; n < kBins; ++n) report.samples += bins[n] = m_bins[n];
  report.worstMs = m_worstMs;
  report.over50Ms = m_over50;
  // The upper end of the bin in which the share is passed: never less than what was measured.
  const auto percentile = [&](double share) {
    const double wanted = share * static_cast<double>(report.samples);
    std::uint64_t sum = 0;
    for (std::size_t n = 0; n < kBins; ++n) {
      sum += bins[n];
      if (static_cast<double>(sum) >= wanted && sum > 0)
        return std::min(report.worstMs, kSmallestMs * std::exp2(static_cast<double>(n + 1) / kBinsPerOctave));
    }
    return report.worstMs;
  };
  if (report.samples == 0) return report;
  report.medianMs = percentile(0.5);
  report.p99Ms = percentile(0.99);
  report.p999Ms = percentile(0.999);
  return report;
}

void Watchdog::reset() {
  for (auto& bin : m_bins) bin = 0;
  m_samples = m_over50 = 0;
  m_worstMs = 0;
}

}  // namespace farfield::app
