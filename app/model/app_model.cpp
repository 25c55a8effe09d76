#include "app/model/app_model.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QSysInfo>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/first/first_objects.h"
#include "app/first/first_places.h"
#include "app/first/first_view.h"
#include "app/model/covering_surfaces.h"
#include "app/model/data_files.h"
#include "app/model/example_sessions.h"
#include "app/model/line_shapes.h"
#include "app/model/opening_options.h"
#include "app/model/series_names.h"
#include "app/model/shared_colors.h"
#include "app/model/surface_beginnings.h"
#include "app/model/window_kinds.h"
#include "core/base/machine.h"
#include "core/base/units.h"
#include "core/session/run/remote_run.h"
#include "core/session/session_camera.h"

namespace farfield::app {
namespace {

/// From here on, numbers of requests for places of rakes.
constexpr std::uint64_t kRakes = std::uint64_t{1} << 62, kSought = std::uint64_t{1} << 63;

/// `folder`, or the user's own place of that kind, whatever the application is called by its launcher.
QString placeOf(const QString& folder, QStandardPaths::StandardLocation location) {
  return folder.isEmpty() ? QStandardPaths::writableLocation(location) + "/farfield" : folder;
}

/// On which `object`, of the data `name`, is to lie: the surface `under`, or that on which `under` lies itself; else the last one
/// that is seen, or the last one. None: there is none.
const session::Object* surfaceFor(const session::Object& object, const std::string& name, ObjectId under,
                                  const Document& document) {
  const auto suits = [&](const session::Object* each) {
    return each && session::canLieOn(object, *each) && each->data == name;
  };
  const session::Object* const chosen = document.object(under);
  if (suits(chosen)) return chosen;
  if (const session::OnSurface* const on = chosen ? session::surfaceUnder(*chosen) : nullptr)
    if (const session::Object* const its = document.object(document.idNamed(on->name)); suits(its))
      return its;
  const session::Object *last = nullptr, *seen = nullptr;
  for (const session::Object& each : document.session().objects) {
    if (!suits(&each)) continue;
    last = &each;
    if (each.visible) seen = &each;
  }
  return seen ? seen : last;
}

}  // namespace

AppModel::AppModel(AppParts parts, QObject* parent) : QObject(parent), m_parts(std::move(parts)) {
  m_settings = std::make_unique<Settings>(m_parts.settingsFile);
  m_files = std::make_unique<SessionFiles>();
  m_document = std::make_unique<Document>();
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
  m_tree = std::make_unique<ObjectTree>(*m_document, *m_stage);
  m_watchdog = std::make_unique<Watchdog>();
  connect(m_stage.get(), &Stage::dataOpened, this, &AppModel::addFirstObjects);
  connect(m_engine.get(), &Engine::probed, this, &AppModel::placeRake);
  // Who stops the search for a better place has the rake where it began.
  connect(m_stage.get(), &Stage::statusChanged, this, [this](ObjectId id) {
    if (!m_newRakes.empty() && m_stage->status(id).state == ObjectState::Cancelled)
      std::erase_if(m_newRakes, [id](const auto& each) { return each.second.id == id; });
  });
  // Not within the signal, which others hear after this.
  connect(m_stage.get(), &Stage::statusChanged, this, &AppModel::seeOnSurface, Qt::QueuedConnection);
  connect(m_document.get(), &Document::replaced, this, [this] {
    m_newOnSurfaces.clear();
    m_fresh.clear();
    m_unseen.clear();
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

void AppModel::openData(const std::vector<DataFiles>& data) {
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
}

void AppModel::openSession(const QString& path) {
  m_files->load(path, [this, path](LoadedSession loaded) {
    if (!loaded.session) {
      emit loadFailed(path, loaded.problem);
      return;
    }
    const QString absolute = QFileInfo(path).absoluteFilePath();
    if (isExample(absolute)) {
      m_document->replace(std::move(*loaded.session), {});
      emit sessionLoaded(QFileInfo(path).completeBaseName());
      return;
    }
    m_settings->addRecent(absolute);
    m_document->replace(std::move(*loaded.session), absolute);
    emit sessionLoaded(absolute);
  });
}

void AppModel::save(const QString& path) {
  const DocumentState state = m_document->state();
  session::Session session = m_document->session();
  session.shownStep = m_stage->step();  // to go to another step is no edit
  m_files->save(session, path, [this, path, state](const QString& problem) {
    if (!problem.isEmpty()) {
      emit saveFailed(path, problem);
      return;
    }
    m_settings->addRecent(path);
    m_document->markSaved(path, state);
    emit saved(path);
  });
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
  if (!summary || shown) return;
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

void AppModel::remember(const std::string& dataName) {
  const session::Session& session = m_document->session();
  const session::DataSource* const source = session.find(dataName);
  if (!source) return;
  QStringList names;
  for (const auto* files : {&source->source, &source->solution})
    for (const std::string& file : *files) names.append(QString::fromStdString(session.resolve(file)));
  // A query may be a signature: nothing secret is kept.
  if (names.front().startsWith("http") && names.front().contains('?')) return;
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
  m_files->run(
      [found, grid, solution, ask = m_parts.readingsOf] {
        try {
          *found = ask(grid, solution);
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
      if (source.name == dataName) source.solution = std::exchange(source.source, {grid.toStdString()});
  };
  m_document->edit(tr("Give %1 its grid").arg(QString::fromStdString(dataName)), give, key);
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

ObjectId AppModel::addObject(session::ObjectType type, const std::string& dataName, ObjectId under,
                             const std::optional<Vec3>& place) {
  const std::string name = openDataOr(dataName);
  const auto summary = m_stage->summary(name);
  if (!summary) return 0;
  session::Object object = withSharedColors(newObject(type, *summary, name), m_document->session());
  if (auto* const probe = std::get_if<session::Probe>(&object.shape); probe && place)
    probe->points = {*place};
  session::OnSurface* const on = session::surfaceUnder(object);
  if (!on && seedsIn(object)) return addRake(std::move(object), *summary);
  if (!on) return addSeen(*m_document, std::move(object), *summary);
  const scene::Rgba background = m_document->session().image.background;
  if (const session::Object* const surface = surfaceFor(object, name, under, *m_document)) {
    session::followSurface(*on, *surface);
    suitSurface(object, *surface, *summary, background);
    suitSize(object, boundsOf(*surface));
    return addOnSurface([&](Draft& draft) { return draft.add(std::move(object)); }, type);
  }
  return addOnSurface(
      [&](Draft& draft) {
        session::Object made = newObject(session::kTypeOf<session::Slice>, *summary, name);
        if (!session::canLieOn(object, made) || !hasInside(*summary))
          made = newObject(session::kTypeOf<session::GridSurface>, *summary, name);
        suitSurface(object, made, *summary, background);
        session::followSurface(*on, draft.object(draft.add(std::move(made))));
        return draft.add(std::move(object));
      },
      type);
}

/// Of what an object shows; empty where it has not been computed.
Bounds AppModel::boundsOf(const session::Object& object) const {
  return m_stage->status(m_document->idNamed(object.name)).bounds;
}

/// What `add` adds is watched until it has been computed.
ObjectId AppModel::addOnSurface(const std::function<ObjectId(Draft&)>& add, session::ObjectType type) {
  NewOnSurface added{{}, QStringLiteral("on-surface/%1").arg(++m_onSurfacesAdded)};
  ObjectId id = 0;
  m_document->edit(
      tr("Add %1").arg(QString::fromUtf8(nameOf(type))),
      [&](Draft& draft) {
        id = add(draft);
        if (const auto* const vector = vectorIn(draft.object(id))) added.vector = *vector;
      },
      added.step);
  if (!added.vector.empty()) m_newOnSurfaces.emplace(id, std::move(added));
  return id;
}

void AppModel::seeOnSurface(ObjectId id) {
  const auto found = m_newOnSurfaces.find(id);
  if (found == m_newOnSurfaces.end()) return;
  const ObjectStatus status = m_stage->status(id);
  if (status.state == ObjectState::Waiting || status.state == ObjectState::Running) return;
  const auto node = m_newOnSurfaces.extract(found);
  const NewOnSurface& added = node.mapped();
  const session::Object* const object = m_document->object(id);
  const auto data = object ? m_stage->summary(object->data) : nullptr;
  // Who has changed it meanwhile has chosen.
  if (status.state != ObjectState::Done || !data || *vectorIn(*object) != added.vector ||
      !showsNoVector(status.stats))
    return;
  const session::Object* const surface =
      m_document->object(m_document->idNamed(session::surfaceUnder(*object)->name));
  if (!surface) return;
  if (auto other = withOtherVector(*object, *surface, *data))
    m_document->editFurther(
        tr("Add %1").arg(QString::fromUtf8(nameOf(object->type()))),
        [&](Draft& draft) { draft.object(id) = std::move(*other); }, added.step);
}

/// Looking for a better place takes a moment, or longer where the data are far away, and nobody waits for it here.
ObjectId AppModel::addRake(session::Object object, const DataSummary& data) {
  const auto* const rake = std::get_if<session::LineSeeds>(seedsIn(object));
  if (!rake || !mayHaveHoles(data) || !holdsPlaces(data) || data.bounds.empty() ||
      !rendererFunctions(data).empty())
    return addSeen(*m_document, std::move(object), data);
  const std::uint64_t number = kRakes + ++m_rakesSought;
  NewRake added{0, *rake, QStringLiteral("rake/%1").arg(m_rakesSought)};
  ProbeRequest request;
  request.number = number;
  request.dataKey = m_stage->keyOf(object.data);
  request.step = m_stage->step();
  request.seeks = true;
  request.rakes = rakePlaces(data);
  m_stage->hold([&] {
    m_document->edit(
        tr("Add %1").arg(QString::fromUtf8(nameOf(object.type()))),
        [&](Draft& draft) { added.id = addSeen(draft, std::move(object), data); }, added.step);
  });
  m_newRakes.emplace(number, added);
  m_engine->probe(request);
  return added.id;
}

void AppModel::seekInside(const std::string& dataName, Vec3 place, QObject* asker,
                          std::function<void(Vec3)> then) {
  const auto data = m_stage->summary(dataName);
  if (!data || !mayHaveHoles(*data)) return then(place);
  const std::uint64_t number = kSought + ++m_placesSought;
  auto* const once = new QObject(asker);
  connect(m_engine.get(), &Engine::probed, once,
          [number, once, then = std::move(then)](const ProbeAnswer& answer) {
            if (answer.number != number) return;
            once->deleteLater();
            then(answer.point);
          });
  ProbeRequest request;
  request.number = number;
  request.dataKey = m_stage->keyOf(dataName);
  request.step = m_stage->step();
  request.point = place;
  request.seeks = true;
  m_engine->probe(request);
}

void AppModel::placeRake(const ProbeAnswer& answer) {
  const auto node = m_newRakes.extract(answer.number);
  if (!node) return;
  const NewRake& added = node.mapped();
  const session::Object* const object = m_document->object(added.id);
  if (!object) return;
  // Who has moved it meanwhile knows better.
  const auto* const now = std::get_if<session::LineSeeds>(seedsIn(*object));
  if (answer.rake && now && *now == added.seeds && *answer.rake != added.seeds)
    m_document->editFurther(
        tr("Add %1").arg(QString::fromUtf8(nameOf(object->type()))),
        [&](Draft& draft) { *seedsIn(draft.object(added.id)) = *answer.rake; }, added.step);
  else
    m_stage->release(added.id);
}

FieldSurroundings AppModel::surroundingsOf(const session::Object& object) const {
  FieldSurroundings surroundings;
  surroundings.data = m_stage->summary(object.data);
  for (const session::DataSource& source : m_document->session().data)
    surroundings.dataNames.push_back(source.name);
  surroundings.colorMaps = m_parts.colorMaps;
  for (const session::Object& each : m_document->session().objects)
    if (session::canLieOn(object, each) && each.data == object.data)
      surroundings.surfaces.push_back(each.name);
  const session::Session& session = m_document->session();
  surroundings.isCut = !session.image.clip.empty();
  if (const auto* const surface = std::get_if<session::Isosurface>(&object.shape))
    surroundings.shownValues = m_stage->shownValues(object.data, surface->by);
  Vec3 view;
  if (const auto* fixed = std::get_if<session::FixedCamera>(&session.camera))
    view = fixed->position - fixed->target;
  else
    view = std::get<session::AutoCamera>(session.camera).direction;
  const Vec3 stretch = session::stretchOf(session.camera);
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

void AppModel::setMemoryBytes(std::uint64_t bytes) {
  const bool more = bytes > m_engine->memoryBytes();
  m_settings->setMemoryBytes(bytes);
  m_engine->setMemoryBytes(bytes);
  if (more) m_stage->retryWhatLackedMemory();
}

QString AppModel::diagnostics() const {
  QStringList lines;
  lines << QStringLiteral("Farfield " FARFIELD_VERSION ", Qt %1, %2, %3")
               .arg(QString::fromLatin1(qVersion()), QSysInfo::prettyProductName(),
                    QSysInfo::kernelVersion());
  lines << tr("processors %1, memory %2, budget %3")
               .arg(availableProcessors())
               .arg(QString::fromStdString(formatBytes(machineMemoryBytes())),
                    QString::fromStdString(formatBytes(m_engine->memoryBytes())));
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
