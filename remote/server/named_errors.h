#pragma once
// Errors that name files by how the server reached them, made to name them as the client does.

#include <exception>
#include <string>

#include "remote/server/root_folder.h"

namespace farfield::remote {

/// `error` with `from` replaced by `to` wherever it says it, of the same type.
std::exception_ptr renamed(const std::exception_ptr& error, const std::string& from, const std::string& to);
/// The same for a file's path.
std::exception_ptr renamed(const std::exception_ptr& error, const SharedFile& file);
std::string replaced(std::string text, const std::string& from, const std::string& to);

}  // namespace farfield::remote
