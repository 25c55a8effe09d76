#include "remote/http/http_store.h"

#include <algorithm>
#include <chrono>

#include "core/base/error.h"
#include "core/base/log.h"
#include "remote/http/http_object.h"

namespace farfield::http {
namespace {

using Clock = std::chrono::steady_clock;
/// How long an opening is shared. Changes meanwhile are noticed: every answer is compared with it. One that is older than a
/// moment is compared with what is there first, because objects grow. An error is shared for a moment alone: the readers that
/// examine a name one after the other get one answer, and who tries again asks again.
constexpr std::chrono::seconds kShared{10}, kMoment{1};
constexpr std::size_t kMostOpened = 64;
/// A wrong name is reported soon.
constexpr std::chrono::milliseconds kPatienceToOpen{10000};

}  // namespace

struct HttpStore::Opened {
  std::string name;
  Clock::time_point since;
  std::shared_ptr<const HttpObject> object;
  std::shared_ptr<const Error> error;
};

HttpStore::HttpStore(const HttpOptions& options) : m_options(options) {}

HttpStore::~HttpStore() = default;

std::shared_ptr<HttpStore::Shared> HttpStore::shared() const {
  const std::lock_guard lock(m_mutex);
  if (!m_shared) m_shared = std::make_shared<Shared>(m_options);
  return m_shared;
}

void HttpStore::forget(const std::string& name) const {
  std::list<Opened> gone;  // objects are destroyed without the lock
  const std::lock_guard lock(m_mutex);
  for (auto at = m_opened.begin(); at != m_opened.end();) {
    const auto its = at++;
    if (its->name == name) gone.splice(gone.end(), m_opened, its);
  }
}

/// Asks for the beginning, whatever it is now. Throws without the object's name.
RangeEnd HttpStore::askAnew(const std::shared_ptr<HttpTarget>& target, std::span<std::byte> first) const {
  RangeEnd end = shared()->transfers->ask({.target = target,
                                           .to = first,
                                           .owner = this,
                                           .patience = std::min(m_options.patience, kPatienceToOpen)});
  if (end.error) std::rethrow_exception(end.error);
  return end;
}

paging::Generation HttpStore::look(const std::string& name) const {
  const auto target = std::make_shared<HttpTarget>(name);
  try {
    std::byte first{};
    return askAnew(target, {&first, 1}).answer.generation();
  } catch (Error& error) {
    error.at(target->said);
    throw;
  }
}

std::shared_ptr<const HttpObject> HttpStore::sharedOne(const std::string& name, bool& isOld) const {
  std::list<Opened> gone;
  const std::lock_guard lock(m_mutex);
  const auto now = Clock::now();
  for (auto at = m_opened.begin(); at != m_opened.end();) {
    const auto its = at++;
    if (now - its->since > (its->error ? kMoment : kShared)) gone.splice(gone.end(), m_opened, its);
  }
  while (m_opened.size() > kMostOpened) gone.splice(gone.end(), m_opened, m_opened.begin());
  for (const Opened& opened : m_opened) {
    if (opened.name != name) continue;
    if (opened.error) opened.error->raise();
    isOld = now - opened.since > kMoment;
    return opened.object;
  }
  return nullptr;
}

std::shared_ptr<const paging::ByteObject> HttpStore::open(const std::string& name) const {
  bool isOld = false;
  if (const auto object = sharedOne(name, isOld)) {
    if (!object->ranges().hasGrown() && (!isOld || look(name) == object->generation())) return object;
    forget(name);
  }
  Opened opened{name, {}, nullptr, nullptr};
  try {
    const auto target = std::make_shared<HttpTarget>(name);
    try {
      std::vector<std::byte> first(BlockCache::kBlockBytes);
      const RangeEnd end = askAnew(target, first);
      first.resize(end.got);
      const paging::Generation generation = end.answer.generation();
      if (generation.tag.empty())
        log::warning(target->said +
                     ": the server gives neither an ETag nor the time of the last change; replacing it by "
                     "a file of the same size is not noticed");
      opened.object = std::make_shared<const HttpObject>(
          name, target, generation, end.answer.isWhole(),
          end.answer.server.empty() ? target->host() : end.answer.server, shared(), weak_from_this());
      opened.object->keepBeginning(std::move(first));
    } catch (Error& error) {
      error.at(target->said);
      throw;
    }
  } catch (const Cancelled&) {
    throw;  // says nothing about the object
  } catch (const Error& error) {
    opened.error = error.share();
  }
  opened.since = Clock::now();
  const auto object = opened.object;
  const auto error = opened.error;
  {
    const std::lock_guard lock(m_mutex);
    m_opened.push_back(std::move(opened));
  }
  if (error) error->raise();
  return object;
}

void addHttpStores(paging::ByteStores& stores, const HttpOptions& options) {
  const auto store = std::make_shared<const HttpStore>(options);
  for (const char* const scheme : {"http", "https", "s3"}) stores.add(scheme, store);
}

}  // namespace farfield::http
