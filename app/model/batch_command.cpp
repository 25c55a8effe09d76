#include "app/model/batch_command.h"

#include <cstdio>

namespace farfield::app {
namespace {

std::string quotedForShell(const std::string& text) {
  const bool plain = text.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                         "_-./,+@%:=") == std::string::npos;
  if (plain) return text;
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

}  // namespace

std::map<std::size_t, session::ReleaseSteps> releasesInTheWindow(const session::Session& session) {
  std::map<std::size_t, session::ReleaseSteps> releases;
  for (std::size_t n = 0; n < session.objects.size(); ++n) {
    const auto& shape = session.objects[n].shape;
    const auto* const paths = std::get_if<session::Pathlines>(&shape);
    const auto* const streaks = std::get_if<session::Streaklines>(&shape);
    if (paths && std::holds_alternative<std::monostate>(paths->release)) releases[n] = {{0, 0}, 1};
    if (streaks && std::holds_alternative<std::monostate>(streaks->release)) releases[n] = {{0, -1}, 1};
  }
  return releases;
}

std::string batchCommand(const std::string& sessionPath, std::uint64_t memoryBytes,
                         const std::vector<std::string>& changes, double lineScale) {
  std::string command = "farfield batchvis " + quotedForShell(sessionPath) + " --memory " +
                        std::to_string(memoryBytes >> 20) + "M -o .";
  for (const std::string& change : changes) command += " --set " + quotedForShell(change);
  if (lineScale != 1) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", lineScale);
    command += std::string(" --line-scale ") + text;
  }
  return command;
}

}  // namespace farfield::app
