#pragma once
// The colour maps that there are to choose from: built in, kept for all sessions, and those that are written out in this one, whether an
// object has them now or has had them. What is made in a session is lost with its last object otherwise.

#include <QObject>
#include <string>
#include <vector>

#include "app/model/document/document.h"
#include "app/model/settings/settings.h"

namespace farfield::app {

/// `wanted`, or with a number behind it where a built-in map is called so: a map of one's own would be taken for that.
std::string nameBeside(const std::vector<std::string>& builtIn, const std::string& wanted);

/// `map` as it is in the list of those to choose from: neither turned over nor in bands.
scene::MapChoice plainMap(const scene::MapChoice& map);

/// The one list of all places where a map is chosen. Lives on the UI thread; what it is given outlives it. Maps in the settings that are
/// called as one of `builtIn`, as earlier versions kept them, get another name there.
class SessionMaps : public QObject {
  Q_OBJECT
 public:
  SessionMaps(Document& document, Settings& settings, std::vector<std::string> builtIn,
              QObject* parent = nullptr);

  /// As plainMap() has them, each once; those of all objects are among them.
  std::vector<scene::MapChoice> list() const;
  /// A name that no other map has: `wanted`, or with a number behind it.
  std::string freeName(const std::string& wanted) const;
  /// The name of `map`, or with a number behind it where a built-in map or another one that is kept is called so: none takes the place of
  /// another.
  std::string nameToKeep(const scene::MapChoice& map) const;
  /// What somebody takes out of the list is not kept once no object has it.
  void forget(const std::string& name) { m_unwanted.push_back(name); }

 signals:
  /// Others are kept, or were left.
  void changed();

 private:
  std::vector<scene::MapChoice> used() const;
  void look(bool undone);
  void renameKept();

  Document& m_document;
  Settings& m_settings;
  const std::vector<std::string> m_builtIn;
  std::vector<scene::MapChoice> m_used;  ///< written out, that objects have
  std::vector<scene::MapChoice> m_left;  ///< written out, that no object has any more
  std::vector<std::string> m_unwanted;
  int m_index = 0;  ///< of the undo stack
};

}  // namespace farfield::app
