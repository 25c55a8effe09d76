#include "app/cli/files/result_output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <span>

#include "core/base/error.h"
#include "core/base/temporary_file.h"

namespace farfield::cli {
namespace {

constexpr std::size_t kHeldInMemory = 64 << 10;

}  // namespace

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
  if (m_file) return m_file->write(text);
  if (!m_isHeld) return printResult(text);
  m_waiting += text;
  if (m_waiting.size() < kHeldInMemory) return;
  if (!m_held.isOpen()) m_held = makeTemporaryFile(temporaryFolder());
  m_held.writeAt(m_heldBytes, std::as_bytes(std::span(m_waiting)));
  m_heldBytes += m_waiting.size();
  m_waiting.clear();
}

void ResultOutput::release() {
  m_isHeld = false;
  std::string part;
  for (std::uint64_t at = 0; at < m_heldBytes; at += part.size()) {
    part.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kHeldInMemory, m_heldBytes - at)));
    m_held.readAt(at, std::as_writable_bytes(std::span(part)));
    printResult(part);
  }
  m_held = File();
  m_heldBytes = 0;
  printResult(m_waiting);
  m_waiting.clear();
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
