#include "app/model/stage/renderer_links.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "app/model/stage/stage.h"
#include "core/base/error.h"
#include "remote/slabs/slab_pulse.h"
#include "remote/slabs/slab_viewer.h"

namespace farfield::app {
namespace {

using namespace std::chrono_literals;

/// Before it is asked again whether it is there: at first, as the connection alone may have been lost, and then.
constexpr std::chrono::milliseconds kFirstPause = 300ms, kPause = 2s;

void pauseFor(std::chrono::milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, time, [] { return false; });
}

}  // namespace

std::string rendererOf(const session::DataSource& source) {
  const std::string first = source.source.empty() ? std::string() : source.source.front();
  return remote::isSlabUrl(first) ? first : std::string();
}

bool lacksRenderer(const session::DataSource& source, const Stage& stage) {
  const DataStatus status = stage.dataStatus(source.name);
  return !rendererOf(source).empty() &&
         (status.state == DataState::Failed || !status.problem.message.empty());
}

std::string dataForRenderer(const Document& document, const Stage& stage, const std::string& selected) {
  const session::DataSource* const its = document.session().find(selected);
  if (its && !rendererOf(*its).empty()) return selected;
  std::vector<std::string> found;
  for (const session::DataSource& source : document.session().data)
    if (lacksRenderer(source, stage)) found.push_back(source.name);
  return found.size() == 1 ? found.front() : std::string();
}

RendererLinks::RendererLinks(QObject* parent) : QObject(parent) {}

RendererLinks::~RendererLinks() = default;

void RendererLinks::watch(const std::set<std::string>& urls) {
  std::erase_if(m_links, [&](auto& each) {
    const bool isOver = !urls.contains(each.first);
    if (isOver) each.second.stop.request_stop();
    return isOver;
  });
  for (const std::string& url : urls)
    if (!m_links.contains(url)) begin(url);
}

void RendererLinks::connectAnew(const std::string& url) {
  const auto link = m_links.find(url);
  if (link == m_links.end()) return;
  link->second.stop.request_stop();
  begin(url);
}

void RendererLinks::begin(const std::string& url) {
  Link& link = m_links[url];
  link.serial = ++m_serial;
  link.stop = m_threads.begin(
      [this, url, serial = link.serial](const std::stop_token& stop) { work(stop, url, serial); });
}

void RendererLinks::work(const std::stop_token& stop, const std::string& url, std::uint64_t serial) {
  const auto say = [&](const Problem& why, bool isOther = false) {
    QMetaObject::invokeMethod(
        this,
        [=, this] {
          const auto link = m_links.find(url);
          if (link != m_links.end() && link->second.serial == serial) emit told(url, why, isOther);
        },
        Qt::QueuedConnection);
  };
  std::optional<std::size_t> known;
  while (!stop.stop_requested()) {
    try {
      remote::SlabPulse pulse(url, stop);
      say({}, known && *known != pulse.data());
      known = pulse.data();
      pulse.awaitEnd(stop);
      pauseFor(kFirstPause, stop);
    } catch (const Cancelled&) {
      return;
    } catch (const Invalid&) {
      // It is there, and would say the same of the same token and the same program each time.
      return say(currentProblem());
    } catch (const std::exception&) {
      // Also where something hangs up at once, as the end of a tunnel does behind which nobody is.
      say(currentProblem());
      pauseFor(kPause, stop);
    }
  }
}

}  // namespace farfield::app
