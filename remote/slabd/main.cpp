// farfield-slabd: renders beside the data, on as many processes as MPI starts, for viewers elsewhere.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <thread>
#include <tuple>

#include "core/base/arenas.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/machine.h"
#include "core/base/temporary_file.h"
#include "core/fields/data/store_data.h"
#include "core/fields/functions/node_places.h"
#include "core/fields/ranges/seen_ranges.h"
#include "core/fields/samples/sample_data.h"
#include "core/paging/store/catalog.h"
#include "core/session/step_text.h"
#include "core/trace/trace.h"
#include "plugins/formats/formats.h"
#include "remote/client/remote_data.h"
#include "remote/slabd/gateway.h"
#include "remote/slabd/geometry_worker.h"
#include "remote/slabd/options.h"
#include "remote/slabd/rank_worker.h"
#include "remote/slabd/ranks.h"
#include "remote/slabs/vitals.h"
#include "remote/wire/listen.h"
#include "remote/wire/own_certificate.h"
#ifdef FARFIELD_OPENCL
#include "core/base/log.h"
#include "render/opencl/open_cl.h"
#endif
#ifdef FARFIELD_HTTP
#include "remote/http/http_store.h"
#endif

namespace {

using namespace farfield;
using namespace farfield::remote;

constexpr std::uint32_t kLeastSlabs = 8;
/// Of a rank's memory, for parts of frames that other ranks send.
constexpr std::uint64_t kExchangeShare = 8;

/// As descriptions are sent: what opening added, such as bounds of location, stands behind all that the file has.
paging::DatasetDescription inOrderOfBlocks(paging::DatasetDescription data) {
  std::stable_sort(data.arrays.begin(), data.arrays.end(),
                   [](const auto& a, const auto& b) { return a.block < b.block; });
  return data;
}

void addReaders(fields::ReaderRegistry& readers) {
  readers.add(std::make_unique<samples::SampleDataReader>());
  const auto stores = std::make_shared<paging::ByteStores>();
#ifdef FARFIELD_HTTP
  http::addHttpStores(*stores, {});
#endif
  readers.add(std::make_unique<fields::StoreDataReader>(stores, nullptr));
  readers.add(std::make_unique<RemoteDataReader>());
  formats::addFormats(readers, {.stores = stores});
}

fields::OpenRequest requestOf(const SlabdOptions& options) {
  fields::OpenRequest request;
  for (const std::string& source : options.sources)
    for (const std::string& name : fields::expandPattern(source)) request.sources.push_back(name);
  for (const std::string& solution : options.solutions)
    for (const std::string& name : fields::expandPattern(solution)) request.solutions.push_back(name);
  request.reader = options.reader;
  request.options = options.readerOptions;
  return request;
}

/// Ranks that MPI bound to processors have those; others share all of the machine's.
int processorsOf(const SlabdOptions& options, const Ranks& ranks) {
  if (options.processors > 0) return options.processors;
  const int own = availableProcessors();
  const bool isBound = own < static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  return isBound ? own : std::max(1, own / static_cast<int>(ranks.here()));
}

/// Of the file, whatever folder or server it is in.
std::string shortName(const std::string& source) {
  const std::string path = source.substr(0, source.find('?'));
  const auto slash = path.find_last_of('/', path.find_last_not_of('/'));
  std::string name = path.substr(slash == std::string::npos ? 0 : slash + 1);
  while (name.ends_with('/')) name.pop_back();
  constexpr std::size_t kMost = 255;
  return name.size() > kMost ? std::string() : name;
}

/// Of variables as far as they are stored, and of functions as far as some nodes tell.
std::vector<FunctionRange> rangesOf(const fields::OpenData& data, MemoryAccount& account) {
  std::map<std::string, FunctionRange> known;
  const auto add = [&](const std::string& name, const std::array<double, 2>& range, bool isWhole) {
    if (!(range[0] <= range[1]) || !std::isfinite(range[0]) || !std::isfinite(range[1])) return;
    const auto [place, isNew] = known.try_emplace(name, FunctionRange{name, range, isWhole});
    std::array<double, 2>& its = place->second.range;
    if (!isNew) its = {std::min(its[0], range[0]), std::max(its[1], range[1])};
  };
  const auto& arrays = data.description().arrays;
  for (std::uint32_t n = 0; n < arrays.size(); ++n) {
    if (arrays[n].isGrid()) continue;
    for (int c = 0; c < arrays[n].components; ++c)
      if (const auto range = data.storedRange(n, c))
        add(arrays[n].componentNames.empty() ? arrays[n].name
                                             : arrays[n].componentNames[static_cast<std::size_t>(c)],
            *range, true);
  }
  const fields::SeenValues seen =
      fields::seenValues(data, fields::availableFunctions(data.description()), account);
  for (const auto& [name, range] : seen.ranges)
    if (!known.contains(name)) add(name, range.all, false);
  std::vector<FunctionRange> ranges;
  for (auto& [name, its] : known) ranges.push_back(std::move(its));
  return ranges;
}

std::string secretText() {
  std::random_device random;
  std::ostringstream text;
  for (int n = 0; n < 8; ++n) text << std::hex << random();
  return text.str();
}

/// "NAME PORT"
Host hostOf(const std::string& text) {
  Host host;
  const auto space = text.rfind(' ');
  host.name = text.substr(0, space);
  host.port = static_cast<std::uint16_t>(std::stoi(text.substr(space + 1)));
  return host;
}

/// A rank from its data to its end.
class Rank {
 public:
  Rank(const SlabdOptions& options, const Ranks& ranks)
      : m_options(options), m_ranks(ranks), m_account(options.memoryBytes) {}

  void open() {
    addReaders(m_readers);
    m_exchangeClaim = m_account.claim(Purpose::Results, m_options.memoryBytes / kExchangeShare,
                                      "parts of frames of other ranks");
    // what viewers are told of the data is what there is on disk
    m_data = fields::withoutPlaces(m_readers.open(requestOf(m_options), m_account));
    SlabPainter::Options painter{processorsOf(m_options, m_ranks), temporaryFolder()};
    painter.quantize = m_options.quantize;
    painter.enhance = m_options.enhance;
    requireRenderers();
    try {
      painter.steps = m_steps =
          session::stepsFromText(m_options.steps)->stepsOf(m_data->description().steps());
    } catch (const Error& error) {
      throw Invalid(error.message(), error.action()).at("--steps");
    }
    chooseEngine(painter);
    m_painter = std::make_unique<SlabPainter>(*m_data, m_account, std::move(painter));
    m_facts = m_painter->facts();
    setData(m_facts, paging::descriptionText(inOrderOfBlocks(m_data->description())));
    if (m_ranks.own() == 0) {
      m_facts.name = shortName(m_options.sources.front());
      m_facts.ranges = rangesOf(*m_data, m_account);
    }
    m_geometry = std::make_unique<GeometryWorker>(
        *m_data, m_account,
        GeometryWorker::Options{processorsOf(m_options, m_ranks), m_painter->cache(), temporaryFolder(),
                                m_steps});
  }

  std::optional<InputNeed> inputsAsked() const {
    if (!m_options.inputRanks || *m_options.inputRanks == "auto") return std::nullopt;
    const auto count = static_cast<std::uint32_t>(std::stoul(*m_options.inputRanks));
    return InputNeed{count / m_options.inputTogether, m_options.inputTogether};
  }

  void requireRenderers() const {
    const auto asked = inputsAsked();
    if (!asked) return;
    if (m_ranks.count() <= asked->ranks())
      throw Invalid(std::to_string(m_ranks.count()) + " ranks leave none that renders",
                    "start more, or have fewer read")
          .at("--input-ranks " + *m_options.inputRanks);
    if (asked->groups == 0)
      throw Invalid("are too few for a step that " + std::to_string(m_options.inputTogether) + " share")
          .at("--input-ranks " + *m_options.inputRanks);
  }

  void chooseEngine(SlabPainter::Options& painter) const {
#ifdef FARFIELD_OPENCL
    if (m_options.engine == "cpu") return;
    const auto openCl = std::make_shared<opencl::OpenCl>(opencl::OpenCl::Options{.notice = log::warning});
    painter.makeDevice = m_options.engine == "opencl" ? openCl->anyDevice() : openCl->accelerator();
    painter.deviceFailed = [openCl](const Error& error) { openCl->failed(error); };
#else
    (void)painter;
    if (m_options.engine == "opencl")
      throw Unsupported("this build has no OpenCL (FARFIELD_OPENCL=OFF)", "leave it out")
          .at("--engine opencl");
#endif
  }

  /// On the first rank; the others only learn where it is.
  void listen() {
    if (m_ranks.own() != 0) return;
    GatewayOptions gateway;
    gateway.listen = m_options.listen;
    gateway.tokenFile = m_options.tokenFile;
    gateway.tlsCertificate = m_options.tlsCertificate;
    gateway.tlsKey = m_options.tlsKey;
    if (!isLoopback(m_options.listen, "--listen") && !m_options.tokenFile.empty() &&
        m_options.tlsCertificate.empty())
      std::tie(gateway.tlsCertificate, gateway.tlsKey) = ownCertificate("slabd");
    gateway.ranks = m_ranks.count();
    gateway.slabs =
        m_options.slabs > 0 ? m_options.slabs : std::clamp(2 * m_ranks.count(), kLeastSlabs, kMostSlabs);
    gateway.otherNodes = m_ranks.here() < m_ranks.count();
    gateway.sizesInputs = m_options.inputRanks.has_value();
    gateway.inputs = inputsAsked();
    if (!m_options.quiet)
      gateway.notice = [](const std::string& line) {
        std::fprintf(stderr, "farfield-slabd: %s\n", line.c_str());
      };
    gateway.secret = m_secret = secretText();
    gateway.facts = m_facts;
    if (m_options.verbose)
      gateway.log = [](const std::string& line) {
        std::fprintf(stderr, "farfield-slabd: %s\n", line.c_str());
      };
    m_gateway = std::make_unique<Gateway>(std::move(gateway));
  }

  void work(const std::stop_token& stop) {
    RankOptions rank;
    rank.rank = m_ranks.own();
    rank.secret = m_ranks.fromFirst(m_secret);
    rank.geometry = m_geometry.get();
    const bool alone = m_ranks.here() == m_ranks.count();
    const std::string name = alone ? "127.0.0.1" : m_ranks.machineName();
    rank.gateway =
        hostOf(m_ranks.fromFirst(m_gateway ? name + " " + std::to_string(m_gateway->rankPort()) : ""));
    FrameExchange exchange(rank.rank, rank.secret, !alone, m_options.memoryBytes / kExchangeShare);
    std::vector<Host> peers;
    for (const std::string& peer : m_ranks.fromAll(name + " " + std::to_string(exchange.port())))
      peers.push_back(hostOf(peer));
    exchange.setPeers(std::move(peers));
    std::optional<InputClient> client;
    std::optional<InputServer> inputs;  // reads through it
    if (m_options.inputRanks) {
      inputs.emplace(rank.rank, rank.secret, !alone, m_account);
      std::vector<Host> servers;
      for (const std::string& server : m_ranks.fromAll(name + " " + std::to_string(inputs->port())))
        servers.push_back(hostOf(server));
      client.emplace(rank.rank, rank.secret, std::move(servers));
      m_painter->setInputs(&*client);
      rank.inputs = &*inputs;
      rank.client = &*client;
      rank.steps = static_cast<std::int64_t>(m_facts.times.size());
    }
    RankWorker worker(rank, *m_painter, exchange, m_account);
    if (m_gateway) {
      m_gateway->waitForRanks();
      std::printf("listening on %s\n", m_gateway->address().c_str());
      std::fflush(stdout);
      if (!m_options.quiet && !m_gateway->fingerprint().empty())
        std::fprintf(stderr, "certificate %s\n", m_gateway->fingerprint().c_str());
    }
    try {
      worker.run(stop);
    } catch (...) {
      m_painter->setInputs(nullptr);
      throw;
    }
    m_painter->setInputs(nullptr);
  }

 private:
  const SlabdOptions& m_options;
  const Ranks& m_ranks;
  MemoryAccount m_account;
  MemoryClaim m_exchangeClaim;
  fields::ReaderRegistry m_readers;
  std::unique_ptr<fields::OpenData> m_data;
  std::vector<std::int64_t> m_steps;  ///< of the data, that are shown
  std::unique_ptr<SlabPainter> m_painter;
  std::unique_ptr<GeometryWorker> m_geometry;
  VolumeFacts m_facts;
  std::string m_secret;
  std::unique_ptr<Gateway> m_gateway;
};

/// Begins to record, and says in the log when that was by the first rank's clock (app/lifelines/trace_set.h).
void startTrace(const Ranks& ranks) {
  trace::start();
  const std::int64_t begun = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                 std::chrono::steady_clock::now().time_since_epoch())
                                 .count();
  trace::nameThread("rank " + std::to_string(ranks.own()));
  const std::int64_t first = std::stoll(ranks.fromFirst(std::to_string(begun)));
  std::int64_t roundTrip = 0;
  const std::int64_t after = (begun + ranks.clockOfFirst(roundTrip) - first) / 1000;
  trace::instant("clock", after < 0 ? "BEGUN_BEFORE" : "BEGUN_AFTER",
                 static_cast<std::uint64_t>(std::abs(after)));
  trace::counter("round trip to the first rank, µs", static_cast<double>(roundTrip) / 1000);
}

void say(const Ranks& ranks, const std::string& what) {
  const std::string who = ranks.count() > 1 ? "rank " + std::to_string(ranks.own()) + ": " : "";
  std::fprintf(stderr, "farfield-slabd: %s%s\n", who.c_str(), what.c_str());
}

/// Does what all ranks must do; false if one of them could not, which has said why then.
template <class Step>
bool together(const Ranks& ranks, Step step) {
  std::string why;
  try {
    step();
  } catch (const std::exception& error) {
    why = error.what();
  }
  bool isToSay = false;
  if (ranks.allWell(why.empty(), isToSay)) return true;
  if (isToSay) say(ranks, why);
  return false;
}

}  // namespace

int main(int count, char** words) {
  limitArenas(std::max(2, availableProcessors()));
  SlabdOptions options;
  std::string wrong;
  try {
    options = parseSlabd({words + (count > 0 ? 1 : 0), words + count});
  } catch (const std::exception& error) {
    wrong = error.what();
  }
  if (options.text) {
    std::fputs(options.text->c_str(), stdout);
    return 0;
  }
  // one thread waits for signals, those of MPI's among the others that do not
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT}) ::sigaddset(&signals, signal);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);

  const Ranks ranks(count, words);
  if (!wrong.empty()) {
    if (ranks.own() == 0) std::fprintf(stderr, "farfield-slabd: %s\n", wrong.c_str());
    ranks.finish();
    return 2;
  }
  if (!options.trace.empty()) {
    if (ranks.own() > 0) options.trace += "." + std::to_string(ranks.own());
    startTrace(ranks);
  }
  std::optional<Vitals> vitals(std::in_place);
  std::stop_source stop;
  std::thread([signals, stop]() mutable {
    int signal = 0;
    ::sigwait(&signals, &signal);
    stop.request_stop();
    // a second one ends it at once
    ::sigwait(&signals, &signal);
    std::_Exit(130);
  }).detach();

  int status = 0;
  {
    Rank rank(options, ranks);
    const auto begin = [&] {
      if (!options.trace.empty())
        const NewFile canBeWritten(options.trace);  // found out before the work is done
      rank.open();
    };
    if (!together(ranks, begin) || !together(ranks, [&] { rank.listen(); })) {
      ranks.finish();
      std::_Exit(1);
    }
    try {
      rank.work(stop.get_token());
    } catch (const std::exception& error) {
      say(ranks, error.what());
      status = 1;
    }
  }
  vitals.reset();
  if (!options.trace.empty()) try {
      trace::stopAndWrite(options.trace);
    } catch (const std::exception& error) {
      say(ranks, error.what());
      status = 1;
    }
  // MPI would wait for ranks that are gone
  std::fflush(nullptr);
  std::_Exit(status);
}
