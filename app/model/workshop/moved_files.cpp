#include "app/model/workshop/moved_files.h"

#include <QObject>
#include <QRegularExpression>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/model/document/document.h"
#include "core/base/error.h"
#include "core/fields/functions/open_data.h"

namespace farfield::app {
namespace {

bool isUrl(const std::string& name) {
  return name.find("://") != std::string::npos;
}

/// Of a file, a folder or a pattern of files.
bool isThere(const std::string& name) {
  std::error_code ignored;
  if (std::filesystem::exists(name, ignored)) return true;
  if (name.find_first_of("*?[") == std::string::npos) return false;
  try {
    return !fields::expandPattern(name).empty();
  } catch (const Error&) {
    return false;
  }
}

bool matches(const std::filesystem::path& pattern, const std::filesystem::path& file) {
  return QRegularExpression::fromWildcard(QString::fromStdString(pattern.filename().string()))
      .match(QString::fromStdString(file.filename().string()))
      .hasMatch();
}

/// Of data whose grid is `missing` the solution that `chosen` is by its name, or of a solution the grid: it is not taken for the other, and
/// says where its own folder is. Empty: it is none of them.
std::string otherPart(const session::Session& session, const std::string& missing,
                      const std::string& chosen) {
  if (std::filesystem::path(missing).filename() == std::filesystem::path(chosen).filename()) return {};
  for (const session::DataSource& source : session.data)
    for (const auto& [mine, others] :
         {std::pair(&source.source, &source.solution), std::pair(&source.solution, &source.source)}) {
      if (std::none_of(mine->begin(), mine->end(),
                       [&](const std::string& name) { return session.resolve(name) == missing; }))
        continue;
      for (const std::string& name : *others)
        if (const std::string whole = session.resolve(name); !isUrl(whole) && matches(whole, chosen))
          return whole;
    }
  return {};
}

}  // namespace

bool isNotThere(const session::DataSource& source, const Problem& problem) {
  const bool said = (problem.message.find("no such file") != std::string::npos &&
                     problem.message.find("no such file, and") ==
                         std::string::npos) ||  // one step of many has another remedy
                    problem.message.find("no file matches") != std::string::npos;
  return said && !source.source.empty() && !isUrl(source.source.front());
}

std::vector<std::string> firstNotThere(const session::Session& session, const session::DataSource& source) {
  std::vector<std::string> found;
  for (const auto* names : {&source.source, &source.solution})
    for (const std::string& name : *names)
      if (const std::string whole = session.resolve(name); !isUrl(whole) && !isThere(whole)) {
        found.push_back(whole);
        break;
      }
  return found;
}

std::map<std::string, std::string> movedNames(const session::Session& session, const std::string& missing,
                                              const std::string& chosen) {
  const std::string other = otherPart(session, missing, chosen);
  const std::filesystem::path before = std::filesystem::path(other.empty() ? missing : other).parent_path();
  const std::filesystem::path now = std::filesystem::path(chosen).parent_path();
  std::map<std::string, std::string> moved;
  for (const session::DataSource& source : session.data)
    for (const auto* names : {&source.source, &source.solution})
      for (const std::string& name : *names) {
        const std::string whole = session.resolve(name);
        if (isUrl(whole)) continue;
        const bool isPattern = whole.find_first_of("*?[") != std::string::npos;
        if (whole == missing && other.empty() && !(isPattern && matches(whole, chosen))) {
          moved[name] = chosen;
          continue;
        }
        const std::filesystem::path inside = std::filesystem::path(whole).lexically_relative(before);
        if (inside.empty() || *inside.begin() == ".." || isThere(whole)) continue;
        if (const std::string place = (now / inside).string(); isThere(place)) moved[name] = place;
      }
  return moved;
}

void takeMoved(Document& document, const std::string& dataName,
               const std::map<std::string, std::string>& moved) {
  document.endMerge();
  document.edit(QObject::tr("Choose the file of %1").arg(QString::fromStdString(dataName)),
                [&](Draft& draft) {
                  for (session::DataSource& source : draft.frame().data)
                    for (auto* names : {&source.source, &source.solution})
                      for (std::string& name : *names)
                        if (const auto found = moved.find(name); found != moved.end()) name = found->second;
                });
}

}  // namespace farfield::app
