#pragma once
// Series of files, one or several steps each, of formats whose readers know nothing of bad steps: a file that is not there, cut
// short, of other dimensions or variables than the first, or not later than those before it. Each is named by its step and file,
// and stops the opening or is left out, as the option badSteps says ("stop", the default,
// "skip", or the numbers of those that are left out).

#include <memory>
#include <string>

#include "core/fields/functions/open_data.h"
#include "core/fields/words/bad_steps.h"

namespace farfield::formats {

/// The reader `inner`, which gets all options but badSteps; that, too, for a file alone, where one file may name those of all steps.
class StepsOfFiles final : public fields::DataReader {
 public:
  explicit StepsOfFiles(std::unique_ptr<fields::DataReader> inner, bool knowsLists = false)
      : m_inner(std::move(inner)), m_knowsLists(knowsLists) {}
  std::string name() const override { return m_inner->name(); }
  bool recognizes(const std::string& source) const override { return m_inner->recognizes(source); }
  bool takes(const fields::OpenRequest& request) const override;
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::unique_ptr<fields::OpenData> openGood(const fields::OpenRequest& request, const fields::BadSteps& bad,
                                             MemoryAccount& account) const;
  bool timesDiffer(const fields::OpenRequest& request, MemoryAccount& account) const;
  void nameTheBad(const fields::OpenRequest& request, MemoryAccount& account) const;

  const std::unique_ptr<fields::DataReader> m_inner;
  const bool m_knowsLists;
};

}  // namespace farfield::formats
