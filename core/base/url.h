#pragma once
// Names of data that are URLs: telling them from file names, and finding names relative to them.

#include <string>

namespace farfield {

bool isUrl(const std::string& name);
/// The file name after the last slash, without a query, or of a plain name: for titles.
std::string lastPartOf(const std::string& name);
/// `name` for messages: "file x", or the URL without its query, which may hold secrets.
std::string saidOf(const std::string& name);
/// `name` as seen from `url`: a URL is unchanged, "/x" is on the same host, anything else is beside the file.
/// The query of an http URL is left out.
std::string besideUrl(const std::string& url, const std::string& name);

}  // namespace farfield
