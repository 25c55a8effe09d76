// A rank of a renderer, and what it makes of what its gateway says.

#include <QTest>
#include <atomic>
#include <thread>

#include "core/fields/samples/sample_data.h"
#include "remote/slabd/frame_exchange.h"
#include "remote/slabd/input_bricks.h"
#include "remote/slabd/input_server.h"
#include "remote/slabd/rank_gate.h"
#include "remote/slabd/rank_worker.h"
#include "remote/slabd/slab_costs.h"
#include "tests/remote/raw_client.h"
#include "tests/support/patience.h"

namespace farfield::test {
namespace {

using namespace remote;

constexpr std::uint64_t kMemory = std::uint64_t{256} << 20;
constexpr const char* kSecret = "of this test";
constexpr std::int64_t kSteps = 6;

}  // namespace

class TestSlabRanks : public QObject {
  Q_OBJECT
 private slots:
  void whoReadsIsKnownAlsoWhereItsViewerLeft();
};

/// Others have begun what this rank had not when its viewer went: they ask by it for what this rank reads, and wait for an answer.
void TestSlabRanks::whoReadsIsKnownAlsoWhereItsViewerLeft() {
  MemoryAccount account(kMemory);
  fields::ReaderRegistry readers;
  readers.add(std::make_unique<samples::SampleDataReader>());
  const auto data = readers.open({{"sample://turbulence?size=40,36,33&steps=6"}, {}, {}, {}}, account);
  SlabPainter painter(*data, account, {1, std::filesystem::temp_directory_path()});
  asio::io_context io;
  asio::ip::tcp::acceptor acceptor(io, {asio::ip::make_address("127.0.0.1"), 0});
  InputServer inputs(1, kSecret, false, account);
  InputClient client(1, kSecret, {{"127.0.0.1", 1}, {"127.0.0.1", inputs.port()}});
  FrameExchange exchange(1, kSecret, false, kMemory);
  RankOptions options{
      .rank = 1, .gateway = {"127.0.0.1", acceptor.local_endpoint().port()}, .secret = kSecret};
  options.steps = kSteps;
  options.inputs = &inputs;
  options.client = &client;
  RankWorker rank(options, painter, exchange, account);
  RawClient gateway(acceptor);

  Work work;
  work.viewer = 1;
  work.request.by = "velocity-x";
  work.request.axis = 2;
  work.request.pixels = 96;
  work.request.look.opacity = {{-2, 0.1}, {2, 0.1}};
  work.request.look.unitLength = 0.1;
  work.request.scale.min = -2;
  work.request.scale.max = 2;
  work.request.step = 1;
  work.request.nextStep = 2;
  work.plan = SlabCosts(painter.facts()).slabs(2, 2, {0});
  work.plan.show = 1;
  work.inputs = {.serial = 7, .together = 1, .isFollowed = true, .ranks = {1}};
  const auto say = [&](SlabMessage message, const Bytes& body) { gateway.raw(slabFrame(message, 1, body)); };
  say(SlabMessage::Attach, bytesOf(Attach{1, 1}));
  RawClient viewer(acceptor);
  say(SlabMessage::Work, bytesOf(work));
  say(SlabMessage::Detach, bytesOf(Attach{1, 1}));
  say(SlabMessage::Attach, bytesOf(Attach{2, 2}));
  RawClient another(acceptor);  // all before it has been heard

  std::atomic<int> answers = 0;
  const auto asks = dialRank(
      {"127.0.0.1", inputs.port()}, kSecret, 0,
      {[&](const FrameBuffer::Frame&) { ++answers; }, [](const std::exception_ptr&) {}}, "from rank 1");
  const BrickSubject subject = painter.subject(work.request);
  asks->send(slabFrame(SlabMessage::Fetch, 1, bytesOf(BrickRequest{7, subject, 1, 0, 0})));
  std::jthread working([&](const std::stop_token& stop) { rank.run(stop); });
  QTRY_VERIFY_WITH_TIMEOUT(answers > 0, patienceMs());
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestSlabRanks)
#include "tst_slab_ranks.moc"
