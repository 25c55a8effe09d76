#include "bench/slabs/slab_inputs.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "bench/shared/measure.h"
#include "bench/slabs/slab_rank.h"
#include "remote/slabd/input_bricks.h"
#include "remote/slabd/input_server.h"
#include "remote/slabd/input_sizing.h"
#include "remote/slabd/slab_loader.h"

namespace farfield::bench {
namespace {

constexpr double kReadOverRender = 2.6;
constexpr const char* kSecret = "of this benchmark";
/// What takes so much longer than rendering alone is not hidden.
constexpr double kHidden = 1.1;

struct Swept {
  Rounds perStep, renders;
  std::vector<remote::StepMeasured> measured;
  std::uint64_t bricks = 0, refused = 0, sum = 0;
};

/// All steps with so many ranks that read.
void run(const Request& request, const StoreImage& image, std::int64_t steps, std::uint32_t count,
         Swept& swept) {
  Request share = request;
  share.memoryBytes = request.memoryBytes / (count + 1);
  SlabRank renders(share, image, steps);
  std::vector<std::unique_ptr<SlabRank>> ranks;
  std::unique_ptr<remote::InputClient> client;
  std::vector<std::unique_ptr<remote::InputServer>> servers;
  std::vector<remote::Host> hosts{{"127.0.0.1", 1}};
  remote::InputPlan plan;
  std::mutex mutex;
  for (std::uint32_t n = 1; n <= count; ++n) {
    ranks.push_back(std::make_unique<SlabRank>(share, image, steps));
    servers.push_back(std::make_unique<remote::InputServer>(n, kSecret, false, ranks.back()->account()));
    servers.back()->setReport([&](const remote::StepMeasured& its) {
      const std::lock_guard lock(mutex);
      swept.measured.push_back(its);
    });
    hosts.push_back({"127.0.0.1", servers.back()->port()});
    plan.ranks.push_back(n);
  }
  client = std::make_unique<remote::InputClient>(0, kSecret, hosts);
  renders.painter().setInputs(client.get());
  {
    remote::SlabLoader loader;
    renders.load(0);
    // as a rank does that is told what to show (rank_worker.cpp), from the second half on with a clock
    Stopwatch watch;
    for (std::int64_t step = 0; step < steps; ++step) {
      request.throwIfStopped();
      if (step == steps / 2) watch = {};
      remote::ShowRequest show = renders.show();
      show.step = step;
      show.nextStep = step + 1 < steps ? step + 1 : -1;
      plan.serial = static_cast<std::uint64_t>(step + 1);
      for (std::size_t n = 0; n < servers.size(); ++n)
        servers[n]->want(plan, show, steps, ranks[n]->painter().subject(show),
                         [&](std::int64_t its) { return ranks[n]->painter().stream(show, its); });
      client->follow(plan, 1);
      if (show.nextStep >= 0) loader.start(renders.loading(step + 1), plan.serial);
      const double waited = renders.painter().waitSeconds();
      const double took = renders.render(step);
      swept.renders.add(took - (renders.painter().waitSeconds() - waited));
      // who shows a step waits for its picture; the next is asked for when it is there
    }
    swept.perStep.add(watch.seconds() / static_cast<double>(steps - steps / 2));
    loader.wait();
  }
  swept.bricks = client->counters().bricks;
  swept.refused = client->counters().refused;
  swept.sum = renders.sum();
  renders.painter().setInputs(nullptr);
}

double medianOf(const std::vector<remote::StepMeasured>& all, double remote::StepMeasured::*its) {
  Rounds rounds;
  for (const remote::StepMeasured& measured : all)
    if (measured.*its > 0) rounds.add(measured.*its);
  return rounds.values().empty() ? 0 : rounds.median();
}

}  // namespace

Json sweepInputs(const Request& request, StoreImage& image, std::int64_t steps, double renderSeconds) {
  const auto most = request.choose<std::uint32_t>(2, 5, 5, 6);
  const int rounds = request.choose(1, 1, 3, 5);
  Device device;
  device.name = "modelled, one a rank";
  device.bytesPerSecond =
      static_cast<double>(image.fileBytes()) / static_cast<double>(steps) / (kReadOverRender * renderSeconds);
  image.setDevice(device);
  std::vector<Swept> all(most + 1);
  for (int round = 0; round < rounds; ++round)
    for (std::uint32_t count = 0; count <= most; ++count) {
      request.say("slabs: " + std::to_string(count) + " input ranks");
      run(request, image, steps, count, all[count]);
    }
  // what the ranks measured where they were enough
  const Swept& last = all.back();
  remote::StepTimes times;
  times.fetch = medianOf(last.measured, &remote::StepMeasured::fetch);
  times.prepare = medianOf(last.measured, &remote::StepMeasured::prepare);
  times.send = medianOf(last.measured, &remote::StepMeasured::send);
  Rounds renders;
  for (const Swept& swept : all) renders.add(swept.renders.median());
  times.render = renders.median();
  Json rows = Json::array();
  bool equal = true;
  double least = all[0].perStep.median();
  for (const Swept& swept : all) least = std::min(least, swept.perStep.median());
  int hidden = -1;
  for (std::uint32_t count = 0; count <= most; ++count) {
    const Swept& swept = all[count];
    equal = equal && swept.sum == last.sum;
    const double perStep = swept.perStep.median();
    if (hidden < 0 && perStep <= kHidden * least) hidden = static_cast<int>(count);
    rows.push_back({{"inputRanks", count},
                    {"secondsPerStep", perStep},
                    {"renderSeconds", swept.renders.median()},
                    {"bricksPassedOn", swept.bricks},
                    {"bricksRefused", swept.refused}});
  }
  return {{"steps", steps},
          {"fetchSeconds", times.fetch},
          {"prepareSeconds", times.prepare},
          {"sendSeconds", times.send},
          {"renderSeconds", times.render},
          {"rule", (times.fetch + times.prepare) / std::max(times.render, times.send) + 1},
          {"ruleSays", remote::inputNeed(times).ranks()},
          {"hiddenBy", hidden},
          {"sweep", std::move(rows)},
          {"equalSums", equal}};
}

}  // namespace farfield::bench
