#include "app/cli/manual/manual_files.h"

#include "app/cli/manual/completion.h"
#include "app/cli/manual/man_page.h"
#include "core/base/file.h"

namespace farfield::cli {
namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  NewFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace

void writeManuals(const std::filesystem::path& folder, const ProgramManual& manual) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw ioError("cannot be made", failure.value()).at("folder " + folder.string());
  write(folder / "farfield.1", programManPage(manual));
  for (const Manual& command : manual.manuals)
    write(folder / ("farfield-" + command.name + ".1"), commandManPage(command));
  write(folder / "farfield.bash", bashCompletion(manual));
  write(folder / "_farfield", zshCompletion(manual));
  write(folder / "farfield.fish", fishCompletion(manual));
}

}  // namespace farfield::cli
