// Ranks that read for others: how many there should be, and that pictures are the same whether they are there, go
// away, or have not the memory.

#include <QTest>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>

#include "core/fields/samples/sample_data.h"
#include "remote/slabd/input_bricks.h"
#include "remote/slabd/input_server.h"
#include "remote/slabd/input_sizing.h"
#include "remote/slabd/slab_costs.h"
#include "remote/slabd/slab_painter.h"
#include "tests/support/broken_link.h"
#include "tests/support/patience.h"

namespace farfield::test {
namespace {

using namespace remote;

constexpr std::uint64_t kMemory = std::uint64_t{256} << 20;
constexpr const char* kSecret = "of this test";
constexpr const char* kSample = "sample://turbulence?size=70,40,36&steps=6";

InputPlan planOf(std::vector<std::uint32_t> ranks, std::uint32_t together = 1, std::uint64_t serial = 1) {
  return {.serial = serial, .together = together, .isFollowed = true, .ranks = std::move(ranks)};
}

/// A rank with the sample.
struct Rank {
  explicit Rank(bool quantize = false, const std::vector<std::int64_t>& steps = {}, double enhance = 0)
      : account(kMemory) {
    fields::ReaderRegistry readers;
    readers.add(std::make_unique<samples::SampleDataReader>());
    data = readers.open({{kSample}, {}, {}, {}}, account);
    SlabPainter::Options options{1, std::filesystem::temp_directory_path()};
    options.quantize = quantize;
    options.steps = steps;
    options.enhance = enhance;
    painter = std::make_unique<SlabPainter>(*data, account, options);
    facts = painter->facts();
    request.by = "velocity-x";
    request.axis = 2;
    request.pixels = 96;
    request.look.opacity = {{-2, 0.1}, {0, 0}, {2, 0.1}};
    request.look.unitLength = 0.1;
    request.scale.min = -2;
    request.scale.max = 2;
    plan = SlabCosts(facts).slabs(2, 4, {0});
  }
  std::vector<std::uint8_t> pixelsOf(std::int64_t step) {
    std::vector<std::uint8_t> pixels;
    request.step = step;
    for (std::uint32_t n = 0; n < 4; ++n) {
      const PaintedSlab slab = painter->slab(request, n, plan.edges[n], plan.edges[n + 1], {});
      pixels.insert(pixels.end(), slab.rgba.begin(), slab.rgba.end());
    }
    return pixels;
  }
  /// The values of all bricks of a step, in the order of their numbers.
  std::vector<float> valuesOf(std::int64_t step) {
    std::map<std::int64_t, std::vector<float>> bricks;
    std::mutex mutex;
    volume::ShownVolume::Stream stream;
    stream.wanted = [](std::int64_t, std::int64_t) { return true; };
    stream.listed = [](int, const std::vector<std::int64_t>&) {};
    stream.use = [&](std::int64_t number, const volume::Brick& brick) {
      std::vector<float> values(volume::kBrickValues);
      std::memcpy(values.data(), brick.data(), values.size() * sizeof(float));
      // beyond the nodes of its cells there is anything
      for (std::size_t n = 0; n < values.size(); ++n) {
        const Index3 at = unlinear(static_cast<std::int64_t>(n),
                                   {volume::kBrickSide, volume::kBrickSide, volume::kBrickSide});
        for (std::size_t a = 0; a < 3; ++a)
          if (at[a] >= brick.cells()[a] + 3) values[n] = 0;
      }
      const std::lock_guard lock(mutex);
      bricks[number] = std::move(values);
    };
    request.step = step;
    painter->stream(request, step)(stream, {});
    std::vector<float> all;
    for (const auto& [number, values] : bricks) all.insert(all.end(), values.begin(), values.end());
    return all;
  }
  MemoryAccount account;
  std::unique_ptr<fields::OpenData> data;
  std::unique_ptr<SlabPainter> painter;
  VolumeFacts facts;
  ShowRequest request;
  Planned plan;
};

/// Ranks 1 to `count` read for rank 0, all in this process.
struct Readers {
  explicit Readers(std::uint32_t count, bool quantize = false, const std::vector<std::int64_t>& steps = {},
                   double enhance = 0) {
    std::vector<Host> hosts{{"127.0.0.1", 1}};
    for (std::uint32_t n = 1; n <= count; ++n) {
      ranks.push_back(std::make_unique<Rank>(quantize, steps, enhance));
      servers.push_back(std::make_unique<InputServer>(n, kSecret, false, ranks.back()->account));
      hosts.push_back({"127.0.0.1", servers.back()->port()});
    }
    client = std::make_unique<InputClient>(0, kSecret, hosts);
  }
  /// As the work of `step` says, of which step + 1 comes next.
  void follow(const InputPlan& plan, std::int64_t step) {
    for (std::size_t n = 0; n < servers.size(); ++n) {
      if (!servers[n]) continue;
      ShowRequest request = ranks[n]->request;
      request.step = step;
      request.nextStep = step + 1;
      servers[n]->want(plan, request, 6, ranks[n]->painter->subject(request),
                       [&](std::int64_t its) { return ranks[n]->painter->stream(request, its); });
    }
    client->follow(plan, 1);
  }
  std::vector<std::unique_ptr<Rank>> ranks;
  std::unique_ptr<InputClient> client;
  std::vector<std::unique_ptr<InputServer>> servers;  // read by the painters of the ranks
};

}  // namespace

class TestSlabInputs : public QObject {
  Q_OBJECT
 private slots:
  void publishedFiguresFollowFromTheRule();
  void theBestNumberIsFound();
  void stepsAreDealtOut();
  void measuredTimesAreJudged();
  void subjectsAreAsColoursAre();
  void whatIsNotWantedIsAnsweredAtOnce();
  void memoryIsBounded();
  void picturesAreTheSame_data();
  void picturesAreTheSame();
  void bytesForValuesAreClose();
  void changesStandOut();
  void aRankThatGoesIsDoneWithout();
  void aConnectionThatWasLostIsMadeAgain();
};

/// Yu & Ma (2004): fetching takes 4.0 s, preparing 9.06 s, sending 1.7 s; with 64 renderers a step takes 2.13, 3.63 or 8.4 s,
/// and 7.1, 4.6 and 2.6 input processors are named.
void TestSlabInputs::publishedFiguresFollowFromTheRule() {
  const auto need = [](double prepare, double render, double send = 1.7) {
    return inputNeed({4.0, prepare, send, render});
  };
  QCOMPARE(need(9.06, 2.13).ranks(), 8u);   // 7.13
  QCOMPARE(need(9.06, 3.63).ranks(), 5u);   // 4.60
  QCOMPARE(need(9.06, 8.4).ranks(), 3u);    // 2.55
  QCOMPARE(need(16.7, 2.13).ranks(), 11u);  // 10.7
  // sending takes longer: two share a step, and (4 + 9.06) / 4.2 + 1 = 4.1 groups take turns
  const InputNeed shared = need(9.06, 2.13, 4.2);
  QCOMPARE(shared.together, 2u);
  QCOMPARE(shared.groups, 5u);
  QCOMPARE(inputNeed({}).ranks(), 1u);
}

void TestSlabInputs::theBestNumberIsFound() {
  // each of eight ranks reads in 1 s and renders in 2 s: that is hidden as it is
  QCOMPARE(bestInputs({8, 0, 0.1, 0}, 16, 8).ranks(), 0u);
  QCOMPARE(bestInputs({24, 0, 0.1, 0}, 12, 1).ranks(), 0u);
  // reading takes twice as long as rendering: two thirds of the ranks read
  QCOMPARE(bestInputs({24, 0, 0.1, 0}, 12, 16).ranks(), 11u);
  QCOMPARE(bestInputs({6, 0, 0, 0}, 2, 8).ranks(), 6u);
  // where they hide it, the rule agrees
  QCOMPARE(inputNeed({24, 0, 0.1, 12.0 / 5}).ranks(), 11u);
}

void TestSlabInputs::stepsAreDealtOut() {
  const InputPlan plan = inputPlan({0, 1, 2, 3, 5, 6, 7}, {2, 2});
  QCOMPARE(plan.ranks, (std::vector<std::uint32_t>{3, 5, 6, 7}));
  // at least one renders, and groups are whole
  QCOMPARE(inputPlan({0, 1, 2}, {7, 1}).ranks.size(), 2u);
  QCOMPARE(inputPlan({0, 1, 2, 3}, {5, 2}).ranks.size(), 2u);
  QVERIFY(inputPlan({4}, {1, 1}).ranks.empty());
  QVERIFY(inputPlan({0, 1, 2}, {0, 1}).ranks.empty());
  ShowRequest request;
  request.step = 3;
  request.nextStep = 4;
  QCOMPARE(stepsAhead(plan, request, 100), (std::vector<std::int64_t>{4, 5}));
  QCOMPARE(stepsAhead(plan, request, 5), (std::vector<std::int64_t>{4}));
  request.nextStep = 1;
  QCOMPARE(stepsAhead(plan, request, 100), (std::vector<std::int64_t>{1}));
  request.nextStep = 3;
  QVERIFY(stepsAhead(plan, request, 100).empty());
  for (const std::int64_t stride : {1, 2, -3})
    for (std::int64_t step = 0; step < 12; ++step)
      for (std::int64_t brick = 0; brick < 10; ++brick) {
        const std::uint32_t rank = inputOf(plan, step, stride, brick, 10);
        QVERIFY(readsStep(plan, rank, step, stride));
        // the other group reads the step after it
        if (step + std::abs(stride) < 12) QVERIFY(!readsStep(plan, rank, step + std::abs(stride), stride));
      }
  QVERIFY(inputOf(plan, 0, 1, 0, 10) != inputOf(plan, 0, 1, 9, 10));
}

void TestSlabInputs::measuredTimesAreJudged() {
  // two ranks render in 1 s each, and wait 3 s each for data; whether steps come faster when six others read is tried
  for (const bool isFaster : {true, false}) {
    InputSizing sizing(std::nullopt);
    QCOMPARE(sizing.need().ranks(), 0u);
    std::uint64_t serial = 0;
    std::string said;
    for (int step = 0; step < 3; ++step) {
      QVERIFY(said.empty());
      sizing.begin(planOf({}, 1, ++serial), 2, 8);
      for (int rank = 0; rank < 2; ++rank) said = sizing.note({serial, 3, 0, 0, 1, 3});
    }
    QCOMPARE(sizing.times().fetch, 6.0);
    QCOMPARE(sizing.times().render, 2.0);
    QCOMPARE(sizing.need().ranks(), 6u);
    QVERIFY2(said.find("from now on, 6") != std::string::npos, said.c_str());
    // what does not concern a step that is shown changes nothing
    QVERIFY(sizing.note({99, 1, 1, 1, 1, 0}).empty());
    for (int step = 0; step < 7; ++step) {
      sizing.begin(planOf({2, 3, 4, 5, 6, 7}, 1, ++serial), 2, 8);
      sizing.note({serial, 6, 0.5, 0.25, 0, 0});
      for (int rank = 0; rank < 2; ++rank) said = sizing.note({serial, 0, 0, 0, 1, isFaster ? 0.1 : 3.5});
    }
    QCOMPARE(sizing.need().ranks(), isFaster ? 6u : 0u);
    QVERIFY2(said.find("8 input ranks hide the reading; there are 6") != std::string::npos, said.c_str());
    QCOMPARE(said.find("done again") != std::string::npos, !isFaster);
  }
  InputSizing asked(InputNeed{3, 1});
  std::uint64_t serial = 0;
  std::string said;
  for (int step = 0; step < 4 && said.empty(); ++step) {
    asked.begin(planOf({5, 6, 7}, 1, ++serial), 1, 4);
    asked.note({serial, 4, 1, 0.5, 0, 0});
    said = asked.note({serial, 0, 0, 0, 2, 0});
  }
  QCOMPARE(asked.need().ranks(), 3u);
  // (4 + 1) / 2 + 1
  QVERIFY2(said.find("4 input ranks hide the reading; there are 3") != std::string::npos, said.c_str());
}

/// What is coded is spread as colours are.
void TestSlabInputs::subjectsAreAsColoursAre() {
  Rank rank(true);
  ShowRequest request = rank.request;
  request.scale.min = 1;
  request.scale.max = 1e8;
  request.look.opacity = {{-5, 0}, {0.1, 0}, {1e8, 1}};
  QVERIFY(!rank.painter->subject(request).logarithmic);
  request.scale.logarithmic = true;
  const BrickSubject subject = rank.painter->subject(request);
  QVERIFY(subject.logarithmic);
  // rounded outwards, by less than what there is
  QVERIFY(subject.range[0] > 1e-4 && subject.range[0] <= 0.1);
  QVERIFY(subject.range[1] >= 1e8 && subject.range[1] < 1e11);
  const BrickRequest wanted{3, subject, 1, 0, 7};
  QVERIFY(parseBrickRequest(bytesOf(wanted)).subject == subject);
  request.scale.min = -1e308;
  request.scale.max = 1.7e308;
  request.scale.logarithmic = false;
  const BrickRequest widest{3, rank.painter->subject(request), 1, 0, 7};
  QVERIFY(parseBrickRequest(bytesOf(widest)).subject == widest.subject);
  BrickRequest wrong = wanted;
  wrong.subject.range[0] = 0;
  QVERIFY_EXCEPTION_THROWN(parseBrickRequest(bytesOf(wrong)), Protocol);
}

void TestSlabInputs::whatIsNotWantedIsAnsweredAtOnce() {
  MemoryAccount account(kMemory);
  PreparedSteps steps(account);
  const BrickSubject subject{"a", false, {0, 1}};
  int answers = 0;
  std::shared_ptr<const Bytes> got;
  const auto answer = [&](std::shared_ptr<const Bytes> brick) {
    ++answers;
    got = std::move(brick);
  };
  steps.ask({0, subject, 5, 0, 1}, answer);
  QCOMPARE(answers, 1);
  QVERIFY(!got);
  // who asks knows of work that this rank has not heard of yet
  steps.ask({7, subject, 5, 0, 1}, answer);
  QCOMPARE(answers, 1);
  steps.want(7, subject, 4, {5, 6});
  QCOMPARE(answers, 1);
  const auto ticket = steps.begin();
  QVERIFY(ticket && ticket->step == 5);
  steps.ask({7, subject, 5, 0, 2}, answer);
  steps.ask({7, {"b", false, {0, 1}}, 5, 0, 1}, answer);  // of another function
  QCOMPARE(answers, 2);
  QVERIFY(steps.listed(*ticket, 0, {1, 3}));
  QCOMPARE(answers, 3);  // brick 2 is not among them
  QVERIFY(!got);
  QVERIFY(steps.put(*ticket, 1, Bytes(10)));
  QCOMPARE(answers, 4);
  QCOMPARE(got->size(), std::size_t{10});
  steps.ask({7, subject, 5, 0, 1}, answer);
  QCOMPARE(answers, 5);
  QVERIFY(got);
  steps.ask({7, subject, 5, 1, 1}, answer);  // of another level
  QVERIFY(!got);
  steps.ask({7, subject, 5, 0, 3}, answer);
  QCOMPARE(answers, 6);
  steps.finish(*ticket);
  QCOMPARE(answers, 7);
  // what is dropped is answered, and its reader told
  const auto second = steps.begin();
  QVERIFY(second && second->step == 6);
  steps.ask({7, subject, 6, 0, 1}, answer);
  steps.want(8, subject, 5, {7});
  QCOMPARE(answers, 8);
  QVERIFY(!got && !steps.isWanted(*second) && !steps.put(*second, 1, Bytes(10)));
  // what is shown stays
  steps.ask({8, subject, 5, 0, 1}, answer);
  QVERIFY(got);
  steps.want(9, subject, 6, {7});
  steps.ask({9, subject, 5, 0, 1}, answer);
  QVERIFY(!got);
  // what is not begun when it is shown does not begin
  steps.want(10, subject, 7, {8});
  QVERIFY(steps.notBegun() == std::vector<std::int64_t>{8});
}

void TestSlabInputs::memoryIsBounded() {
  MemoryAccount account(10000);
  PreparedSteps steps(account);
  const BrickSubject subject{"a", false, {0, 1}};
  steps.want(1, subject, 0, {1});
  const auto ticket = steps.begin();
  QVERIFY(steps.listed(*ticket, 0, {0, 1, 2, 3}));
  QVERIFY(steps.put(*ticket, 0, Bytes(4000)));
  QVERIFY(steps.put(*ticket, 1, Bytes(4000)));
  QVERIFY(!steps.put(*ticket, 2, Bytes(4000)));
  QVERIFY(account.peakBytes() <= 10000);
  steps.want(2, subject, 9, {2});
  QCOMPARE(account.usedBytes(), std::uint64_t{0});
  // a list that is too long is not kept
  const auto next = steps.begin();
  QVERIFY(!steps.listed(*next, 0, std::vector<std::int64_t>(1000)));
}

void TestSlabInputs::picturesAreTheSame_data() {
  QTest::addColumn<int>("count");
  QTest::addColumn<int>("together");
  QTest::addColumn<bool>("backwards");
  QTest::newRow("one") << 1 << 1 << false;
  QTest::newRow("three") << 3 << 1 << false;
  QTest::newRow("two that share a step") << 2 << 2 << false;
  QTest::newRow("two, of steps that were chosen") << 2 << 1 << true;
}

void TestSlabInputs::picturesAreTheSame() {
  QFETCH(int, count);
  QFETCH(int, together);
  QFETCH(bool, backwards);
  const std::vector<std::int64_t> steps =
      backwards ? std::vector<std::int64_t>{5, 4, 3, 2, 1, 0} : std::vector<std::int64_t>{};
  Rank alone(false, steps), renders(false, steps);
  Readers readers(static_cast<std::uint32_t>(count), false, steps);
  renders.painter->setInputs(readers.client.get());
  std::vector<std::uint32_t> numbers;
  for (int n = 1; n <= count; ++n) numbers.push_back(static_cast<std::uint32_t>(n));
  std::uint64_t before = 0;
  for (std::int64_t step = 0; step < 5; ++step) {
    readers.follow(
        planOf(numbers, static_cast<std::uint32_t>(together), static_cast<std::uint64_t>(step + 1)), step);
    // the first step is not among those that come next: it is read here
    QVERIFY(renders.pixelsOf(step + 1) == alone.pixelsOf(step + 1));
    const InputCounters counters = readers.client->counters();
    QVERIFY2(counters.bricks > before, qPrintable(QString::number(counters.refused)));
    QCOMPARE(counters.refused, std::uint64_t{0});
    before = counters.bricks;
  }
  QVERIFY(renders.pixelsOf(0) == alone.pixelsOf(0));
  QVERIFY(readers.client->counters().refused > 0);
  renders.painter->setInputs(nullptr);
}

void TestSlabInputs::bytesForValuesAreClose() {
  Rank alone, renders(true);
  Readers readers(1, true);
  renders.painter->setInputs(readers.client.get());
  readers.follow(planOf({1}), 0);
  const auto exact = alone.pixelsOf(1), close = renders.pixelsOf(1);
  const InputCounters counters = readers.client->counters();
  QVERIFY(counters.bricks > 0);
  // a quarter of the bytes, and a few more
  QVERIFY(counters.bytes < counters.bricks * (volume::kBrickValues + 32));
  QCOMPARE(exact.size(), close.size());
  double sum = 0;
  for (std::size_t n = 0; n < exact.size(); ++n)
    sum += std::pow(static_cast<double>(exact[n]) - static_cast<double>(close[n]), 2);
  const double psnr = sum > 0 ? 10 * std::log10(255.0 * 255.0 * static_cast<double>(exact.size()) / sum) : 99;
  qInfo("a byte a value: %.1f dB", psnr);
  QVERIFY2(psnr >= 45 && psnr < 99, qPrintable(QString::number(psnr)));
  renders.painter->setInputs(nullptr);
}

/// Each value and three times what it changed by, whoever reads it; the first step has none before it.
void TestSlabInputs::changesStandOut() {
  constexpr double kTimes = 3;
  Rank plain, alone(false, {}, kTimes), renders(false, {}, kTimes);
  QVERIFY(alone.pixelsOf(0) == plain.pixelsOf(0));
  const std::vector<float> before = plain.valuesOf(1), now = plain.valuesOf(2), enhanced = alone.valuesOf(2);
  QCOMPARE(enhanced.size(), now.size());
  QVERIFY(now != before && !now.empty());
  for (std::size_t n = 0; n < now.size(); ++n) {
    const double value = static_cast<double>(now[n]),
                 expected = value + kTimes * (value - static_cast<double>(before[n]));
    QVERIFY2(std::abs(static_cast<double>(enhanced[n]) - expected) < 1e-5,
             qPrintable(QString("%1 %2 %3").arg(n).arg(static_cast<double>(enhanced[n])).arg(expected)));
  }
  QVERIFY(alone.pixelsOf(2) != plain.pixelsOf(2));
  Readers readers(2, false, {}, kTimes);
  renders.painter->setInputs(readers.client.get());
  readers.follow(planOf({1, 2}), 1);
  QVERIFY(renders.pixelsOf(2) == alone.pixelsOf(2));
  QVERIFY(readers.client->counters().bricks > 0);
  renders.painter->setInputs(nullptr);
  // of steps that are chosen, the one before is that which is shown before
  Rank chosen(false, {4, 1, 2}, kTimes);
  QVERIFY(chosen.valuesOf(2) == enhanced);
}

void TestSlabInputs::aRankThatGoesIsDoneWithout() {
  Rank alone, renders;
  Readers readers(2);
  renders.painter->setInputs(readers.client.get());
  readers.follow(planOf({1, 2}), 0);
  QVERIFY(renders.pixelsOf(1) == alone.pixelsOf(1));
  readers.servers[0].reset();
  for (std::int64_t step = 2; step < 5; ++step) {
    readers.follow(planOf({1, 2}, 1, static_cast<std::uint64_t>(step)), step - 1);
    QVERIFY(renders.pixelsOf(step) == alone.pixelsOf(step));
  }
  // and one that says nothing more is done without when it is known to be gone
  readers.follow(planOf({1, 2}, 1, 99), 4);
  std::jthread gone([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    readers.client->lose(2);
    readers.client->lose(1);
  });
  readers.client->follow(planOf({1, 2}, 1, 1000), 1);  // work that they never hear of
  QVERIFY(renders.pixelsOf(5) == alone.pixelsOf(5));
  renders.painter->setInputs(nullptr);
}

/// By the work that follows, as soon as the rank can be reached; until then what it reads is read here, without waiting for it.
void TestSlabInputs::aConnectionThatWasLostIsMadeAgain() {
  Rank alone, renders;
  Readers readers(1);
  BrokenLink link(readers.servers[0]->port());
  const std::string address = link.address();
  const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  readers.client =
      std::make_unique<InputClient>(0, kSecret, std::vector<Host>{{"127.0.0.1", 1}, {"127.0.0.1", port}});
  renders.painter->setInputs(readers.client.get());
  std::uint64_t serial = 0;
  const auto comes = [&](std::int64_t step) {
    const std::uint64_t before = readers.client->counters().bricks;
    readers.follow(planOf({1}, 1, ++serial), step - 1);
    const bool same = renders.pixelsOf(step) == alone.pixelsOf(step);
    return std::pair(same, readers.client->counters().bricks > before);
  };
  QCOMPARE(comes(1), std::pair(true, true));
  link.down();
  QCOMPARE(comes(2), std::pair(true, false));
  QCOMPARE(comes(3), std::pair(true, false));
  link.up();
  bool isSame = true, isBack = false;
  const auto triesOnce = [&] {
    if (isSame && !isBack) std::tie(isSame, isBack) = comes(static_cast<std::int64_t>(1 + serial % 5));
    return isBack;
  };
  QTRY_VERIFY_WITH_TIMEOUT(triesOnce() || !isSame, patienceMs());
  QVERIFY(isSame && isBack);
  renders.painter->setInputs(nullptr);
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestSlabInputs)
#include "tst_slab_inputs.moc"
