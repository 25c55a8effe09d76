#include "app/cli/commands/verify_session.h"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <vector>

#include "app/cli/running/memory_copy.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/temporary_file.h"
#include "core/base/units.h"
#include "core/fields/functions/defined_functions.h"
#include "core/paging/ingest/converter.h"
#include "core/session/results/spool_file.h"
#include "core/session/run/runner.h"

namespace farfield::cli {
namespace {

/// A folder that is gone afterwards.
class WorkFolder {
 public:
  WorkFolder() {
    std::string name = (session::spoolFolder(temporaryFolder()) / "farfield-verify-XXXXXX").string();
    if (!::mkdtemp(name.data()))
      throw ioError("no temporary folder can be made", errno).advise("name another folder in TMPDIR");
    m_path = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return m_path / name; }

 private:
  std::filesystem::path m_path;
};

/// How the data of a session are stored anew.
struct StoreVariant {
  std::string name;
  int pageEdge;
  paging::Codec codec;
  bool split;
};

struct Way {
  std::string name;
  session::RunOptions options;
};

bool sameBytes(const std::filesystem::path& a, const std::filesystem::path& b) {
  const File first = File::openForReading(a), second = File::openForReading(b);
  if (first.size() != second.size()) return false;
  std::vector<std::byte> x(1 << 16), y(1 << 16);
  for (std::uint64_t at = 0; at < first.size(); at += x.size()) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(x.size(), first.size() - at));
    first.readAt(at, std::span(x).first(n));
    second.readAt(at, std::span(y).first(n));
    if (std::memcmp(x.data(), y.data(), n) != 0) return false;
  }
  return true;
}

class Verification {
 public:
  Verification(const session::Session& session, const fields::ReaderRegistry& readers,
               const VerifyOptions& options)
      : m_session(session), m_readers(readers), m_options(options) {
    m_session.output.images = false;
    m_session.output.geometry = true;
    std::erase_if(m_session.objects, [&](const session::Object& object) {
      const auto* const volume = std::get_if<session::Volume>(&object.shape);
      if (!volume || !object.visible) return false;
      // Colours that are chosen by what the data say of their values differ where they say more.
      const bool fixed = !volume->look.opacity.empty() && (volume->range || object.color.range);
      if (fixed && m_options.drawImage && m_options.makeVolume) {
        m_session.output.images = true;
        return false;
      }
      m_options.report("volume " + object.name,
                       fixed ? "left out: this build draws no pictures"
                             : "left out: its colours or opacities are chosen by the data; say them");
      return true;
    });
    // What a time budget cuts off is excluded from what must be equal.
    for (session::Object& object : m_session.objects) object.budgetMs.reset();
    // Devices round as they like.
    for (session::Object& object : m_session.objects) object.engine = session::Engine::Cpu;
  }

  void run() {
    session::RunOptions reference = optionsOf(tasks::SchedulerKind::Serial, 1);
    reference.outputFolder = m_folder / "reference";
    session::runSession(m_session, m_readers, reference, m_options.stop);
    for (const auto& entry : std::filesystem::directory_iterator(reference.outputFolder))
      m_files.push_back(entry.path());
    if (m_files.empty())
      throw Invalid("shows nothing that could be compared", "make an object visible")
          .at("session " + m_session.name);
    std::sort(m_files.begin(), m_files.end());
    m_options.report("serial, 1 processor, " + formatBytes(m_options.memoryBytes), "the reference");

    const int many = std::max(2, m_options.processors);
    compare(m_session, {"threads, " + std::to_string(many) + " processors",
                        optionsOf(tasks::SchedulerKind::Threads, many)});
    compare(m_session, {"fibers, 1 processor", optionsOf(tasks::SchedulerKind::Fibers, 1)});
    compare(m_session, {"fibers, " + std::to_string(many) + " processors",
                        optionsOf(tasks::SchedulerKind::Fibers, many)});
    compareSmallest(many);
    for (const StoreVariant& variant :
         {StoreVariant{"store, page edge 8, zstd", 8, paging::Codec::Zstd, false},
          StoreVariant{"store, page edge 19, lz4", 19, paging::Codec::Lz4, false},
          StoreVariant{"store, page edge 32, gzip, split", 32, paging::Codec::Gzip, true},
          StoreVariant{"store, page edge 64, no codec", 64, paging::Codec::None, false}})
      compareStored(variant, many);
  }

 private:
  session::RunOptions optionsOf(tasks::SchedulerKind kind, int processors) const {
    session::RunOptions options;
    options.memoryBytes = m_options.memoryBytes;
    options.scheduler = kind;
    options.processors = processors;
    options.drawImage = m_options.drawImage;
    options.makeVolume = m_options.makeVolume;
    if (kind == tasks::SchedulerKind::Threads) options.workersPerProcessor = 8;
    return options;
  }

  void compare(const session::Session& session, Way way) {
    way.options.outputFolder = m_folder / "compared";
    session::runSession(session, m_readers, way.options, m_options.stop);
    for (const std::filesystem::path& file : m_files) {
      if (sameBytes(file, way.options.outputFolder / file.filename())) continue;
      throw Corrupt("differs from the reference", "this is a bug of Farfield: please report it")
          .at(file.filename().string())
          .at(way.name);
    }
    std::filesystem::remove_all(way.options.outputFolder);
    m_options.report(way.name, "same");
  }

  /// The first budget, in doubling ones, that is large enough.
  void compareSmallest(int processors) {
    for (std::uint64_t bytes = std::uint64_t{128} << 10; bytes < m_options.memoryBytes; bytes *= 2) {
      Way way{"fibers, " + formatBytes(bytes), optionsOf(tasks::SchedulerKind::Fibers, processors)};
      way.options.memoryBytes = bytes;
      try {
        return compare(m_session, way);
      } catch (const OverBudget&) {
        continue;
      }
    }
  }

  void compareStored(const StoreVariant& variant, int processors) {
    session::Session stored = m_session;
    for (std::size_t n = 0; n < stored.data.size(); ++n) {
      const std::filesystem::path path = m_folder / ("store" + std::to_string(n) + ".h5");
      if (!convert(m_session.data[n], path, variant)) {
        m_options.report(variant.name, "left out: data " + m_session.data[n].name + " do not fit in memory");
        return;
      }
      session::DataSource asStore;
      asStore.name = m_session.data[n].name;
      asStore.source = {path.string()};
      stored.data[n] = std::move(asStore);
    }
    compare(stored, {variant.name, optionsOf(tasks::SchedulerKind::Fibers, processors)});
  }

  /// False where the data are pages already and do not fit in memory to be cut anew.
  bool convert(const session::DataSource& source, const std::filesystem::path& path,
               const StoreVariant& variant) {
    MemoryAccount account(m_options.memoryBytes);
    fields::OpenRequest request = session::requestOf(m_session, source);
    request.forConversion = true;
    const auto data = m_readers.open(request, account);
    const paging::BoxReader* reader = data->boxReader();
    std::unique_ptr<paging::BoxReader> copy;
    if (!reader) {
      try {
        copy = copyToMemory(*data, account);
      } catch (const OverBudget&) {
        return false;
      }
      reader = copy.get();
    }
    paging::ConvertOptions options;
    options.pageEdge = variant.pageEdge;
    options.codec = variant.codec;
    options.split = variant.split;
    options.overwrite = true;
    options.processors = m_options.processors;
    options.stop = m_options.stop;
    // They are of the data, not of their reader.
    for (const auto& [key, value] : data->description().attributes)
      if (key.starts_with(fields::kDefinitionKey)) options.attributes[key] = value;
    paging::convert(*reader, path, options, account);
    return true;
  }

  session::Session m_session;
  const fields::ReaderRegistry& m_readers;
  const VerifyOptions& m_options;
  WorkFolder m_folder;
  std::vector<std::filesystem::path> m_files;
};

}  // namespace

void verifySession(const session::Session& session, const fields::ReaderRegistry& readers,
                   const VerifyOptions& options) {
  Verification(session, readers, options).run();
}

}  // namespace farfield::cli
