#include "remote/slabd/life_feed.h"

#include <algorithm>
#include <optional>

#include "core/trace/trace.h"
#include "remote/slabs/life_messages.h"

namespace farfield::remote {
namespace {

constexpr std::chrono::milliseconds kEvery{200};
/// Beyond that what a viewer has not taken is late enough.
constexpr std::size_t kMostUnsent = 512 << 10;

}  // namespace

LifeFeed::LifeFeed() : m_thread([this](const std::stop_token& stop) { work(stop); }) {}

LifeFeed::~LifeFeed() = default;

void LifeFeed::watch(std::uint64_t viewer, const std::weak_ptr<Channel>& channel) {
  const std::lock_guard lock(m_mutex);
  Watcher& watcher = m_watchers[viewer];
  watcher.channel = channel;
  watcher.until = std::chrono::steady_clock::now() + std::chrono::nanoseconds(kWatchedNanoseconds);
  m_changed.notify_all();
}

void LifeFeed::work(const std::stop_token& stop) {
  trace::nameThread("tells what goes on");
  std::optional<trace::RecentWatch> watch;
  std::unique_lock lock(m_mutex);
  while (!stop.stop_requested()) {
    const auto now = std::chrono::steady_clock::now();
    std::erase_if(m_watchers,
                  [&](const auto& its) { return its.second.until < now || its.second.channel.expired(); });
    if (m_watchers.empty()) {
      watch.reset();
      m_changed.wait(lock, stop, [this] { return !m_watchers.empty(); });
      continue;
    }
    if (!watch) watch.emplace();
    auto watchers = m_watchers;
    lock.unlock();
    const trace::RecentWatch::Taken taken = watch->take();
    for (auto& [viewer, watcher] : watchers)
      // the last one to have a channel waits for its thread, which may be in watch()
      if (const auto channel = watcher.channel.lock()) watcher.lost = send(*channel, watcher.lost, taken);
    lock.lock();
    for (const auto& [viewer, watcher] : watchers)
      if (const auto found = m_watchers.find(viewer); found != m_watchers.end())
        found->second.lost = watcher.lost;
    m_changed.wait_for(lock, stop, kEvery, [] { return false; });
  }
}

std::uint64_t LifeFeed::send(Channel& channel, std::uint64_t lost, const trace::RecentWatch::Taken& taken) {
  LifeNews news;
  news.lost = lost + taken.lost;
  if (channel.unsentBytes() > kMostUnsent) return news.lost + taken.events.size();
  const auto flush = [&] {
    channel.send(slabFrame(SlabMessage::News, 0, bytesOf(news)));
    news = {};
  };
  for (const trace::RecentEvent& event : taken.events) {
    if (const auto its = lifeEventOf(event)) news.events.push_back(*its);
    if (news.events.size() == kMostNews) flush();
  }
  if (!news.events.empty() || news.lost > 0) flush();
  return 0;
}

}  // namespace farfield::remote
