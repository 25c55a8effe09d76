#pragma once
// Data that are others with something added: everything is asked of these, also what only some data can do.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/fields/functions/group_finder.h"
#include "core/fields/functions/open_data.h"
#include "core/fields/functions/origin.h"
#include "core/fields/functions/reading_choices.h"
#include "core/fields/functions/variables_apart.h"

namespace farfield::fields {

class ForwardedData : public OpenData,
                      public HasReadingChoices,
                      public RemoteOrigin,
                      public GroupFinder,
                      public VariablesApart {
 public:
  explicit ForwardedData(std::unique_ptr<OpenData> data) : m_data(std::move(data)) {
    setResampleNodes(m_data->resampleNodes());
  }
  const paging::DatasetDescription& description() const override { return m_data->description(); }
  std::uint64_t largestStoredBytes() const override { return m_data->largestStoredBytes(); }
  std::vector<std::unique_ptr<paging::PageSource>> makeSources(MemoryAccount& account,
                                                               const SourceOptions& options) const override {
    return m_data->makeSources(account, options);
  }
  std::uint64_t storedBytesOf(std::uint32_t array, std::uint64_t page) const override {
    return m_data->storedBytesOf(array, page);
  }
  std::optional<std::array<double, 2>> storedRange(std::uint32_t array, int component) const override {
    return m_data->storedRange(array, component);
  }
  std::optional<paging::PageSummary> summaryOf(std::uint32_t array, std::uint64_t page) const override {
    return m_data->summaryOf(array, page);
  }
  std::optional<paging::PageSummary> rangesOf(std::uint32_t array, std::uint64_t page) const override {
    return m_data->rangesOf(array, page);
  }
  bool keepsRanges() const override { return m_data->keepsRanges(); }
  void foundRanges(std::uint32_t array, std::uint64_t page, const paging::PageSummary& found) const override {
    m_data->foundRanges(array, page, found);
  }
  const paging::BoxReader* boxReader() const override { return m_data->boxReader(); }
  std::vector<std::filesystem::path> files() const override { return m_data->files(); }
  std::vector<std::string> checkRest(MemoryAccount& account, const std::stop_token& stop) const override {
    return m_data->checkRest(account, stop);
  }
  void checkUnchanged() const override { m_data->checkUnchanged(); }
  std::vector<std::string> explanation() const override { return m_data->explanation(); }
  std::vector<ReadingChoice> readingChoices() const override { return readingChoicesOf(*m_data); }
  Origin origin() const override {
    const auto* const remote = dynamic_cast<const RemoteOrigin*>(m_data.get());
    return remote ? remote->origin() : Origin{};
  }
  std::optional<paging::GroupExtremes> findGroups(
      std::uint32_t array, int component, std::int64_t step, const Index3& box,
      const std::function<void()>& throwIfGivenUp) const override {
    const auto* const finder = dynamic_cast<const GroupFinder*>(m_data.get());
    return finder ? finder->findGroups(array, component, step, box, throwIfGivenUp) : std::nullopt;
  }
  paging::SourceCounters lookCounters() const override {
    const auto* const finder = dynamic_cast<const GroupFinder*>(m_data.get());
    return finder ? finder->lookCounters() : paging::SourceCounters{};
  }
  bool takeApart() override {
    auto* const apart = dynamic_cast<VariablesApart*>(m_data.get());
    if (!apart || !apart->takeApart()) return false;
    describe();
    return true;
  }
  void putTogether() override {
    dynamic_cast<VariablesApart&>(*m_data).putTogether();  // it was taken apart
    describe();
  }

 protected:
  /// The description of what is behind has changed; its own follows.
  virtual void describe() {}
  const OpenData& behind() const { return *m_data; }
  OpenData& behind() { return *m_data; }
  /// Nothing can be asked then.
  std::unique_ptr<OpenData> releaseBehind() { return std::move(m_data); }

 private:
  std::unique_ptr<OpenData> m_data;
};

}  // namespace farfield::fields
