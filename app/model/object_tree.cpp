#include "app/model/object_tree.h"

#include <QDataStream>
#include <QIODevice>
#include <QMimeData>
#include <algorithm>
#include <variant>

#include "app/first/first_objects.h"
#include "app/model/fields/window_kinds.h"
#include "app/model/files/series_names.h"
#include "app/model/words/some_names.h"
#include "core/base/units.h"
#include "core/flow/termination.h"

namespace farfield::app {
namespace {

constexpr const char* kMime = "application/x-farfield-object";
/// Internal ids of indexes: 0 for data, else the row of the data plus 1.
constexpr quintptr kDataIndex = 0;

/// Data that are open, of a renderer that has ended, cannot be reached, or refuses what asks.
bool lacksRenderer(const DataStatus& status) {
  return status.summary && !rendererFunctions(*status.summary).empty() && !status.problem.message.empty();
}

QString problemText(const Problem& problem) {
  if (problem.message.empty()) return {};
  QString text = windowMessage(problem.message);
  if (!problem.advice.empty()) text += "; " + windowAdvice(problem.advice);
  return text;
}

/// What was not computed because time was short; empty where nothing was.
QString missingText(const ObjectStatus& status) {
  const auto number = [&](const char* key) {
    const auto* const value = status.stats.find(key);
    return value ? std::get<std::uint64_t>(*value) : 0;
  };
  const std::uint64_t missing = number("missing"), all = number("missingOf");
  if (missing == 0) return {};
  const QString text = status.coarse ? ObjectTree::tr("%1 % of it is coarse: it may take no more time.")
                                     : ObjectTree::tr("%1 % of it is missing: it may take no more time.");
  return text.arg(std::max<std::uint64_t>(1, 100 * missing / all));
}

std::optional<std::uint64_t> numberIn(const session::ObjectStats& stats, const char* key) {
  const auto* const value = stats.find(key);
  const auto* const number = value ? std::get_if<std::uint64_t>(value) : nullptr;
  return number ? std::optional(*number) : std::nullopt;
}

/// How many of the seeds of lines lie outside of the data, of how many; 0 of 0 where that is not known. Particles are counted.
std::array<std::uint64_t, 2> seedsOutside(const ObjectStatus& status) {
  if (const auto seeds = numberIn(status.stats, "seeds"))
    return {numberIn(status.stats, "seedsOutside").value_or(0), *seeds};
  const auto& terminations = status.stats.terminations;
  const auto outside = terminations.find("seed-outside");
  if (outside == terminations.end()) return {};
  std::uint64_t lines = 0;
  for (const auto& [reason, count] : terminations) lines += count;
  const auto each = static_cast<std::uint64_t>(status.linesOfSeed);
  return {outside->second / each, lines / each};
}

/// Particles that have not moved yet: of their lines nothing is to be seen.
bool haveNotMoved(const session::ObjectStats& stats) {
  return numberIn(stats, "steps") == 0 && (stats.type == nameOf(session::kTypeOf<session::Pathlines>) ||
                                           stats.type == nameOf(session::kTypeOf<session::Streaklines>));
}

/// Streaklines each of which is a single particle.
bool isOneEach(const ObjectStatus& status) {
  return status.stats.type == nameOf(session::kTypeOf<session::Streaklines>) && status.isJoined &&
         status.stats.points > 0 && status.stats.points <= status.stats.count;
}

/// Where nothing moves at this step there is nothing to see of walls or of other seeds. Empty where that is not so. Of the steps after a
/// first one at rest nobody knows without reading all of them.
QString restText(const ObjectStatus& status) {
  if (status.isAtRest)
    return ObjectTree::tr(
        "The flow is at rest at this step: the vector is 0 everywhere. Go on in time, or choose another vector.");
  if (status.beganAtRest)
    return ObjectTree::tr(
        "Nothing moves here: the flow is at rest at the first step, and may still be at this one. Go on in time, or choose another "
        "vector, as on walls, where the velocity stays 0.");
  return {};
}

/// Streamlines that have begun, but none of which goes anywhere: why. Empty where one does.
QString noWayText(const ObjectStatus& status) {
  const session::ObjectStats& stats = status.stats;
  if (stats.type != nameOf(session::kTypeOf<session::Streamlines>) || stats.count == 0 ||
      stats.points > stats.count)
    return {};
  const auto ended = [&](flow::Termination reason) {
    const auto found = stats.terminations.find(flow::nameOf(reason));
    return found == stats.terminations.end() ? 0 : found->second;
  };
  const std::uint64_t notFinite = ended(flow::Termination::NotFinite),
                      still = ended(flow::Termination::Stagnation);
  if (notFinite > 0 && notFinite >= still)
    return ObjectTree::tr(
        "No lines: where the seeds are, the vector is not a number. Move the seeds, or choose another vector.");
  if (const QString text = restText(status); still > 0 && !text.isEmpty()) return text;
  if (still > 0)
    return ObjectTree::tr(
        "No lines: where the seeds are, the vector is 0, as velocity is on walls. Move the seeds, or choose another vector.");
  if (ended(flow::Termination::OutOfDomain) > 0)
    return ObjectTree::tr(
        "No lines: where the seeds are, the vector leads out of the data at once, as out of a sheet. Move the seeds, or choose "
        "another vector.");
  return {};
}

/// Of what begins at seeds: which of them give nothing, and why nothing is seen. Empty where all is as one expects.
QString startText(const ObjectStatus& status) {
  const auto [outside, seeds] = seedsOutside(status);
  if (outside > 0 && outside == seeds)
    return ObjectTree::tr("No lines: none of the seeds lies in the data. Move the seeds.");
  if (const QString text = noWayText(status); !text.isEmpty()) return text;
  QStringList texts;
  if (outside > 0)
    texts.append(
        ObjectTree::tr("%1 of %2 seeds lie outside the data, and have no lines.").arg(outside).arg(seeds));
  if (haveNotMoved(status.stats))
    texts.append(ObjectTree::tr("They begin at this step: play, or go on in time, to see where they go."));
  else if (isOneEach(status))
    texts.append(ObjectTree::tr(
        "No line is seen: a line joins the particles of a seed, and each has one now. Tick “Particles "
        "alone”, or let go at more steps."));
  return texts.join(' ');
}

/// Of lines on a surface of which there are none.
QString noLineText(const ObjectStatus& status) {
  const session::ObjectStats& stats = status.stats;
  const auto still = stats.terminations.find(flow::nameOf(flow::Termination::Stagnation));
  if (still == stats.terminations.end() || still->second == 0)
    return ObjectTree::tr(
        "No line is seen: none starts in a cell that is not blanked. Choose another surface.");
  if (const QString text = restText(status); !text.isEmpty()) return text;
  return ObjectTree::tr(
      "No line is seen: on this surface the vector is 0, as velocity is on walls without slip, or has no values, as "
      "wall-shear-stress inside of the flow. Choose another vector, or a wall to lie on.");
}

}  // namespace

bool isNote(const ObjectStatus& status) {
  if (status.state == ObjectState::Failed) return status.problem.isEarly;
  if (!status.notDrawn.isEmpty()) return false;
  if (status.state != ObjectState::Done || !status.inVain.isEmpty()) return false;
  const auto [outside, seeds] = seedsOutside(status);
  return outside < seeds || status.stats.find("missing") ||
         (!restText(status).isEmpty() && stateText(status) == restText(status));
}

QString whyNotSeen(const ObjectStatus& status) {
  if (status.state == ObjectState::Failed) return isNote(status) ? QString() : stateText(status);
  return status.state == ObjectState::Hidden ? QString() : status.notDrawn;
}

QString stateText(const ObjectStatus& status) {
  switch (status.state) {
    case ObjectState::Hidden:
      return ObjectTree::tr("hidden");
    case ObjectState::Waiting:
    case ObjectState::Running: {
      if (!status.waitsFor.empty())
        return ObjectTree::tr("waits for %1, and goes on when it is back")
            .arg(QString::fromStdString(status.waitsFor));
      if (status.state == ObjectState::Waiting) return ObjectTree::tr("waiting");
      QString text = ObjectTree::tr("computing, %1 %").arg(static_cast<int>(100 * status.fraction));
      if (status.allSamples > 0)
        text = ObjectTree::tr("reading all over the data to see its values: %L1 of %L2 places, %3 %")
                   .arg(status.samples)
                   .arg(status.allSamples)
                   .arg(static_cast<int>(100 * status.fraction));
      if (status.secondsLeft >= 1)
        text += ObjectTree::tr(", %1 left").arg(QString::fromStdString(formatSeconds(status.secondsLeft)));
      if (status.coarse && status.allSamples > 0)
        text += ObjectTree::tr("; until then as the ranges of pages tell");
      else if (status.coarse)
        text += ObjectTree::tr("; coarse until then");
      return text;
    }
    case ObjectState::Done:
      if (!status.notDrawn.isEmpty()) return status.notDrawn;
      if (const QString text = missingText(status); !text.isEmpty()) return text;
      if (!status.inVain.isEmpty()) return status.inVain;
      if (status.stats.type == nameOf(session::kTypeOf<session::SurfaceLines>) && status.stats.points == 0)
        return noLineText(status);
      if (const QString text = startText(status); !text.isEmpty()) return text;
      if (status.stats.type == nameOf(session::kTypeOf<session::Outline>) && status.hasPicture &&
          !status.bounds.empty() && !(status.bounds.diagonal() > 0))
        return ObjectTree::tr("Nothing is seen: the data are a single node.");
      if (status.stats.type == nameOf(session::kTypeOf<session::Slice>) && status.stats.points == 0)
        return ObjectTree::tr("Nothing is cut: the plane passes the data by. Move the plane.");
      if (status.stats.find("valuesOfCells") && status.stats.points == 0)
        return ObjectTree::tr(
            "Nothing is there: these numbers belong to cells as a whole, and are the same all over each. Select the data and choose, at “Values”, “of cells, at nodes”. "
            "(A store gets them so when it is converted: option on=cells-at-nodes.)");
      if (status.stats.type == nameOf(session::kTypeOf<session::Isosurface>) && status.stats.points == 0)
        return ObjectTree::tr(
            "Nothing is there: no cell has the value, or the numbers are the same everywhere. Choose another value.");
      if (status.stats.type == nameOf(session::kTypeOf<session::Isolines>) && status.stats.points == 0)
        return ObjectTree::tr(
            "Nothing is there: the function has no such value on the surface, or one value all over it, as velocity has on walls "
            "without slip. Choose another value or, at “Of”, another function.");
      if (status.stats.type == nameOf(session::kTypeOf<session::Lic>) && status.stats.points == 0)
        return ObjectTree::tr("Nothing is there: the surface is empty, or smaller than a texel.");
      if (status.stats.find("vectorHasNoValues"))
        return (
            status.stats.type == nameOf(session::kTypeOf<session::Arrows>)
                ? ObjectTree::tr(
                      "No arrow is seen: on this surface the vector has no values, as wall-shear-stress inside of "
                      "the flow. Choose another vector, or a wall to lie on.")
                : ObjectTree::tr(
                      "This is noise: on this surface the vector has no values, as wall-shear-stress inside of the "
                      "flow. Choose another vector, or a wall to lie on."));
      if (const QString text = restText(status); status.stats.find("vectorIsZero") && !text.isEmpty())
        return text;
      if (status.stats.find("vectorIsZero") && status.stats.type == nameOf(session::kTypeOf<session::Arrows>))
        return ObjectTree::tr(
            "No arrow is seen: the vector is 0 everywhere on the surface, as velocity is on walls without slip. Choose "
            "wall-shear-stress there.");
      if (status.stats.find("vectorIsZero"))
        return ObjectTree::tr(
            "This is noise: the vector is 0 everywhere on the surface, as velocity is on walls without slip. Choose "
            "wall-shear-stress there.");
      if (status.stats.type == nameOf(session::kTypeOf<session::Arrows>) && status.stats.points == 0)
        return ObjectTree::tr(
            "Nothing is there: the surface is empty, or smaller than the spacing, or the vector has no values on it, as "
            "wall-shear-stress has on the faces of blocks alone. Choose another vector.");
      if (!status.scale.title.empty() && !status.scale.hasValues && status.stats.points > 0)
        return ObjectTree::
            tr("It has no colours: no value of “%1” is a number here. Choose another function to colour it by.")
                .arg(QString::fromStdString(status.scale.title));
      return {};
    case ObjectState::Failed:
      if (status.problem.isEarly)
        return ObjectTree::tr("Nothing is seen yet: the particles are let go at later steps. Go on in time.");
      return problemText(status.problem);
    case ObjectState::Cancelled:
      return status.hasPicture ? ObjectTree::tr("cancelled; what is shown is not all of it")
                               : ObjectTree::tr("cancelled");
  }
  return {};
}

QString stateText(const DataStatus& status) {
  switch (status.state) {
    case DataState::Opening:
      return ObjectTree::tr("opening");
    case DataState::Open:
      if (status.isReadAgain && status.lostServer.empty()) return ObjectTree::tr("being read again");
      if (lacksRenderer(status) && status.problem.isRefused)
        return ObjectTree::tr(
                   "the renderer refuses what this window asks for, and what has come before stays: %1")
            .arg(problemText(status.problem));
      if (lacksRenderer(status))
        return ObjectTree::
            tr("the renderer has ended, or cannot be reached (%1). “Connect to renderer …” puts another one in its place, for all that is shown of these data; if it comes back, they go on by themselves")
                .arg(windowMessage(status.problem.message));
      if (const QString why = problemText(status.problem); !why.isEmpty())
        return ObjectTree::tr("could not be read again, and is as it was: %1").arg(why);
      return status.lostServer.empty() ? QString()
                                       : ObjectTree::tr("the connection to %1 is lost and is made again")
                                             .arg(QString::fromStdString(status.lostServer));
    case DataState::Failed:
      return problemText(status.problem);
  }
  return {};
}

ObjectTree::ObjectTree(Document& document, Stage& stage, QObject* parent)
    : QAbstractItemModel(parent), m_document(document), m_stage(stage) {
  m_rows = rowsNow();
  connect(&document, &Document::changed, this, &ObjectTree::rebuild);
  connect(&document, &Document::replaced, this, &ObjectTree::rebuild);
  connect(&document, &Document::objectChanged, this, [this](ObjectId id) { refresh(indexOf(id)); });
  connect(&stage, &Stage::statusChanged, this, [this](ObjectId id) { refresh(indexOf(id)); });
  connect(&stage, &Stage::dataStatusChanged, this,
          [this](const std::string& name) { refresh(indexOfData(name)); });
  connect(&stage, &Stage::linkChanged, this, [this](const std::string& name) {
    const QModelIndex data = indexOfData(name);
    refresh(data);
    for (int row = 0; row < rowCount(data); ++row) refresh(this->index(row, 0, data));
  });
}

std::vector<ObjectTree::DataRow> ObjectTree::rowsNow() const {
  std::vector<DataRow> rows;
  const session::Session& session = m_document.session();
  for (const session::DataSource& source : session.data) rows.push_back({source.name, {}});
  const std::vector<ObjectId> ids = m_document.objectIds();
  for (std::size_t n = 0; n < ids.size(); ++n) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const DataRow& r) { return r.name == session.objects[n].data; });
    if (row != rows.end()) row->objects.push_back(ids[n]);
  }
  return rows;
}

void ObjectTree::rebuild() {
  std::vector<DataRow> rows = rowsNow();
  if (rows == m_rows) return;
  // One object more under the same data, the most frequent change: inserted as a row, so that the view keeps
  // what is selected and open in it.
  std::size_t changed = rows.size(), differences = 0;
  bool sameData = rows.size() == m_rows.size();
  for (std::size_t n = 0; sameData && n < rows.size(); ++n) {
    sameData = rows[n].name == m_rows[n].name;
    if (rows[n].objects != m_rows[n].objects) changed = n, ++differences;
  }
  if (sameData && differences == 1) {
    const std::vector<ObjectId>&before = m_rows[changed].objects, &after = rows[changed].objects;
    const QModelIndex parent = index(static_cast<int>(changed), 0);
    const auto [was, is] = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
    const int row = static_cast<int>(was - before.begin());
    if (after.size() == before.size() + 1 && std::equal(was, before.end(), is + 1, after.end())) {
      beginInsertRows(parent, row, row);
      m_rows = std::move(rows);
      endInsertRows();
      return;
    }
    if (after.size() + 1 == before.size() && std::equal(was + 1, before.end(), is, after.end())) {
      beginRemoveRows(parent, row, row);
      m_rows = std::move(rows);
      endRemoveRows();
      return;
    }
  }
  beginResetModel();
  m_rows = std::move(rows);
  endResetModel();
}

void ObjectTree::refresh(const QModelIndex& index) {
  if (index.isValid()) emit dataChanged(index, index);
}

QModelIndex ObjectTree::indexOf(ObjectId id) const {
  for (std::size_t n = 0; n < m_rows.size(); ++n) {
    const auto found = std::find(m_rows[n].objects.begin(), m_rows[n].objects.end(), id);
    if (found != m_rows[n].objects.end())
      return createIndex(static_cast<int>(found - m_rows[n].objects.begin()), 0,
                         static_cast<quintptr>(n) + 1);
  }
  return {};
}

QModelIndex ObjectTree::indexOfData(const std::string& name) const {
  for (std::size_t n = 0; n < m_rows.size(); ++n)
    if (m_rows[n].name == name) return createIndex(static_cast<int>(n), 0, kDataIndex);
  return {};
}

ObjectId ObjectTree::idAt(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == kDataIndex) return 0;
  const auto& objects = m_rows[index.internalId() - 1].objects;
  const auto row = static_cast<std::size_t>(index.row());
  return row < objects.size() ? objects[row] : 0;
}

std::string ObjectTree::dataAt(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const std::size_t row =
      index.internalId() == kDataIndex ? static_cast<std::size_t>(index.row()) : index.internalId() - 1;
  return row < m_rows.size() ? m_rows[row].name : std::string();
}

QModelIndex ObjectTree::index(int row, int column, const QModelIndex& parent) const {
  if (row < 0 || column != 0 || row >= rowCount(parent)) return {};
  if (!parent.isValid()) return createIndex(row, 0, kDataIndex);
  return createIndex(row, 0, static_cast<quintptr>(parent.row()) + 1);
}

QModelIndex ObjectTree::parent(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == kDataIndex) return {};
  return createIndex(static_cast<int>(index.internalId() - 1), 0, kDataIndex);
}

int ObjectTree::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(m_rows.size());
  if (parent.internalId() != kDataIndex || parent.column() != 0) return 0;
  return static_cast<int>(m_rows[static_cast<std::size_t>(parent.row())].objects.size());
}

int ObjectTree::columnCount(const QModelIndex&) const {
  return 1;
}

QVariant ObjectTree::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (isData(index)) {
    const std::string name = dataAt(index);
    const DataStatus status = m_stage.dataStatus(name);
    switch (role) {
      case Qt::DisplayRole:
      case Qt::EditRole:
        return QString::fromStdString(name);
      case Qt::ToolTipRole:
        return tipOf(index);
      case IdRole:
        return QVariant::fromValue<qulonglong>(0);
      case TypeRole:
        return QStringLiteral("data");
      case StateRole:
        return static_cast<int>(status.state);
      case ProblemRole:
        return status.state == DataState::Failed || lacksRenderer(status) ? stateText(status) : QString();
      case WaitsRole:
        return !status.lostServer.empty();
      default:
        return {};
    }
  }
  const ObjectId id = idAt(index);
  const session::Object* const object = m_document.object(id);
  if (!object) return {};
  const ObjectStatus status = m_stage.status(id);
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
      return QString::fromStdString(object->name);
    case Qt::CheckStateRole:
      return static_cast<int>(object->visible ? Qt::Checked : Qt::Unchecked);
    case Qt::ToolTipRole:
      return tipOf(index);
    case Qt::AccessibleDescriptionRole:
      return windowKind(object->type()).text;
    case IdRole:
      return QVariant::fromValue<qulonglong>(id);
    case TypeRole:
      return QString::fromUtf8(nameOf(object->type()));
    case StateRole:
      return static_cast<int>(status.state);
    case ProblemRole:
      return m_stage.isSettled(id) ? whyNotSeen(status) : QString();
    case FractionRole:
      return status.fraction;
    case WaitsRole:
      return !status.waitsFor.empty();
    default:
      return {};
  }
}

QString ObjectTree::tipOf(const QModelIndex& index) const {
  QString text;
  QString state;
  if (isData(index)) {
    const std::string name = dataAt(index);
    if (const session::DataSource* source = m_document.session().find(name)) {
      QStringList all;
      for (const auto* files : {&source->source, &source->solution})
        for (const std::string& file : *files)
          all.append(shownPattern(QString::fromStdString(m_document.session().resolve(file))));
      text = someNames(all);
    }
    state = stateText(m_stage.dataStatus(name));
  } else {
    const ObjectId id = idAt(index);
    const session::Object* const object = m_document.object(id);
    if (!object) return {};
    text = windowKind(object->type()).text;
    state = stateText(m_stage.status(id));
  }
  return state.isEmpty() ? text : text + '\n' + state;
}

bool ObjectTree::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid()) return false;
  if (role == Qt::EditRole) {
    const QString problem = isData(index) ? m_document.renameData(dataAt(index), value.toString())
                                          : m_document.renameObject(idAt(index), value.toString());
    if (!problem.isEmpty()) emit nameRefused(problem);
    return problem.isEmpty();
  }
  if (role == Qt::CheckStateRole && !isData(index)) {
    const ObjectId id = idAt(index);
    if (!m_document.object(id)) return false;
    const bool shown = value.toInt() == Qt::Checked;
    const QString step = QStringLiteral("shown/%1").arg(++m_ticks);
    m_document.edit(
        shown ? tr("Show") : tr("Hide"), [&](Draft& draft) { draft.object(id).visible = shown; }, step);
    emit shownOrHidden(id, step);
    return true;
  }
  return false;
}

Qt::ItemFlags ObjectTree::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags both = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable;
  if (isData(index)) return both | Qt::ItemIsDropEnabled;
  return both | Qt::ItemIsUserCheckable | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
}

QStringList ObjectTree::mimeTypes() const {
  return {QString::fromLatin1(kMime)};
}

QMimeData* ObjectTree::mimeData(const QModelIndexList& indexes) const {
  const ObjectId id = indexes.isEmpty() ? 0 : idAt(indexes.front());
  if (id == 0) return nullptr;
  QByteArray bytes;
  QDataStream out(&bytes, QIODevice::WriteOnly);
  out << static_cast<quint64>(id);
  auto* const mime = new QMimeData;
  mime->setData(QString::fromLatin1(kMime), bytes);
  return mime;
}

bool ObjectTree::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int,
                              const QModelIndex& parent) {
  if (action != Qt::MoveAction || !data->hasFormat(QString::fromLatin1(kMime)) || !isData(parent))
    return false;
  QDataStream in(data->data(QString::fromLatin1(kMime)));
  quint64 id = 0;
  in >> id;
  const session::Object* const object = m_document.object(id);
  if (!object) return false;
  const std::string target = dataAt(parent);
  const std::vector<ObjectId>& siblings = m_rows[static_cast<std::size_t>(parent.row())].objects;
  // Before the object that the drop points at; behind all of the data's where it points at the data.
  const ObjectId before = row >= 0 && static_cast<std::size_t>(row) < siblings.size()
                              ? siblings[static_cast<std::size_t>(row)]
                              : 0;
  if (before == id) return false;
  m_document.edit(tr("Move"), [&](Draft& draft) {
    if (object->data != target) draft.object(id).data = target;
    std::size_t at = 0, place = draft.objects().size();
    for (const DocumentState::Entry& entry : draft.objects()) {
      if (entry.id == id) continue;
      if (entry.id == before) place = at;
      ++at;
    }
    draft.move(id, place);
  });
  return false;  // the model has been rebuilt; the view need not remove anything
}

}  // namespace farfield::app
