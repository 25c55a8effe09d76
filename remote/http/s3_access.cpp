#include "remote/http/s3_access.h"

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>

#include "core/base/error.h"

namespace farfield::http {
namespace {

constexpr std::size_t kMostLines = 100000;

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

std::string firstOf(std::initializer_list<std::string> values) {
  for (const std::string& value : values)
    if (!value.empty()) return value;
  return {};
}

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r");
  return begin == std::string::npos ? std::string()
                                    : text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/// The lines "key = value" below "[section]" of a file, which may be missing.
std::map<std::string, std::string> sectionOf(const std::string& path, const std::string& section) {
  std::map<std::string, std::string> values;
  std::ifstream file(path);
  std::string line;
  bool inside = false;
  for (std::size_t n = 0; n < kMostLines && std::getline(file, line); ++n) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      inside = trimmed(line.substr(1, line.find(']') - 1)) == section;
      continue;
    }
    const auto equals = line.find('=');
    if (inside && equals != std::string::npos)
      values[trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
  }
  return values;
}

std::string encodedKey(const std::string& key) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string text;
  for (const char letter : key) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) || std::string_view("-._~/").find(letter) != std::string_view::npos) {
      text += letter;
      continue;
    }
    text += '%';
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

bool isHostName(const std::string& text) {
  return !text.empty() && text.find_first_not_of(
                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                              "0123456789.-_") == std::string::npos;
}

}  // namespace

S3Place s3Place(const std::string& name) {
  const std::string rest = name.substr(name.find("://") + 3);
  const auto slash = rest.find('/');
  const std::string bucket = rest.substr(0, slash);
  const std::string key = slash == std::string::npos ? "" : rest.substr(slash + 1);
  if (!isHostName(bucket) || key.empty())
    throw Invalid("names no object of a bucket", "write s3://BUCKET/KEY").at(name);

  const std::string home = environment("HOME") + "/.aws/";
  const std::string profile =
      firstOf({environment("AWS_PROFILE"), environment("AWS_DEFAULT_PROFILE"), "default"});
  auto keys = sectionOf(firstOf({environment("AWS_SHARED_CREDENTIALS_FILE"), home + "credentials"}), profile);
  auto config = sectionOf(firstOf({environment("AWS_CONFIG_FILE"), home + "config"}),
                          profile == "default" ? profile : "profile " + profile);

  S3Place place;
  Signing& signing = place.signing;
  // a key from the environment goes with the secret and the token from the environment
  const bool isGiven = !environment("AWS_ACCESS_KEY_ID").empty();
  const auto secretPart = [&](const char* variable, const char* entry) {
    return isGiven ? environment(variable) : firstOf({keys[entry], config[entry]});
  };
  signing.key = secretPart("AWS_ACCESS_KEY_ID", "aws_access_key_id");
  signing.secret = secretPart("AWS_SECRET_ACCESS_KEY", "aws_secret_access_key");
  signing.sessionToken = secretPart("AWS_SESSION_TOKEN", "aws_session_token");
  if (signing.key.empty() != signing.secret.empty())
    throw Invalid("there is a key of S3 without its secret, or a secret without its key",
                  "set both AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or neither")
        .at(name);
  const std::string region =
      firstOf({environment("AWS_REGION"), environment("AWS_DEFAULT_REGION"), config["region"], "us-east-1"});
  if (!isHostName(region)) throw Invalid("the region of S3 is no name", "check AWS_REGION").at(name);
  if (!signing.key.empty()) signing.what = "aws:amz:" + region + ":s3";

  std::string endpoint =
      firstOf({environment("AWS_ENDPOINT_URL_S3"), environment("AWS_ENDPOINT_URL"), config["endpoint_url"]});
  while (endpoint.ends_with('/')) endpoint.pop_back();
  if (!endpoint.empty()) {
    if (!endpoint.starts_with("http://") && !endpoint.starts_with("https://"))
      throw Invalid("the endpoint of S3 is no web address", "check AWS_ENDPOINT_URL").at(name);
    place.url = endpoint + "/" + bucket + "/" + encodedKey(key);
  } else if (bucket.find('.') != std::string::npos) {
    // the service's certificate is not valid for names with more dots
    place.url = "https://s3." + region + ".amazonaws.com/" + bucket + "/" + encodedKey(key);
  } else {
    place.url = "https://" + bucket + ".s3." + region + ".amazonaws.com/" + encodedKey(key);
  }
  return place;
}

}  // namespace farfield::http
