// What a link says and hears while the connection is up.
#include <algorithm>
#include <asio/post.hpp>

#include "core/base/error.h"
#include "core/base/no_answer.h"
#include "remote/client/link_state.h"

namespace farfield::remote {
namespace {

/// Pages of one request.
constexpr std::size_t kMostPagesAtOnce = 1024;
/// Of the pages that the server lets wait, how many may be hints.
constexpr std::uint32_t kShareOfHints = 4;
/// Bodies other than pages: the catalog of a large data set at most, and what goes with it. All parts of one answer together, too.
constexpr std::uint32_t kMostAnswerBytes = kMostDescriptionBytes + (1 << 20);
constexpr std::size_t kReadDirectlyFrom = 64 << 10;
/// Pages up to here are taken when all of them has come.
constexpr std::size_t kWholeUpTo = 64 << 10;
constexpr double kNewShare = 0.25;  ///< of the latest round trip in their mean

}  // namespace

void Link::State::pokeLocked() {
  if (poked) return;
  poked = true;
  asio::post(io, [this] {
    {
      const std::lock_guard lock(mutex);
      poked = false;
    }
    askedSomething();
  });
}

bool Link::State::anyQueuedLocked() const {
  return std::any_of(queues.begin(), queues.end(), [](const auto& queue) { return !queue.empty(); });
}

std::deque<Link::State::Page> Link::State::takeQueuedLocked() {
  std::deque<Page> all;
  for (auto& queue : queues) {
    all.insert(all.end(), queue.begin(), queue.end());
    queue.clear();
  }
  return all;
}

bool Link::State::hasWorkLocked() const {
  return anyQueuedLocked() || !pages.empty() || std::any_of(calls.begin(), calls.end(), isWanted) ||
         std::any_of(asked.begin(), asked.end(), [](const auto& call) { return isWanted(call.second); });
}

void Link::State::askedSomething() {
  if (phase == Phase::Up) return sendWaiting();
  if (phase != Phase::Down || retrying) return;
  bool wanted;
  {
    const std::lock_guard lock(mutex);
    wanted = hasWorkLocked();
  }
  if (!wanted) return;
  downSince = Clock::now();
  connect();
}

void Link::State::noteBusy(bool now) {
  const std::lock_guard lock(mutex);
  if (now == busy) return;
  busy = now;
  const auto time = Clock::now();
  if (busy)
    busySince = time;
  else
    busySeconds += std::chrono::duration<double>(time - busySince).count();
}

void Link::State::send(MessageType type, std::uint64_t sequence, std::span<const std::byte> body) {
  out.push_back(frameOf(type, sequence, body));
  flush();
}

void Link::State::flush() {
  if (writing || out.empty() || !wire) return;
  // The bytes stay with the handler: after a loss another connection writes other ones.
  auto bytes = std::make_shared<std::vector<Bytes>>(std::move(out));
  out.clear();
  std::vector<asio::const_buffer> buffers;
  for (const Bytes& frame : *bytes) buffers.emplace_back(frame.data(), frame.size());
  writing = true;
  wire->write(buffers, [this, bytes, keep = wire, its = generation](std::error_code error, std::size_t) {
    if (its != generation) return;
    writing = false;
    if (error) return lose(error.message());
    flush();
  });
}

void Link::State::sendWaiting() {
  std::vector<Bytes> frames;
  bool anyPages;
  {
    const std::lock_guard lock(mutex);
    if (!cancels.empty())
      frames.push_back(frameOf(MessageType::Cancel, 0, bytesOf(Sequences{std::move(cancels)})));
    cancels.clear();
    while (!calls.empty() && !resting) {
      const bool wanted = isWanted(calls.front());
      const std::shared_ptr<Call> call = std::move(calls.front());
      calls.pop_front();
      if (!wanted) continue;
      if (call->handled) store(call->body.data(), handle);
      frames.push_back(frameOf(call->type, nextSequence, call->body));
      asked.emplace(nextSequence++, call);
    }
    for (std::size_t urgency = 0; urgency < queues.size(); ++urgency) {
      auto& queue = queues[urgency];
      const std::size_t most = urgency > 0 ? std::max(1u, mostPages / kShareOfHints) : mostPages;
      while (!queue.empty() && pages.size() < most && !resting) {
        ReadRequest request{handle, static_cast<Urgency>(urgency), {}};
        const std::uint64_t first = nextSequence;
        while (!queue.empty() && pages.size() < most && request.pages.size() < kMostPagesAtOnce) {
          const Page& page = queue.front();
          request.pages.push_back({page.ask.array, page.ask.page});
          sequenceOf.emplace(page.ask.id, nextSequence);
          pages.emplace(nextSequence++, page);
          queue.pop_front();
        }
        frames.push_back(frameOf(MessageType::Read, first, bytesOf(request)));
        ++counters.reads;
      }
    }
    // After the requests: some of them may still be ahead of these in the stream.
    for (std::size_t urgency = 0; urgency < hurries.size(); ++urgency) {
      if (!hurries[urgency].empty())
        frames.push_back(
            frameOf(MessageType::Hurry, 0,
                    bytesOf(Sequences{std::move(hurries[urgency]), static_cast<Urgency>(urgency)})));
      hurries[urgency].clear();
    }
    anyPages = !pages.empty();
  }
  noteBusy(anyPages);
  for (Bytes& frame : frames) out.push_back(std::move(frame));
  flush();
}

void Link::State::readMore() {
  if (reading || waitingForRoom || !wire) return;
  reading = true;
  asio::mutable_buffer to;
  bool direct = false;
  if (receiving && receiving->to.size() - receiving->got >= kReadDirectlyFrom && inBegin == inEnd) {
    direct = readingDirectly = true;
    to = asio::buffer(receiving->to.data() + receiving->got, receiving->to.size() - receiving->got);
  } else {
    if (inBegin == inEnd) inBegin = inEnd = 0;
    if (inBegin > 0 && (inEnd - inBegin < in.size() / 8 || in.size() - inEnd < in.size() / 4)) {
      std::copy(in.begin() + static_cast<std::ptrdiff_t>(inBegin),
                in.begin() + static_cast<std::ptrdiff_t>(inEnd), in.begin());
      inEnd -= inBegin;
      inBegin = 0;
    }
    to = asio::buffer(in.data() + inEnd, in.size() - inEnd);
  }
  wire->readSome(to, [this, direct, keep = wire, its = generation](std::error_code error, std::size_t bytes) {
    if (its != generation) return;
    reading = readingDirectly = false;
    if (error) return lose(error.message());
    lastHeard = Clock::now();
    if (direct && receiving) {
      receiving->got += bytes;
      bytes = 0;
    }
    received(bytes);
  });
}

void Link::State::received(std::size_t bytes) {
  inEnd += bytes;
  const std::uint64_t its = generation;
  try {
    for (;;) {
      if (its != generation) return;
      if (receiving) {
        if (!takePage()) break;
        continue;
      }
      const std::size_t passed = std::min(skip, inEnd - inBegin);
      skip -= passed;
      inBegin += passed;
      if (skip > 0 || inEnd - inBegin < kFrameHeaderBytes) break;
      const FrameHeader header =
          parseFrameHeader(std::span(in).subspan(inBegin, kFrameHeaderBytes), kMostReplyBytes);
      if (header.type == MessageType::Page) {
        if (header.bodyBytes <= kPageHeadBytes) throw Protocol("the server sends a page without bytes");
        if (takeWholePages()) {
          if (waitingForRoom) break;
          continue;
        }
        // The rest of a page of usual size comes with the next ones.
        if (kFrameHeaderBytes + header.bodyBytes <= kWholeUpTo) {
          const std::lock_guard lock(mutex);
          heardAt = lastHeard;
          break;
        }
        if (!beginPage(header)) break;
        continue;
      }
      if (header.bodyBytes > kMostAnswerBytes) throw Protocol("an answer of the server is too long");
      const std::size_t whole = kFrameHeaderBytes + header.bodyBytes;
      if (inEnd - inBegin < whole) {
        if (in.size() - inBegin < whole) {
          std::copy(in.begin() + static_cast<std::ptrdiff_t>(inBegin),
                    in.begin() + static_cast<std::ptrdiff_t>(inEnd), in.begin());
          inEnd -= inBegin;
          inBegin = 0;
          // The largest answers come in pieces of their own; memory grows with what has come.
          if (in.size() < whole) in.resize(std::min(whole, std::max(in.size() * 2, inEnd * 2)));
        }
        break;
      }
      const Bytes body(in.begin() + static_cast<std::ptrdiff_t>(inBegin + kFrameHeaderBytes),
                       in.begin() + static_cast<std::ptrdiff_t>(inBegin + whole));
      inBegin += whole;
      onFrame(header, body);
    }
  } catch (const Protocol& error) {
    return breakUp(
        std::make_exception_ptr(Protocol(error.message(), "use the same version on both sides").at(name)));
  }
  if (toldAt) tellOfWaits();
  readMore();
}

/// All pages that have come as a whole and follow one another are handed over together. False: not even the first.
bool Link::State::takeWholePages() {
  wholePages.clear();
  wholes.clear();
  for (std::size_t at = inBegin; inEnd - at >= kFrameHeaderBytes + kPageHeadBytes;) {
    const FrameHeader header =
        parseFrameHeader(std::span(in).subspan(at, kFrameHeaderBytes), kMostReplyBytes);
    if (header.type != MessageType::Page || header.bodyBytes <= kPageHeadBytes) break;
    const std::size_t whole = kFrameHeaderBytes + header.bodyBytes;
    if (inEnd - at < whole) break;
    wholes.push_back(
        {0, parsePageHead(std::span(in).subspan(at + kFrameHeaderBytes, kPageHeadBytes)),
         std::span(in).subspan(at + kFrameHeaderBytes + kPageHeadBytes, header.bodyBytes - kPageHeadBytes)});
    at += whole;
    wholePages.push_back({header.sequence, at, {}});
  }
  if (wholePages.empty()) return false;
  {
    const std::lock_guard lock(mutex);
    for (std::size_t n = 0; n < wholePages.size(); ++n) {
      const auto found = pages.find(wholePages[n].sequence);
      if (found == pages.end()) continue;  // cancelled
      wholePages[n].page = found->second;
      if (wholes[n].bytes.size() > opened->arrays[found->second.ask.array].mostStoredBytes)
        throw Protocol("a page is longer than the server said that one can be");
    }
    for (std::size_t n = 0; n < wholePages.size(); ++n) {
      const Page& page = wholePages[n].page;
      if (!page.receiver) continue;
      pages.erase(wholePages[n].sequence);
      sequenceOf.erase(page.ask.id);
      notePassedLocked(page.again);
      wholes[n].id = page.ask.id;
      counters.bytesRead += wholes[n].bytes.size();
    }
    heardAt = lastHeard;
  }
  std::size_t taken = 0;
  while (taken < wholePages.size() && !waitingForRoom) {
    PageReceiver* const receiver = wholePages[taken].page.receiver;
    std::size_t end = taken + 1;
    while (end < wholePages.size() && wholePages[end].page.receiver == receiver) ++end;
    const std::size_t its =
        receiver ? receiver->landed(std::span(wholes).subspan(taken, end - taken)) : end - taken;
    waitingForRoom = its < end - taken;
    taken += its;
  }
  if (taken > 0) inBegin = wholePages[taken - 1].end;
  bool more;
  {
    const std::lock_guard lock(mutex);
    for (std::size_t n = taken; n < wholePages.size(); ++n) {
      const Page& page = wholePages[n].page;
      if (!page.receiver) continue;
      sequenceOf.emplace(page.ask.id, wholePages[n].sequence);
      pages.emplace(wholePages[n].sequence, page);
      counters.bytesRead -= wholes[n].bytes.size();
    }
    more = anyQueuedLocked() || pages.empty();
  }
  if (more && phase == Phase::Up) sendWaiting();
  return true;
}

bool Link::State::beginPage(const FrameHeader& header) {
  if (inEnd - inBegin < kFrameHeaderBytes + kPageHeadBytes) return false;
  if (header.bodyBytes <= kPageHeadBytes) throw Protocol("a page has no bytes");
  const PageHead head = parsePageHead(std::span(in).subspan(inBegin + kFrameHeaderBytes, kPageHeadBytes));
  const std::size_t bytes = header.bodyBytes - kPageHeadBytes;
  std::optional<Page> page;
  {
    const std::lock_guard lock(mutex);
    if (const auto found = pages.find(header.sequence); found != pages.end()) page = found->second;
  }
  std::span<std::byte> to;
  PageReceiver::Room room = PageReceiver::Room::NotWanted;
  if (page) {
    if (bytes > opened->arrays[page->ask.array].mostStoredBytes)
      throw Protocol("a page is longer than the server said that one can be");
    room = page->receiver->room(page->ask.id, bytes, to);
    if (room == PageReceiver::Room::NotNow) {
      waitingForRoom = true;
      return false;
    }
    bool cancelled;
    {
      const std::lock_guard lock(mutex);
      cancelled = pages.erase(header.sequence) == 0;
      sequenceOf.erase(page->ask.id);
      notePassedLocked(page->again);
      heardAt = lastHeard;
    }
    if (cancelled && room == PageReceiver::Room::Given) {
      page->receiver->dropped(page->ask.id, to);
      room = PageReceiver::Room::NotWanted;
    }
  }
  inBegin += kFrameHeaderBytes + kPageHeadBytes;
  if (room == PageReceiver::Room::NotWanted)
    skip = bytes;
  else
    receiving = Receiving{*page, head, to, 0};
  return true;
}

bool Link::State::takePage() {
  const std::size_t count = std::min(receiving->to.size() - receiving->got, inEnd - inBegin);
  std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(inBegin), count,
              receiving->to.begin() + static_cast<std::ptrdiff_t>(receiving->got));
  inBegin += count;
  receiving->got += count;
  {
    const std::lock_guard lock(mutex);
    heardAt = lastHeard;
    if (receiving->got < receiving->to.size()) return false;
    counters.bytesRead += receiving->to.size();
  }
  const Receiving done = *receiving;
  receiving.reset();
  done.page.receiver->landed(done.page.ask.id, done.head, done.to);
  bool more;
  {
    const std::lock_guard lock(mutex);
    more = anyQueuedLocked() || pages.empty();
  }
  if (more && phase == Phase::Up) sendWaiting();
  return true;
}

void Link::State::finishCall(std::uint64_t sequence, std::span<const std::byte> body, bool last) {
  {
    const std::lock_guard lock(mutex);
    const auto found = asked.find(sequence);
    if (found == asked.end()) throw Protocol("the server answers what was not asked");
    std::size_t bytes = body.size();
    for (const Bytes& part : found->second->parts) bytes += part.size();
    if (bytes > kMostAnswerBytes) throw Protocol("an answer of the server is too long");
    found->second->parts.emplace_back(body.begin(), body.end());
    if (!last) return;
    const bool again = found->second->again;
    found->second->done = true;
    asked.erase(found);
    notePassedLocked(again);
  }
  changed.notify_all();
}

void Link::State::onFrame(const FrameHeader& header, std::span<const std::byte> body) {
  switch (header.type) {
    case MessageType::Welcome: {
      if (welcomed || phase != Phase::Greeting) throw Protocol("the server says hello twice");
      Welcome its = parseWelcome(body);
      welcomed = true;
      mostPages = its.mostPages;
      {
        const std::lock_guard lock(mutex);
        welcome = std::move(its);
      }
      if (!options.open) endGreeting();
      return;
    }
    case MessageType::Opened: {
      if (!welcomed) throw Protocol("the server opens data before it says hello");
      if (phase != Phase::Greeting || !options.open) throw Protocol("the server answers what was not asked");
      Opened its = parseOpened(body);
      handle = its.handle;
      bool replaced;
      {
        const std::lock_guard lock(mutex);
        // What has only become longer has all that was asked for under the same numbers.
        replaced = opened && opened->identity != its.identity &&
                   std::find(its.earlier.begin(), its.earlier.end(), opened->identity) == its.earlier.end();
        if (!opened) opened = std::move(its);
      }
      if (replaced)
        return breakUp(std::make_exception_ptr(
            Corrupt("the data were replaced on the server while they were open", "open them again")
                .at(options.open->sources.front())
                .at(name)));
      return endGreeting();
    }
    case MessageType::Failed:
      return onFailed(header.sequence, body);
    case MessageType::Listing:
      return finishCall(header.sequence, body, !parseListing(body).more);
    case MessageType::IndexRecords:
    case MessageType::ValuesReply:
    case MessageType::Done:
    case MessageType::StatisticsReply:
    case MessageType::PartsReply:
      return finishCall(header.sequence, body, true);
    case MessageType::Pong: {
      if (!pingOut) return;
      pingOut = false;
      const double ms = std::chrono::duration<double, std::milli>(Clock::now() - pingSent).count();
      const std::lock_guard lock(mutex);
      counters.roundTripMs += kNewShare * (ms - counters.roundTripMs);
      return;
    }
    case MessageType::Goodbye:
      return lose("it said: " + parseText(body));
    default:
      throw Protocol("the server sends what is not known");
  }
}

void Link::State::onFailed(std::uint64_t sequence, std::span<const std::byte> body) {
  std::exception_ptr error = errorFrom(parseFailed(body));
  std::string passing;
  bool isBehind = false;
  try {
    try {
      std::rethrow_exception(error);
    } catch (const NoAnswer& known) {
      isBehind = true;
      passing = (known.place().empty() ? "" : known.place() + ": ") + known.message();
      error = std::make_exception_ptr(NoAnswer(name, passing, known.action()));
    } catch (const Error& known) {
      if (dynamic_cast<const Io*>(&known)) passing = known.message();
      known.raise();
    }
  } catch (Error& own) {
    own.at(name);
    error = std::current_exception();
  }
  // Who was let in before is let in again when the server has room, or what it has is back.
  if (sequence == 0 && everUp && phase == Phase::Greeting && !passing.empty()) return lose(passing);
  if (sequence == 0) return breakUp(error);
  if (isBehind && askLater(sequence, passing)) return;
  std::optional<Page> page;
  {
    const std::lock_guard lock(mutex);
    if (const auto found = pages.find(sequence); found != pages.end()) {
      page = found->second;
      sequenceOf.erase(page->ask.id);
      pages.erase(found);
      notePassedLocked(page->again);
    } else if (const auto call = asked.find(sequence); call != asked.end()) {
      const bool again = call->second->again;
      call->second->error = error;
      call->second->done = true;
      asked.erase(call);
      notePassedLocked(again);
    }
  }
  changed.notify_all();
  if (page) page->receiver->failed(page->ask.id, error);
  if (phase == Phase::Up) sendWaiting();
}

void Link::State::endGreeting() {
  if (everUp) {
    const std::lock_guard lock(mutex);
    ++counters.reconnects;
  }
  everUp = true;
  phase = Phase::Up;
  {
    const std::lock_guard lock(mutex);
    firstDone = true;
    lostSince.reset();
  }
  changed.notify_all();
  tellOfWaits();
  sendWaiting();
}

}  // namespace farfield::remote
