#pragma once
// Where the data of a store came from, as attributes of it. They also tell a resumed conversion whether its
// input is still the one that it began with.

#include <map>
#include <string>
#include <vector>

namespace farfield::cli {

/// For each file "source.N" (its name without folders), "source.N.bytes" and "source.N.fingerprint": the
/// checksum of its first and last mebibyte and of 1,024 pieces of 4 KiB spread evenly between, as sixteen
/// hexadecimal digits. (The checksum of a whole file would cost reading terabytes twice.) What is no local
/// file has its name alone. Throws Io.
std::map<std::string, std::string> provenanceOf(const std::vector<std::string>& sources);

}  // namespace farfield::cli
