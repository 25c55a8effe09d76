// A server in front of another that ends and comes back: who asks waits for it as long as its own patience lasts, as for any
// lost server.

#include <QJsonDocument>
#include <QTest>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <tuple>

#include "core/base/no_answer.h"
#include "core/paging/store/catalog.h"
#include "remote/client/link.h"
#include "remote/pagerd/far_upstream.h"
#include "remote/protocol/messages.h"
#include "tests/contract/sample_store.h"
#include "tests/remote/loopback_server.h"
#include "tests/remote/raw_client.h"
#include "tests/support/error_words.h"
#include "tests/support/patience.h"
#include "tests/support/temporary_folder.h"

namespace farfield::test {

using namespace remote;
using namespace std::chrono_literals;

namespace {

/// Of the server in front; shorter than that of any client here that waits on.
constexpr std::chrono::milliseconds kPatienceInFront{300};

std::string wordsOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& known) {
    return known.what();
  }
}

/// What has come, by the request's number.
class Pages final : public PageReceiver {
 public:
  std::size_t landed(std::span<const Whole> pages) noexcept override {
    const std::lock_guard lock(m_mutex);
    for (const Whole& page : pages) m_bytes[page.id].assign(page.bytes.begin(), page.bytes.end());
    return pages.size();
  }
  Room room(std::uint64_t id, std::uint64_t bytes, std::span<std::byte>& to) noexcept override {
    const std::lock_guard lock(m_mutex);
    m_room[id].resize(bytes);
    to = m_room[id];
    return Room::Given;
  }
  void landed(std::uint64_t id, const PageHead&, std::span<std::byte> bytes) noexcept override {
    const std::lock_guard lock(m_mutex);
    m_bytes[id].assign(bytes.begin(), bytes.end());
  }
  void dropped(std::uint64_t, std::span<std::byte>) noexcept override {}
  void failed(std::uint64_t id, std::exception_ptr error) noexcept override {
    const std::lock_guard lock(m_mutex);
    m_errors[id] = wordsOf(error);
  }
  bool has(std::uint64_t id) const {
    const std::lock_guard lock(m_mutex);
    return m_bytes.contains(id);
  }
  std::string errorOf(std::uint64_t id) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_errors.find(id);
    return found == m_errors.end() ? "" : found->second;
  }

 private:
  mutable std::mutex m_mutex;
  std::map<std::uint64_t, Bytes> m_bytes, m_room;
  std::map<std::uint64_t, std::string> m_errors;
};

/// Behind this one, a server that can be ended and started again at the same address.
class Chain {
 public:
  explicit Chain(const std::filesystem::path& root,
                 std::chrono::milliseconds patienceInFront = kPatienceInFront)
      : m_root(root) {
    start("127.0.0.1:0");
    m_address = m_behind->address();
    ServerOptions options;
    options.upstream = makeFarUpstream("far://" + m_address, patienceInFront);
    m_front = std::make_unique<LoopbackServer>("", options);
  }
  void end() { m_behind.reset(); }
  void comeBack() { start(m_address); }
  /// Something else is at that address.
  void comeBackAs(ServerOptions options, const std::filesystem::path& root) {
    options.listen = m_address;
    m_behind = std::make_unique<LoopbackServer>(root, options);
  }
  const std::string& behind() const { return m_address; }
  std::string front() const { return m_front->address(); }
  LinkOptions options(std::chrono::milliseconds patience) const { return optionsOf(front(), patience); }
  LinkOptions optionsBehind() const { return optionsOf(m_address, 1min); }

 private:
  static LinkOptions optionsOf(const std::string& address, std::chrono::milliseconds patience) {
    LinkOptions options;
    options.host = {"127.0.0.1", static_cast<std::uint16_t>(std::stoi(address.substr(10)))};
    options.open = OpenRequestMessage{{"sample.h5"}, {}, "", {}, false};
    options.patience = patience;
    return options;
  }
  void start(const std::string& listen) {
    ServerOptions options;
    options.listen = listen;
    m_behind = std::make_unique<LoopbackServer>(m_root, options);
  }
  const std::filesystem::path m_root;
  std::string m_address;
  std::unique_ptr<LoopbackServer> m_behind, m_front;
};

Bytes oneValue() {
  ValuesRequest request;
  request.count = {1, 1, 1, 1};
  return bytesOf(request);
}

std::uint64_t askFor(Link& link, Pages& pages, std::uint64_t page) {
  const LinkAsk ask{Link::newId(), 0, page, Urgency::Demand};
  link.read(&pages, {&ask, 1});
  return ask.id;
}

}  // namespace

class TestRemoteBehind : public QObject {
  Q_OBJECT
 private slots:
  void pagesComeOnceItIsBack();
  void valuesComeOnceItIsBack();
  void whatIsInMemoryComesMeanwhile();
  void patienceEnds();
  void waitsAreCancelled();
  void longWaitsAreTold();
  void refusalsAreAnswersAndPass();
  void whoDoesNotKnowItIsToldAsEver();

 private:
  TemporaryFolder m_folder;
  std::filesystem::path m_store = writeSampleStore(m_folder / "sample.h5");
};

void TestRemoteBehind::pagesComeOnceItIsBack() {
  Chain chain(m_folder.path());
  Pages pages;  // outlives the link
  const auto link = Link::connect(chain.options(24h));
  const std::uint64_t before = askFor(*link, pages, 0);
  QTRY_VERIFY_WITH_TIMEOUT(pages.has(before), patienceMs());
  chain.end();
  const std::uint64_t waits = askFor(*link, pages, 1);
  // Several times over what the server in front waits for.
  QTRY_VERIFY_WITH_TIMEOUT(link->counters().lostSeconds > 2 || !pages.errorOf(waits).empty(), patienceMs());
  QCOMPARE(pages.errorOf(waits), std::string());
  // What the server in front has itself comes, and says nothing of the other.
  const std::uint64_t kept = askFor(*link, pages, 0);
  QTRY_VERIFY_WITH_TIMEOUT(pages.has(kept), patienceMs());
  QVERIFY(link->counters().lostSeconds > 2);
  QVERIFY(!pages.has(waits));
  chain.comeBack();
  QTRY_VERIFY_WITH_TIMEOUT(pages.has(waits), patienceMs());
  QCOMPARE(pages.errorOf(waits), std::string());
  QCOMPARE(link->counters().lostSeconds, 0.0);
  QCOMPARE(link->counters().reconnects, std::uint64_t{0});
}

void TestRemoteBehind::valuesComeOnceItIsBack() {
  Chain chain(m_folder.path());
  // Asked of the other one: what the server in front has read it keeps in memory.
  const Bytes expected =
      Link::connect(chain.optionsBehind())->call(MessageType::Values, oneValue(), true).front();
  const auto link = Link::connect(chain.options(24h));
  chain.end();
  const auto call = link->begin(MessageType::Values, oneValue(), true);
  QTRY_VERIFY_WITH_TIMEOUT(link->counters().lostSeconds > 1, patienceMs());
  chain.comeBack();
  QCOMPARE(link->finish(call).front(), expected);
  QCOMPARE(link->counters().lostSeconds, 0.0);
}

/// Also when one client waits for more pages than are read at a time.
void TestRemoteBehind::whatIsInMemoryComesMeanwhile() {
  Chain chain(m_folder.path(), 24h);
  Pages pages;  // outlives the links
  const auto greedy = Link::connect(chain.options(24h)), other = Link::connect(chain.options(24h));
  const std::uint64_t before = askFor(*other, pages, 0);
  QTRY_VERIFY_WITH_TIMEOUT(pages.has(before), patienceMs());
  chain.end();
  std::vector<LinkAsk> asks;
  const paging::DatasetDescription description = paging::descriptionFromText(greedy->opened().description);
  for (std::uint32_t array = 0; array < description.arrays.size(); ++array)
    for (std::uint64_t page = array == 0 ? 1 : 0;
         page < static_cast<std::uint64_t>(description.arrays[array].pageCount()); ++page)
      asks.push_back({Link::newId(), array, page, Urgency::Demand});
  greedy->read(&pages, asks);
  const auto waiting = [&] {
    const std::string said = parseText(other->call(MessageType::Statistics, {}, false).front());
    return QJsonDocument::fromJson(QByteArray::fromStdString(said))["requests_waiting"].toInt();
  };
  QTRY_VERIFY_WITH_TIMEOUT(waiting() > 0, patienceMs());
  const std::uint64_t kept = askFor(*other, pages, 0);
  QTRY_VERIFY_WITH_TIMEOUT(pages.has(kept), patienceMs());
  QVERIFY(waiting() > 0);
}

void TestRemoteBehind::patienceEnds() {
  Chain chain(m_folder.path());
  Pages pages;  // outlives the link
  const auto link = Link::connect(chain.options(2s));
  chain.end();
  const std::uint64_t page = askFor(*link, pages, 1);
  const std::string words = errorOf<NoAnswer>([&] { link->call(MessageType::Values, oneValue(), true); });
  QTRY_VERIFY_WITH_TIMEOUT(!pages.errorOf(page).empty(), patienceMs());
  for (const std::string& its : {words, pages.errorOf(page)})
    for (const std::string& name :
         {"far://" + chain.front() + ": ", "far://" + chain.behind() + ": ", std::string("for 2 s")})
      QVERIFY2(its.find(name) != std::string::npos, its.c_str());
  // What is asked later finds it there.
  chain.comeBack();
  const std::uint64_t later = askFor(*link, pages, 1);
  QTRY_VERIFY_WITH_TIMEOUT(pages.has(later), patienceMs());
  QVERIFY(!link->call(MessageType::Values, oneValue(), true).empty());
}

void TestRemoteBehind::waitsAreCancelled() {
  Chain chain(m_folder.path());
  Pages pages;  // outlives the link
  const auto link = Link::connect(chain.options(24h));
  chain.end();
  const std::uint64_t page = askFor(*link, pages, 1);
  std::stop_source stop;
  std::jthread stops([&] {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(patienceMs());
    while (link->counters().lostSeconds < 1 && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(20ms);
    link->cancel({&page, 1});
    stop.request_stop();
  });
  QVERIFY_EXCEPTION_THROWN(link->call(MessageType::Values, oneValue(), true, stop.get_token()), Cancelled);
  stops.join();
  // Nobody waits any more, and nothing is tried again for nobody.
  QTRY_COMPARE_WITH_TIMEOUT(link->counters().lostSeconds, 0.0, patienceMs());
  QCOMPARE(link->counters().pagesAsked, std::uint64_t{0});
  QCOMPARE(pages.errorOf(page), std::string());
}

/// What it says when it is back is an answer, at once. It is not its last word: who opens the data later has them.
/// The connection to the server in front stands all the time.
void TestRemoteBehind::longWaitsAreTold() {
  Chain chain(m_folder.path());
  LinkOptions options = chain.options(1h);
  std::mutex mutex;
  std::vector<std::string> told;  // both outlive the link
  options.tell = [&](const std::string& line) {
    const std::lock_guard lock(mutex);
    told.push_back(line);
  };
  const auto toldLines = [&] {
    const std::lock_guard lock(mutex);
    return told;
  };
  Pages pages;
  const auto link = Link::connect(options);
  chain.end();
  const std::uint64_t waits = askFor(*link, pages, 0);
  QTRY_VERIFY_WITH_TIMEOUT(!toldLines().empty(), patienceMs());
  const std::string line = link->name() +
                           ": the server behind it does not answer and is asked again; what needs it waits, "
                           "up to 3600 s";
  QCOMPARE(toldLines(), std::vector{line});
  QVERIFY(link->counters().isBehind);
  chain.comeBack();
  QTRY_VERIFY_WITH_TIMEOUT(pages.has(waits), patienceMs());
  QTRY_COMPARE_WITH_TIMEOUT(toldLines().size(), std::size_t{2}, patienceMs());
  QCOMPARE(toldLines().back(), link->name() + ": it answers again");
  QVERIFY(!link->counters().isBehind);
}

void TestRemoteBehind::refusalsAreAnswersAndPass() {
  const TemporaryFolder other;
  const std::filesystem::path tokens = other / "tokens";
  std::ofstream(tokens) << "abcdefghijklmnop0123\n";
  std::filesystem::permissions(tokens, std::filesystem::perms::owner_read);
  ServerOptions asksForToken;
  asksForToken.tokenFile = tokens;
  for (const auto& [options, root, words] : {std::tuple{ServerOptions{}, other.path(), "no such file"},
                                             {asksForToken, m_folder.path(), "token"}}) {
    Chain chain(m_folder.path());
    Pages pages;  // outlives the links
    {
      const auto link = Link::connect(chain.options(24h));
      chain.end();
      const std::uint64_t page = askFor(*link, pages, 1);
      QTRY_VERIFY_WITH_TIMEOUT(link->counters().lostSeconds > 1, patienceMs());
      chain.comeBackAs(options, root);
      QTRY_VERIFY_WITH_TIMEOUT(!pages.errorOf(page).empty(), patienceMs());
      QVERIFY2(pages.errorOf(page).find(words) != std::string::npos, pages.errorOf(page).c_str());
      QCOMPARE(link->counters().lostSeconds, 0.0);
    }
    const std::string refused = errorOf<Error>([&] { Link::connect(chain.options(24h)); });
    QVERIFY2(refused.find(words) != std::string::npos, refused.c_str());
    chain.end();
    chain.comeBack();
    const auto link = Link::connect(chain.options(24h));
    const std::uint64_t page = askFor(*link, pages, 1);
    QTRY_VERIFY_WITH_TIMEOUT(pages.has(page) || !pages.errorOf(page).empty(), patienceMs());
    QCOMPARE(pages.errorOf(page), std::string());
  }
}

/// Clients from before take it for an ordinary error of reading.
void TestRemoteBehind::whoDoesNotKnowItIsToldAsEver() {
  constexpr std::uint16_t kIo = 3, kNoAnswer = 9;
  for (const auto& [features, kind] : {std::pair{kFeatures & ~kKnowsNoAnswer, kIo}, {kFeatures, kNoAnswer}}) {
    Chain chain(m_folder.path());
    RawClient client(chain.front());
    Hello hello;
    hello.features = features;
    client.send(MessageType::Hello, 0, bytesOf(hello));
    client.send(MessageType::Open, 1, bytesOf(OpenRequestMessage{{"sample.h5"}, {}, "", {}, false}));
    QVERIFY(client.next()->header.type == MessageType::Welcome);
    const std::uint32_t handle = parseOpened(client.next()->body).handle;
    chain.end();
    client.send(MessageType::Read, 10, bytesOf(ReadRequest{handle, Urgency::Demand, {{0, 1}}}));
    const auto answer = client.next();
    QVERIFY(answer && answer->header.type == MessageType::Failed);
    QCOMPARE(parseFailed(answer->body).kind, kind);
  }
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestRemoteBehind)
#include "tst_remote_behind.moc"
