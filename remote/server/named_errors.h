#pragma once
// Changes errors that name files by the server's paths so that they use the client's names.

#include <exception>
#include <string>

#include "remote/server/root_folder.h"

namespace farfield::remote {

/// `error`, of the same type, with `from` replaced by `to` in all of its text.
std::exception_ptr renamed(const std::exception_ptr& error, const std::string& from, const std::string& to);
/// The same with the path of `file` replaced by its name.
std::exception_ptr renamed(const std::exception_ptr& error, const SharedFile& file);
std::string replaced(std::string text, const std::string& from, const std::string& to);

}  // namespace farfield::remote
