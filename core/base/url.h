#pragma once
// Names of data that are URLs, for whoever has to tell them from names of files or finds what lies beside them.

#include <string>

namespace farfield {

bool isUrl(const std::string& name);
/// The name of a file below the last slash, without a query, or of `name` itself: for titles.
std::string lastPartOf(const std::string& name);
/// `name` for messages: "file x", or the URL without a query, which may hold what is secret.
std::string saidOf(const std::string& name);
/// What `name` means that is written beside `url`: a URL stays, "/x" is below the same host, anything else is taken
/// beside the file. A query of an http URL is left out.
std::string besideUrl(const std::string& url, const std::string& name);

}  // namespace farfield
