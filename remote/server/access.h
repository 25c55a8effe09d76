#pragma once
// Who may come in: tokens and what each of them opens. A token file has a line for each, "TOKEN name=alice
// root=sub/folder rate=10M", of which all but the token may be left out; # begins a comment.

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "remote/server/root_folder.h"

namespace farfield::remote {

struct Grant {
  std::string name;           ///< for logs; never the token
  std::string folder;         ///< below the root; empty: all of it
  double bytesPerSecond = 0;  ///< 0: as everybody
};

class Access {
 public:
  /// Everybody may come in.
  Access() = default;
  /// Throws NotFound, Io, Invalid (a line that makes no sense, no token, one of fewer than 16 characters).
  static Access fromFile(const std::filesystem::path& path);

  bool needsToken() const { return !m_tokens.empty(); }
  /// Nothing where the token is not known. Takes the same time whatever token is like which.
  std::optional<Grant> grantFor(const std::string& token) const;

 private:
  using Digest = std::array<unsigned char, 32>;
  static Digest digestOf(const std::string& token);
  std::vector<std::pair<Digest, Grant>> m_tokens;
};

}  // namespace farfield::remote
