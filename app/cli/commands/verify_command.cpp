#include "app/cli/commands/verify_command.h"

#include <algorithm>
#include <cstdio>

#include "app/cli/commands/field_pass.h"
#include "app/cli/commands/verify_session.h"
#include "app/cli/files/result_output.h"
#include "app/cli/running/progress.h"
#include "app/cli/running/resources.h"
#include "core/base/log.h"
#include "core/fields/functions/node_places.h"
#include "core/fields/paged/budget_advice.h"
#include "core/paging/pages/coarse_levels.h"
#include "core/session/json/session_json.h"

namespace farfield::cli {
namespace {

class VerifyCommand final : public Command {
 public:
  Manual manual() override {
    Manual manual{
        "verify",
        "proves that data are intact, or that a session gives the same in every way",
        {"Of data every page is read and its checksum compared, where it has one; of a store the index, the "
         "catalog and "
         "HDF5's own structures, too, and what has no checksum is named. A session is computed with "
         "every scheduler, one and several processors, a large and the smallest budget, and from stores of "
         "several page edges and codecs; all geometry must be equal to the last bit."},
        {{"SESSION|DATA", "", "a session file, or grid or data files or URLs", ListTarget{&m_data.sources},
          true}},
        m_data.options()};
    manual.options.push_back(memoryOption(m_memoryBytes));
    manual.options.push_back(processorsOption(m_processors));
    return manual;
  }

  void run(const Context& context) override {
    if (m_data.sources.size() == 1 && looksLikeSession(m_data.sources.front()))
      return verifyTheSession(context);
    MemoryAccount account(m_memoryBytes);
    Progress progress("verify", "pages", progressStyle(log::level() == log::Level::Quiet));
    const PassOptions options{m_processors, context.stop,
                              [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); }};
    std::string format;
    std::vector<std::string> doubts;
    const std::uint64_t pages = fields::withBudgetAdvice(
        m_memoryBytes,
        [&](MemoryAccount& rehearsed) {
          std::uint64_t most = 0;
          forEachLevel(context, rehearsed, [&](const fields::OpenData& data) {
            most = std::max(most, rehearsed.usedBytes() + smallestBytesForEverything(data, options));
          });
          return most;
        },
        [&] {
          std::uint64_t read = 0;
          forEachLevel(context, account, [&](const fields::OpenData& data) {
            if (format.empty()) doubts = data.checkRest(account, context.stop);
            format = data.description().format;
            read += readEverything(data, account, options);
            data.checkUnchanged();
          });
          return read;
        });
    std::printf("%llu pages read%s\n", static_cast<unsigned long long>(pages),
                format != "farfield" ? "; this format has no checksums"
                : doubts.empty()     ? ", every checksum is right"
                                     : ", every checksum that is there is right");
    for (const std::string& doubt : doubts) std::printf("not vouched for: %s\n", doubt.c_str());
  }

 private:
  /// Opens the data at every level of detail that they have, or at the one that is asked for.
  template <class Use>
  void forEachLevel(const Context& context, MemoryAccount& account, const Use& use) const {
    fields::OpenRequest request = m_data.request(context.stop);
    const bool one = request.options.contains("level");
    for (int level = 0, levels = 1; level < levels; ++level) {
      if (level > 0) request.options["level"] = std::to_string(level);
      const auto data = fields::withoutPlaces(context.environment.readers.open(request, account));
      if (!one && level == 0) levels = paging::levelsSaid(data->description());
      use(*data);
    }
  }

  void verifyTheSession(const Context& context) const {
    session::Session session = session::readSession(m_data.sources.front());
    if (context.environment.takeTransferFiles) context.environment.takeTransferFiles(session);
    VerifyOptions options;
    options.memoryBytes = m_memoryBytes;
    options.processors = m_processors;
    options.stop = context.stop;
    options.drawImage = context.environment.drawImage;
    options.makeVolume = context.environment.makeVolume;
    options.report = [](const std::string& way, const std::string& outcome) {
      std::printf("%-40s %s\n", way.c_str(), outcome.c_str());
      flushResults();
    };
    verifySession(session, context.environment.readers, options);
  }

  DataArguments m_data;
  std::uint64_t m_memoryBytes = 0;
  int m_processors = 1;
};

}  // namespace

std::unique_ptr<Command> makeVerifyCommand() {
  return std::make_unique<VerifyCommand>();
}

}  // namespace farfield::cli
