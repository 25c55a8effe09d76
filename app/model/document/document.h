#pragma once
// The document that a window shows: a session, where it is kept, and how to take back what was done to it.
// Every change is one step of the undo stack, also where it touches several objects and data sets at a time.
// A step keeps the states before and after it; states share what they have in common, and what changed
// between two of them is found by comparing, so that doing, undoing and loading all end in the same signals.

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/session/session.h"

namespace farfield::app {

/// Names an object for as long as the document is open, whatever it is called. 0 names none.
using ObjectId = std::uint64_t;

/// How much a camera sees: its field of view or, without perspective, its height.
struct CameraLens {
  double fieldOfViewDegrees = 30;
  std::optional<double> orthographicHeight = {};
  bool operator==(const CameraLens&) const = default;
};

/// A state of the document. Immutable but for Draft; cheap to copy.
struct DocumentState {
  struct Entry {
    ObjectId id = 0;
    std::shared_ptr<const session::Object> object;
    bool operator==(const Entry& other) const;
  };
  /// What colours an object had before, and those that it was given in their place for a while.
  struct GivenColors {
    ObjectId id = 0;
    session::Coloring before, given;
    bool operator==(const GivenColors&) const = default;
  };
  /// Of a camera that is seen in a narrower view since others stand beside it: how much it saw before, of width:height `aspect`, and how
  /// much it was given to see then.
  struct WidenedLens {
    std::size_t view = 0;
    CameraLens before, given;
    double aspect = 1;
    bool operator==(const WidenedLens&) const = default;
  };
  std::shared_ptr<const session::Session> frame;  ///< everything but the objects
  std::vector<Entry> objects;                     ///< in the order of the session
  std::vector<GivenColors> joined = {};           ///< while two data sets are compared; in files: ViewLayout::before
  std::vector<GivenColors> standIns = {};         ///< while data lack what they were of; the same
  std::vector<WidenedLens> widened = {};          ///< the same
  bool operator==(const DocumentState& other) const;
};

/// What an edit changes: a copy of the state that becomes the next one.
class Draft {
 public:
  explicit Draft(DocumentState state, ObjectId& lastId);

  /// Everything but the objects.
  session::Session& frame();
  /// Adds `object` behind the others, or at `index`; its name is made unique.
  ObjectId add(session::Object object, std::optional<std::size_t> index = {});
  void remove(ObjectId id);
  /// Moves an object to `index`, counted without it.
  void move(ObjectId id, std::size_t index);
  /// To be changed. The object must be there.
  session::Object& object(ObjectId id);
  const std::vector<DocumentState::Entry>& objects() const { return m_state.objects; }
  /// DocumentState::joined, to be changed.
  std::vector<DocumentState::GivenColors>& joined() { return m_state.joined; }
  /// DocumentState::standIns, to be changed.
  std::vector<DocumentState::GivenColors>& standIns() { return m_state.standIns; }
  /// DocumentState::widened, to be changed.
  std::vector<DocumentState::WidenedLens>& widened() { return m_state.widened; }

  const DocumentState& state() const { return m_state; }

 private:
  DocumentState m_state;
  ObjectId& m_lastId;
};

/// Lives on the UI thread.
class Document : public QObject {
  Q_OBJECT
 public:
  explicit Document(QObject* parent = nullptr);
  ~Document() override;

  /// As it is now, whole.
  const session::Session& session() const;
  const DocumentState& state() const { return m_state; }
  QUndoStack& undoStack() { return m_undo; }

  /// Empty where it was never saved.
  QString path() const { return m_path; }
  /// "wing", or "Untitled".
  QString title() const;
  bool isModified() const;
  /// Whether there is nothing in it.
  bool isEmpty() const;

  /// nullptr where there is none of that id.
  const session::Object* object(ObjectId id) const;
  std::vector<ObjectId> objectIds() const;
  ObjectId idNamed(const std::string& name) const;

  /// Changes the document by `change`, as one step called `text` in the undo menu. Steps of the same
  /// non-empty `key` in a row are one step until endMerge(): a slider that is dragged, a name that is typed.
  /// A change that changes nothing makes no step.
  void edit(const QString& text, const std::function<void(Draft&)>& change, const QString& key = {});
  void endMerge() { ++m_mergeEpoch; }
  /// The same as a part of the step before, whatever came between, where that has this key and was not saved. Where steps were taken back, as a part of the last one with this key that was not, so that they can still be done again.
  void editFurther(const QString& text, const std::function<void(Draft&)>& change, const QString& key);

  // Everyday edits.
  ObjectId addObject(session::Object object);
  void setObject(ObjectId id, session::Object object, const QString& text, const QString& key = {});
  /// Empty when it was done; else what is wrong with the name.
  QString renameObject(ObjectId id, const QString& name);
  QString renameData(const std::string& from, const QString& to);
  /// With the objects that show it.
  void removeData(const std::string& name);

  /// Another session takes the place of this one; nothing is left to undo. `modified`: it is not what `path`
  /// holds (recovered work).
  void replace(session::Session session, const QString& path, bool modified = false);
  /// Starts with nothing.
  void clear();
  /// The state `saved` is what the file at `path` holds now.
  void markSaved(const QString& path, const DocumentState& saved);

 signals:
  // In this order after every change; ids and names are valid in the new state but for removed ones.
  void dataAdded(const std::string& name);
  void dataChanged(const std::string& name);
  void objectRemoved(farfield::app::ObjectId id);
  void objectAdded(farfield::app::ObjectId id);
  void objectChanged(farfield::app::ObjectId id, const farfield::session::Object& before);
  void cameraChanged();
  void imageChanged();
  /// Of views beside one another.
  void layoutChanged();
  /// After all of them.
  void changed();
  /// Everything is another document's now; follows in place of the others.
  void replaced();
  void pathChanged();
  void modifiedChanged(bool modified);

 private:
  friend class SessionEdit;
  void apply(const DocumentState& state);
  void setPath(const QString& path);

  DocumentState m_state;
  mutable std::optional<session::Session> m_whole;
  QUndoStack m_undo;
  QString m_path;
  ObjectId m_lastId = 0;
  std::uint64_t m_mergeEpoch = 0;
  bool m_recovered = false;  ///< never saved as it is, though the undo stack is clean
};

/// "lines", or "lines 2" where there is one already; no longer than names may be.
std::string uniqueName(const std::string& wish, const std::function<bool(const std::string&)>& taken);

}  // namespace farfield::app
