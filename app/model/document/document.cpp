#include "app/model/document/document.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "app/model/document/fit_for_files.h"
#include "app/model/document/legend_names.h"
#include "app/model/document/plot_names.h"
#include "app/model/document/session_edit.h"
#include "app/model/document/shared_colors.h"
#include "app/model/document/surface_inks.h"
#include "app/model/document/view_layout.h"
#include "app/model/files/name_problem.h"
#include "core/session/json/names.h"
#include "core/session/json/on_surface.h"

namespace farfield::app {
namespace {

constexpr int kUndoSteps = 2000;
/// With which keys of steps begin that open data: what opening the same once more would bring back is no work.
constexpr QLatin1String kOpening("open/");

/// Where an object is in a state; its size where it is not.
std::size_t indexOf(const DocumentState& state, ObjectId id) {
  const auto found = std::find_if(state.objects.begin(), state.objects.end(),
                                  [&](const DocumentState::Entry& entry) { return entry.id == id; });
  return static_cast<std::size_t>(found - state.objects.begin());
}

const session::DataSource* findData(const session::Session& frame, const std::string& name) {
  return frame.find(name);
}

/// What lies on other objects follows their changes and their new names; if they go, it stays where it is.
void followSurfaces(const DocumentState& before, Draft& draft) {
  const auto named = [](const std::vector<DocumentState::Entry>& entries, const std::string& name) {
    return std::find_if(entries.begin(), entries.end(),
                        [&](const DocumentState::Entry& entry) { return entry.object->name == name; });
  };
  for (const DocumentState::Entry& entry : std::vector(draft.objects())) {
    const session::OnSurface* const on = session::surfaceUnder(*entry.object);
    if (!on || on->name.empty()) continue;
    // perhaps under another name now
    auto surface = draft.objects().end();
    if (const auto was = named(before.objects, on->name); was != before.objects.end())
      surface = std::find_if(draft.objects().begin(), draft.objects().end(),
                             [&](const DocumentState::Entry& other) { return other.id == was->id; });
    if (surface == draft.objects().end()) surface = named(draft.objects(), on->name);
    session::OnSurface after = *on;
    if (surface != draft.objects().end() && session::isSurface(*surface->object) &&
        surface->object->data == entry.object->data)
      session::followSurface(after, *surface->object);
    else
      after.name.clear();
    if (after != *on) *session::surfaceUnder(draft.object(entry.id)) = after;
  }
}

/// After `change` and what follows from it.
DocumentState stateAfter(const DocumentState& before, const std::function<void(Draft&)>& change,
                         ObjectId& lastId) {
  Draft draft(before, lastId);
  change(draft);
  followSurfaces(before, draft);
  followNames(before, draft);
  followLegends(before, draft);
  followPlotNames(before, draft);
  if (!draft.state().frame->layout.over) separateColors(draft);
  followInks(before, draft);
  keepFitForFiles(before, draft);
  return draft.state();
}

DocumentState emptyState() {
  return {std::make_shared<session::Session>(), {}};
}

}  // namespace

bool DocumentState::Entry::operator==(const Entry& other) const {
  return id == other.id && (object == other.object || *object == *other.object);
}

bool DocumentState::operator==(const DocumentState& other) const {
  return (frame == other.frame || *frame == *other.frame) && objects == other.objects &&
         joined == other.joined && standIns == other.standIns && widened == other.widened;
}

Draft::Draft(DocumentState state, ObjectId& lastId) : m_state(std::move(state)), m_lastId(lastId) {}

session::Session& Draft::frame() {
  auto copy = std::make_shared<session::Session>(*m_state.frame);
  session::Session& frame = *copy;
  m_state.frame = std::move(copy);
  return frame;
}

ObjectId Draft::add(session::Object object, std::optional<std::size_t> index) {
  const auto taken = [&](const std::string& name) {
    return std::any_of(m_state.objects.begin(), m_state.objects.end(),
                       [&](const DocumentState::Entry& entry) { return entry.object->name == name; });
  };
  const std::string wish = session::fittedName(object.name);
  object.name = uniqueName(wish.empty() ? nameOf(object.type()) : wish, taken);
  const std::size_t at = std::min(index.value_or(m_state.objects.size()), m_state.objects.size());
  const ObjectId id = ++m_lastId;
  m_state.objects.insert(m_state.objects.begin() + static_cast<std::ptrdiff_t>(at),
                         {id, std::make_shared<session::Object>(std::move(object))});
  return id;
}

void Draft::remove(ObjectId id) {
  std::erase_if(m_state.objects, [&](const DocumentState::Entry& entry) { return entry.id == id; });
}

void Draft::move(ObjectId id, std::size_t index) {
  const std::size_t from = indexOf(m_state, id);
  if (from == m_state.objects.size()) return;
  const DocumentState::Entry entry = m_state.objects[from];
  m_state.objects.erase(m_state.objects.begin() + static_cast<std::ptrdiff_t>(from));
  const std::size_t to = std::min(index, m_state.objects.size());
  m_state.objects.insert(m_state.objects.begin() + static_cast<std::ptrdiff_t>(to), entry);
}

session::Object& Draft::object(ObjectId id) {
  DocumentState::Entry& entry = m_state.objects.at(indexOf(m_state, id));
  auto copy = std::make_shared<session::Object>(*entry.object);
  session::Object& object = *copy;
  entry.object = std::move(copy);
  return object;
}

Document::Document(QObject* parent) : QObject(parent), m_state(emptyState()) {
  m_undo.setUndoLimit(kUndoSteps);
  connect(&m_undo, &QUndoStack::cleanChanged, this, [this] { emit modifiedChanged(isModified()); });
  // The stack is as little clean after the first work as after opening, so it does not tell.
  connect(&m_undo, &QUndoStack::indexChanged, this, [this, told = std::make_shared<bool>(false)] {
    const bool modified = isModified();
    if (std::exchange(*told, modified) != modified) emit modifiedChanged(modified);
  });
}

Document::~Document() {
  // Its last signals would reach a document that is half gone.
  m_undo.disconnect(this);
}

const session::Session& Document::session() const {
  if (!m_whole) {
    m_whole = *m_state.frame;
    m_whole->objects.clear();
    for (const DocumentState::Entry& entry : m_state.objects) m_whole->objects.push_back(*entry.object);
  }
  return *m_whole;
}

QString Document::title() const {
  return m_path.isEmpty() ? tr("Untitled") : QFileInfo(m_path).completeBaseName();
}

// A document without a file in which data were opened, and nothing else was done, has nothing to save.
bool Document::isModified() const {
  if (m_recovered) return true;
  if (m_undo.isClean()) return false;
  // A stack that is full may have lost its first steps.
  if (!m_path.isEmpty() || m_undo.count() >= kUndoSteps) return true;
  for (int n = 0; n < m_undo.index(); ++n)
    if (!static_cast<const SessionEdit*>(m_undo.command(n))->key().startsWith(kOpening)) return true;
  return false;
}

bool Document::isEmpty() const {
  return m_state.frame->data.empty() && m_state.objects.empty();
}

const session::Object* Document::object(ObjectId id) const {
  const std::size_t index = indexOf(m_state, id);
  return index < m_state.objects.size() ? m_state.objects[index].object.get() : nullptr;
}

std::vector<ObjectId> Document::objectIds() const {
  std::vector<ObjectId> ids;
  for (const DocumentState::Entry& entry : m_state.objects) ids.push_back(entry.id);
  return ids;
}

ObjectId Document::idNamed(const std::string& name) const {
  for (const DocumentState::Entry& entry : m_state.objects)
    if (entry.object->name == name) return entry.id;
  return 0;
}

void Document::edit(const QString& text, const std::function<void(Draft&)>& change, const QString& key) {
  DocumentState after = stateAfter(m_state, change, m_lastId);
  if (after == m_state) return;
  auto step = std::make_unique<SessionEdit>(*this, m_state, std::move(after), key, m_mergeEpoch);
  step->setText(text);
  SessionEdit::push(*this, std::move(step));
}

void Document::editFurther(const QString& text, const std::function<void(Draft&)>& change,
                           const QString& key) {
  // Pushing a step would throw away those that can be done again.
  if (SessionEdit* const step = m_undo.canRedo() ? SessionEdit::lastOf(*this, key) : nullptr) {
    if (const DocumentState after = stateAfter(m_state, change, m_lastId); after != m_state)
      step->changeWithThoseAfter(after);
    return;
  }
  const auto* const last =
      m_undo.index() > 0 ? static_cast<const SessionEdit*>(m_undo.command(m_undo.index() - 1)) : nullptr;
  const std::uint64_t now = m_mergeEpoch;
  if (last && last->key() == key) m_mergeEpoch = last->mergeEpoch();
  edit(text, change, key);
  m_mergeEpoch = now;
}

ObjectId Document::addObject(session::Object object) {
  ObjectId id = 0;
  edit(tr("Add %1").arg(QString::fromUtf8(nameOf(object.type()))),
       [&](Draft& draft) { id = draft.add(std::move(object)); });
  return id;
}

void Document::setObject(ObjectId id, session::Object object, const QString& text, const QString& key) {
  if (!this->object(id)) return;
  edit(
      text, [&](Draft& draft) { draft.object(id) = std::move(object); },
      key.isEmpty() ? key : QString::number(id) + '/' + key);
}

QString Document::renameObject(ObjectId id, const QString& name) {
  const QString trimmed = name.trimmed();
  if (QString problem = nameProblem(trimmed); !problem.isEmpty()) return problem;
  const ObjectId owner = idNamed(trimmed.toStdString());
  if (owner != 0 && owner != id) return tr("Another object is called “%1”.").arg(trimmed);
  if (!object(id)) return {};
  edit(tr("Rename"), [&](Draft& draft) { draft.object(id).name = trimmed.toStdString(); });
  return {};
}

QString Document::renameData(const std::string& from, const QString& to) {
  const QString trimmed = to.trimmed();
  if (QString problem = nameProblem(trimmed); !problem.isEmpty()) return problem;
  const std::string name = trimmed.toStdString();
  if (name == from || !findData(*m_state.frame, from)) return {};
  if (findData(*m_state.frame, name)) return tr("Other data are called “%1”.").arg(trimmed);
  edit(tr("Rename data"), [&](Draft& draft) {
    for (session::DataSource& source : draft.frame().data)
      if (source.name == from) source.name = name;
    for (const DocumentState::Entry& entry : std::vector(draft.objects()))
      if (entry.object->data == from) draft.object(entry.id).data = name;
  });
  return {};
}

void Document::removeData(const std::string& name) {
  edit(tr("Close data"), [&](Draft& draft) {
    std::erase_if(draft.frame().data, [&](const session::DataSource& source) { return source.name == name; });
    for (const DocumentState::Entry& entry : std::vector(draft.objects()))
      if (entry.object->data == name) draft.remove(entry.id);
  });
}

void Document::replace(session::Session session, const QString& path, bool modified) {
  DocumentState state;
  for (session::Object& object : session.objects)
    state.objects.push_back({++m_lastId, std::make_shared<session::Object>(std::move(object))});
  session.objects.clear();
  takeJoined(state, session.layout);
  state.frame = std::make_shared<session::Session>(std::move(session));
  m_state = std::move(state);
  m_whole.reset();
  m_recovered = modified;
  m_undo.clear();
  setPath(path);
  emit replaced();
  emit modifiedChanged(isModified());
}

void Document::clear() {
  replace({}, {});
}

void Document::markSaved(const QString& path, const DocumentState& saved) {
  // What was changed while the file was being written is not in it.
  const bool current = saved == m_state;
  setPath(path);
  if (!current) {
    // Nor is what was saved before: that is not in the file any more.
    m_undo.resetClean();
    emit modifiedChanged(isModified());
    return;
  }
  m_recovered = false;
  m_undo.setClean();
  endMerge();
  emit modifiedChanged(isModified());
}

void Document::setPath(const QString& path) {
  if (path == m_path) return;
  m_path = path;
  emit pathChanged();
}

void Document::apply(const DocumentState& state) {
  const DocumentState before = m_state;
  m_state = state;
  m_whole.reset();
  const session::Session &old = *before.frame, &now = *m_state.frame;
  for (const session::DataSource& source : now.data) {
    const session::DataSource* const was = findData(old, source.name);
    if (!was) emit dataAdded(source.name);
    if (was && !(*was == source)) emit dataChanged(source.name);
  }
  for (const DocumentState::Entry& entry : before.objects) {
    if (indexOf(m_state, entry.id) == m_state.objects.size()) emit objectRemoved(entry.id);
  }
  for (const DocumentState::Entry& entry : m_state.objects) {
    const std::size_t was = indexOf(before, entry.id);
    if (was == before.objects.size()) {
      emit objectAdded(entry.id);
      continue;
    }
    if (!(before.objects[was] == entry)) emit objectChanged(entry.id, *before.objects[was].object);
  }
  if (!(old.camera == now.camera)) emit cameraChanged();
  if (!(old.image == now.image)) emit imageChanged();
  if (old.layout != now.layout) emit layoutChanged();
  emit changed();
}

std::string uniqueName(const std::string& wish, const std::function<bool(const std::string&)>& taken) {
  if (!taken(wish)) return wish;
  for (int n = 2;; ++n) {
    const std::string number = " " + std::to_string(n);
    // A long name is cut for it, so that what is called so can be saved.
    const std::string name = session::cutAtLetter(wish, session::kMostNameBytes - number.size()) + number;
    if (!taken(name)) return name;
  }
}

}  // namespace farfield::app
