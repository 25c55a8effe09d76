#include "core/base/log.h"

#include <atomic>
#include <cstdio>

#include "core/base/printable.h"

namespace farfield::log {
namespace {
std::atomic<Level> g_level{Level::Normal};

void print(const char* prefix, const std::string& line) {
  std::fprintf(stderr, "%s%s\n", prefix, printable(line).c_str());
}
}  // namespace

void setLevel(Level level) {
  g_level = level;
}
Level level() {
  return g_level;
}
void warning(const std::string& line) {
  print("farfield: warning: ", line);
}
void note(const std::string& line) {
  if (g_level.load() >= Level::Normal) print("", line);
}
void detail(const std::string& line) {
  if (g_level.load() >= Level::Verbose) print("", line);
}

}  // namespace farfield::log
