#include "remote/server/served_set.h"

#include <algorithm>
#include <charconv>

#include "core/base/error.h"
#include "core/fields/functions/node_places.h"
#include "core/paging/store/store_file.h"
#include "remote/server/served_store.h"

namespace farfield::remote {
namespace {

std::string mixed(const std::string& text, const std::string& more) {
  return text + std::to_string(more.size()) + ":" + more + ",";
}

std::uint64_t identityOf(const std::vector<SharedFile>& files, const OpenRequestMessage& request) {
  std::vector<std::uint64_t> identities;
  for (const SharedFile& file : files) identities.push_back(file.identity());
  return identityOfReading(identities, request);
}

/// The files that a request names, sources before solutions.
std::vector<SharedFile> filesOf(const RootFolder& root, const OpenRequestMessage& request) {
  if (request.sources.empty()) throw Invalid("no data are named");
  if (request.sources.size() + request.solutions.size() > kMostFiles)
    throw Invalid("more than " + std::to_string(kMostFiles) + " files are named as one data set",
                  "convert them to a store");
  std::vector<SharedFile> files;
  for (const auto* names : {&request.sources, &request.solutions})
    for (const std::string& name : *names) files.push_back(root.open(name));
  return files;
}

}  // namespace

std::uint64_t identityOfReading(std::span<const std::uint64_t> files, const OpenRequestMessage& request) {
  std::string text = request.forConversion ? "convert," : "pages,";
  for (const std::uint64_t file : files) text = mixed(text, std::to_string(file));
  text = mixed(text, std::to_string(request.sources.size()));
  text = mixed(text, request.reader);
  for (const auto& [key, value] : request.options) text = mixed(mixed(text, key), value);
  return paging::checksum(std::as_bytes(std::span(text)));
}

std::unique_ptr<fields::OpenData> atLevel(std::unique_ptr<fields::OpenData> data,
                                          const OpenRequestMessage& request, MemoryAccount& account) {
  for (const auto& [key, value] : request.options) {
    if (key != kMadeLevel) continue;
    int level = 0;
    const char* const end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, level);
    if (error != std::errc() || stop != end || level < 1)
      throw Invalid("'" + value + "' is no level that is made",
                    "give 1 for half the resolution, 2 for a quarter");
    data = data->openLevel(level, account);
    if (!data) throw Invalid("has no level " + value, "look at level 0");
  }
  return data;
}

bool ServedSet::isWhole() const {
  const std::vector<PartsReply::Part> all = parts().parts;
  return std::all_of(all.begin(), all.end(), [](const PartsReply::Part& part) { return part.isHere; });
}

std::uint64_t identityOf(const RootFolder& root, const OpenRequestMessage& request) {
  return identityOf(filesOf(root, request), request);
}

std::shared_ptr<ServedSet> openSet(const RootFolder& root, const OpenRequestMessage& request,
                                   const SetSurroundings& surroundings) {
  std::vector<SharedFile> files = filesOf(root, request);
  const std::uint64_t identity = identityOf(files, request);
  if ((request.reader.empty() || request.reader == "farfield") && request.sources.size() == 1 &&
      paging::StoreFile::looksLikeStore(files.front().path())) {
    if (!request.solutions.empty())
      throw Invalid("a store has its own solution", "leave out the solution").at(files.front().name());
    return servedStore(std::move(files.front()), root, request, identity, surroundings);
  }
  SetFiles set(root, request, std::move(files));
  try {
    fields::OpenRequest local = set.localRequest(root, request);
    local.stop = surroundings.stop;
    auto data = atLevel(fields::withoutPlaces(surroundings.readers.open(local, surroundings.account)),
                        request, surroundings.account);
    Opened facts;
    facts.identity = set.identityWith(identity);
    facts.fileBytes = set.bytes();
    return servedData(std::move(data), std::move(facts), std::move(set), request.forConversion,
                      surroundings.account, surroundings.stop);
  } catch (const OverBudget&) {
    throw;  // the table of sets closes others, and tries again
  } catch (...) {
    std::rethrow_exception(set.renamed(std::current_exception()));
  }
}

}  // namespace farfield::remote
