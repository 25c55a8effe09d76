#include "app/model/app_model.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QSysInfo>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "app/first/first_objects.h"
#include "app/first/first_places.h"
#include "app/first/first_view.h"
#include "app/model/document/corrections.h"
#include "app/model/document/followed_names.h"
#include "app/model/document/line_shapes.h"
#include "app/model/document/shared_colors.h"
#include "app/model/document/surface_beginnings.h"
#include "app/model/document/volume_looks.h"
#include "app/model/fields/window_kinds.h"
#include "app/model/files/data_files.h"
#include "app/model/files/example_sessions.h"
#include "app/model/files/place.h"
#include "app/model/files/series_names.h"
#include "app/model/renderers/renderer_start.h"
#include "app/model/settings/opening_options.h"
#include "app/model/stage/covering_surfaces.h"
#include "app/model/stage/renderer_links.h"
#include "app/model/stand_in_colors.h"
#include "core/base/machine.h"
#include "core/base/units.h"
#include "core/base/url.h"
#include "core/fields/functions/open_data.h"
#include "core/session/run/remote_run.h"
#include "core/session/session_camera.h"

namespace farfield::app {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

/// `folder`, or the user's own place of that kind, whatever the application is called by its launcher.
QString placeOf(const QString& folder, QStandardPaths::StandardLocation location) {
  return folder.isEmpty() ? QStandardPaths::writableLocation(location) + "/farfield" : folder;
}

}  // namespace

AppModel::AppModel(AppParts parts, QObject* parent) : QObject(parent), m_parts(std::move(parts)) {
  m_settings = std::make_unique<Settings>(m_parts.settingsFile);
  m_files = std::make_unique<SessionFiles>();
  m_document = std::make_unique<Document>();
  m_maps = std::make_unique<SessionMaps>(*m_document, *m_settings, m_parts.colorMaps);
  m_recovery = std::make_unique<Recovery>(
      *m_document, *m_files, placeOf(m_parts.dataFolder, QStandardPaths::GenericDataLocation) + "/recovery");
  WorkshopOptions options;
  options.memoryBytes = m_settings->memoryBytes();
  options.processors = m_settings->processors();
  options.makeVolume = m_parts.makeVolume;
  options.makeSlabs = m_parts.makeSlabs;
  options.askResults = m_parts.askResults;
  options.traceLines = m_parts.traceLines;
  options.keptLevels = m_parts.keptLevels;
  options.spoolFolder =
      placeOf(m_parts.cacheFolder, QStandardPaths::GenericCacheLocation).toStdString() + "/results";
  m_engine = std::make_unique<Engine>(m_parts.readers, options);
  m_stage = std::make_unique<Stage>(*m_document, *m_engine);
  m_recovery->setShownStep([stage = m_stage.get()] {
    return Recovery::ShownStep{stage->stepToKeep(), stage->timeToKeep()};
  });
  connect(m_stage.get(), &Stage::stepChanged, m_recovery.get(), &Recovery::noteStep);
  m_tree = std::make_unique<ObjectTree>(*m_document, *m_stage);
  m_watchdog = std::make_unique<Watchdog>();
  connect(m_stage.get(), &Stage::dataOpened, this, &AppModel::addFirstObjects);
  connect(m_engine.get(), &Engine::probed, this, &AppModel::placeRake);
  connect(m_engine.get(), &Engine::probed, this, &AppModel::takeOuterSheets);
  // Who stops the search for a better place has the rake, or the surface, where it began.
  connect(m_stage.get(), &Stage::statusChanged, this, [this](ObjectId id) {
    const auto isIt = [id](const auto& each) { return each.second.id == id; };
    if ((m_newRakes.empty() && m_newSheets.empty()) || m_stage->status(id).state != ObjectState::Cancelled)
      return;
    std::erase_if(m_newRakes, isIt);
    std::erase_if(m_newSheets, isIt);
  });
  // Not within the signal, which others hear after this.
  connect(m_stage.get(), &Stage::statusChanged, this, &AppModel::seeOnSurface, Qt::QueuedConnection);
  connect(m_document.get(), &Document::objectRemoved, this, &AppModel::seeOnSurface, Qt::QueuedConnection);
  const auto last = std::make_shared<DocumentState>(m_document->state());
  connect(m_document.get(), &Document::replaced, this, [this, last] {
    *last = m_document->state();
    m_newOnSurfaces.clear();
    m_fresh.clear();
    m_unseen.clear();
  });
  // Data may be given another name before they are open.
  connect(m_document.get(), &Document::changed, this, [this, last] {
    const DocumentState before = std::exchange(*last, m_document->state());
    ObjectId none = 0;
    const Draft now(*last, none);
    for (const auto& [name, step] : std::map(m_fresh))
      if (const std::string its = dataAfter(before, now, name); !its.empty() && its != name) {
        m_fresh[its] = m_fresh.extract(name).mapped();
        if (m_unseen.erase(name) > 0) m_unseen.insert(its);
      }
  });
  connect(m_stage.get(), &Stage::dataStatusChanged, this, &AppModel::findReadings);
}

AppModel::~AppModel() {
  m_watchdog->stop();
  if (m_parts.endWaits) m_parts.endWaits();
  m_tree.reset();
  m_stage.reset();
  m_engine.reset();
  m_recovery.reset();
  m_maps.reset();
  m_document.reset();
  m_files.reset();  // waits for what is being written
}

void AppModel::open(const QStringList& paths) {
  openPicked(PathSorter::sort(paths));
}

void AppModel::openPicked(const Picked& picked) {
  if (!picked.remarks.isEmpty()) emit notOpened(picked.remarks, picked.isEmpty());
  if (!picked.session.isEmpty()) openSession(picked.session);
  openData(picked.data);
  for (const DataFiles& files : picked.data)
    if (files.gridBySize) emit gridTaken(files.solutions.front(), files.source);
}

bool AppModel::isOf(const std::string& dataName, const DataFiles& files) const {
  const session::Session& session = m_document->session();
  const session::DataSource* const source = session.find(dataName);
  if (!source) return false;
  session::DataSource its = dataSource(files, dataName);
  // Nobody has said how they are read, which was chosen since.
  if (files.options.empty()) its.options = source->options;
  return dataKey(session, its) == dataKey(session, *source);
}

void AppModel::openData(const std::vector<DataFiles>& wanted) {
  std::vector<DataFiles> data;
  QStringList remarks;
  for (const DataFiles& files : wanted) {
    const bool isRenderer = Place(files.source).isRenderer();
    // Data elsewhere that could not be opened, or whose server is gone or refuses them by now, are not wanted a second time: they are
    // tried again.
    const auto& sources = m_document->session().data;
    const auto closed = std::find_if(sources.begin(), sources.end(), [&](const session::DataSource& source) {
      if (!isUrl(files.source.toStdString()) || !isOf(source.name, files)) return false;
      const DataStatus status = m_stage->dataStatus(source.name);
      return status.state == DataState::Failed || !status.problem.message.empty() ||
             !status.lostServer.empty() || m_stage->lacksLogin(source.name);
    });
    const auto rendered = std::find_if(
        sources.begin(), sources.end(),
        [&](const session::DataSource& source) { return isRenderer && isOf(source.name, files); });
    if (closed != sources.end())
      m_stage->readAgain(std::string(closed->name));
    else if (rendered != sources.end())
      remarks.append(tr("%1 is what the renderer %2 shows, and is open.")
                         .arg(QString::fromStdString(rendered->name), files.source));
    else
      data.push_back(files);
  }
  if (!remarks.isEmpty()) emit notOpened(remarks, data.empty());
  if (data.empty()) return;
  const QString key = QStringLiteral("open/") + data.front().source;
  const auto add = [&](Draft& draft) {
    for (const DataFiles& files : data) {
      session::Session& frame = draft.frame();
      const std::string name =
          uniqueName(nameForSteps(QStringList{files.source} + files.later).toStdString(),
                     [&](const std::string& wish) { return frame.find(wish) != nullptr; });
      frame.data.push_back(dataSource(files, name));
      m_fresh[name] = key;
      m_unseen.insert(name);
    }
  };
  m_document->endMerge();
  m_document->edit(tr("Open %1").arg(QFileInfo(data.front().source).fileName()), add, key);
  // Of files that are open under another name nobody tells that they are.
  for (const auto& [name, step] : std::map(m_fresh))
    if (step == key && m_stage->dataStatus(name).state == DataState::Open) addFirstObjects(name);
}

bool AppModel::readForFirstSight(const std::string& dataName, const QString& key) {
  const auto summary = m_stage->summary(dataName);
  if (m_unseen.erase(dataName) == 0 || !summary) return false;
  const std::map<std::string, std::string> wanted = optionsAtFirst(*summary);
  const session::DataSource* const source = m_document->session().find(dataName);
  const auto isChosen = [&](const auto& option) { return source->options.contains(option.first); };
  if (!source || std::all_of(wanted.begin(), wanted.end(), isChosen)) return false;
  const auto read = [&](Draft& draft) {
    for (session::DataSource& each : draft.frame().data)
      if (each.name == dataName)
        for (const auto& [option, text] : wanted) each.options.try_emplace(option, optionOf(text));
  };
  m_fresh[dataName] = key;
  m_document->editFurther(tr("Show %1").arg(QString::fromStdString(dataName)), read, key);
  return true;
}

void AppModel::addFirstObjects(const std::string& dataName) {
  const auto fresh = m_fresh.extract(dataName);
  if (fresh.empty() || readForFirstSight(dataName, fresh.mapped())) return;
  remember(dataName);
  const auto summary = m_stage->summary(dataName);
  const std::vector<session::Object> present = m_document->session().objects;
  const bool shown = std::any_of(present.begin(), present.end(),
                                 [&](const session::Object& object) { return object.data == dataName; });
  if (shown) return suitColors(dataName, fresh.mapped());
  if (!summary) return;
  // What a renderer shows is named as its file is, which nobody knew before.
  std::string name = dataName;
  const auto& attributes = summary->description.attributes;
  if (const auto file = attributes.find(session::kRendererFile); file != attributes.end())
    name = uniqueName(nameForData(QString::fromStdString(file->second)).toStdString(),
                      [&](const std::string& wish) {
                        return wish != dataName && m_document->session().find(wish) != nullptr;
                      });
  // Part of opening: taken back together with it.
  const auto add = [&](Draft& draft) {
    for (session::DataSource& source : draft.frame().data)
      if (source.name == dataName) source.name = name;
    for (session::Object& object : firstObjects(*summary, name)) draft.add(std::move(object));
    const auto view = firstView(*summary);
    if (view && present.empty() && draft.frame().camera == session::Session{}.camera)
      draft.frame().camera = *view;
  };
  m_document->editFurther(tr("Show %1").arg(QString::fromStdString(name)), add, fresh.mapped());
  emit firstObjectsAdded(name);
}

/// What is shown of data that are read in another way now has colours that are there: a part of the step that reads them so.
void AppModel::suitColors(const std::string& dataName, const QString& key) {
  const auto summary = m_stage->summary(dataName);
  if (!summary) return;
  QStringList said;
  m_document->editFurther(
      tr("Colour what %1 shows").arg(QString::fromStdString(dataName)),
      [&](Draft& draft) { said = standInColors(draft, dataName, summary); }, key);
  if (!said.isEmpty()) emit colorsStandIn(said.join(' '));
}

void AppModel::remember(const std::string& dataName) {
  const session::Session& session = m_document->session();
  const session::DataSource* const source = session.find(dataName);
  if (!source) return;
  QStringList names;
  for (const auto* files : {&source->source, &source->solution})
    for (const std::string& file : *files) names.append(QString::fromStdString(session.resolve(file)));
  // A query may be a signature: nothing secret is kept.
  if (names.front().startsWith("http") && names.front().contains('?')) return;
  // It ends with this window, and its address says nothing then; another program may have it.
  if (RendererStart::isOwn(names.front())) return;
  m_settings->addRecent(names.join('\n'));
  std::map<std::string, std::string> options;
  for (const auto& [key, value] : source->options) options[key] = session::textOf(value);
  keepOpeningOptions(*m_settings, names.join('\n'), options);
}

void AppModel::findReadings(const std::string& dataName) {
  const std::string key = m_stage->keyOf(dataName);
  const session::Session& session = m_document->session();
  const session::DataSource* const source = session.find(dataName);
  if (!m_parts.readingsOf || !source || m_readings.contains(key) ||
      m_stage->dataStatus(dataName).state != DataState::Failed)
    return;
  m_readings[key] = {};  // asked for
  const std::string grid = session.resolve(source->source.front());
  const std::string solution = source->solution.empty() ? "" : session.resolve(source->solution.front());
  const auto found = std::make_shared<std::vector<FileReading>>();
  m_files->look(
      [found, grid, solution, ask = m_parts.readingsOf] {
        try {
          // of a series its first step
          *found = ask(fields::expandPattern(grid).front(),
                       solution.empty() ? solution : fields::expandPattern(solution).front());
        } catch (const std::exception&) {
          // What is wrong with the files was said when they were opened.
        }
      },
      [this, found, key, dataName] {
        if (found->empty()) return;
        m_readings[key] = std::move(*found);
        emit readingsFound(dataName);
      });
}

std::vector<FileReading> AppModel::readings(const std::string& dataName) const {
  const auto found = m_readings.find(m_stage->keyOf(dataName));
  return found == m_readings.end() ? std::vector<FileReading>{} : found->second;
}

bool AppModel::isReadSo(const std::string& dataName, const FileReading& reading) const {
  const session::DataSource* const source = m_document->session().find(dataName);
  return source && std::all_of(reading.options.begin(), reading.options.end(), [&](const auto& option) {
           const auto found = source->options.find(option.first);
           return found != source->options.end() && found->second == optionOf(option.second);
         });
}

void AppModel::readAs(const std::string& dataName, const std::vector<std::string>& keys,
                      const std::map<std::string, std::string>& options) {
  const QString key = QStringLiteral("read/") + QString::fromStdString(dataName);
  m_fresh[dataName] = key;
  m_document->endMerge();
  const auto read = [&](Draft& draft) {
    for (session::DataSource& source : draft.frame().data) {
      if (source.name != dataName) continue;
      for (const std::string& each : keys) source.options.erase(each);
      for (const auto& [option, text] : options) source.options[option] = optionOf(text);
    }
  };
  m_document->edit(tr("Read %1 as chosen").arg(QString::fromStdString(dataName)), read, key);
}

void AppModel::leaveSolutionOut(const std::string& dataName) {
  const QString key = QStringLiteral("read/") + QString::fromStdString(dataName);
  m_fresh[dataName] = key;
  m_document->endMerge();
  const auto leave = [&](Draft& draft) {
    for (session::DataSource& source : draft.frame().data)
      if (source.name == dataName) source.solution.clear();
  };
  m_document->edit(tr("Open the grid of %1 alone").arg(QString::fromStdString(dataName)), leave, key);
}

void AppModel::giveGrid(const std::string& dataName, const QString& grid) {
  const QString key = QStringLiteral("read/") + QString::fromStdString(dataName);
  m_fresh[dataName] = key;
  m_document->endMerge();
  const auto give = [&](Draft& draft) {
    for (session::DataSource& source : draft.frame().data)
      if (source.name == dataName) {
        std::vector<std::string> was = std::exchange(source.source, {grid.toStdString()});
        // Solutions that are named already stay: one of them was taken for the grid.
        if (source.solution.empty()) source.solution = std::move(was);
      }
  };
  m_document->edit(tr("Give %1 its grid").arg(QString::fromStdString(dataName)), give, key);
}

void AppModel::giveAddress(const std::string& dataName, const QString& url) {
  const session::DataSource* const known = m_document->session().find(dataName);
  if (!known) return;
  const std::string before = rendererOf(*known), now = url.toStdString();
  if (before == now) return m_stage->readAgain(dataName);
  // By that name there is something else by now.
  if (before.empty()) return open({url});
  const bool isThere = !lacksRenderer(*known, *m_stage);
  const auto namesIt = [&](const session::DataSource& source) {
    return (!isThere || source.name == dataName) && rendererOf(source) == before;
  };
  const auto ofFrame = [&](const session::Session& frame) -> std::optional<session::Session> {
    if (std::none_of(frame.data.begin(), frame.data.end(), namesIt)) return std::nullopt;
    session::Session other = frame;
    for (session::DataSource& source : other.data)
      if (namesIt(source)) source.source = {now};
    return other;
  };
  // Those that name it themselves.
  const auto ofObject = [&](const session::Object& object) -> std::optional<session::Object> {
    const auto* const its = std::get_if<session::Slabs>(&object.shape);
    if (!its || its->source != before) return std::nullopt;
    session::Object other = object;
    std::get<session::Slabs>(other.shape).source = now;
    return other;
  };
  // Nobody wants to go back to where nothing answers.
  if (!isThere) return correct(*m_document, ofFrame, ofObject);
  m_document->endMerge();
  m_document->edit(tr("Connect %1 to another renderer").arg(QString::fromStdString(dataName)),
                   [&](Draft& draft) {
                     if (auto other = ofFrame(*draft.state().frame)) draft.frame() = std::move(*other);
                     for (const ObjectId id : m_document->objectIds())
                       if (auto other = ofObject(*m_document->object(id)))
                         draft.object(id) = std::move(*other);
                   });
}

void AppModel::chooseReading(const std::string& dataName, const FileReading& reading) {
  const QString key = QStringLiteral("read/") + QString::fromStdString(dataName);
  const std::vector<FileReading> all = readings(dataName);
  m_fresh[dataName] = key;
  m_document->endMerge();
  const auto read = [&](Draft& draft) {
    for (session::DataSource& source : draft.frame().data) {
      if (source.name != dataName) continue;
      // What another reading said is not part of this one.
      for (const FileReading& other : all)
        for (const auto& [option, text] : other.options) source.options.erase(option);
      for (const auto& [option, text] : reading.options) source.options[option] = optionOf(text);
    }
  };
  m_document->edit(tr("Read %1 as chosen").arg(QString::fromStdString(dataName)), read, key);
  // A user who sees that it was the wrong one chooses another.
  m_readings[m_stage->keyOf(dataName)] = all;
}

std::string AppModel::openDataOr(const std::string& dataName) const {
  if (dataName.empty())
    for (const session::DataSource& source : m_document->session().data)
      if (m_stage->summary(source.name)) return source.name;
  return dataName;
}

FieldSurroundings AppModel::surroundingsOf(const session::Object& object) const {
  FieldSurroundings surroundings;
  surroundings.data = m_stage->summary(object.data);
  surroundings.step = m_stage->step();
  surroundings.shown = boundsOf(object);
  for (const session::DataSource& source : m_document->session().data)
    surroundings.dataNames.push_back(source.name);
  surroundings.colorMaps = m_maps->list();
  for (const session::Object& each : m_document->session().objects)
    if (session::canLieOn(object, each) && each.data == object.data)
      surroundings.surfaces.push_back(each.name);
  const session::Session& session = m_document->session();
  surroundings.isCut = !session.image.clip.empty();
  const auto* const surface = std::get_if<session::Isosurface>(&object.shape);
  if (surface || volumeIn(object)) {
    const std::string function = surface ? surface->by : session::shownFunction(object);
    surroundings.wholeRange = m_stage->wholeRange(object.data, function);
    surroundings.shownValues = m_stage->shownValues(object.data, function);
  }
  Vec3 view;
  if (const auto* fixed = std::get_if<session::FixedCamera>(&session.camera))
    view = fixed->position - fixed->target;
  else
    view = std::get<session::AutoCamera>(session.camera).direction;
  const Vec3 stretch = session::stretchOf(session.camera);
  surroundings.viewStretch = stretch;
  view = scene::stretched(view, stretch);  // as normals of planes go back to the data
  // Short to read; nobody sees the difference.
  if (const double size = length(view); size > 0 && std::isfinite(size)) {
    for (int axis = 0; axis < 3; ++axis) view[axis] = std::round(1e3 * view[axis] / size) / 1e3 + 0.0;
    surroundings.viewDirection = view;
  }
  const auto& size = session.image.sizePixels;
  if (const Bounds bounds = m_stage->bounds(); !bounds.empty() && size[0] > 0 && size[1] > 0) {
    const scene::Camera camera =
        session::cameraOf(session, bounds, static_cast<double>(size[0]) / static_cast<double>(size[1]));
    const double height = camera.orthographic
                              ? camera.orthographicHeight
                              : 2 * length(camera.position - camera.target) *
                                    std::tan(camera.fieldOfViewDegrees * std::numbers::pi / 360);
    const double times = std::min({stretch.x, stretch.y, stretch.z});
    if (height > 0 && std::isfinite(height))
      surroundings.pixelLength = height / times / static_cast<double>(size[1]);
  }
  return surroundings;
}

bool AppModel::setMemoryBytes(std::uint64_t bytes) {
  if (bytes < leastMemoryBytes()) return false;
  const bool more = bytes > memoryBytes();
  m_settings->setMemoryBytes(bytes);
  if (m_loan) m_loan->budget = bytes;
  m_engine->setMemoryBytes(bytes - lentBytes());
  if (more) m_stage->retryWhatLackedMemory();
  emit memoryChanged();
  return true;
}

std::uint64_t AppModel::leastMemoryBytes() const {
  return m_loan ? m_loan->least : kLeastMemoryBytes;
}

QString AppModel::whyNotLessMemory() const {
  if (!m_loan) return {};
  return tr("%1 of the budget are lent to what is being written. To lend less, stop that: it can go on from there.")
      .arg(QString::fromStdString(formatBytes(m_loan->lent)));
}

std::uint64_t AppModel::lendMemory() {
  if (!m_loan) {
    // Whole MiB, as it is told to the program and to the user.
    const std::uint64_t budget = m_engine->memoryBytes(), lent = budget / (2 * kMiB) * kMiB;
    m_loan = {budget, lent, lent + std::min(kLeastMemoryBytes, budget - lent)};
    m_engine->setMemoryBytes(budget - lent);
    emit memoryLent();
  }
  return m_loan->lent;
}

void AppModel::takeMemoryBack() {
  if (!m_loan) return;
  m_engine->setMemoryBytes(std::exchange(m_loan, std::nullopt)->budget);
  m_stage->retryWhatLackedMemory();
  emit memoryLent();
}

QString AppModel::diagnostics() const {
  QStringList lines;
  lines << QStringLiteral("Farfield " FARFIELD_VERSION ", Qt %1, %2, %3")
               .arg(QString::fromLatin1(qVersion()), QSysInfo::prettyProductName(),
                    QSysInfo::kernelVersion());
  lines << tr("processors %1, memory %2, budget %3")
               .arg(availableProcessors())
               .arg(QString::fromStdString(formatBytes(machineMemoryBytes())),
                    QString::fromStdString(formatBytes(memoryBytes())));
  const Watchdog::Report stalls = m_watchdog->report();
  lines << tr("stalls of the window: %1 samples, median %2 ms, 99 % %3 ms, 99.9 % %4 ms, worst %5 ms, %6 "
              "above 50 ms")
               .arg(stalls.samples)
               .arg(stalls.medianMs, 0, 'f', 1)
               .arg(stalls.p99Ms, 0, 'f', 1)
               .arg(stalls.p999Ms, 0, 'f', 1)
               .arg(stalls.worstMs, 0, 'f', 1)
               .arg(stalls.over50Ms);
  const WorkshopCounters& counters = m_engine->counters();
  lines << tr("memory used %1, at most %2; pages asked for %3, found %4, read %5 (%6)")
               .arg(QString::fromStdString(formatBytes(counters.usedBytes)),
                    QString::fromStdString(formatBytes(counters.peakBytes)))
               .arg(counters.totals.requests)
               .arg(counters.totals.hits)
               .arg(counters.totals.pagesRead)
               .arg(QString::fromStdString(formatBytes(counters.totals.bytesRead)));
  for (const session::DataSource& source : m_document->session().data) {
    const DataStatus status = m_stage->dataStatus(source.name);
    QString line = tr("data %1: ").arg(QString::fromStdString(source.name));
    if (status.summary)
      line += tr("%1, %2 blocks, %3 steps")
                  .arg(QString::fromStdString(status.summary->description.format))
                  .arg(status.summary->description.blocks.size())
                  .arg(status.summary->description.steps());
    else
      line += stateText(status);
    lines << line;
  }
  for (const ObjectId id : m_document->objectIds()) {
    const ObjectStatus status = m_stage->status(id);
    const session::Object& object = *m_document->object(id);
    QString line = tr("object %1 (%2)")
                       .arg(QString::fromStdString(object.name), QString::fromUtf8(nameOf(object.type())));
    if (const QString state = stateText(status); !state.isEmpty()) line += ": " + state;
    lines << line;
  }
  if (!m_recovery->problem().isEmpty()) lines << m_recovery->problem();
  return lines.join('\n');
}

}  // namespace farfield::app
