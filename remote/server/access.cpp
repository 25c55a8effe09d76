#include "remote/server/access.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <sstream>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/units.h"

namespace farfield::remote {
namespace {

constexpr std::size_t kLeastTokenLetters = 16;
constexpr std::uint64_t kMostFileBytes = 4 << 20;

}  // namespace

Access::Digest Access::digestOf(const std::string& token) {
  Digest digest;
  ::SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(), digest.data());
  return digest;
}

Access Access::fromFile(const std::filesystem::path& path) {
  const File file = File::openForReading(path);
  if (file.size() > kMostFileBytes)
    throw Invalid("is too long for a list of tokens").at("file " + path.string());
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.readAt(0, std::as_writable_bytes(std::span(text)));
  Access access;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string token, word;
    if (!(words >> token)) continue;
    const auto refuse = [&](const std::string& what) {
      throw Invalid(what, "a line is TOKEN [name=NAME] [root=FOLDER] [rate=SIZE]")
          .at("line " + std::to_string(number))
          .at("file " + path.string());
    };
    if (token.size() < kLeastTokenLetters)
      refuse("a token has fewer than " + std::to_string(kLeastTokenLetters) + " characters");
    Grant grant{"token " + std::to_string(number), "", 0};
    while (words >> word) {
      const auto equals = word.find('=');
      const std::string key = word.substr(0, equals),
                        value = equals == std::string::npos ? "" : word.substr(equals + 1);
      if (key == "name" && !value.empty())
        grant.name = value;
      else if (key == "root" && !value.empty())
        grant.folder = value;
      else if (key == "rate" && !value.empty())
        grant.bytesPerSecond = static_cast<double>(parseBytes(value));
      else
        refuse("something beside a token is not understood");
    }
    access.m_tokens.emplace_back(digestOf(token), std::move(grant));
  }
  if (access.m_tokens.empty())
    throw Invalid("has no token", "write one of 16 characters or more").at("file " + path.string());
  return access;
}

std::optional<Grant> Access::grantFor(const std::string& token) const {
  if (m_tokens.empty()) return Grant{"anybody", "", 0};
  const Digest digest = digestOf(token);
  const Grant* found = nullptr;
  for (const auto& [known, grant] : m_tokens)
    if (::CRYPTO_memcmp(known.data(), digest.data(), digest.size()) == 0) found = &grant;
  if (!found) return std::nullopt;
  return *found;
}

}  // namespace farfield::remote
