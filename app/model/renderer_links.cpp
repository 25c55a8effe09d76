#include "app/model/renderer_links.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "app/model/stage.h"
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

std::string dataWithoutRenderer(const Document& document, const Stage& stage, const std::string& selected) {
  std::vector<std::string> found;
  for (const session::DataSource& source : document.session().data) {
    const DataStatus status = stage.dataStatus(source.name);
    if (!rendererOf(source).empty() && (status.state == DataState::Failed || !status.problem.message.empty()))
      found.push_back(source.name);
  }
  if (std::find(found.begin(), found.end(), selected) != found.end()) return selected;
  return found.size() == 1 ? found.front() : std::string();
}

RendererLinks::RendererLinks(QObject* parent) : QObject(parent) {}

RendererLinks::~RendererLinks() {
  for (auto& [url, link] : m_links) end(link);
}

void RendererLinks::watch(const std::set<std::string>& urls) {
  for (auto& [url, link] : m_links)
    if (!urls.contains(url)) end(link);
  std::erase_if(m_links, [&](const auto& each) { return !urls.contains(each.first); });
  for (const std::string& url : urls)
    if (!m_links.contains(url)) begin(url);
}

void RendererLinks::connectAnew(const std::string& url) {
  const auto link = m_links.find(url);
  if (link == m_links.end()) return;
  end(link->second);
  begin(url);
}

void RendererLinks::begin(const std::string& url) {
  Link& link = m_links[url];
  link.serial = ++m_serial;
  link.thread =
      std::make_unique<std::jthread>([this, url, serial = link.serial](const std::stop_token& stop) {
        work(stop, url, serial);
        QMetaObject::invokeMethod(
            this,
            [this, id = std::this_thread::get_id()] {
              std::erase_if(m_threads, [&](const auto& its) { return its->get_id() == id; });
            },
            Qt::QueuedConnection);
      });
}

/// Nobody waits for it: it may be finding out what the name of a machine means.
void RendererLinks::end(Link& link) {
  link.thread->request_stop();
  m_threads.push_back(std::move(link.thread));
}

void RendererLinks::work(const std::stop_token& stop, const std::string& url, std::uint64_t serial) {
  const auto say = [&](const std::string& whyGone, bool isOther = false) {
    QMetaObject::invokeMethod(
        this,
        [=, this] {
          const auto link = m_links.find(url);
          if (link != m_links.end() && link->second.serial == serial) emit told(url, whyGone, isOther);
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
      // It is there, and says what it lacks, as a token, whenever it is asked for something.
      return say({});
    } catch (const std::exception&) {
      // Also where something hangs up at once, as the end of a tunnel does behind which nobody is.
      say(currentProblem().message);
      pauseFor(kPause, stop);
    }
  }
}

}  // namespace farfield::app
