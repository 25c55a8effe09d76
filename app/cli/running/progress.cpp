#include "app/cli/running/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/base/units.h"

namespace farfield::cli {
namespace {

/// 1234567 -> "1.23 M"; three digits are enough for a rate.
std::string rateText(double rate) {
  constexpr const char* kPrefixes[] = {"", "k", "M", "G"};
  int prefix = 0;
  for (; rate >= 999.5 && prefix < 3; ++prefix) rate /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, "%.*f%s%s",
                rate < 9.995   ? 2
                : rate < 99.95 ? 1
                               : 0,
                rate, prefix ? " " : "", kPrefixes[prefix]);
  return text;
}

int percent(std::uint64_t done, std::uint64_t total) {
  return total == 0 ? 100
                    : static_cast<int>(100.0 * static_cast<double>(std::min(done, total)) /
                                       static_cast<double>(total));
}

std::string rateAndTimeLeft(const std::string& unit, std::uint64_t done, std::uint64_t total,
                            double seconds) {
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  if (!(rate > 0)) return "";
  std::string text = rateText(rate) + " " + unit + "/s";
  if (done < total)
    text += ", " + formatSeconds(std::ceil(static_cast<double>(total - done) / rate)) + " left";
  return text;
}

int terminalColumns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

ProgressStyle progressStyle(bool quiet) {
  if (quiet) return ProgressStyle::None;
  const char* const terminal = std::getenv("TERM");
  const bool dumb = !terminal || std::string(terminal) == "dumb";
  return ::isatty(STDERR_FILENO) && !dumb ? ProgressStyle::Bar : ProgressStyle::Lines;
}

Progress::Progress(std::string what, std::string unit, ProgressStyle style)
    : m_what(std::move(what)), m_unit(std::move(unit)), m_style(style) {}

Progress::~Progress() {
  erase();
}

void Progress::erase() {
  if (m_style == ProgressStyle::Bar && m_shown) std::fputs("\r\033[K", stderr);
  m_shown = false;
}

void Progress::restart(std::string what) {
  const std::lock_guard lock(m_mutex);
  m_what = std::move(what);
  m_started = false;
}

void Progress::update(std::uint64_t done, std::uint64_t total) {
  if (m_style == ProgressStyle::None) return;
  const std::lock_guard lock(m_mutex);
  const auto now = Clock::now();
  if (!m_started) {
    // What was there before (a resumed conversion) does not count for the rate.
    m_started = true;
    m_start = m_lastShown = now;
    m_firstDone = done;
    return;
  }
  const auto pause =
      m_style == ProgressStyle::Bar ? std::chrono::milliseconds(100) : std::chrono::milliseconds(2000);
  if (now - m_lastShown < pause) return;
  m_lastShown = now;
  const double seconds = std::chrono::duration<double>(now - m_start).count();
  // The rate is that since the start; the share is that of the whole.
  const double whole =
      done > m_firstDone ? seconds * static_cast<double>(done) / static_cast<double>(done - m_firstDone) : 0;
  if (m_style == ProgressStyle::Bar) {
    std::fputs(("\r" + bar(m_what, m_unit, done, total, whole, terminalColumns()) + "\033[K").c_str(),
               stderr);
    m_shown = true;
  } else {
    std::fputs((line(m_what, m_unit, done, total, whole) + "\n").c_str(), stderr);
  }
}

std::string Progress::line(const std::string& what, const std::string& unit, std::uint64_t done,
                           std::uint64_t total, double seconds) {
  const std::string rate = rateAndTimeLeft(unit, done, total, seconds);
  return what + ": " + std::to_string(percent(done, total)) + " %, " + std::to_string(done) + " of " +
         std::to_string(total) + " " + unit + (rate.empty() ? "" : ", " + rate);
}

std::string Progress::bar(const std::string& what, const std::string& unit, std::uint64_t done,
                          std::uint64_t total, double seconds, int columns) {
  const int share = percent(done, total);
  const std::string rate = rateAndTimeLeft(unit, done, total, seconds);
  const std::string before = what + " ",
                    after = " " + std::to_string(share) + " %" + (rate.empty() ? "" : "  " + rate);
  const int width = std::min(40, columns - 1 - static_cast<int>(before.size() + after.size()) - 2);
  std::string text = before;
  if (width >= 5) {
    const auto full = static_cast<std::size_t>(width * share / 100);
    text += "[" + std::string(full, '#') + std::string(static_cast<std::size_t>(width) - full, '.') + "]";
  }
  return (text + after).substr(0, static_cast<std::size_t>(std::max(1, columns - 1)));
}

}  // namespace farfield::cli
