// The server against clients that do not behave: frames that are none, numbers that are too large, connections that are
// half open, a thousand that say nothing, one that asks for everything and one that reads nothing. And what the protocol
// has beside pages: lists, hyperslabs, index records, preloading, statistics.

#include <sys/resource.h>
#include <QTest>
#include <fstream>
#include <future>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "core/base/error.h"
#include "core/paging/pages/source_report.h"
#include "remote/client/link.h"
#include "remote/client/remote_data.h"
#include "remote/pagerd/options.h"
#include "remote/server/metrics.h"
#include "remote/server/upstream.h"
#include "tests/contract/collecting_sink.h"
#include "tests/contract/sample_data.h"
#include "tests/contract/sample_store.h"
#include "tests/remote/loopback_server.h"
#include "tests/remote/raw_client.h"
#include "tests/support/temporary_folder.h"

namespace farfield::test {

using namespace remote;
using namespace std::chrono_literals;

class TestRemoteServer : public QObject {
  Q_OBJECT
 private slots:
  void hostileFirstFrames();
  void hostileRequests();
  void aThousandIdleClients();
  void whoReadsNothingKeepsNobodyWaiting();
  void whoAsksForTooMuchIsClosed();
  void whoAsksForManyAnswersWaits();
  void cancelledPagesDoNotCome();
  void valuesAreThoseOfTheNodes();
  void valuesThatAreNotThere();
  void indexAndLists();
  void copiesShareOneRead();
  void rates();
  void metrics();
  void configuration();

 private:
  std::shared_ptr<Link> link() {
    LinkOptions options;
    const auto colon = m_server.address().rfind(':');
    options.host = {"127.0.0.1", static_cast<std::uint16_t>(std::stoi(m_server.address().substr(colon + 1)))};
    OpenRequestMessage open;
    open.sources = {"sample.h5"};
    options.open = open;
    return Link::connect(options);
  }
  static ReadRequest everything(const Opened& opened) {
    ReadRequest request{opened.handle, Urgency::Demand, {}};
    const auto description = sampleDescription(8);
    for (std::uint32_t array = 0; array < description.arrays.size(); ++array)
      for (std::int64_t page = 0; page < description.arrays[array].pageCount(); ++page)
        request.pages.push_back({array, static_cast<std::uint64_t>(page)});
    return request;
  }
  /// The server still answers others.
  bool isWell() {
    RawClient client(m_server.address());
    const Opened opened = client.open("sample.h5");
    client.send(MessageType::Read, 10, bytesOf(ReadRequest{opened.handle, Urgency::Demand, {{0, 0}}}));
    const auto answer = client.next();
    return answer && answer->header.type == MessageType::Page && answer->header.sequence == 10;
  }

  TemporaryFolder m_folder;
  std::filesystem::path m_store = writeSampleStore(m_folder / "sample.h5");
  LoopbackServer m_server{m_folder.path()};
};

void TestRemoteServer::hostileFirstFrames() {
  const auto bytes = [](const std::string& text) {
    return Bytes(std::as_bytes(std::span(text)).begin(), std::as_bytes(std::span(text)).end());
  };
  Hello old;
  old.leastVersion = old.mostVersion = 999;
  const std::vector<Bytes> starts = {bytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
                                     bytes(std::string(64, '\xff')),
                                     bytes(std::string(64, '\0')),
                                     frameOf(MessageType::Read, 1, {}),
                                     frameOf(MessageType::Hello, 0, {}),
                                     frameOf(MessageType::Hello, 0, bytes("FarPages")),
                                     frameOf(MessageType::Hello, 0, bytesOf(old)),
                                     [] {  // longer than may be said before being let in
                                       const auto header = toBytes({5000, MessageType::Hello, 0});
                                       return Bytes(header.begin(), header.end());
                                     }()};
  for (const Bytes& start : starts) {
    RawClient client(m_server.address());
    client.raw(start);
    const auto answer = client.next();
    if (answer) {
      QCOMPARE(answer->header.type, MessageType::Failed);
      QVERIFY(!client.next(5s));
    }
  }
  {
    RawClient halfOpen(m_server.address());
    halfOpen.raw(Bytes(7));
    QVERIFY(isWell());
  }
  QVERIFY(isWell());
}

void TestRemoteServer::hostileRequests() {
  std::mt19937 random(1);
  const std::vector<MessageType> types = {MessageType::List,
                                          MessageType::Open,
                                          MessageType::Read,
                                          MessageType::Cancel,
                                          MessageType::Hurry,
                                          MessageType::Index,
                                          MessageType::Values,
                                          MessageType::Preload,
                                          MessageType::Close,
                                          MessageType::Page,
                                          static_cast<MessageType>(9999)};
  for (int round = 0; round < 200; ++round) {
    RawClient client(m_server.address());
    client.open("sample.h5");
    Bytes body(random() % 80);
    for (std::byte& byte : body) byte = static_cast<std::byte>(random() % 3 ? random() % 4 : random());
    client.send(types[random() % types.size()], 5, body);
    client.send(MessageType::Ping, 6, {});
    // Answered, refused or closed; never silent.
    const auto answer = client.next(10s);
    if (answer) QVERIFY(answer->header.sequence <= 100 || answer->header.type == MessageType::Failed);
  }
  QVERIFY(isWell());
}

void TestRemoteServer::aThousandIdleClients() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur < 8000) QSKIP("too few descriptors are allowed");
  const auto residentBytes = [] {
    std::ifstream statm("/proc/self/statm");
    std::uint64_t all = 0, resident = 0;
    statm >> all >> resident;
    return resident * 4096;
  };
  const std::uint64_t before = residentBytes();
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int n = 0; n < 1000; ++n) {
    idle.push_back(std::make_unique<RawClient>(m_server.address()));
    if (n % 2) idle.back()->send(MessageType::Hello, 0, bytesOf(Hello{}));
  }
  QVERIFY(isWell());
  QVERIFY2(residentBytes() < before + (std::uint64_t{60} << 20), "an idle client takes too much memory");
}

void TestRemoteServer::whoReadsNothingKeepsNobodyWaiting() {
  std::vector<std::unique_ptr<RawClient>> greedy;
  for (int n = 0; n < 20; ++n) {
    greedy.push_back(std::make_unique<RawClient>(m_server.address()));
    const Opened opened = greedy.back()->open("sample.h5");
    const ReadRequest all = everything(opened);
    for (int times = 0; times < 3; ++times)
      greedy.back()->send(MessageType::Read, 1000 * static_cast<std::uint64_t>(times + 1), bytesOf(all));
    // Lists are answers that count, too.
    for (std::uint64_t list = 0; list < 200; ++list)
      greedy.back()->send(MessageType::List, 100000 + list, bytesOf(ListRequest{""}));
  }
  for (int n = 0; n < 5; ++n) QVERIFY(isWell());
}

void TestRemoteServer::whoAsksForTooMuchIsClosed() {
  RawClient client(m_server.address());
  const Opened opened = client.open("sample.h5");
  ReadRequest request{opened.handle, Urgency::Prefetch, std::vector<PageName>(5000)};
  client.send(MessageType::Read, 1, bytesOf(request));
  bool closed = false;
  for (int n = 0; n < 6000 && !closed; ++n) {
    const auto answer = client.next(5s);
    closed = !answer || answer->header.type == MessageType::Failed;
  }
  QVERIFY(closed);
  QVERIFY(isWell());
}

namespace {

/// Lists "held" do not come until they are let go.
class HeldUpstream final : public Upstream {
 public:
  std::shared_ptr<ServedSet> open(const OpenRequestMessage&) override {
    throw Unsupported("nothing is there");
  }
  void stop() noexcept override { letGo(); }
  std::vector<ListEntry> list(const std::string& path) override {
    if (path == "held") m_isLetGo.wait();
    return {};
  }
  void letGo() {
    std::call_once(m_once, [this] { m_letGo.set_value(); });
  }

 private:
  std::promise<void> m_letGo;
  const std::shared_future<void> m_isLetGo = m_letGo.get_future().share();
  std::once_flag m_once;
};

}  // namespace

/// However many requests come together: others are answered, and its own one after the other.
void TestRemoteServer::whoAsksForManyAnswersWaits() {
  if (std::thread::hardware_concurrency() < 2) QSKIP("there are no threads for others");
  const auto upstream = std::make_shared<HeldUpstream>();
  remote::ServerOptions options;
  options.upstream = upstream;
  const LoopbackServer server({}, options);
  constexpr std::uint64_t kRequests = 500;
  RawClient greedy(server.address()), other(server.address());
  Bytes all = frameOf(MessageType::Hello, 0, bytesOf(Hello{}));
  for (std::uint64_t n = 1; n <= kRequests; ++n) {
    const Bytes frame = frameOf(MessageType::List, n, bytesOf(ListRequest{"held"}));
    all.insert(all.end(), frame.begin(), frame.end());
  }
  greedy.raw(all);
  QVERIFY(greedy.next().has_value());  // the welcome: what came with it is being looked at
  other.send(MessageType::Hello, 0, bytesOf(Hello{}));
  QVERIFY(other.next().has_value());
  for (std::uint64_t n = 1; n <= 20; ++n) {
    other.send(MessageType::List, n, bytesOf(ListRequest{"free"}));
    const auto answer = other.next();
    if (!answer) upstream->letGo();
    QVERIFY(answer && answer->header.type == MessageType::Listing && answer->header.sequence == n);
  }
  upstream->letGo();
  std::set<std::uint64_t> answered;
  while (answered.size() < kRequests) {
    const auto answer = greedy.next();
    QVERIFY(answer && answer->header.type == MessageType::Listing);
    answered.insert(answer->header.sequence);
  }
}

void TestRemoteServer::cancelledPagesDoNotCome() {
  ServerOptions options;
  options.bytesPerSecondAndClient = 200e3;
  LoopbackServer slow(m_folder.path(), options);
  RawClient client(slow.address());
  const Opened opened = client.open("sample.h5");
  const ReadRequest all = everything(opened);
  client.send(MessageType::Read, 1000, bytesOf(all));
  Sequences gone;
  for (std::uint64_t n = 0; n < all.pages.size(); ++n) gone.numbers.push_back(1000 + n);
  client.send(MessageType::Cancel, 0, bytesOf(gone));
  client.send(MessageType::Ping, 7, {});
  std::size_t pages = 0;
  for (;;) {
    const auto answer = client.next(1s);
    if (!answer) break;
    pages += answer->header.type == MessageType::Page;
  }
  QVERIFY(pages < all.pages.size() / 2);
}

void TestRemoteServer::valuesAreThoseOfTheNodes() {
  const auto its = link();
  const auto description = sampleDescription(8);
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    ValuesRequest request;
    request.array = random() % description.arrays.size();
    const auto& array = description.arrays[request.array];
    const Index3& dims = array.layout.dims();
    const std::array<std::int64_t, 4> extents = {array.steps, dims[2], dims[1], dims[0]};
    for (std::size_t a = 0; a < 4; ++a) {
      request.start[a] = static_cast<std::int64_t>(random()) % extents[a];
      request.stride[a] = 1 + static_cast<std::int64_t>(random()) % std::min<std::int64_t>(extents[a], 5);
      const std::int64_t most = (extents[a] - 1 - request.start[a]) / request.stride[a] + 1;
      request.count[a] = 1 + static_cast<std::int64_t>(random()) % most;
    }
    const auto body = its->call(MessageType::Values, bytesOf(request), true).front();
    const auto values = std::span<const std::byte>(body).subspan(kValuesHeadBytes);
    const auto nodeBytes = static_cast<std::size_t>(array.nodeBytes());
    std::size_t at = 0;
    std::vector<std::byte> node(nodeBytes);
    for (std::int64_t t = 0; t < request.count[0]; ++t)
      for (std::int64_t k = 0; k < request.count[1]; ++k)
        for (std::int64_t j = 0; j < request.count[2]; ++j)
          for (std::int64_t i = 0; i < request.count[3]; ++i, at += nodeBytes) {
            const IndexBox one{
                {request.start[3] + i * request.stride[3], request.start[2] + j * request.stride[2],
                 request.start[1] + k * request.stride[1]},
                {1, 1, 1}};
            sampleNodes(description, request.array, request.start[0] + t * request.stride[0], one, node);
            QVERIFY(at + nodeBytes <= values.size());
            QVERIFY(std::equal(node.begin(), node.end(), values.begin() + static_cast<std::ptrdiff_t>(at)));
          }
    QCOMPARE(at, values.size());
  }
}

void TestRemoteServer::valuesThatAreNotThere() {
  const auto its = link();
  ValuesRequest good;
  good.count = {1, 1, 1, 1};
  std::vector<ValuesRequest> wrong(6, good);
  wrong[0].array = 99;
  wrong[1].start[3] = 37;
  wrong[2].count[3] = 38;
  wrong[3].stride[1] = 0;
  wrong[4].count[2] = std::int64_t{1} << 62;
  wrong[5].start[0] = -1;
  for (const ValuesRequest& request : wrong)
    QVERIFY_EXCEPTION_THROWN(its->call(MessageType::Values, bytesOf(request), true), Invalid);
  QVERIFY(!its->call(MessageType::Values, bytesOf(good), true).empty());
}

void TestRemoteServer::indexAndLists() {
  const auto its = link();
  const auto records =
      parseIndexRecords(its->call(MessageType::Index, bytesOf(IndexRequest{0, 1, 0, 8}), true).front());
  QCOMPARE(records.records.size(), std::size_t{8});
  for (const IndexRecord& record : records.records) {
    QVERIFY(record.storedBytes > 0);
    QCOMPARE(record.ranges.size(), std::size_t{5});
  }
  QVERIFY_EXCEPTION_THROWN(its->call(MessageType::Index, bytesOf(IndexRequest{0, 1, ~0ull, 8}), true),
                           Invalid);
  const auto listing = parseListing(its->call(MessageType::List, bytesOf(ListRequest{""}), false).front());
  QCOMPARE(listing.entries.size(), std::size_t{1});
  QCOMPARE(listing.entries[0].name, std::string("sample.h5"));
  QCOMPARE(listing.entries[0].kind, EntryKind::Store);
  its->call(MessageType::Preload, bytesOf(PreloadRequest{0, {{0, 0, 4}}}), true);
  QVERIFY(parseText(its->call(MessageType::Statistics, {}, false).front()).find("pages_sent_total") !=
          std::string::npos);
}

void TestRemoteServer::copiesShareOneRead() {
  // Everything is asked for at once, when nothing is known of either server.
  LoopbackServer other(m_folder.path());
  MemoryAccount account(std::uint64_t{64} << 20);
  const auto data = RemoteDataReader().open(
      {{m_server.url("sample.h5").insert(6, other.address() + ",")}, {}, "", {}}, account);
  const auto source = std::move(data->makeSources(account, {.stagingBytes = 1 << 20}).front());
  CollectingSink sink(*source, samplePage);
  std::vector<paging::PageRequest> all;
  const auto& arrays = source->description().arrays;
  for (std::uint32_t array = 0; array < arrays.size(); ++array)
    for (std::int64_t page = 0; page < arrays[array].pageCount(); ++page)
      all.push_back(sink.request(array, static_cast<std::uint64_t>(page)));
  QVERIFY(all.size() >= 100);
  source->read(all);
  paging::reapUntil(*source, [&] { return sink.ended() == all.size(); });
  QCOMPARE(sink.good(), all.size());
  const auto reports = paging::reportsOf(*source);
  QCOMPARE(reports.size(), std::size_t{2});
  const std::uint64_t one = reports[0].counters.bytesRead, two = reports[1].counters.bytesRead;
  QVERIFY2(std::min(one, two) > (one + two) / 3, qPrintable(QString("%1 and %2 bytes").arg(one).arg(two)));
}

void TestRemoteServer::rates() {
  ServerOptions options;
  options.bytesPerSecondAndClient = 400e3;
  LoopbackServer slow(m_folder.path(), options);
  RawClient client(slow.address());
  const Opened opened = client.open("sample.h5");
  const ReadRequest all = everything(opened);
  const auto begin = std::chrono::steady_clock::now();
  client.send(MessageType::Read, 1, bytesOf(all));
  std::size_t bytes = 0;
  for (std::size_t n = 0; n < all.pages.size(); ++n) {
    const auto answer = client.next();
    QVERIFY(answer.has_value());
    bytes += answer->body.size();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  QVERIFY2(static_cast<double>(bytes) / seconds < 700e3,
           std::to_string(static_cast<double>(bytes) / seconds).c_str());
}

void TestRemoteServer::metrics() {
  QVERIFY(httpAnswer("GET /healthz HTTP/1.1\r", {}).starts_with("HTTP/1.1 200"));
  QVERIFY(httpAnswer("GET /metrics HTTP/1.1\r", {}).find("farfield_pagerd_connections 0") !=
          std::string::npos);
  QVERIFY(httpAnswer("POST /metrics HTTP/1.1\r", {}).starts_with("HTTP/1.1 404"));
}

void TestRemoteServer::configuration() {
  const auto path = m_folder / "pagerd.conf";
  std::ofstream(path)
      << "# a comment\ncache = 1G\nrate = 10M # of all\n[export one]\nroot = /one\n[export two]\nroot=/two\n";
  const PagerdOptions options = parsePagerd({"--config", path.string(), "--cache=2G"});
  QCOMPARE(options.server.cacheBytes, std::uint64_t{2} << 30);
  QCOMPARE(options.server.bytesPerSecond, 10.0 * (1 << 20));
  QCOMPARE(options.server.exports.size(), std::size_t{2});
  QCOMPARE(options.server.exports[1].name, std::string("two"));
  QVERIFY_EXCEPTION_THROWN(parsePagerd({"--cache"}), Invalid);
  QVERIFY_EXCEPTION_THROWN(parsePagerd({"--root", "x", "--cache", "much"}), Invalid);
  std::filesystem::remove(path);
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestRemoteServer)
#include "tst_remote_server.moc"
