#include "plugins/vtkreaders/vtk_readers_data.h"

#include <array>
#include <cstdlib>
#include <string_view>

#include "core/base/child.h"
#include "core/base/error.h"
#include "core/base/own_folder.h"
#include "core/base/printable.h"
#include "core/base/temporary_file.h"
#include "core/base/url.h"
#include "core/fields/functions/forwarded_data.h"

namespace farfield::vtkreaders {
namespace {

constexpr std::pair<std::string_view, std::string_view> kScripts[] = {
#include "vtk_import.inc"
};
/// Nothing that people wait for takes longer.
constexpr std::chrono::hours kLimit{24};
/// Exit status of the script where there is no package vtk.
constexpr int kNoVtk = 3;

/// Data in files that go with it.
class ImportedData final : public fields::ForwardedData {
 public:
  ImportedData(std::unique_ptr<fields::OpenData> data, std::shared_ptr<const OwnFolder> folder)
      : ForwardedData(std::move(data)), m_folder(std::move(folder)) {}
  std::unique_ptr<fields::OpenData> openLevel(int level, MemoryAccount& account) const override {
    auto coarse = behind().openLevel(level, account);
    return coarse ? std::make_unique<ImportedData>(std::move(coarse), m_folder) : nullptr;
  }
  std::vector<std::string> explanation() const override {
    std::vector<std::string> lines = behind().explanation();
    lines.emplace_back("read by VTK's readers, into a folder that goes when the data are closed");
    return lines;
  }

 private:
  std::shared_ptr<const OwnFolder> m_folder;
};

/// The last line with something in it.
std::string lastLine(const std::string& text) {
  const auto end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return {};
  const auto begin = text.find_last_of('\n', end);
  return printable(text.substr(begin == std::string::npos ? 0 : begin + 1,
                               end - (begin == std::string::npos ? 0 : begin + 1) + 1));
}

/// Runs the script; returns the name of the file that stands for all that was written.
std::string import(const std::string& source, const OwnFolder& folder, const std::stop_token& stop) {
  const char* const named = std::getenv("FARFIELD_PYTHON");
  const std::string python = named && *named ? named : "python3";
  const ChildOutcome outcome =
      runChild("/usr/bin/env",
               {python, "-c", std::string(kScripts[0].second), source, folder.path().string()}, kLimit, stop);
  const std::string said = lastLine(outcome.errors);
  if (outcome.end != ChildOutcome::End::Exited)
    throw Unsupported(outcome.end == ChildOutcome::End::TimedOut ? "VTK's reader takes more than a day"
                                                                 : "VTK's reader crashed",
                      "convert the file by the program that wrote it");
  if (outcome.number == kNoVtk || outcome.number == 127)
    throw Unsupported("VTK's readers need " + printable(python) + " with its package vtk" +
                          (said.empty() ? "" : ": " + said),
                      "install it (pip install vtk), or name another interpreter in FARFIELD_PYTHON");
  if (outcome.number != 0)
    throw Corrupt("VTK's readers cannot read it" + (said.empty() ? "" : ": " + said), "check the file");
  const std::string written = lastLine(outcome.out);
  if (written.empty() || written.find('/') != std::string::npos ||
      !std::filesystem::is_regular_file(folder.path() / written))
    throw Corrupt("VTK's readers wrote nothing", "check the file");
  return (folder.path() / written).string();
}

}  // namespace

std::unique_ptr<fields::OpenData> VtkReadersDataReader::open(const fields::OpenRequest& request,
                                                             MemoryAccount& account) const {
  const std::string& source = request.sources.front();
  const std::string said = saidOf(source);
  if (isUrl(source))
    throw Unsupported("VTK's readers read files of this machine alone", "copy it here").at(said);
  if (request.sources.size() > 1 || !request.solutions.empty())
    throw Invalid("VTK's readers take one file, which names the others", "name one").at(said);
  if (!std::filesystem::exists(source)) throw NotFound("there is no such file", "check the name").at(said);
  try {
    const auto folder = std::make_shared<const OwnFolder>(temporaryFolder(), "farfield-vtk-readers-");
    fields::OpenRequest written = request;
    written.reader.clear();
    written.findNamed = nullptr;
    written.keptRanges = nullptr;  // the files are others each time
    written.sources = {import(std::filesystem::absolute(source).string(), *folder, request.stop)};
    return std::make_unique<ImportedData>(m_files->open(written, account), folder);
  } catch (Error& error) {
    error.at(said);
    throw;
  }
}

}  // namespace farfield::vtkreaders
