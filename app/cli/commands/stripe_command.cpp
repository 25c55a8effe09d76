#include "app/cli/commands/stripe_command.h"

#include <cstdio>
#include <filesystem>

#include "app/cli/files/result_output.h"
#include "app/cli/files/run_files.h"
#include "app/cli/running/progress.h"
#include "app/cli/running/resources.h"
#include "core/base/log.h"
#include "core/base/units.h"
#include "core/base/url.h"
#include "core/paging/bytes/local_file.h"
#include "core/paging/writing/stripe_writer.h"

namespace farfield::cli {
namespace {

namespace fs = std::filesystem;

class StripeCommand final : public Command {
 public:
  Manual manual() override {
    return {
        "stripe",
        "spreads a store's pages over several files, for several servers or disks",
        {"DIR gets set.stripes, which is opened, and the parts set.1.stripe to set.N.stripe, page by page in "
         "turn. A server needs set.stripes and the parts that it is to send, in one folder; "
         "far://ONE,TWO/set.stripes reads from all. What is read is the same as from the store."},
        {{"STORE", "", "the paged store", &m_store, true}},
        {{"-o,--output", "DIR", "the folder for the set; it is made where it is not there", &m_folder, true},
         {"--parts", "N", "how many parts", IntegerTarget{&m_parts, 1, static_cast<int>(paging::kMostParts)},
          true},
         overwriteOption(m_overwrite),
         memoryOption(m_memoryBytes)}};
  }

  void run(const Context& context) override {
    if (isUrl(m_store))
      throw Unsupported("is not on this machine", "run farfield stripe where the store lies")
          .at(saidOf(m_store));
    const fs::path set = fs::path(m_folder) / "set.stripes";
    paging::StripeOptions options;
    options.parts = static_cast<std::uint32_t>(m_parts);
    options.stop = context.stop;
    RunFiles files(m_overwrite);
    files.reads(fs::path(m_store));
    files.makes(m_folder);
    const std::vector<fs::path> made = paging::filesOfSet(set, options.parts);
    files.writes(set, "Farfield striped set");
    for (std::size_t n = 1; n < made.size(); ++n) files.writes(made[n], paging::kPartMagic);
    const auto store = paging::LocalFile::open(m_store);
    MemoryAccount account(m_memoryBytes);
    std::error_code failure;
    fs::create_directories(m_folder, failure);
    if (failure) throw Io("the folder cannot be made: " + failure.message()).at(m_folder);
    Progress progress("stripe", "pages", progressStyle(log::level() == log::Level::Quiet));
    options.progress = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
    const std::uint64_t pages = paging::writeStripes(*store, set, options, account);
    log::detail(std::to_string(pages) + " pages in " + std::to_string(m_parts) + " parts");
    for (const fs::path& file : made) std::printf("%s\n", file.c_str());
    flushResults();
  }

 private:
  std::string m_store, m_folder;
  int m_parts = 0;
  bool m_overwrite = false;
  std::uint64_t m_memoryBytes = 0;
};

}  // namespace

std::unique_ptr<Command> makeStripeCommand() {
  return std::make_unique<StripeCommand>();
}

}  // namespace farfield::cli
