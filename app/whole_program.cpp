#include "app/whole_program.h"

#include <unistd.h>

#include <cerrno>

#include "core/base/error.h"

namespace farfield::app {
namespace {

constexpr const char* kName = "farfield-window";

}  // namespace

std::filesystem::path findWholeProgram() {
  const std::filesystem::path folder = std::filesystem::canonical("/proc/self/exe").parent_path();
  for (const std::filesystem::path& place :
       {folder / kName, folder.parent_path() / FARFIELD_LIBEXEC / "farfield" / kName})
    if (::access(place.c_str(), X_OK) == 0) return place;
  throw NotFound(
      std::string("the part of the program with the window, ") + kName + ", is not in " + folder.string(),
      "install or build it again");
}

void becomeWholeProgram(const std::vector<std::string>& arguments) {
  const std::filesystem::path place = findWholeProgram();
  // The name by which the desktop knows the window.
  std::string name = "farfield";
  std::vector<std::string> words = arguments;
  std::vector<char*> pointers{name.data()};
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(place.c_str(), pointers.data());
  throw ioError("cannot be started", errno).at("file " + place.string());
}

}  // namespace farfield::app
