// Sessions that are not all good: what is wrong is taken out of the tree until the rest can be read.

#include <algorithm>

#include "core/base/error.h"
#include "core/session/json/names.h"
#include "core/session/json/read_document.h"
#include "core/session/json/session_json.h"

namespace farfield::session {
namespace {

using detail::Json;
using detail::Problems;

/// Each is a reading of all of it.
constexpr std::size_t kMostLeftOut = 1000;

/// Paths of data, and what goes to their readers, are what they are.
bool isAsGiven(const std::string& key) {
  return key == "source" || key == "solution" || key == "options";
}

void mendTexts(Json& node, std::vector<std::string>& leftOut, const std::string& path) {
  if (node.is_string()) {
    std::string plain = withoutControls(node.get<std::string>());
    if (plain == node.get_ref<const std::string&>()) return;
    leftOut.push_back(path + ": a control character");
    node = std::move(plain);
    return;
  }
  if (!node.is_structured()) return;
  for (auto& [key, value] : node.items())
    if (!isAsGiven(key)) mendTexts(value, leftOut, path.empty() ? key : path + "." + key);
}

/// `node[key]`, where it is that text, becomes another.
void replaceText(Json& node, const char* key, const std::string& from, const std::string& to) {
  if (!node.is_object()) return;
  if (const auto its = node.find(key); its != node.end() && its->is_string() && *its == from) *its = to;
}

void renameData(Json& document, const std::string& from, const std::string& to) {
  Json renamed = Json::object();
  for (auto& [name, source] : document["data"].items()) renamed[name == from ? to : name] = std::move(source);
  document["data"] = std::move(renamed);
  if (const auto objects = document.find("objects"); objects != document.end() && objects->is_array())
    for (Json& object : *objects) replaceText(object, "data", from, to);
  if (const auto layout = document.find("layout"); layout != document.end() && layout->is_object())
    if (const auto views = layout->find("views"); views != layout->end() && views->is_array())
      for (Json& view : *views) replaceText(view, "data", from, to);
  if (const auto plot = document.find("plot"); plot != document.end()) replaceText(*plot, "data", from, to);
}

/// What the layout says of an object it says of its new name: views that hide it, and the colours that it had before.
void nameInLayout(Json& document, const std::string& from, const std::string& to) {
  const auto layout = document.find("layout");
  if (layout == document.end() || !layout->is_object()) return;
  if (const auto before = layout->find("before"); before != layout->end() && before->is_array())
    for (Json& its : *before) replaceText(its, "object", from, to);
  const auto views = layout->find("views");
  if (views == layout->end() || !views->is_array()) return;
  for (Json& view : *views) {
    if (!view.is_object()) continue;
    const auto hidden = view.find("hidden");
    if (hidden == view.end() || !hidden->is_array()) continue;
    for (Json& name : *hidden)
      if (name == from) name = to;
  }
}

void mendNames(Json& document, std::vector<std::string>& leftOut) {
  const auto data = document.find("data");
  if (data == document.end() || !data->is_object()) return;
  std::vector<std::string> names;
  for (const auto& [name, ignored] : data->items()) names.push_back(name);
  for (const std::string& name : names) {
    const std::string fault = nameFault(name);
    if (fault.empty()) continue;
    std::string good = fittedName(name);
    if (good.empty()) good = "data";
    for (int n = 2; document["data"].contains(good); ++n)
      good = cutAtLetter(fittedName(name), kMostNameBytes - 8) + " " + std::to_string(n);
    renameData(document, name, good);
    leftOut.push_back("data." + good + ": its name, which " + fault);
  }
  const auto objects = document.find("objects");
  if (objects == document.end() || !objects->is_array()) return;
  for (Json& object : *objects) {
    if (!object.is_object()) continue;
    const auto name = object.find("name");
    if (name == object.end() || !name->is_string()) continue;
    const std::string was = name->get<std::string>(), fault = nameFault(was);
    if (fault.empty()) continue;
    std::string good = fittedName(was);
    const auto isTaken = [&](const Json& other) {
      return other.is_object() && other.contains("name") && other["name"] == good;
    };
    for (int n = 2; good.empty() || std::any_of(objects->begin(), objects->end(), isTaken); ++n)
      good = cutAtLetter(fittedName(was), kMostNameBytes - 8) + " " + std::to_string(n);
    *name = good;
    // What lies on it.
    for (Json& other : *objects) replaceText(other, "on", was, good);
    if (const auto plot = document.find("plot"); plot != document.end()) replaceText(*plot, "on", was, good);
    nameInLayout(document, was, good);
    leftOut.push_back("objects." + good + ": its name, which " + fault);
  }
}

struct Place {
  Json* holder = nullptr;  ///< null: of the whole
  std::string key;
  std::size_t number = 0;
};

/// The last part of `path` that is there. Keys may have dots themselves, as functions of legends have.
Place placeOf(Json& document, std::string_view path) {
  Place place;
  Json* node = &document;
  while (!path.empty()) {
    const auto begins = [&](const std::string& key) {
      return !key.empty() && path.starts_with(key) && (path.size() == key.size() || path[key.size()] == '.');
    };
    std::string step;
    Json* next = nullptr;
    std::size_t number = 0;
    if (node->is_object()) {
      for (auto& [key, value] : node->items())
        if (begins(key) && key.size() > step.size()) step = key, next = &value;
    } else if (node->is_array()) {
      for (std::size_t n = 0; n < node->size() && !next; ++n) {
        Json& element = (*node)[n];
        if (const auto name = element.is_object() ? element.find("name") : element.end();
            element.is_object() && name != element.end() && name->is_string() &&
            begins(name->get_ref<const std::string&>()))
          step = name->get<std::string>(), next = &element, number = n;
      }
      for (std::size_t n = 0; n < node->size() && !next; ++n)
        if (begins(std::to_string(n))) step = std::to_string(n), next = &(*node)[n], number = n;
    }
    if (!next) break;
    place = {node, step, number};
    node = next;
    path.remove_prefix(std::min(path.size(), step.size() + 1));
  }
  return place;
}

/// False where it is of the whole.
bool leaveOut(Json& document, const std::string& path) {
  // Without its data an object would become one of other data.
  constexpr std::string_view kOfData = ".data";
  const bool isOfNothing = path.starts_with("objects.") && path.ends_with(kOfData);
  const Place place = placeOf(document, isOfNothing ? path.substr(0, path.size() - kOfData.size()) : path);
  if (!place.holder || (place.holder == &document &&
                        (place.key == "farfield" || place.key == "data" || place.key == "objects")))
    return false;
  if (place.holder->is_array())
    place.holder->erase(place.number);
  else
    place.holder->erase(place.key);
  return true;
}

}  // namespace

Session parseGoodParts(std::string_view text, std::vector<std::string>& leftOut) {
  Json document = detail::parseDocument(text);
  if (document.is_object()) {
    mendTexts(document, leftOut, {});
    mendNames(document, leftOut);
  }
  for (std::size_t n = 0;; ++n) {
    Problems problems;
    Session session = detail::readDocument(document, problems);
    const auto& wrong = problems.firstWrong();
    if (!wrong && !problems.hasUnknownKey()) return session;
    // A key that is not known says that a later version wrote it, which is to read it.
    if (problems.hasUnknownKey() || n == kMostLeftOut || !leaveOut(document, wrong->path))
      problems.throwFirst();
    leftOut.push_back(wrong->path + ": " + wrong->message);
  }
}

}  // namespace farfield::session
