#include "app/lifelines/life_lines_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "app/lifelines/life_style.h"
#include "core/base/units.h"

namespace farfield::lifelines {
namespace {

using scene::Rgba;

constexpr int kNames = 170;  ///< pixels to the left of the columns
constexpr int kMargin = 24;
constexpr double kThreadRow = 20, kThreadGap = 5, kTaskRow = 7, kChart = 56;
constexpr double kSection = 26;
constexpr Rgba kInk{0.12f, 0.13f, 0.15f, 1}, kFaint{0.42f, 0.44f, 0.48f, 1}, kRule{0.9f, 0.91f, 0.92f, 1};

constexpr Rgba kGoesOn{0.00f, 0.45f, 0.70f, 1}, kWaits{0.95f, 0.77f, 0.45f, 1},
    kReads{0.00f, 0.62f, 0.45f, 1};

/// Colours that people with any colour vision tell apart (Okabe and Ito, Color Universal Design, 2008), and
/// greys for what is no work of interest.
struct KindColor {
  std::string_view label;
  Rgba color;
};
constexpr std::array<KindColor, 9> kKindColors{{{"computing", kGoesOn},
                                                {"checking and decoding pages", {0.90f, 0.62f, 0.00f, 1}},
                                                {"taking what was read", {0.34f, 0.71f, 0.91f, 1}},
                                                {"reading", kReads},
                                                {"encoding", {0.84f, 0.37f, 0.00f, 1}},
                                                {"drawing", {0.80f, 0.47f, 0.65f, 1}},
                                                {"other work", {0.62f, 0.62f, 0.62f, 1}},
                                                {"waiting", kWaits},
                                                {"idle", {0.91f, 0.91f, 0.91f, 1}}}};
/// For kinds of work that are not Farfield's.
constexpr std::array<Rgba, 3> kOtherColors{
    {{0.94f, 0.89f, 0.26f, 1}, {0.35f, 0.25f, 0.55f, 1}, {0.45f, 0.30f, 0.15f, 1}}};

Rgba colorOf(const std::string& label, std::size_t kind) {
  for (const KindColor& known : kKindColors)
    if (known.label == label) return known.color;
  for (const bool odd : {false, true})
    if (const std::string end = odd ? kOddSteps : kEvenSteps; label.ends_with(end))
      if (const auto color = stepColor(std::string_view(label).substr(0, label.size() - end.size()), odd))
        return *color;
  return kOtherColors[kind % kOtherColors.size()];
}

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
  return text;
}

class Painter {
 public:
  Painter(const LifeLines& lines, const std::string& title, int width)
      : m_lines(lines), m_title(title), m_width(width) {}

  std::unique_ptr<Canvas> draw(const std::function<std::unique_ptr<Canvas>(int, int)>& makeCanvas) {
    // Once to find out how high it becomes, on a canvas that is thrown away.
    m_canvas = makeSvgCanvas(m_width, 1);
    paint();
    m_canvas = makeCanvas(m_width, static_cast<int>(std::ceil(m_y)));
    paint();
    return std::move(m_canvas);
  }

 private:
  double left() const { return kNames; }
  double right() const { return kNames + m_lines.columns; }
  double xOf(double seconds) const {
    const double place = (seconds - m_lines.begin) / (m_lines.end - m_lines.begin);
    return left() + std::clamp(place, 0.0, 1.0) * m_lines.columns;
  }
  void text(double x, double y, const std::string& words, TextSize size, TextAlign align, const Rgba& color) {
    m_canvas->text(x, y, words, size, align, color);
  }
  /// The name of a row that lies between `top` and `bottom`, cut to the room there is.
  void name(std::string words, double top, double bottom, const Rgba& color = kInk) {
    const double room = kNames - kMargin - 8;
    while (words.size() > 1 && m_canvas->textWidth(words, TextSize::Normal) > room) {
      while (words.size() > 1 && (static_cast<unsigned char>(words.back()) & 0xc0) == 0x80) words.pop_back();
      words.pop_back();
    }
    text(left() - 8, (top + bottom) / 2 + 4.5, words, TextSize::Normal, TextAlign::Right, color);
  }

  void paint() {
    m_y = 0;
    heading();
    legend();
    axis();
    threads();
    if (m_lines.taskCount > 0) charts();
    if (!m_lines.someTasks.empty()) tasks();
    m_y += kMargin;
  }

  void heading() {
    m_y = kMargin + 10;
    text(kMargin, m_y, m_title, TextSize::Title, TextAlign::Left, kInk);
    std::string words = formatSeconds(m_lines.end - m_lines.begin);
    if (m_lines.end - m_lines.begin < 0.9999 * m_lines.logSeconds)
      words += " of " + formatSeconds(m_lines.logSeconds);
    words += ", " + counted(m_lines.threads.size(), "thread", "threads");
    if (m_lines.threadsLeftOut > 0)
      words += " (" + std::to_string(m_lines.threadsLeftOut) + " more are left out)";
    if (m_lines.taskCount > 0) words += ", " + counted(m_lines.taskCount, "task", "tasks");
    if (m_lines.readCount > 0) words += ", " + counted(m_lines.readCount, "read", "reads");
    if (m_lines.dropped > 0)
      words += "; " + counted(m_lines.dropped, "event is", "events are") + " missing, the log was full";
    m_y += 20;
    text(kMargin, m_y, words, TextSize::Normal, TextAlign::Left, kFaint);
    m_y += 12;
  }

  /// Swatches with words beside them, in as many rows as they need.
  void legend() {
    const double all = (m_lines.end - m_lines.begin) * static_cast<double>(m_lines.threads.size());
    double x = kMargin;
    m_y += 16;
    for (std::size_t kind = 0; kind < m_lines.kinds.size(); ++kind) {
      const Kind& it = m_lines.kinds[kind];
      if (it.seconds <= 0) continue;
      const std::string words = it.label + "  " + percent(it.seconds / all);
      const double width = 18 + m_canvas->textWidth(words, TextSize::Normal) + 22;
      if (x > kMargin && x + width > m_width - kMargin) {
        x = kMargin;
        m_y += 20;
      }
      m_canvas->fill(x, m_y - 10, x + 12, m_y + 2, colorOf(it.label, kind));
      text(x + 18, m_y, words, TextSize::Normal, TextAlign::Left, kInk);
      x += width;
    }
    m_y += 18;
  }

  void axis() {
    const double range = m_lines.end - m_lines.begin;
    const double step = niceStep(range, std::max(2, m_lines.columns / 110));
    const TimeUnit unit = unitOf(step);
    m_y += 14;
    // Counted apart from where they begin: of a moment long after the beginning of the log one more may be the same number.
    const double first = std::ceil(m_lines.begin / step), count = std::ceil(range / step);
    for (double more = 0; more <= count; ++more) {
      const double n = first + more;
      if (n * step > m_lines.end * (1 + 1e-12)) break;
      const double x = xOf(n * step);
      m_canvas->fill(x - 0.5, m_y + 4, x + 0.5, m_y + 9, kFaint);
      // The last label is not to be cut off by the edge.
      text(std::min(x, static_cast<double>(m_width) - kMargin), m_y,
           formatRounded(n * step / unit.seconds) + " " + unit.name, TextSize::Small, TextAlign::Middle,
           kFaint);
    }
    m_canvas->fill(left(), m_y + 8.5, right(), m_y + 9.5, kFaint);
    m_y += 16;
  }

  void threads() {
    for (const ThreadLine& line : m_lines.threads) {
      name(line.name, m_y, m_y + kThreadRow);
      m_canvas->fill(left(), m_y + kThreadRow, right(), m_y + kThreadRow + 1, kRule);
      stack(line.shares, m_y, kThreadRow);
      m_y += kThreadRow + kThreadGap;
    }
  }

  /// Columns in which the shares stand on one another, in the order of the kinds.
  void stack(const std::vector<float>& shares, double top, double height) {
    const auto columns = static_cast<std::size_t>(m_lines.columns);
    std::vector<double> below(columns, 0);
    for (std::size_t kind = 0; kind < m_lines.kinds.size(); ++kind) {
      const float* const share = shares.data() + kind * columns;
      const Rgba color = colorOf(m_lines.kinds[kind].label, kind);
      bars([&](std::size_t n) { return std::pair(below[n], below[n] + static_cast<double>(share[n])); }, top,
           height, color);
      for (std::size_t n = 0; n < columns; ++n) below[n] += static_cast<double>(share[n]);
    }
  }

  /// In each column from the lower to the upper share of `height`; equal neighbours are one rectangle.
  template <class Range>
  void bars(const Range& rangeOf, double top, double height, const Rgba& color) {
    constexpr double kLeast = 1e-3;
    const auto near = [](double a, double b) { return std::abs(a - b) < kLeast; };
    for (std::size_t n = 0; n < static_cast<std::size_t>(m_lines.columns);) {
      const auto [low, high] = rangeOf(n);
      std::size_t next = n + 1;
      if (high - low >= kLeast) {
        for (; next < static_cast<std::size_t>(m_lines.columns); ++next)
          if (const auto range = rangeOf(next); !near(range.first, low) || !near(range.second, high)) break;
        m_canvas->fill(left() + static_cast<double>(n), top + height * (1 - std::min(1.0, high)),
                       left() + static_cast<double>(next), top + height * (1 - std::min(1.0, low)), color);
      }
      n = next;
    }
  }

  void charts() {
    const auto most = [](const std::vector<float>& counts) {
      return std::max(1.0, static_cast<double>(*std::max_element(counts.begin(), counts.end())));
    };
    section("how many at a time");
    const double tasksMost = most(m_lines.tasks);
    chart(
        "tasks in flight", tasksMost,
        [&] {
          const auto share = [&](const std::vector<float>& counts, std::size_t n) {
            return static_cast<double>(counts[n]) / tasksMost;
          };
          bars([&](std::size_t n) { return std::pair(share(m_lines.waiting, n), share(m_lines.tasks, n)); },
               m_y, kChart, kGoesOn);
          bars([&](std::size_t n) { return std::pair(0.0, share(m_lines.waiting, n)); }, m_y, kChart, kWaits);
        },
        "of them waiting", kWaits);
    if (m_lines.readCount == 0) return;
    const double readsMost = most(m_lines.reads);
    chart(
        "reads on their way", readsMost,
        [&] {
          bars(
              [&](std::size_t n) {
                return std::pair(0.0, static_cast<double>(m_lines.reads[n]) / readsMost);
              },
              m_y, kChart, kReads);
        },
        "", kReads);
  }

  template <class Draw>
  void chart(const std::string& words, double most, const Draw& draw, const std::string& below,
             const Rgba& belowColor) {
    name(words, m_y, m_y + 20);
    if (!below.empty()) {
      name(below, m_y + 20, m_y + 40);
      swatch(below, m_y + 24, belowColor);
    }
    m_canvas->fill(left(), m_y, right(), m_y + 1, kRule);
    draw();
    m_canvas->fill(left(), m_y + kChart, right(), m_y + kChart + 1, kFaint);
    text(right() + 6, m_y + 8, formatRounded(std::round(10 * most) / 10), TextSize::Small, TextAlign::Left,
         kFaint);
    text(right() + 6, m_y + kChart, "0", TextSize::Small, TextAlign::Left, kFaint);
    m_y += kChart + 14;
  }

  void section(const std::string& words) {
    m_y += kSection;
    text(left(), m_y - 6, words, TextSize::Normal, TextAlign::Left, kFaint);
    m_y += 4;
  }

  void tasks() {
    section(m_lines.someTasks.size() < m_lines.taskCount
                ? "the lives of " + std::to_string(m_lines.someTasks.size()) + " tasks out of " +
                      std::to_string(m_lines.taskCount)
                : "the lives of all tasks");
    const double top = m_y;
    for (const TaskLine& task : m_lines.someTasks) {
      const double bottom = m_y + kTaskRow - 2;
      if (task.end > m_lines.begin && task.begin < m_lines.end) {
        // However short, it is to be seen.
        m_canvas->fill(xOf(task.begin), m_y, std::max(xOf(task.end), xOf(task.begin) + 1), bottom, kGoesOn);
        for (const auto& [from, to] : task.waits)
          if (to > m_lines.begin && from < m_lines.end)
            m_canvas->fill(xOf(from), m_y, xOf(to), bottom, kWaits);
      }
      m_y += kTaskRow;
    }
    name("going on", top, top + 20);
    name("waiting", top + 20, top + 40);
    swatch("going on", top + 4, kGoesOn);
    swatch("waiting", top + 24, kWaits);
    m_y = std::max(m_y, top + 40);
  }

  /// To the left of what name() wrote.
  void swatch(const std::string& words, double top, const Rgba& color) {
    const double x = left() - 8 - m_canvas->textWidth(words, TextSize::Normal) - 18;
    m_canvas->fill(x, top, x + 12, top + 12, color);
  }

  const LifeLines& m_lines;
  const std::string& m_title;
  const int m_width;
  double m_y = 0;
  std::unique_ptr<Canvas> m_canvas;
};

}  // namespace

int columnsOf(int width) {
  return width - kNames - kMargin - 32;
}

std::unique_ptr<Canvas> drawLifeLines(const LifeLines& lines, const std::string& title, int width,
                                      const std::function<std::unique_ptr<Canvas>(int, int)>& makeCanvas) {
  return Painter(lines, title, width).draw(makeCanvas);
}

}  // namespace farfield::lifelines
