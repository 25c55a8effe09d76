#include "remote/server/session.h"

#include <algorithm>

#include <asio/post.hpp>

#include "core/base/error.h"
#include "core/base/linked_stop.h"
#include "core/base/printable.h"
#include "core/paging/pages/page_text.h"
#include "remote/server/values.h"

namespace farfield::remote {
namespace {

using namespace std::chrono_literals;

constexpr auto kWatchEvery = 5s, kHelloWithin = 10s, kWriteWithin = 60s, kIdleAtMost = 900s, kLinger = 3s;
/// Of one call of the system: asio hands over no more buffers at a time.
constexpr std::size_t kMostBuffers = 64, kMostWrittenAtOnce = 1 << 20;
/// Pages up to here are copied together, which costs less than a buffer for each does.
constexpr std::size_t kSmallPageBytes = 8 << 10, kGatheredBytes = 96 << 10;
constexpr std::size_t kBeforePageBytes = kFrameHeaderBytes + kPageHeadBytes;
/// Answers that wait for the client to read them, and jobs that make some: beyond that its requests are not read.
constexpr std::uint64_t kMostAnswerBytes = 1 << 20;
constexpr int kMostJobs = 2;  ///< at a time; the others of the threads for such work are for other clients
constexpr std::size_t kMostSets = 64;
constexpr std::size_t kEntriesAtOnce = 1000;
/// With which a TLS connection begins (RFC 8446, section 5.1).
constexpr char kTlsHandshake = 0x16;

}  // namespace

Session::Session(std::unique_ptr<Wire> wire, ServerParts& parts, std::string peer)
    : m_wire(std::move(wire)),
      m_parts(parts),
      m_peer(std::move(peer)),
      m_timer(m_wire->socket().get_executor()) {
  ++m_parts.sessions;
}

Session::~Session() {
  --m_parts.sessions;
}

void Session::start() {
  m_lastRead = std::chrono::steady_clock::now();
  asio::post(m_wire->socket().get_executor(), [self = shared_from_this()] {
    self->watch();
    if (!self->m_wire->isTls()) return self->shakeHands();
    self->m_wire->socket().async_wait(asio::socket_base::wait_read, [self](std::error_code error) {
      if (error) return self->end(error.message());
      char first = 0;
      self->m_wire->socket().receive(asio::buffer(&first, 1), asio::socket_base::message_peek, error);
      if (error || first == kTlsHandshake) return self->shakeHands();
      self->sayThatItIsTls();
    });
  });
}

void Session::shakeHands() {
  m_wire->handshake([self = shared_from_this()](std::error_code error, std::size_t) {
    if (error) return self->end("handshake: " + error.message());
    self->readMore();
  });
}

void Session::sayThatItIsTls() {
  const Bytes frame = frameOf(MessageType::Failed, 0,
                              bytesOf(failedFrom(std::make_exception_ptr(Invalid(
                                  "the server speaks TLS", "run farfield login to keep its certificate")))));
  asio::ip::tcp::socket& socket = m_wire->socket();
  std::error_code ignored;
  // What was said is taken first: closing over it would take back the answer.
  Bytes said(std::min<std::size_t>(socket.available(ignored), kMostHelloBytes));
  if (!said.empty()) socket.receive(asio::buffer(said), 0, ignored);
  socket.send(asio::buffer(frame), 0, ignored);
  socket.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  end("no TLS");
}

void Session::stop(const std::string& why) {
  asio::post(m_wire->socket().get_executor(), [self = shared_from_this(), why] {
    if (self->m_ended) return;
    self->m_closing = true;
    self->send(MessageType::Goodbye, 0, bytesOfText(why));
  });
}

void Session::watch() {
  if (m_ended) return;
  m_timer.expires_after(kWatchEvery);
  m_timer.async_wait([self = shared_from_this()](std::error_code error) {
    if (error || self->m_ended) return;
    const auto now = std::chrono::steady_clock::now();
    if (self->m_lingering && now - self->m_writeBegan > kLinger) return self->end("closed");
    if (!self->m_isIn && now - self->m_lastRead > kHelloWithin) return self->end("said nothing");
    if (self->m_writing && now - self->m_writeBegan > kWriteWithin) return self->end("does not read");
    if (!self->m_writing && !self->isBusy() && now - self->m_lastRead > kIdleAtMost) return self->end("idle");
    self->watch();
  });
}

bool Session::isBusy() const {
  const std::lock_guard lock(m_mutex);
  return m_jobs >= kMostJobs || m_answerBytes > kMostAnswerBytes;
}

void Session::readMore() {
  if (m_ended || m_reading || m_closing) return;
  // what has come is taken before more is read; whoever makes it less busy calls again
  if (!takeFrames() || isBusy()) return;
  m_reading = true;
  const std::span<std::byte> room = m_in.room();
  m_wire->readSome(asio::buffer(room.data(), room.size()),
                   [self = shared_from_this()](std::error_code error, std::size_t bytes) {
                     self->m_reading = false;
                     if (error) return self->end(error.message());
                     if (self->m_lingering) return self->discard();
                     self->m_lastRead = std::chrono::steady_clock::now();
                     self->m_in.received(bytes);
                     self->readMore();
                   });
}

bool Session::takeFrames() {
  try {
    // one read brings thousands of requests, all of which would become jobs with answers
    while (!m_ended && !m_closing) {
      // Who makes it less busy calls again. To read instead, were it looked at twice, would leave frames untaken.
      if (isBusy()) return false;
      const auto frame = m_in.next();
      if (!frame) break;
      onFrame(*frame);
    }
  } catch (const Error& error) {
    // Nothing that follows can be trusted to be a frame.
    m_closing = true;
    sendFailed(0, std::current_exception());
    m_parts.log("event=protocol-error client=" + m_peer + " what=\"" + printable(error.what()) + "\"");
  } catch (const std::exception& error) {
    m_closing = true;
    end(error.what());
  }
  return !m_ended && !m_closing;
}

void Session::onFrame(const FrameBuffer::Frame& frame) {
  const std::uint64_t sequence = frame.header.sequence;
  if (!m_isIn) {
    if (frame.header.type != MessageType::Hello) throw Protocol("a connection begins with a hello");
    return onHello(frame);
  }
  switch (frame.header.type) {
    case MessageType::List:
      return onList(sequence, parseListRequest(frame.body));
    case MessageType::Open:
      return onOpen(sequence, parseOpenRequest(frame.body));
    case MessageType::Read:
      return onRead(sequence, parseReadRequest(frame.body));
    case MessageType::Cancel:
      return m_parts.desk.cancel(m_client, parseSequences(frame.body).numbers);
    case MessageType::Hurry: {
      const Sequences meant = parseSequences(frame.body);
      return m_parts.desk.hurry(m_client, meant.numbers, meant.urgency);
    }
    case MessageType::Index:
      return onIndex(sequence, parseIndexRequest(frame.body));
    case MessageType::Values:
      return onValues(sequence, parseValuesRequest(frame.body));
    case MessageType::Preload:
      return onPreload(sequence, parsePreloadRequest(frame.body));
    case MessageType::Statistics:
      return send(MessageType::StatisticsReply, sequence, bytesOfText(m_parts.statistics()));
    case MessageType::Close:
      return onClose(sequence, parseHandle(frame.body));
    case MessageType::Parts:
      return onParts(sequence, parseHandle(frame.body));
    case MessageType::Ping:
      return send(MessageType::Pong, sequence, {});
    default:
      throw Protocol("a message of type " + std::to_string(static_cast<int>(frame.header.type)) +
                     " is not known to this server");
  }
}

void Session::onHello(const FrameBuffer::Frame& frame) {
  const Hello hello = parseHello(frame.body);
  std::shared_ptr<const Access> access;
  {
    const std::lock_guard lock(m_parts.mutex);
    access = m_parts.access;
    m_exports = m_parts.exports;
  }
  if (hello.leastVersion > kProtocolVersion || hello.mostVersion < kProtocolVersion) {
    m_closing = true;
    ++m_parts.refused;
    return sendFailed(frame.header.sequence,
                      std::make_exception_ptr(Unsupported(
                          "the server speaks version " + std::to_string(kProtocolVersion) +
                              " of the protocol, the client " + std::to_string(hello.leastVersion) + " to " +
                              std::to_string(hello.mostVersion),
                          "use the same version of Farfield on both sides")));
  }
  const std::optional<Grant> grant = access->grantFor(hello.token);
  if (!grant) {
    m_closing = true;
    ++m_parts.refused;
    m_parts.log("event=refused client=" + m_peer + " why=token");
    return sendFailed(
        frame.header.sequence,
        std::make_exception_ptr(Invalid(
            hello.token.empty() ? "the server asks for a token" : "the server does not know this token",
            "set FARFIELD_TOKEN or FARFIELD_TOKEN_FILE, or run farfield login")));
  }
  if (!grant->folder.empty()) {
    try {
      m_exports = std::make_shared<const Exports>(m_exports->below(grant->folder));
    } catch (const Error& error) {
      m_closing = true;
      m_parts.log("event=refused client=" + m_peer + " why=\"" + printable(error.what()) + "\"");
      return sendFailed(frame.header.sequence,
                        std::make_exception_ptr(
                            Io("the folder that this token opens is not there", "tell who runs the server")));
    }
  }
  m_isIn = true;
  m_name = grant->name;
  m_features = hello.features;
  m_in.setMostBody(kMostRequestBytes);
  m_client = m_parts.desk.add(weak_from_this(), grant->bytesPerSecond);
  m_parts.log("event=connected client=" + m_peer + " as=\"" + printable(m_name) + "\" program=\"" +
              printable(hello.client) + "\"");
  Welcome welcome;
  welcome.serverId = m_parts.serverId;
  welcome.mostPages = kMostWaiting;
  welcome.server = "farfield-pagerd " FARFIELD_VERSION;
  send(MessageType::Welcome, frame.header.sequence, bytesOf(welcome));
}

void Session::elsewhere(std::uint64_t sequence, std::function<void()> work) {
  {
    const std::lock_guard lock(m_mutex);
    ++m_jobs;
  }
  m_parts.run([self = shared_from_this(), sequence, work = std::move(work)]() mutable {
    try {
      work();
    } catch (...) {
      self->sendFailed(sequence, std::current_exception());
    }
    work = nullptr;
    {
      const std::lock_guard lock(self->m_mutex);
      --self->m_jobs;
    }
    asio::post(self->m_wire->socket().get_executor(), [self] { self->readMore(); });
  });
}

void Session::onList(std::uint64_t sequence, const ListRequest& request) {
  elsewhere(sequence, [this, sequence, path = request.path, exports = m_exports] {
    const std::vector<ListEntry> all = m_parts.upstream ? m_parts.upstream->list(path) : exports->list(path);
    for (std::size_t at = 0;; at += kEntriesAtOnce) {
      const std::size_t end = std::min(all.size(), at + kEntriesAtOnce);
      Listing part{end < all.size(),
                   {all.begin() + static_cast<std::ptrdiff_t>(std::min(at, end)),
                    all.begin() + static_cast<std::ptrdiff_t>(end)}};
      send(MessageType::Listing, sequence, bytesOf(part));
      if (!part.more) return;
    }
  });
}

std::shared_ptr<ServedSet> Session::openSetFor(const OpenRequestMessage& request, const Exports& exports) {
  if (request.sources.empty()) throw Invalid("no data are named");
  if (m_parts.upstream)
    return m_parts.sets.open(*m_parts.upstream, request);
  OpenRequestMessage local = request;
  const RootFolder* root = nullptr;
  for (auto* names : {&local.sources, &local.solutions})
    for (std::string& name : *names) {
      auto [its, rest] = exports.find(name);
      if (root && its != root) throw Unsupported("the files of a data set lie in one shared folder");
      root = its;
      name = std::move(rest);
    }
  return m_parts.sets.open(*root, local);
}

void Session::onOpen(std::uint64_t sequence, const OpenRequestMessage& request) {
  elsewhere(sequence, [this, sequence, request, exports = m_exports] {
    const std::shared_ptr<ServedSet> set = openSetFor(request, *exports);
    Opened opened = set->opened();
    if (opened.isStriped && !(m_features & kKnowsParts))
      throw Unsupported("is a striped set, which this client does not know", "use a newer Farfield")
          .at(request.sources.front());
    {
      const std::lock_guard lock(m_mutex);
      if (m_sets.size() >= kMostSets)
        throw Invalid("a connection has " + std::to_string(kMostSets) + " data sets open already",
                      "close some");
      opened.handle = m_nextHandle++;
      m_sets.emplace(opened.handle, set);
    }
    m_parts.log("event=open client=" + m_peer + " as=\"" + printable(m_name) + "\" path=\"" +
                printable(request.sources.front()) + "\"");
    if (!(m_features & kKnowsChoices)) opened.choices.clear();
    if (!(m_features & kKnowsGrowth)) opened.earlier.clear();
    send(MessageType::Opened, sequence, bytesOf(opened));
  });
}

std::shared_ptr<ServedSet> Session::setOf(std::uint32_t handle) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_sets.find(handle);
  if (found == m_sets.end()) throw Invalid("there is no open data set of that number");
  return found->second;
}

void Session::onRead(std::uint64_t sequence, const ReadRequest& request) {
  std::shared_ptr<ServedSet> set;
  std::exception_ptr error;
  try {
    set = setOf(request.handle);
  } catch (...) {
    error = std::current_exception();
  }
  // Pages that are not there are answered on their own; the others are asked for in runs.
  std::size_t begin = 0;
  const auto askUpTo = [&](std::size_t end) {
    if (end > begin && !m_parts.desk.ask(m_client, set, request.urgency, sequence + begin,
                                         std::span(request.pages).subspan(begin, end - begin)))
      throw Protocol("more than " + std::to_string(kMostWaiting) + " pages are asked for at a time");
  };
  for (std::size_t n = 0; n < request.pages.size(); ++n) {
    const std::exception_ptr wrong =
        error ? error
              : paging::checkRequest(set->description(),
                                     {.array = request.pages[n].array, .page = request.pages[n].page},
                                     "server");
    if (!wrong) continue;
    if (set) askUpTo(n);
    begin = n + 1;
    sendFailed(sequence + n, wrong);
  }
  askUpTo(request.pages.size());
}

void Session::onIndex(std::uint64_t sequence, const IndexRequest& request) {
  elsewhere(sequence, [this, sequence, request] {
    const std::shared_ptr<ServedSet> set = setOf(request.handle);
    const auto& arrays = set->description().arrays;
    if (request.array >= arrays.size()) throw Invalid("there is no array " + std::to_string(request.array));
    const auto pages = static_cast<std::uint64_t>(arrays[request.array].pageCount());
    if (request.first > pages || request.count > pages - request.first)
      throw Invalid("there are not so many pages");
    IndexRecords records;
    records.components = static_cast<std::uint32_t>(arrays[request.array].components);
    for (std::uint32_t n = 0; n < request.count; ++n)
      records.records.push_back(set->indexOf(request.array, request.first + n));
    send(MessageType::IndexRecords, sequence, bytesOf(records));
  });
}

void Session::onValues(std::uint64_t sequence, const ValuesRequest& request) {
  elsewhere(sequence, [this, sequence, request] {
    const LinkedStop stop(m_left.get_token(), m_parts.ending);
    const Bytes values = valuesOf(m_parts.desk, setOf(request.handle), request, stop.token());
    Bytes body;
    ByteWriter out(body);
    out.number(paging::checksum(values));
    out.raw(values);
    send(MessageType::ValuesReply, sequence, body);
  });
}

void Session::onPreload(std::uint64_t sequence, const PreloadRequest& request) {
  const std::shared_ptr<ServedSet> set = setOf(request.handle);
  for (const PageRange& range : request.ranges) {
    if (range.count == 0) continue;
    for (const std::uint64_t page : {range.first, range.first + range.count - 1})
      if (const auto wrong =
              paging::checkRequest(set->description(), {.array = range.array, .page = page}, "server"))
        return sendFailed(sequence, wrong);
    m_parts.desk.preload(set, range.array, range.first, range.count);
  }
  send(MessageType::Done, sequence, {});
}

void Session::onParts(std::uint64_t sequence, std::uint32_t handle) {
  try {
    send(MessageType::PartsReply, sequence, bytesOf(setOf(handle)->parts()));
  } catch (const Error&) {
    sendFailed(sequence, std::current_exception());
  }
}

void Session::onClose(std::uint64_t sequence, std::uint32_t handle) {
  {
    const std::lock_guard lock(m_mutex);
    m_sets.erase(handle);
  }
  send(MessageType::Done, sequence, {});
}

void Session::pagesReady(std::span<ReadyPage> pages) noexcept {
  {
    const std::lock_guard lock(m_mutex);
    for (ReadyPage& ready : pages) m_out.push_back({{}, std::move(ready.page), ready.sequence});
    if (std::exchange(m_flushing, true)) return;
  }
  flushLater();
}

void Session::pageFailed(std::uint64_t sequence, std::exception_ptr error) noexcept {
  sendFailed(sequence, error);
}

void Session::sendFailed(std::uint64_t sequence, const std::exception_ptr& error) {
  send(MessageType::Failed, sequence, bytesOf(failedFrom(error, m_features)));
}

void Session::send(MessageType type, std::uint64_t sequence, std::span<const std::byte> body) {
  put({frameOf(type, sequence, body), nullptr, 0});
}

void Session::put(Out out) {
  {
    const std::lock_guard lock(m_mutex);
    m_answerBytes += out.bytes.size();
    m_out.push_back(std::move(out));
    if (std::exchange(m_flushing, true)) return;
  }
  flushLater();
}

void Session::flushLater() {
  asio::post(m_wire->socket().get_executor(), [self = shared_from_this()] { self->flush(); });
}

void Session::gather(std::vector<asio::const_buffer>& buffers) {
  if (!m_gathered) m_gathered = std::make_unique_for_overwrite<std::byte[]>(kGatheredBytes);
  std::size_t used = 0, begin = 0, bytes = 0;
  const auto add = [&](std::span<const std::byte> more) {
    std::copy(more.begin(), more.end(), m_gathered.get() + used);
    used += more.size();
  };
  const auto closeGathered = [&] {
    if (used > begin) buffers.emplace_back(m_gathered.get() + begin, used - begin);
    begin = used;
  };
  const std::lock_guard lock(m_mutex);
  while (!m_out.empty() && bytes < kMostWrittenAtOnce && buffers.size() + 3 <= kMostBuffers) {
    Out& out = m_out.front();
    const std::size_t size = out.page ? kBeforePageBytes + out.page->size : out.bytes.size();
    const bool isSmall = size <= kSmallPageBytes;
    if (used + (isSmall ? size : kBeforePageBytes) > kGatheredBytes) break;
    bytes += size;
    if (out.page) {
      const PageBlob& page = *out.page;
      m_pageBytes += page.size;
      add(toBytes({static_cast<std::uint32_t>(kPageHeadBytes + page.size), MessageType::Page, out.sequence}));
      add(bytesOf(PageHead{static_cast<std::uint8_t>(page.codec), page.padded, page.checksum}));
      if (isSmall) add(page.span());
    } else {
      m_otherBytes += size;
      if (isSmall) add(out.bytes);
    }
    if (!isSmall) {
      closeGathered();
      if (out.page)
        buffers.emplace_back(out.page->bytes.get(), out.page->size);
      else
        buffers.emplace_back(out.bytes.data(), out.bytes.size());
      m_onTheirWay.push_back(std::move(out));
    }
    m_out.pop_front();
  }
  closeGathered();
  if (buffers.empty()) m_flushing = false;
}

void Session::flush() {
  if (m_writing || m_ended) return;  // what is put after the end is nobody's
  std::vector<asio::const_buffer> buffers;
  gather(buffers);
  if (buffers.empty()) {
    m_gathered.reset();  // thousands of idle connections take little
    if (m_closing) linger();
    return;
  }
  m_writing = true;
  m_writeBegan = std::chrono::steady_clock::now();
  m_wire->write(buffers,
                [self = shared_from_this()](std::error_code error, std::size_t) { self->wrote(error); });
}

void Session::linger() {
  // What the client has said meanwhile is read and left: closing over it would take back the last answer.
  if (std::exchange(m_lingering, true)) return;
  std::error_code ignored;
  m_wire->socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  if (!m_reading) discard();
}

void Session::discard() {
  if (m_ended) return;
  m_reading = true;
  m_in = FrameBuffer(0);
  const std::span<std::byte> room = m_in.room();
  m_wire->readSome(asio::buffer(room.data(), room.size()),
                   [self = shared_from_this()](std::error_code error, std::size_t) {
                     self->m_reading = false;
                     if (error) return self->end("closed");
                     self->discard();
                   });
}

void Session::wrote(std::error_code error) {
  m_writing = false;
  const std::uint64_t pages = std::exchange(m_pageBytes, 0), answers = std::exchange(m_otherBytes, 0);
  m_onTheirWay.clear();
  {
    const std::lock_guard lock(m_mutex);
    m_answerBytes -= answers;
  }
  if (error) return end(error.message());
  if (pages > 0) m_parts.desk.written(m_client, pages);
  flush();
  if (answers > 0) readMore();
}

void Session::end(const std::string& why) {
  if (std::exchange(m_ended, true)) return;
  m_left.request_stop();
  if (m_isIn) {
    m_parts.desk.remove(m_client);
    m_parts.log("event=disconnected client=" + m_peer + " as=\"" + printable(m_name) + "\" why=\"" +
                printable(why) + "\"");
  }
  m_timer.cancel();
  m_wire->close();
  const std::lock_guard lock(m_mutex);
  m_sets.clear();
  m_out.clear();
}

}  // namespace farfield::remote
