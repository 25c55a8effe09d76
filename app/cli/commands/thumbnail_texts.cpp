#include "app/cli/commands/thumbnail_texts.h"

#include <sys/stat.h>

#include <cctype>
#include <filesystem>
#include <system_error>

#include "app/cli/options/data_words.h"
#include "app/first/data_summary.h"
#include "core/base/printable.h"
#include "core/base/units.h"
#include "core/base/url.h"
#include "core/paging/arranging/flat_mesh.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::cli {
namespace {

/// Longer lists are cut: a picture's file stays small.
constexpr std::size_t kMostNames = 40;

std::string withoutSecrets(const std::string& url) {
  std::string clean = url.substr(0, url.find_first_of("?#"));
  const std::size_t host = clean.find("://") + 3;
  const std::size_t end = std::min(clean.find('/', host), clean.size());
  const std::size_t user = clean.rfind('@', end);
  if (user != std::string::npos && user >= host) clean.erase(host, user + 1 - host);
  return clean;
}

/// "2 steps, 3 blocks, 4096 cells; pressure, velocity".
std::string descriptionOf(const app::DataSummary& data, const std::string& dimensions,
                          const std::string& variables) {
  const paging::DatasetDescription& its = data.description;
  std::string text = its.format + ", " + countText(its.steps(), "step", "steps") + ", " +
                     countText(static_cast<std::int64_t>(its.blocks.size()), "block", "blocks");
  if (!dimensions.empty()) text += " of " + dimensions + " nodes";
  text += ", " + countText(app::cellsOf(its), "cell", "cells");
  return variables.empty() ? text : text + "; " + variables;
}

std::string variablesOf(const app::DataSummary& data) {
  std::string names;
  std::size_t count = 0;
  for (const fields::FunctionInfo& function : data.functions) {
    if (!function.formula.empty()) continue;
    if (++count > kMostNames) continue;
    names += (names.empty() ? "" : ", ") + printable(function.name);
  }
  return count > kMostNames ? names + " and " + std::to_string(count - kMostNames) + " more" : names;
}

}  // namespace

std::string fileUri(const std::string& path) {
  std::error_code unseen;
  const std::string absolute =
      std::filesystem::absolute(std::filesystem::path(path), unseen).lexically_normal().string();
  std::string uri = "file://";
  for (const char letter : absolute) {
    const auto byte = static_cast<unsigned char>(letter);
    // what g_filename_to_uri leaves as it is, so that pictures are found by those who look for that
    if (byte < 128 &&
        (std::isalnum(byte) || std::string("-._~!$&'()*+,=:@/").find(letter) != std::string::npos)) {
      uri += letter;
    } else {
      static const char* const digits = "0123456789ABCDEF";
      uri += {'%', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return uri;
}

std::vector<std::pair<std::string, std::string>> thumbnailTexts(const std::string& source,
                                                                const app::DataSummary& data) {
  std::vector<std::pair<std::string, std::string>> texts;
  if (isUrl(source)) {
    texts.emplace_back("Thumb::URI", withoutSecrets(source));
  } else {
    texts.emplace_back("Thumb::URI", fileUri(source));
    struct stat info {};
    if (::stat(source.c_str(), &info) == 0) {
      texts.emplace_back("Thumb::MTime", std::to_string(static_cast<long long>(info.st_mtime)));
      if (S_ISREG(info.st_mode)) texts.emplace_back("Thumb::Size", std::to_string(info.st_size));
    }
  }
  const paging::DatasetDescription& its = data.description;
  std::string dimensions;
  if (its.blocks.size() == 1)
    dimensions = its.blocks[0].isUnstructured() ? std::to_string(paging::nodesInFile(its, 0))
                                                : dimsText(its.blocks[0].dims);
  const std::string variables = variablesOf(data);
  texts.emplace_back("Title", printable(lastPartOf(source)));
  texts.emplace_back("Description", descriptionOf(data, dimensions, variables));
  texts.emplace_back("Software", "Farfield");
  texts.emplace_back("X-Farfield::Format", its.format);
  texts.emplace_back("X-Farfield::Blocks", std::to_string(its.blocks.size()));
  if (!dimensions.empty()) texts.emplace_back("X-Farfield::Dimensions", dimensions);
  texts.emplace_back("X-Farfield::Cells", std::to_string(app::cellsOf(its)));
  if (const auto amr = paging::amrOf(its))
    texts.emplace_back("X-Farfield::Levels", std::to_string(amr->levels()));
  texts.emplace_back("X-Farfield::Steps", std::to_string(its.steps()));
  if (its.steps() > 1)
    texts.emplace_back("X-Farfield::Times",
                       formatRounded(its.times.front()) + " … " + formatRounded(its.times.back()));
  if (!data.bounds.empty()) texts.emplace_back("X-Farfield::Bounds", boundsText(data.bounds));
  if (!variables.empty()) texts.emplace_back("X-Farfield::Variables", variables);
  return texts;
}

}  // namespace farfield::cli
