#include "app/cli/files/result_output.h"

#include <cerrno>
#include <cstdio>

#include "core/base/error.h"

namespace farfield::cli {

void printResult(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    throw ioError("results cannot be written", errno).at("stdout");
}

void flushResults() {
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return;
  // An error of an earlier write: its errno is gone, so no reason can be given.
  if (errno == 0) throw Io("results cannot be written").at("stdout");
  throw ioError("results cannot be written", errno).at("stdout");
}

void declareTable(RunFiles& files, const std::string& csv) {
  if (csv.empty() || csv == "-") return;
  files.writes(csv, [](const std::filesystem::path& there) {
    return fileStartsWith(there, "step,time,") || fileStartsWith(there, "data,step,time,");
  });
}

ResultOutput::ResultOutput(const std::string& name) {
  if (!name.empty() && name != "-") m_file = std::make_unique<NewFile>(name);
}

void ResultOutput::write(std::string_view text) {
  if (m_file)
    m_file->write(text);
  else
    printResult(text);
}

void ResultOutput::finish() {
  if (m_file) m_file->commit();
}

std::string csvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace farfield::cli
