#pragma once
// Files that no format of data begins like: pictures, documents, archives, programs. Somebody has picked one by mistake, whatever its name
// says, and is helped by what it is, not by where a reader of data stumbled in it.

#include <filesystem>
#include <string>

namespace farfield {

/// "a picture (PNG)", "a PDF document", by the first bytes of a file on this machine; empty where they do not tell, or cannot be read.
std::string foreignKindByMark(const std::filesystem::path& path);

/// What is said of such a file: "is a picture (PNG), and not one with data that Farfield reads"; of what is packed, "… before
/// it is unpacked". Contains kForeign.
std::string foreignMessage(const std::string& kind);
constexpr const char* kForeign = "and not one with data that Farfield reads";

}  // namespace farfield
