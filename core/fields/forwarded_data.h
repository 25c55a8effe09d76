#pragma once
// Data that are others with something added: everything is asked of these.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/fields/open_data.h"
#include "core/fields/reading_choices.h"

namespace farfield::fields {

class ForwardedData : public OpenData, public HasReadingChoices {
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

 protected:
  const OpenData& behind() const { return *m_data; }
  OpenData& behind() { return *m_data; }
  /// Nothing can be asked then.
  std::unique_ptr<OpenData> releaseBehind() { return std::move(m_data); }

 private:
  std::unique_ptr<OpenData> m_data;
};

}  // namespace farfield::fields
