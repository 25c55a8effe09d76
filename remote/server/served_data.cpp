#include <poll.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>
#include <stop_token>
#include <thread>
#include <unordered_map>

#include "core/base/error.h"
#include "core/fields/functions/reading_choices.h"
#include "core/paging/pages/page_text.h"
#include "core/paging/store/catalog.h"
#include "remote/server/named_errors.h"
#include "remote/server/served_set.h"

namespace farfield::remote {
namespace {

constexpr std::uint64_t kStagingBytes = 2 << 20;
constexpr int kReaders = 4;

OpenChoice sentOf(const fields::ReadingChoice& choice) {
  OpenChoice sent{.option = choice.option,
                  .title = choice.title,
                  .values = {},
                  .now = static_cast<std::uint32_t>(choice.now),
                  .byDefault = static_cast<std::uint32_t>(choice.byDefault)};
  for (const auto& value : choice.values) sent.values.emplace_back(value.value, value.text);
  if (choice.atFirst) sent.atFirst = static_cast<std::uint32_t>(*choice.atFirst);
  return sent;
}

/// Pages of a local source, copied out of its staging memory.
class ServedData final : public ServedSet, private paging::PageSink {
 public:
  ServedData(std::unique_ptr<fields::OpenData> data, Opened facts, SetFiles files, bool forConversion,
             MemoryAccount& account, const std::stop_token& stop, std::function<bool()> isOver)
      : m_files(std::move(files)), m_data(std::move(data)), m_isOver(std::move(isOver)) {
    sortByBlock();
    m_opened = std::move(facts);
    m_opened.description = paging::descriptionText(description());
    m_opened.hasBoxes = m_data->boxReader() != nullptr;
    for (const std::string& line : m_data->explanation()) m_opened.explanation.push_back(m_files.shown(line));
    for (const fields::ReadingChoice& choice : fields::readingChoicesOf(*m_data))
      if (m_opened.choices.size() < kMostChoices && choice.values.size() <= kMostChoiceValues)
        m_opened.choices.push_back(sentOf(choice));
    for (std::uint32_t n = 0; n < description().arrays.size(); ++n) {
      ArrayFacts its{static_cast<std::uint64_t>(description().arrays[n].maxPageBytes()), {}};
      for (int c = 0; c < description().arrays[n].components; ++c)
        if (const auto range = m_data->storedRange(m_order[n], c)) its.ranges.push_back(*range);
      if (its.ranges.size() != static_cast<std::size_t>(description().arrays[n].components))
        its.ranges.clear();
      m_opened.arrays.push_back(std::move(its));
    }
    if (forConversion) return;
    fields::SourceOptions options;
    options.stagingBytes = std::max(kStagingBytes, m_data->largestStoredBytes());
    options.readers = kReaders;
    options.engine = paging::EngineKind::Threads;
    m_sources = m_data->makeSources(account, options);
    for (std::size_t s = 0; s < m_sources.size(); ++s)
      for (std::uint32_t n = 0; n < m_sources[s]->description().arrays.size(); ++n)
        m_places.push_back({s, n});
    int none;
    for (const auto& source : m_sources)
      if (source->pollDescriptors(&none, 1) > 0)
        m_reapers.emplace_back([this, &its = *source](const std::stop_token& ending) { reap(its, ending); });
    m_whenStopped.emplace(stop, Cancel{this});
  }

  ~ServedData() override {
    m_whenStopped.reset();
    m_reapers.clear();
    m_sources.clear();
  }

  const paging::DatasetDescription& description() const override { return m_description; }
  bool isCurrent(const RootFolder& root, const OpenRequestMessage& request) const override {
    return m_files.areCurrent(root, request);
  }
  bool isOver() const override { return m_isOver && m_isOver(); }
  void tryRead(std::span<const PageName>, std::span<PageBlobPointer>) override {}

  void read(std::uint32_t array, std::uint64_t page, PageDone done) override {
    if (m_sources.empty()) {
      done(nullptr, std::make_exception_ptr(Invalid("was opened to be converted, not for its pages")));
      return;
    }
    std::uint64_t tag;
    {
      const std::lock_guard lock(m_mutex);
      tag = m_nextTag++;
      m_waiting.emplace(tag, std::move(done));
    }
    if (m_cancelled) return failed(tag, std::make_exception_ptr(Cancelled()));
    const paging::PageRequest request{
        .array = m_places[m_order[array]].array, .page = page, .sink = this, .tag = tag};
    paging::PageSource& source = *m_sources[m_places[m_order[array]].source];
    source.read({&request, 1});
    if (m_cancelled) source.cancel(this);  // it may have come behind the others' end
  }

  IndexRecord indexOf(std::uint32_t array, std::uint64_t page) override {
    return {m_data->storedBytesOf(m_order[array], page), false, false, {}};
  }
  const paging::BoxReader* boxes() const override { return m_data->boxReader(); }
  int boxArray(std::uint32_t array) const override {
    // What opening added (location bounds) comes behind what the reader has.
    const bool has = boxes() && m_order[array] < boxes()->description().arrays.size();
    return has ? static_cast<int>(m_order[array]) : -1;
  }

 private:
  /// A description that is sent has its arrays in the order of their blocks.
  void sortByBlock() {
    const std::vector<paging::ArrayDescription>& arrays = m_data->description().arrays;
    m_order.resize(arrays.size());
    std::iota(m_order.begin(), m_order.end(), 0u);
    std::stable_sort(m_order.begin(), m_order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return arrays[a].block < arrays[b].block; });
    m_description = m_data->description();
    for (std::size_t n = 0; n < m_order.size(); ++n) m_description.arrays[n] = arrays[m_order[n]];
  }

  PageDone take(std::uint64_t tag) {
    const std::lock_guard lock(m_mutex);
    auto node = m_waiting.extract(tag);
    return std::move(node.mapped());
  }
  void arrived(std::uint64_t tag, const paging::StoredPage& page) noexcept override {
    const PageDone done = take(tag);
    try {
      auto blob = std::make_shared<PageBlob>(page.bytes.size());
      std::copy(page.bytes.begin(), page.bytes.end(), blob->bytes.get());
      blob->codec = page.codec;
      blob->padded = page.padded;
      blob->checksum = page.hasChecksum ? page.checksum : paging::checksum(page.bytes);
      done(blob, nullptr);
    } catch (...) {
      done(nullptr, std::current_exception());
    }
  }
  void failed(std::uint64_t tag, std::exception_ptr error) noexcept override {
    take(tag)(nullptr, m_files.renamed(error));
  }

  struct Cancel {
    ServedData* its;
    void operator()() const {
      its->m_cancelled = true;
      for (const auto& source : its->m_sources) source->cancel(its);
    }
  };

  static void reap(paging::PageSource& source, const std::stop_token& ending) {
    int descriptors[16];
    while (!ending.stop_requested()) {
      if (source.reap() > 0) continue;
      const int count = source.pollDescriptors(descriptors, 16);
      pollfd polled[16];
      for (int n = 0; n < count; ++n) polled[n] = {descriptors[n], POLLIN, 0};
      ::poll(polled, static_cast<nfds_t>(count), 50);
    }
  }

  struct Place {
    std::size_t source = 0;
    std::uint32_t array = 0;
  };
  SetFiles m_files;
  std::unique_ptr<fields::OpenData> m_data;
  const std::function<bool()> m_isOver;  ///< of the data; may be null
  paging::DatasetDescription m_description;
  std::vector<std::uint32_t> m_order;  ///< of its arrays: which array of the data each is
  std::vector<Place> m_places;         ///< of the arrays of the data
  std::mutex m_mutex;
  std::uint64_t m_nextTag = 0;
  std::unordered_map<std::uint64_t, PageDone> m_waiting;
  std::vector<std::unique_ptr<paging::PageSource>> m_sources;
  std::vector<std::jthread>
      m_reapers;  ///< behind the sources: they end first, also where not all could be made
  std::atomic<bool> m_cancelled{false};
  std::optional<std::stop_callback<Cancel>> m_whenStopped;
};

}  // namespace

std::shared_ptr<ServedSet> servedData(std::unique_ptr<fields::OpenData> data, Opened facts, SetFiles files,
                                      bool forConversion, MemoryAccount& account, const std::stop_token& stop,
                                      std::function<bool()> isOver) {
  return std::make_shared<ServedData>(std::move(data), std::move(facts), std::move(files), forConversion,
                                      account, stop, std::move(isOver));
}

}  // namespace farfield::remote
