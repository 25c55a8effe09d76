// What becomes of requests of which the server says that the one behind it does not answer.
#include <algorithm>

#include "core/base/no_answer.h"
#include "remote/client/link_state.h"

namespace farfield::remote {
namespace {

constexpr std::chrono::milliseconds kFirstPause{50}, kLongestPause{2000};

}  // namespace

/// The request of this number waits to be sent once more, if somebody still wants its answer. False: there is none.
bool Link::State::askLater(std::uint64_t sequence, const std::string& why) {
  const std::lock_guard lock(mutex);
  // Many fail together: then the one before has just been kept.
  const bool isFirst = !behindSince || (!resting && !anyAgainLocked());
  // The server waited for the other one as long as nothing came.
  auto since = busy ? std::max(heardAt, busySince) : Clock::now();
  if (const auto found = pages.find(sequence); found != pages.end()) {
    Page page = found->second;
    page.again = true;
    sequenceOf.erase(page.ask.id);
    pages.erase(found);
    queueOf(page).push_back(page);
  } else if (const auto call = asked.find(sequence); call != asked.end()) {
    const bool wanted = isWanted(call->second);
    const std::shared_ptr<Call> its = std::move(call->second);
    asked.erase(call);
    if (!wanted) return true;
    since = its->since;
    its->again = true;
    its->parts.clear();
    calls.push_back(its);
  } else {
    return false;
  }
  if (isFirst) behindSince = since;
  behindWhy = why;
  rest();
  return true;
}

/// Before what waits is sent once more. Many requests fail together: they wait together, too.
void Link::State::rest() {
  if (resting) return;
  resting = true;
  restTimer.expires_after(restPause);
  restPause = std::min(restPause * 2, kLongestPause);
  restTimer.async_wait([this](std::error_code error) {
    if (error) return;
    resting = false;
    askedSomething();
  });
}

/// Something waits to be asked again, or is.
bool Link::State::anyAgainLocked() const {
  const auto isAgain = [](const Page& page) { return page.again; };
  const auto isCallAgain = [](const std::shared_ptr<Call>& call) { return call->again && isWanted(call); };
  return std::any_of(queues.begin(), queues.end(),
                     [&](const auto& queue) { return std::any_of(queue.begin(), queue.end(), isAgain); }) ||
         std::any_of(pages.begin(), pages.end(), [&](const auto& page) { return isAgain(page.second); }) ||
         std::any_of(calls.begin(), calls.end(), isCallAgain) ||
         std::any_of(asked.begin(), asked.end(), [&](const auto& call) { return isCallAgain(call.second); });
}

void Link::State::notePassedLocked(bool again) {
  // What the server has itself says nothing of the one behind it, while there is something that does.
  if (!behindSince || (!again && anyAgainLocked())) return;
  behindSince.reset();
  restPause = kFirstPause;
}

/// Once its patience has ended what is asked again fails; what is asked later waits anew.
void Link::State::giveUpBehind() {
  std::vector<Page> lost;
  std::exception_ptr error;
  {
    const std::lock_guard lock(mutex);
    if (!behindSince || Clock::now() - *behindSince <= options.patience) return;
    behindSince.reset();
    restPause = kFirstPause;
    error = std::make_exception_ptr(NoAnswer(
        name,
        "the server behind it does not answer, and did not for " +
            std::to_string(std::chrono::duration_cast<std::chrono::seconds>(options.patience).count()) +
            " s: " + behindWhy,
        "check that both run, and try again"));
    for (auto& queue : queues) {
      const auto isIts =
          std::stable_partition(queue.begin(), queue.end(), [](const Page& page) { return !page.again; });
      lost.insert(lost.end(), isIts, queue.end());
      queue.erase(isIts, queue.end());
    }
    std::erase_if(pages, [&](const auto& entry) {
      if (!entry.second.again) return false;
      lost.push_back(entry.second);
      cancels.push_back(entry.first);
      sequenceOf.erase(entry.second.ask.id);
      return true;
    });
    const auto end = [&](const std::shared_ptr<Call>& call) {
      if (!call->again) return false;
      call->error = error;
      call->done = true;
      call->again = false;
      return true;
    };
    std::erase_if(calls, end);
    // An answer to these may come yet.
    for (const auto& [sequence, call] : asked) end(call);
    pokeLocked();
  }
  changed.notify_all();
  for (const Page& page : lost) page.receiver->failed(page.ask.id, error);
}

}  // namespace farfield::remote
