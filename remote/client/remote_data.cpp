#include "remote/client/remote_data.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

#include "core/base/error.h"
#include "core/base/linked_stop.h"
#include "core/base/log.h"
#include "core/base/url.h"
#include "core/fields/functions/origin.h"
#include "core/fields/functions/reading_choices.h"
#include "core/paging/pages/coarse_levels.h"
#include "core/paging/sources/kept_source.h"
#include "core/paging/store/catalog.h"
#include "remote/client/far_url.h"
#include "remote/client/remote_boxes.h"
#include "remote/client/remote_source.h"

namespace farfield::remote {
namespace {

/// As a store's catalog: parsing takes a tree of nodes first. What some thousand arrays take belongs to what the
/// program needs whatever the data.
constexpr std::uint64_t kParsingFactor = 35, kKeptFactor = 9, kFreeBytes = std::uint64_t{8} << 20;
constexpr std::size_t kChunksKept = 64;
/// The user may have to give a password.
constexpr std::chrono::minutes kSshWithin{2};

std::uint64_t budgeted(std::uint64_t bytes) {
  return bytes - std::min(bytes, kFreeBytes);
}

fields::ReadingChoice choiceOf(const OpenChoice& sent) {
  fields::ReadingChoice choice{.option = sent.option,
                               .title = sent.title,
                               .values = {},
                               .now = sent.now,
                               .byDefault = sent.byDefault,
                               .atFirst = sent.atFirst};
  for (const auto& [value, text] : sent.values) choice.values.push_back({value, text});
  return choice;
}

class RemoteData final : public fields::OpenData,
                         public fields::RemoteOrigin,
                         public fields::HasReadingChoices,
                         public HasServers {
 public:
  RemoteData(std::shared_ptr<RemoteSet> set, const Opened& opened, MemoryClaim claim,
             fields::OpenRequest request, std::shared_ptr<const paging::PageFolder> kept,
             const RemoteDataOptions& options)
      : m_set(std::move(set)),
        m_kept(std::move(kept)),
        m_request(std::move(request)),
        m_options(options),
        m_isStore(opened.isStore),
        m_claim(std::move(claim)),
        m_fileBytes(opened.fileBytes),
        m_identity(opened.identity),
        m_explanation(opened.explanation) {
    for (const OpenChoice& choice : opened.choices) m_choices.push_back(choiceOf(choice));
    // Otherwise the description has arrays that only locate points.
    if (opened.hasBoxes && m_request.forConversion)
      m_boxes = std::make_unique<RemoteBoxes>(m_set, m_options.stop);
    m_request.stop = {};
    m_request.findNamed = nullptr;
  }

  const paging::DatasetDescription& description() const override { return m_set->description; }
  std::uint64_t largestStoredBytes() const override {
    std::uint64_t largest = 0;
    for (const ArrayFacts& array : m_set->arrays) largest = std::max(largest, array.mostStoredBytes);
    return largest;
  }
  std::vector<std::unique_ptr<paging::PageSource>> makeSources(
      MemoryAccount& account, const fields::SourceOptions& options) const override {
    std::vector<std::unique_ptr<paging::PageSource>> sources;
    const Opened& opened = m_set->links.front()->opened();
    const paging::KeptSourceOptions keeping{.folder = m_kept,
                                            .identity = m_set->url + '\n' + std::to_string(m_identity) +
                                                        '\n' + std::to_string(m_fileBytes) + '\n' +
                                                        opened.description,
                                            .stagingBytes = options.stagingBytes,
                                            .largestBytes = largestStoredBytes()};
    sources.push_back(paging::keepPages(keeping, account, [&](std::uint64_t stagingBytes) {
      return std::make_unique<RemoteSource>(m_set, account, stagingBytes);
    }));
    return sources;
  }
  std::uint64_t storedBytesOf(std::uint32_t array, std::uint64_t page) const override {
    const std::pair<std::uint32_t, std::uint64_t> chunk(array, page / kMostIndexRecords);
    const std::lock_guard lock(m_mutex);
    auto found = m_storedBytes.find(chunk);
    if (found == m_storedBytes.end()) {
      if (m_storedBytes.size() >= kChunksKept) m_storedBytes.clear();
      found = m_storedBytes.emplace(chunk, askIndex(array, chunk.second * kMostIndexRecords)).first;
    }
    return found->second.at(page % kMostIndexRecords);
  }
  std::optional<std::array<double, 2>> storedRange(std::uint32_t array, int component) const override {
    const auto& ranges = m_set->arrays.at(array).ranges;
    if (ranges.empty()) return std::nullopt;
    const auto& range = ranges.at(static_cast<std::size_t>(component));
    if (!(range[0] <= range[1])) return std::nullopt;
    return range;
  }
  /// A connection of its own, on which the server sends the pages of that level.
  std::unique_ptr<OpenData> openLevel(int level, MemoryAccount& account) const override {
    const auto& blocks = description().blocks;
    const bool isMade = !m_isStore && std::all_of(blocks.begin(), blocks.end(), [](const auto& block) {
      return block.kind == paging::GridKind::Regular || block.kind == paging::GridKind::Rectilinear;
    });
    const int levels = m_isStore ? paging::levelsSaid(description())
                       : isMade  ? paging::levelsOf(description(), paging::kMostLevels)
                                 : 1;
    if (level < (m_isStore ? 0 : 1) || level >= levels || m_request.options.contains(kMadeLevel))
      return nullptr;
    fields::OpenRequest request = m_request;
    request.options[m_isStore ? "level" : kMadeLevel] = std::to_string(level);
    return RemoteDataReader(m_kept, m_options).open(request, account);
  }
  const paging::BoxReader* boxReader() const override { return m_boxes.get(); }
  std::vector<std::string> explanation() const override { return m_explanation; }
  std::vector<fields::ReadingChoice> readingChoices() const override { return m_choices; }
  fields::Origin origin() const override {
    return {m_set->url, m_set->server, m_fileBytes, m_identity, m_isStore};
  }
  bool isRefused() const override {
    const auto isLost = [this](std::size_t link) { return m_set->links[link]->isBroken(); };
    return std::any_of(m_set->parts.begin(), m_set->parts.end(),
                       [&](const auto& having) { return std::all_of(having.begin(), having.end(), isLost); });
  }

 private:
  std::vector<std::uint64_t> askIndex(std::uint32_t array, std::uint64_t first) const {
    const auto pages = static_cast<std::uint64_t>(description().arrays.at(array).pageCount());
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(kMostIndexRecords, pages - first));
    const auto parts = m_set->links.front()->call(
        MessageType::Index, bytesOf(IndexRequest{0, array, first, count}), true, m_options.stop);
    std::vector<std::uint64_t> bytes;
    for (const IndexRecord& record : parseIndexRecords(parts.front()).records)
      bytes.push_back(record.storedBytes);
    if (bytes.size() != count)
      throw Protocol("the server answers with another number of index records").at(m_set->url);
    return bytes;
  }

  std::shared_ptr<RemoteSet> m_set;
  std::shared_ptr<const paging::PageFolder> m_kept;
  fields::OpenRequest m_request;
  const RemoteDataOptions m_options;
  const bool m_isStore;
  MemoryClaim m_claim;
  std::uint64_t m_fileBytes, m_identity;
  std::vector<std::string> m_explanation;
  std::vector<fields::ReadingChoice> m_choices;
  std::unique_ptr<RemoteBoxes> m_boxes;
  mutable std::mutex m_mutex;
  mutable std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<std::uint64_t>> m_storedBytes;
};

/// The path of `name`, which is on the servers of `first`.
std::string pathOf(const std::string& name, const FarUrl& first, const std::string& firstText) {
  const FarUrl url = parseFarUrl(besideUrl(firstText, name));
  if (url.hosts != first.hosts || url.user != first.user)
    throw Invalid("the files of a data set are on the same server", "name one server").at(name);
  return url.path;
}

/// Connects to all hosts at once; those that cannot be reached are left out while one can.
std::vector<std::shared_ptr<Link>> connectAll(const FarUrl& url, const OpenRequestMessage& open,
                                              const RemoteDataOptions& with, const std::stop_token& stop) {
  const std::vector<Host>& hosts = url.hosts;
  std::vector<std::shared_ptr<Link>> links(hosts.size());
  std::vector<std::exception_ptr> errors(hosts.size());
  std::vector<std::jthread> threads;  // last: where one cannot be made, the others are waited for
  for (std::size_t n = 0; n < hosts.size(); ++n) {
    const auto connect = [&, n] {
      try {
        LinkOptions options;
        options.host = hosts[n];
        if (url.overSsh) {
          options.overSsh = true;
          options.user = url.user;
          options.connectWithin = kSshWithin;
        } else {
          options.credentials = credentialsFor(hosts[n]);
        }
        options.open = open;
        options.patience = with.patience;
        options.tell = with.tell;
        links[n] = Link::connect(options, stop);
      } catch (...) {
        errors[n] = std::current_exception();
      }
    };
    if (hosts.size() == 1)
      connect();
    else
      threads.emplace_back(connect);
  }
  threads.clear();
  if (stop.stop_requested()) throw Cancelled();
  std::vector<std::shared_ptr<Link>> up;
  for (auto& link : links)
    if (link) up.push_back(std::move(link));
  if (up.empty()) std::rethrow_exception(errors.front());
  for (const std::exception_ptr& error : errors) {
    if (!error) continue;
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& why) {
      log::warning(std::string("a server is left out: ") + why.what());
    }
  }
  return up;
}

/// Copies have the same pages, whatever their files are called by the file system.
void checkSame(const std::vector<std::shared_ptr<Link>>& links) {
  for (const auto& link : links)
    if (link->opened().description != links.front()->opened().description ||
        link->opened().fileBytes != links.front()->opened().fileBytes ||
        link->opened().arrays.size() != links.front()->opened().arrays.size() ||
        link->opened().isStriped != links.front()->opened().isStriped ||
        (link->opened().isStriped && link->opened().identity != links.front()->opened().identity))
      throw Invalid("has other data than " + links.front()->name(),
                    "name servers with copies of the same files")
          .at(link->name());
}

/// What the first server says of the arrays, with the longest page of any: a server in front of another does not know how
/// long the pages there are, and each may send what it has said.
std::vector<ArrayFacts> arraysOf(const std::vector<std::shared_ptr<Link>>& links) {
  std::vector<ArrayFacts> arrays = links.front()->opened().arrays;
  for (const auto& link : links)
    for (std::size_t n = 0; n < arrays.size(); ++n)
      arrays[n].mostStoredBytes =
          std::max(arrays[n].mostStoredBytes, link->opened().arrays[n].mostStoredBytes);
  return arrays;
}

/// Which of the links have which part. Throws NotFound where a part is on none.
std::vector<std::vector<std::size_t>> partsOf(const std::vector<std::shared_ptr<Link>>& links,
                                              const std::stop_token& stop) {
  std::vector<std::vector<std::size_t>> having(1);
  if (!links.front()->opened().isStriped) {
    for (std::size_t n = 0; n < links.size(); ++n) having.front().push_back(n);
    return having;
  }
  std::vector<PartsReply::Part> parts;
  for (std::size_t n = 0; n < links.size(); ++n) {
    parts = parsePartsReply(links[n]->call(MessageType::Parts, bytesOfHandle(0), true, stop).front()).parts;
    having.resize(n == 0 ? parts.size() : having.size());
    if (parts.size() != having.size())
      throw Protocol("the servers differ in how many parts the set has").at(links[n]->name());
    for (std::size_t part = 0; part < parts.size(); ++part)
      if (parts[part].isHere) having[part].push_back(n);
  }
  for (std::size_t part = 0; part < parts.size(); ++part)
    if (having[part].empty())
      throw NotFound("part " + std::to_string(part + 1) + " of " + std::to_string(parts.size()) + ", " +
                         parts[part].name + ", is on none of the servers",
                     "name the server that has it, too, and see that it runs");
  return having;
}

}  // namespace

bool RemoteDataReader::recognizes(const std::string& source) const {
  return isFarUrl(source);
}

std::unique_ptr<fields::OpenData> RemoteDataReader::open(const fields::OpenRequest& request,
                                                         MemoryAccount& account) const {
  if (request.sources.empty()) throw Invalid("no data are named");
  const std::string& firstText = request.sources.front();
  const FarUrl first = parseFarUrl(firstText);
  if (first.hosts.size() > kMostLinks)
    throw Invalid("more than " + std::to_string(kMostLinks) + " servers are named").at(firstText);
  if (first.path.empty())
    throw Invalid("names a server and no file",
                  "add the file's path; `farfield info` of this URL lists what is there")
        .at(firstText);
  OpenRequestMessage open;
  for (const std::string& name : request.sources) open.sources.push_back(pathOf(name, first, firstText));
  for (const std::string& name : request.solutions) open.solutions.push_back(pathOf(name, first, firstText));
  open.reader = request.reader == name() ? "" : request.reader;
  open.options.assign(request.options.begin(), request.options.end());
  open.forConversion = request.forConversion;

  auto set = std::make_shared<RemoteSet>();
  set->url = firstText;
  const LinkedStop stop(request.stop, m_options.stop);
  set->links = connectAll(first, open, m_options, stop.token());
  checkSame(set->links);
  const Opened& opened = set->links.front()->opened();
  set->server = set->links.front()->welcome().server;
  try {
    set->parts = partsOf(set->links, stop.token());
    MemoryClaim claim =
        account.claimInEarnest(Purpose::Index, budgeted(opened.description.size() * (kParsingFactor + 1)),
                               "a description from a server");
    set->description = paging::descriptionFromText(opened.description);
    claim.shrink(budgeted(opened.description.size() * kKeptFactor));
    set->arrays = arraysOf(set->links);
    if (set->arrays.size() != set->description.arrays.size())
      throw Corrupt("the server describes " + std::to_string(set->description.arrays.size()) +
                    " arrays and has " + std::to_string(set->arrays.size()));
    for (std::size_t n = 0; n < set->arrays.size(); ++n) {
      const ArrayFacts& facts = set->arrays[n];
      const auto most = static_cast<std::uint64_t>(set->description.arrays[n].maxPageBytes());
      // A page that a codec does not shrink is stored as it is.
      if (facts.mostStoredBytes == 0 || facts.mostStoredBytes > most ||
          (!facts.ranges.empty() &&
           facts.ranges.size() != static_cast<std::size_t>(set->description.arrays[n].components)))
        throw Corrupt("what the server says of array " + set->description.arrays[n].name + " cannot be");
    }
    return std::make_unique<RemoteData>(std::move(set), opened, std::move(claim), request, m_kept, m_options);
  } catch (Error& error) {
    error.at(firstText);
    throw;
  }
}

}  // namespace farfield::remote
