#include "app/ui/window/link_label.h"

#include <algorithm>

#include "app/ui/widgets/look.h"
#include "core/base/units.h"

namespace farfield::ui {
namespace {

/// Below it nothing much is on its way.
constexpr double kIdleBytesPerSecond = 1024;

QString amountText(double bytes) {
  return QString::fromStdString(formatBytes(static_cast<std::uint64_t>(std::max(0.0, bytes))));
}

QString secondsText(double seconds) {
  return LinkLabel::tr("%1 s").arg(static_cast<int>(seconds));
}

QString shortText(const QString& name, const app::LinkSight& link) {
  if (link.lostSeconds > 0 && link.isLost())
    return LinkLabel::tr("%1: connection lost, tried again (%2)").arg(name, secondsText(link.lostSeconds));
  if (link.isLost()) return LinkLabel::tr("%1: no answer for %2").arg(name, secondsText(link.silentSeconds));
  const QString trip = link.roundTripMs > 0 ? LinkLabel::tr(", %1 ms").arg(link.roundTripMs, 0, 'f',
                                                                           link.roundTripMs < 10 ? 1 : 0)
                                            : QString();
  return (link.bytesPerSecond >= kIdleBytesPerSecond
              ? LinkLabel::tr("%1: %2/s").arg(name, amountText(link.bytesPerSecond))
              : LinkLabel::tr("%1: connected").arg(name)) +
         trip;
}

}  // namespace

LinkSum sumOfLinks(const app::WorkshopCounters& counters) {
  LinkSum sum;
  for (const auto& [key, links] : counters.links)
    for (const app::LinkSight& link : links) {
      app::LinkSight& its = link.name.empty() ? sum.disk : sum.servers[link.name];
      its.name = link.name;
      its.bytesPerSecond += link.bytesPerSecond;
      its.reads += link.reads;
      its.bytesRead += link.bytesRead;
      its.reconnects += link.reconnects;
      its.roundTripMs = std::max(its.roundTripMs, link.roundTripMs);
      its.lostSeconds = std::max(its.lostSeconds, link.lostSeconds);
      its.silentSeconds = std::max(its.silentSeconds, link.silentSeconds);
    }
  return sum;
}

LinkLabel::LinkLabel(QWidget* parent) : QLabel(parent) {
  setObjectName("link");
  setAccessibleName(tr("Connection"));
  hide();
}

void LinkLabel::showLinks(const app::WorkshopCounters& counters, const std::set<std::string>& waitedFor,
                          const std::set<std::string>& refusing) {
  const LinkSum sum = sumOfLinks(counters);
  // What is lost is what one has to know.
  QStringList texts, left, refused, lost, more;
  for (const auto& [name, link] : sum.servers) {
    const QString shown = QString::fromStdString(name);
    const bool isLeft = m_lostLinks.isLeft(name, link);
    if (refusing.contains(name))
      refused.append(tr("%1: asks for a login").arg(shown));
    else if (!link.isLost() && waitedFor.contains(name))
      lost.append(tr("%1: connection lost, tried again").arg(shown));
    else if (isLeft)
      left.append(tr("%1: connection lost").arg(shown));
    else
      (link.isLost() ? lost : texts).append(shortText(shown, link));
    more.append(tr("%1: %2 in %3 requests, connections made again: %4")
                    .arg(QString::fromStdString(name), amountText(static_cast<double>(link.bytesRead)))
                    .arg(link.reads)
                    .arg(link.reconnects));
  }
  m_lost = !lost.isEmpty();
  texts = lost + refused + left + texts;
  more.append(
      tr("from pages kept on this disk: %1").arg(amountText(static_cast<double>(sum.disk.bytesRead))));
  if (m_lost) more.append(tr("What waits goes on by itself when the server is back; Esc stops it."));
  if (!left.isEmpty())
    more.append(tr("Nothing waits for what is lost: it is connected to again for what is read next."));
  showWarning(this, QPalette::WindowText, m_lost || !refused.isEmpty() || !left.isEmpty());
  // The first of many; the others stand in the tip.
  setText(texts.size() > 1 ? tr("%1 and %2 more").arg(texts.front()).arg(texts.size() - 1) : texts.value(0));
  setToolTip(more.join('\n'));
  setVisible(!texts.isEmpty());
}

}  // namespace farfield::ui
