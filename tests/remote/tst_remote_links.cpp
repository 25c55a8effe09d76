// Links to servers that do not behave: what a server says at the wrong time, what copies say that are none, errors that pass
// while a connection is made again.

#include <dlfcn.h>
#include <pthread.h>
#include <sys/socket.h>
#include <QTest>
#include <atomic>
#include <cerrno>
#include <future>
#include <system_error>
#include <thread>

#include "core/base/error.h"
#include "core/paging/store/catalog.h"
#include "remote/client/link.h"
#include "remote/client/remote_data.h"
#include "remote/client/remote_source.h"
#include "remote/protocol/messages.h"
#include "tests/contract/collecting_sink.h"
#include "tests/contract/sample_store.h"
#include "tests/remote/loopback_server.h"
#include "tests/remote/raw_client.h"
#include "tests/support/error_words.h"
#include "tests/support/patience.h"
#include "tests/support/temporary_folder.h"

namespace {
/// How many threads this one may make yet; below zero: any number.
thread_local int threadsLeft = -1;
}  // namespace

/// In place of the system's, which it calls.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*run)(void*),
                              void* with) noexcept {
  static const auto real =
      reinterpret_cast<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>(
          ::dlsym(RTLD_NEXT, "pthread_create"));
  if (threadsLeft == 0) return EAGAIN;
  if (threadsLeft > 0) --threadsLeft;
  return real(thread, how, run, with);
}

namespace farfield::test {

using namespace remote;
using namespace std::chrono_literals;

namespace {

/// A server that says to whoever comes first, second and so on what is told here; then nobody is let in any more.
class ToldServer {
 public:
  using Talk = std::function<void(RawClient&)>;
  explicit ToldServer(std::vector<Talk> talks)
      : m_acceptor(m_io, {asio::ip::make_address("127.0.0.1"), 0}),
        m_address("127.0.0.1:" + std::to_string(m_acceptor.local_endpoint().port())),
        m_thread([this, talks = std::move(talks)] {
          try {
            for (const Talk& talk : talks) {
              RawClient client(m_acceptor);
              talk(client);
            }
          } catch (const std::system_error&) {  // the test has ended before
          }
          shut();
        }) {}
  ~ToldServer() { shut(); }
  const std::string& address() const { return m_address; }
  LinkOptions options() const {
    LinkOptions options;
    options.host = {"127.0.0.1", static_cast<std::uint16_t>(std::stoi(m_address.substr(10)))};
    options.open = OpenRequestMessage{{"sample.h5"}, {}, "", {}, false};
    return options;
  }

 private:
  /// Whoever waits for a client is woken, and nobody is let in.
  void shut() { ::shutdown(m_acceptor.native_handle(), SHUT_RDWR); }

  asio::io_context m_io;
  asio::ip::tcp::acceptor m_acceptor;
  const std::string m_address;
  std::jthread m_thread;  // last: it uses the others
};

void welcome(RawClient& client) {
  Welcome welcome;
  welcome.mostPages = 100;
  client.send(MessageType::Welcome, 0, bytesOf(welcome));
}

void openAs(RawClient& client, const Opened& opened) {
  welcome(client);
  client.send(MessageType::Opened, 0, bytesOf(opened));
}

/// Until the other side closes.
void hearOut(RawClient& client) {
  while (client.next()) {
  }
}

void refuse(RawClient& client, const std::exception_ptr& error) {
  welcome(client);
  client.send(MessageType::Failed, 0, bytesOf(failedFrom(error)));
  hearOut(client);
}

/// Takes any page.
class RoomyReceiver final : public PageReceiver {
 public:
  std::size_t landed(std::span<const Whole> pages) noexcept override { return pages.size(); }
  Room room(std::uint64_t, std::uint64_t bytes, std::span<std::byte>& to) noexcept override {
    m_room.resize(bytes);
    to = m_room;
    return Room::Given;
  }
  void landed(std::uint64_t, const PageHead&, std::span<std::byte> bytes) noexcept override {
    landedBytes = bytes.size();
  }
  void dropped(std::uint64_t, std::span<std::byte>) noexcept override {}
  void failed(std::uint64_t, std::exception_ptr) noexcept override {}
  std::atomic<std::size_t> landedBytes{0};

 private:
  Bytes m_room;
};

/// Until it is said; its number.
std::uint64_t await(RawClient& client, MessageType type) {
  for (;;) {
    const auto said = client.next();
    if (!said) return 0;
    if (said->header.type == type) return said->header.sequence;
  }
}

}  // namespace

class TestRemoteLinks : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    RawClient client(m_server.address());
    m_opened = client.open("sample.h5");
  }
  void dataBeforeHello();
  void copiesWithOtherArrays();
  void copiesWithLongerPages();
  void errorsThatPass();
  void errorsThatLast();
  void whoHasLeftIsNotWaitedFor();
  void pagesInPieces();
  void lostServersAreAskedForLittle();
  void fewerThreadsThanServers();

 private:
  TemporaryFolder m_folder;
  std::filesystem::path m_store = writeSampleStore(m_folder / "sample.h5");
  LoopbackServer m_server{m_folder.path()};
  Opened m_opened;
  MemoryAccount m_account{std::uint64_t{64} << 20};
};

void TestRemoteLinks::dataBeforeHello() {
  const ToldServer server({[&](RawClient& client) {
    client.send(MessageType::Opened, 0, bytesOf(m_opened));
    hearOut(client);
  }});
  QVERIFY(errorOf<Protocol>([&] {
            Link::connect(server.options())->welcome();
          }).find("before it says hello") != std::string::npos);
}

void TestRemoteLinks::copiesWithOtherArrays() {
  Opened fewer = m_opened;
  fewer.arrays.pop_back();
  const ToldServer other({[&](RawClient& client) {
    openAs(client, fewer);
    hearOut(client);
  }});
  const std::string url = "far://" + m_server.address() + "," + other.address() + "/sample.h5";
  const std::string words = errorOf<Invalid>([&] {
    RemoteDataReader().open({{url}, {}, "", {}}, m_account);
  });
  QVERIFY2(words.find("has other data") != std::string::npos, words.c_str());
}

/// There is room for the longest page that any of the servers may send.
void TestRemoteLinks::copiesWithLongerPages() {
  Opened shorter = m_opened;
  for (ArrayFacts& array : shorter.arrays) array.mostStoredBytes = 1;
  const ToldServer other({[&](RawClient& client) {
    openAs(client, shorter);
    hearOut(client);
  }});
  const std::string url = "far://" + other.address() + "," + m_server.address() + "/sample.h5";
  const auto data = RemoteDataReader().open({{url}, {}, "", {}}, m_account);
  const auto source = std::move(data->makeSources(m_account, {.stagingBytes = 1}).front());
  for (std::uint32_t n = 0; n < m_opened.arrays.size(); ++n)
    QCOMPARE(source->maxStoredBytes(n), m_opened.arrays[n].mostStoredBytes);
}

/// A server that cannot open the data just then, when the connection is made again, is asked again.
void TestRemoteLinks::errorsThatPass() {
  const auto full =
      std::make_exception_ptr(Io("the server has no memory left for another data set", "try again"));
  const ToldServer server({[&](RawClient& client) {
                             openAs(client, m_opened);
                             await(client, MessageType::Statistics);
                           },
                           [&](RawClient& client) { refuse(client, full); },
                           [&](RawClient& client) { refuse(client, full); },
                           [&](RawClient& client) {
                             openAs(client, m_opened);
                             client.send(MessageType::StatisticsReply, await(client, MessageType::Statistics),
                                         bytesOfText("all is well"));
                             hearOut(client);
                           }});
  const auto link = Link::connect(server.options());
  QCOMPARE(parseText(link->call(MessageType::Statistics, {}, false).front()), std::string("all is well"));
  QCOMPARE(link->counters().reconnects, std::uint64_t{1});
}

/// Neither are others, nor is anybody who was never let in.
void TestRemoteLinks::errorsThatLast() {
  const auto gone = std::make_exception_ptr(NotFound("the server has no such file"));
  const ToldServer server({[&](RawClient& client) {
                             openAs(client, m_opened);
                             await(client, MessageType::Statistics);
                           },
                           [&](RawClient& client) { refuse(client, gone); }});
  const auto link = Link::connect(server.options());
  QVERIFY_EXCEPTION_THROWN(link->call(MessageType::Statistics, {}, false), NotFound);
  const ToldServer full({[&](RawClient& client) {
    refuse(client, std::make_exception_ptr(Io("the server has no memory left for another data set")));
  }});
  QVERIFY_EXCEPTION_THROWN(Link::connect(full.options()), Io);
}

/// For an answer that nobody waits for any more no lost server is looked for, nor is it said to be lost.
void TestRemoteLinks::whoHasLeftIsNotWaitedFor() {
  const ToldServer server({[&](RawClient& client) {
    openAs(client, m_opened);
    await(client, MessageType::Statistics);
  }});
  LinkOptions options = server.options();
  options.patience = 24h;
  const auto link = Link::connect(options);
  std::stop_source stop;
  const std::jthread leaves([&] {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(patienceMs());
    while (link->counters().lostSeconds <= 0 && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(10ms);
    stop.request_stop();
  });
  QVERIFY_EXCEPTION_THROWN(link->call(MessageType::Statistics, {}, false, stop.get_token()), Cancelled);
  QCOMPARE(link->counters().lostSeconds, 0.0);
}

/// A large page over a slow connection: who sends pieces is not silent, and a page whose connection was cut is counted once.
void TestRemoteLinks::pagesInPieces() {
  constexpr std::uint32_t kBytes = 300'000, kPiece = 70'000;
  Opened opened = m_opened;
  opened.arrays.front().mostStoredBytes = kBytes;
  const Bytes stored(kBytes, std::byte{7});
  const auto begin = [](RawClient& client) {
    const std::uint64_t sequence = await(client, MessageType::Read);
    client.raw(toBytes({static_cast<std::uint32_t>(kPageHeadBytes + kBytes), MessageType::Page, sequence}));
    client.raw(bytesOf(PageHead{}));
  };
  std::promise<void> isSilent, isHeard;
  const ToldServer server({[&](RawClient& client) {
                             openAs(client, opened);
                             begin(client);
                             isSilent.get_future().wait();
                             client.raw(std::span(stored).first(kPiece));
                             isHeard.get_future().wait();
                           },
                           [&](RawClient& client) {
                             openAs(client, opened);
                             begin(client);
                             client.raw(stored);
                             hearOut(client);
                           }});
  RoomyReceiver receiver;  // outlives the link
  const auto link = Link::connect(server.options());
  const LinkAsk ask{Link::newId(), 0, 0, Urgency::Demand};
  link->read(&receiver, {&ask, 1});
  QTRY_VERIFY_WITH_TIMEOUT(link->counters().silentSeconds > 1, patienceMs());
  isSilent.set_value();
  QTRY_VERIFY_WITH_TIMEOUT(link->counters().silentSeconds < 1, patienceMs());
  isHeard.set_value();
  QTRY_VERIFY_WITH_TIMEOUT(receiver.landedBytes == kBytes, patienceMs());
  QCOMPARE(link->counters().reconnects, std::uint64_t{1});
  QCOMPARE(link->counters().bytesRead, std::uint64_t{kBytes});
}

/// Of two servers with copies the faster one ends: the other one is asked then. The one that ended is tried now and then.
void TestRemoteLinks::lostServersAreAskedForLittle() {
  ServerOptions slow;
  slow.bytesPerSecond = 200e3;
  const LoopbackServer other(m_folder.path(), slow);
  auto ends = std::make_unique<LoopbackServer>(m_folder.path());
  const std::string address = ends->address();
  auto set = std::make_shared<RemoteSet>();
  for (const std::string& at : {address, other.address()}) {
    LinkOptions options;
    options.host = {"127.0.0.1", static_cast<std::uint16_t>(std::stoi(at.substr(10)))};
    options.open = OpenRequestMessage{{"sample.h5"}, {}, "", {}, false};
    set->links.push_back(Link::connect(options));
  }
  set->description = paging::descriptionFromText(m_opened.description);
  set->arrays = m_opened.arrays;
  set->parts = {{0, 1}};
  RemoteSource source(set, m_account, 1 << 20);
  CollectingSink sink(source, samplePage);
  source.read(everyPage(source, sink));
  sink.waitFor(source);
  const Link& lost = *set->links.front();
  const auto readOne = [&] {
    const paging::PageRequest request = sink.request(0, 0);
    source.read({&request, 1});
    const bool isAsked = lost.counters().pagesAsked > 0;
    sink.waitFor(source);
    return isAsked;
  };
  QVERIFY(lost.counters().bytesRead > 0);
  ends.reset();
  QTRY_VERIFY_WITH_TIMEOUT(lost.counters().isLost, patienceMs());
  constexpr int kReads = 30;
  int asked = 0;
  for (int n = 0; n < kReads; ++n) asked += readOne();
  QVERIFY2(asked < kReads / 2, std::to_string(asked).c_str());
  ServerOptions again;
  again.listen = address;
  ends = std::make_unique<LoopbackServer>(m_folder.path(), again);
  QTRY_VERIFY_WITH_TIMEOUT((readOne(), lost.counters().reconnects > 0 && !lost.counters().isLost),
                           patienceMs());
  QCOMPARE(sink.complaint(), std::string());
}

/// Where the system has no more threads, that is an error like others.
void TestRemoteLinks::fewerThreadsThanServers() {
  const LoopbackServer other(m_folder.path());
  const std::string url = "far://" + m_server.address() + "," + other.address() + "/sample.h5";
  threadsLeft = 1;
  const std::string words = errorOf<std::system_error>([&] {
    RemoteDataReader().open({{url}, {}, "", {}}, m_account);
  });
  threadsLeft = -1;
  QVERIFY2(words.find("unavailable") != std::string::npos, words.c_str());
  QVERIFY(RemoteDataReader().open({{url}, {}, "", {}}, m_account));
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestRemoteLinks)
#include "tst_remote_links.moc"
