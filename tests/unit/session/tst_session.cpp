// Session documents: what is read, what is refused and in which words, and that writing is the inverse.

#include <QTest>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/session/json/session_json.h"
#include "core/session/session_camera.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::session;

namespace {

const std::string kExample = R"({ "farfield": 1,
  "data": { "flow": { "source": "bluntfinxyz.bin", "solution": "bluntfinq.bin", "reader": "plot3d", "options": { "gamma": 1.4 } } },
  "objects": [
    { "name": "lines", "type": "streamlines", "data": "flow", "vector": "velocity", "direction": "both",
      "seeds": { "type": "line", "from": [0,1,1], "to": [0,4,1], "count": 32 },
      "integrator": { "method": "dopri5", "tolerance": 1e-6, "maxTime": 50, "maxLength": 40, "maxSteps": 100000 },
      "color": { "by": "density", "map": "viridis", "range": "auto" } },
    { "name": "wall", "type": "grid-surface", "data": "flow", "block": 0, "range": { "k": [0, 0] }, "color": { "by": "pressure" } } ],
  "time": { "steps": "all" }, "camera": "auto",
  "image": { "size": [1280, 800], "background": "#ffffff" },
  "output": { "images": true, "geometry": true } })";

/// A document with one object, and `rest` at its end.
std::string withObject(const std::string& object, const std::string& rest = "") {
  return R"({"farfield": 1, "data": {"flow": {"source": "a.bin"}}, "objects": [)" + object + "]" + rest + "}";
}

const std::string kLines =
    R"({"name": "lines", "type": "streamlines", "seeds": {"type": "points", "points": [[0,0,0]]})";

QString errorOf(const std::string& text, const std::vector<Override>& overrides = {}) {
  try {
    parseSession(text, overrides);
  } catch (const Invalid& error) {
    return QString::fromStdString(error.what());
  }
  return "no error";
}

}  // namespace

class TestSession : public QObject {
  Q_OBJECT
 private slots:
  void readsTheExample();
  void fillsDefaults();
  void readsEveryType_data();
  void readsEveryType();
  void saysWhatIsWrong_data();
  void saysWhatIsWrong();
  void refusesHostileText_data();
  void refusesHostileText();
  void everyCutOfTheExampleIsAnError();
  void overrides();
  void wrongOverrides_data();
  void wrongOverrides();
  void wholeOptionsAreWrittenWhole();
  void choosesSteps();
  void resolvesPaths();
  void camerasAreText();
  void readsFiles();
};

void TestSession::readsTheExample() {
  const Session session = parseSession(kExample);
  QCOMPARE(session.data.size(), 1u);
  QCOMPARE(session.data[0].source, std::vector<std::string>{"bluntfinxyz.bin"});
  QCOMPARE(session.data[0].reader, std::string("plot3d"));
  QCOMPARE(textOf(session.data[0].options.at("gamma")), std::string("1.4"));
  QCOMPARE(session.objects.size(), 2u);
  const auto& lines = std::get<Streamlines>(session.objects[0].shape);
  const auto& seeds = std::get<LineSeeds>(lines.seeds);
  QCOMPARE(seeds.count, 32);
  QCOMPARE(seeds.to.y, 4.0);
  QCOMPARE(lines.integrator.tolerance.value(), 1e-6);
  QCOMPARE(lines.integrator.maxLength.value(), 40.0);
  QCOMPARE(session.objects[0].color.by, std::string("density"));
  QVERIFY(!session.objects[0].color.range);
  const auto& wall = std::get<GridSurface>(session.objects[1].shape);
  QCOMPARE(wall.blocks, std::vector<std::int64_t>{0});
  QVERIFY((wall.range[2] == IndexRange{0, 0}));
  QVERIFY((wall.range[0] == IndexRange{0, -1}));
  QVERIFY(parseSession(toJson(session)) == session);
}

void TestSession::fillsDefaults() {
  const Session session = parseSession(withObject(kLines + "}"));
  const Object& object = session.objects.at(0);
  QCOMPARE(object.data, std::string("flow"));
  QCOMPARE(object.opacity, 1.0);
  QVERIFY(object.visible && object.engine == Engine::Cpu && !object.budgetMs);
  const auto& lines = std::get<Streamlines>(object.shape);
  QCOMPARE(lines.vector, std::vector<std::string>{"velocity"});
  QVERIFY(lines.integrator == Integrator{});
  QCOMPARE(session.image.sizePixels[0], 1280);
  QVERIFY(session.output.images && session.output.geometry);
  QCOMPARE(session.time.stepsOf(3), (std::vector<std::int64_t>{0, 1, 2}));
  const std::string shortForm = toJson(session);
  QVERIFY2(shortForm.find("integrator") == std::string::npos, shortForm.c_str());
}

void TestSession::readsEveryType_data() {
  QTest::addColumn<QString>("object");
  QTest::addColumn<QString>("rest");
  const QString lines = QString::fromStdString(kLines);
  QTest::newRow("streamlines")
      << lines + R"(, "vector": ["u","v","w"], "direction": "backward", "width": 3,
      "integrator": {"method": "rk4", "step": 0.25, "maxTime": 3}, "color": "#ff8800", "opacity": 0.5, "visible": false,
      "engine": "auto", "budget": {"milliseconds": 250}})"
      << R"(, "time": {"steps": [1, -1, 2]}, "camera": {"direction": [1,0,0], "up": [0,1,0]})";
  QTest::newRow("pathlines")
      << R"({"type":"pathlines","seeds":{"type":"plane","origin":[0,0,0],"axis1":[1,0,0],"axis2":[0,1,0],"counts":[3,4]}})"
      << R"(, "time": {"steps": 4})";
  QTest::newRow("streaklines")
      << R"({"type":"streaklines","seeds":{"type":"box","min":[0,0,0],"max":[1,1,1],"counts":[3,4,5]}})"
      << R"(, "camera": {"position": [5,0,0], "target": [0,0,0], "fieldOfView": 45})";
  QTest::newRow("grid points")
      << R"({"type":"streamlines","seeds":{"type":"grid-points","block":2,"range":{"i":[3,9],"j":4},"stride":[1,2,3]}})"
      << R"(, "camera": {"position": [5,0,0], "target": [0,0,0], "up": [0,1,0], "orthographic": 2.5},
      "views": [{"name": "from the side", "camera": {"direction": [1,0,0], "up": [0,1,0]}},
                {"name": "near", "camera": {"position": [1,0,0], "target": [0,0,0]}}])";
  QTest::newRow("stretched") << R"({"type":"outline"})"
                             << R"(, "camera": {"direction": [1,0,0], "up": [0,1,0], "stretch": [1,1,100]},
      "views": [{"name": "flat", "camera": {"position": [1,0,0], "target": [0,0,0], "stretch": [0.5,1,1e-9]}}])";
  QTest::newRow("spread") << R"({"type":"streamlines","seeds":{"type":"spread","count":60}})"
                          << "";
  QTest::newRow("spread over space")
      << R"({"type":"pathlines","seeds":{"type":"spread","count":60,"over":"space"}})"
      << "";
  QTest::newRow("grid-surface")
      << R"({"type":"grid-surface","blocks":[0,3],"range":{"i":[-1,-1]},"color":{"by":"mach","map":"cool-warm","range":[0.5,2],"log":true}})"
      << R"(, "image": {"size": [64,32], "background": "#00000080", "title": "t", "legend": false})";
  QTest::newRow("slice") << R"({"type":"slice","origin":[0.5,0,0],"normal":[1,0,0]})"
                         << R"(, "output": {"images": false})";
  QTest::newRow("slices") << R"({"type":"slice","normal":[1,0,0],"offsets":[-1,0,2.5],"overlaps":"resolved"})"
                          << "";
  QTest::newRow("slice in the middle") << R"({"type":"slice","color":{"by":"mach"}})"
                                       << "";
  QTest::newRow("slice by index") << R"({"type":"slice","index":{"k":12.5},"block":1})"
                                  << "";
  QTest::newRow("slices by index") << R"({"type":"slice","index":{"i":[0,-1.5]}})"
                                   << "";
  QTest::newRow("isosurface")
      << R"({"type":"isosurface","by":"density","value":[1,2.5],"overlaps":"resolved"})"
      << "";
  QTest::newRow("isolines")
      << R"({"type":"isolines","on":{"type":"slice","normal":[1,0,0]},"by":"mach","value":[0.5,1],"width":2})"
      << "";
  QTest::newRow("isolines by number")
      << R"({"type":"isolines","on":{"type":"grid-surface","range":{"k":0}},"by":"mach","count":7,"range":[0,3]})"
      << "";
  QTest::newRow("arrows")
      << R"({"type":"arrows","on":{"type":"slice"},"vector":["a","b","c"],"spacing":0.5,"tangential":true,"length":2.5,"width":3})"
      << "";
  QTest::newRow("equal arrows")
      << R"({"type":"arrows","on":{"type":"grid-surface","range":{"k":0}},"length":"equal"})"
      << "";
  QTest::newRow("lic")
      << R"({"type":"lic","on":{"type":"slice"},"vector":"vorticity","resolution":700,"reach":30,"stretch":[1,1,125],"animated":true})"
      << "";
  QTest::newRow("surface-lines")
      << R"({"type":"surface-lines","on":{"type":"grid-surface","range":{"k":0}},"vector":"skin-friction-vector","direction":"forward","count":90,"spacing":0.1,"maxLength":2,"width":1})"
      << "";
  QTest::newRow("colours")
      << R"({"type":"grid-surface","color":{"by":"mach","map":{"name":"my own","points":[[0,"#000000"],[0.25,"#ff8000"],[0.25,"#0080ff"],[1,"#ffffff"]]},"inverted":true,"bands":7,"range":"symmetric","nan":"#ff00ff"}})"
      << "";
  QTest::newRow("edges and lines between bands")
      << R"({"type":"slice","color":{"by":"mach","bands":9,"lines":true},"edges":true,"clipped":false})"
      << R"(, "image": {"clip": {"box": [[0, 0, 0], [1, 2, 3]], "planes": [{"origin": [0, 1, 0], "normal": [0, -1, 0]}]}})";
  QTest::newRow("range of each step") << R"({"type":"slice","color":{"by":"mach","range":"step"}})"
                                      << "";
  QTest::newRow("light and ranges")
      << R"({"type":"slice","color":{"by":"mach","range":"data","apart":true,"log":true,"below":"#000000","above":"#ff00ff80"},"lighting":"full"})"
      << "";
  QTest::newRow("legends and notes")
      << R"({"type":"outline"})"
      << R"(, "image": {"legends": {"pressure": {"visible": false, "title": "p", "place": [0, 0.5], "size": 2, "digits": 3, "labels": 5}, "wing:pressure": {}},
      "texts": [{"text": "Mach {mach}"}, {"text": "b", "place": [0.25, 1], "size": 0.5}], "scaleBar": true, "axes": true, "orientation": true})";
  QTest::newRow("volume") << R"({"type":"volume","color":{"by":"density"}})"
                          << "";
  QTest::newRow("volume with everything")
      << R"({"type":"volume","by":"density","transfer":{"color":{"map":"plasma","range":[0,2],"log":false},"opacity":[[0,0],[1,0.5],[1,1]],"unit":2},"mode":"isosurface","value":0.5,"lighting":true,"quality":{"samplesPerVoxel":2},"clip":{"box":[[0,0,0],[1,2,3]],"planes":[{"origin":[0,0,1],"normal":[0,1,0]}]},"interpolation":"nearest"})"
      << "";
  QTest::newRow("volume with a preset")
      << R"({"type":"volume","by":"density","transfer":{"opacity":"shells","file":"bone.json"}})"
      << "";
  QTest::newRow("volume with points of a preset")
      << R"({"type":"volume","by":"density","transfer":{"opacity":[[0,0],[1,1]],"preset":"ramp"},"mode":"maximum"})"
      << "";
  QTest::newRow("kept views")
      << R"({"type":"outline"})"
      << R"(, "views": [{"name": "a", "camera": {"position": [1,2,3], "target": [0,0,0], "up": [0,0,1], "fieldOfView": 20}, "aspect": 1.5},
      {"name": "b", "camera": {"direction": [1,0,0], "up": [0,0,1]}}])";
  QTest::newRow("volume by pixels") << R"({"type":"volume","by":"density","quality":{"pixelError":0.5}})"
                                    << "";
  QTest::newRow("slabs") << R"({"type":"slabs","by":"density"})"
                         << "";
  QTest::newRow("probe")
      << R"({"type":"probe","points":[[0,1,2],[0.5,-1e-3,2]],"show":["density","velocity"],"goesFrom":[3,0],"texts":false,"size":1.5})"
      << "";
  QTest::newRow("slabs with everything")
      << R"({"type":"slabs","source":"slab://cluster:4790","by":"density","transfer":{"color":{"map":"plasma","range":[0,2]},"opacity":[[0,0],[1,0.5]],"unit":2},"axis":"y","mesh":false})"
      << "";
  QTest::newRow("frames")
      << R"({"type":"slabs","source":"slab://[::1]:1","color":{"by":"density"},"frames":true})"
      << "";
  QTest::newRow("outline") << R"({"type":"outline","block":1,"width":2})"
                           << "";
}

void TestSession::readsEveryType() {
  QFETCH(QString, object);
  QFETCH(QString, rest);
  const Session session = parseSession(withObject(object.toStdString(), rest.toStdString()));
  QCOMPARE(session.objects.size(), 1u);
  const std::string written = toJson(session);
  QVERIFY2(parseSession(written) == session, written.c_str());
  QCOMPARE(toJson(parseSession(written)), written);
}

void TestSession::saysWhatIsWrong_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("expected");
  const auto row = [](const char* name, const std::string& text, const char* expected) {
    QTest::newRow(name) << QString::fromStdString(text) << QString(expected);
  };
  row("misspelt", withObject(kLines + R"(, "integrator": {"tolerence": 1}})"),
      "objects.lines.integrator.tolerence: unknown key; did you mean 'tolerance'?");
  row("unknown", withObject(R"({"type":"outline","zebra":1})"),
      "objects.0.zebra: unknown key; known keys are name, type, data, visible, opacity, color, "
      "lighting, engine, budget, edges, clipped, block, blocks, width");
  const std::string kLong(101, 'a');
  for (const auto& [name, shown, why] :
       {std::tuple<std::string, std::string, std::string>{"a%s%n", "a%s%n",
                                                          "has the letter %, which no name may have"},
        {"a\u202eb", "a\\u202eb", "has letters that cannot be printed"},
        {kLong, kLong.substr(0, 40), "has 101 bytes, and a name has 100 at most"},
        {"../a", "../a", "has the letter ., which no name may have"}})
    row(shown.c_str(), withObject(R"({"type":"outline","name":")" + name + "\"}"),
        ("objects.0.name: \"" + shown + (name == kLong ? "\"…" : "\"") + " cannot be a name: it " + why +
         "; use letters, digits, spaces, - and _")
            .c_str());
  row("unknown before missing",
      R"({"farfield": 1, "date": {}, "objects": [{"type": "isosurface", "valeu": 1}]})",
      "date: unknown key; did you mean 'data'?");
  row("unknown before earlier wrong value",
      withObject(kLines + R"(, "opacity": 3}, {"type":"outline","name":"o","widht":1})"),
      "objects.o.widht: unknown key; did you mean 'width'?");
  row("plane and index", withObject(R"({"name":"cut","type":"slice","normal":[0,0,1],"index":{"k":1}})"),
      "objects.cut.normal: cannot be combined with index; a slice is a plane, or has an index");
  row("two indices", withObject(R"({"name":"cut","type":"slice","index":{"i":1,"k":1}})"),
      "objects.cut.index: must have one of i, j, k; write {\"k\": 12.5}");
  row("block of a plane", withObject(R"({"name":"cut","type":"slice","block":1})"),
      "objects.cut.block: goes with index; a plane cuts all blocks; leave it out, or give an index");
  row("no direction", withObject(R"({"name":"cut","type":"slice","normal":[0,0,0]})"),
      "objects.cut.normal: has no direction; give one such as [0, 0, 1]");
  row("no point", withObject(R"({"name":"cut","type":"slice","origin":[0,"a",0]})"),
      "objects.cut.origin: must be three numbers [x, y, z], not a list");
  row("missing", R"({"farfield": 1, "data": {"flow": {"source": "a"}}})",
      "objects: missing; list what to show");
  row("no version", R"({"data": {}, "objects": []})", "farfield: missing; write \"farfield\": 1");
  row("new version", R"({"farfield": 2, "data": {}, "objects": []})",
      "farfield: version 2 is not known; this program reads version 1");
  row("missing seeds", withObject(R"({"name":"a","type":"streamlines"})"),
      "objects.a.seeds: missing; say where the lines start");
  row("wrong type", withObject(kLines + R"(, "opacity": "half"})"),
      "objects.lines.opacity: must be a number from 0 to 1, not \"half\"");
  row("out of range", withObject(kLines + R"(, "opacity": 1.5})"),
      "objects.lines.opacity: must be a number from 0 to 1, not 1.5");
  row("not positive", withObject(kLines + R"(, "integrator": {"tolerance": 0}})"),
      "objects.lines.integrator.tolerance: must be a number above 0, not 0");
  row("bad choice", withObject(R"({"type": "streamline"})"),
      "objects.0.type: must be one of streamlines, pathlines, streaklines, grid-surface, slice, isosurface, "
      "isolines, arrows, lic, surface-lines, volume, slabs, outline, probe, "
      "not \"streamline\"; did you mean 'streamlines'?");
  row("slabs from elsewhere", withObject(R"({"name":"s","type":"slabs","by":"p","source":"far://a"})"),
      "objects.s.source: is no renderer; write slab://HOST:PORT, where farfield-slabd listens");
  row("frames along an axis", withObject(R"({"name":"s","type":"slabs","by":"p","axis":"x","frames":true})"),
      "objects.s.axis: goes with slabs; whole frames have none; leave it out, or set frames to false");
  row("no such data", withObject(kLines + R"(, "data": "flux"})"),
      "objects.lines.data: there is no data source 'flux'; there are: flow");
  row("same names", withObject(kLines + "}, " + kLines + "}"),
      "objects.lines.name: another object is called 'lines'; give each a name of its own");
  row("name with a slash", withObject(R"({"name":"../x","type":"outline"})"),
      "objects.0.name: \"../x\" cannot be a name: it has the letter ., which no name may have; use letters, "
      "digits, spaces, - and _");
  row("tolerance of rk4", withObject(kLines + R"(, "integrator": {"method":"rk4","tolerance":1}})"),
      "objects.lines.integrator.tolerance: rk4 has no tolerance; set step, in cells, or use dopri5");
  row("short point",
      withObject(R"({"name":"p","type":"streamlines","seeds":{"type":"points","points":[[0,0,0],[1,2]]}})"),
      "objects.p.seeds.points.1: must be three numbers [x, y, z], not a list");
  row("edges of lines", withObject(kLines + R"(, "edges": true})"),
      "objects.lines.edges: only grid surfaces, slices and isosurfaces have edges of cells");
  row("lines without bands",
      withObject(R"({"name":"cut","type":"slice","color":{"by":"mach","lines":true}})"),
      "objects.cut.color.lines: lines lie between bands; say how many: \"bands\": 12");
  row("too many planes",
      R"({"farfield": 1, "data": {}, "objects": [], "image": {"clip": {"planes": [{},{},{},{},{},{},{}]}}})",
      "image.clip.planes: must be a list of up to 6 planes, not a list");
  row("probe without a place", withObject(R"({"name":"p","type":"probe","points":[]})"),
      "objects.p.points: has no point; name at least one");
  row("probe with a step too few",
      withObject(R"({"name":"p","type":"probe","points":[[0,0,0],[1,0,0]],"goesFrom":[0]})"),
      "objects.p.goesFrom: has 1 steps for 2 points; give one for each point");
  row("probe of nothing", withObject(R"({"name":"p","type":"probe"})"), "objects.p.points: missing");
  row("read twice",
      withObject(R"({"name":"p","type":"probe","points":[[0,0,0]],"show":["mach","pressure","mach"]})"),
      "objects.p.show: 'mach' is there twice; name each function once");
  row("too many seeds",
      withObject(
          R"({"name":"p","type":"streamlines","seeds":{"type":"box","min":[0,0,0],"max":[1,1,1],"counts":[2000,2000,2000]}})"),
      "objects.p.seeds.counts: more than 2147483647 seeds; ask for fewer");
  row("fraction",
      withObject(
          R"({"name":"p","type":"streamlines","seeds":{"type":"line","from":[0,0,0],"to":[1,1,1],"count":1.5}})"),
      "objects.p.seeds.count: must be a whole number from 1 to 2147483647, not 1.5");
  row("descending range", withObject(R"({"name":"o","type":"outline","color":{"by":"u","range":[2,1]}})"),
      "objects.o.color.range: must ascend");
  row("symmetric and logarithmic",
      withObject(R"({"name":"o","type":"outline","color":{"by":"u","range":"symmetric","log":true}})"),
      "objects.o.color.range: a logarithmic scale cannot reach below 0");
  row("one band", withObject(R"({"name":"o","type":"outline","color":{"by":"u","bands":1}})"),
      "objects.o.color.bands: must be a whole number from 2 to 64, not 1");
  row("map of one point",
      withObject(R"({"name":"o","type":"outline","color":{"by":"u","map":{"points":[[0,"#000000"]]}}})"),
      "objects.o.color.map.points: a map has 2 to 256 points");
  row("map without points",
      withObject(R"({"name":"o","type":"outline","color":{"by":"u","map":{"name":"m"}}})"),
      "objects.o.color.map.points: missing; list [place, \"#rrggbb\"] from place 0 to place 1");
  row("map that falls",
      withObject(
          R"({"name":"o","type":"outline","color":{"by":"u","map":{"points":[[0,"#000000"],[0.5,"#000000"],[0.4,"#000000"],[1,"#000000"]]}}})"),
      "objects.o.color.map.points.2: the places must ascend");
  row("map that ends early",
      withObject(
          R"({"name":"o","type":"outline","color":{"by":"u","map":{"points":[[0,"#000000"],[0.5,"#000000"]]}}})"),
      "objects.o.color.map.points: must begin at place 0 and end at place 1");
  row("point of a map",
      withObject(
          R"({"name":"o","type":"outline","color":{"by":"u","map":{"points":[[0,"black"],[1,"#000000"]]}}})"),
      "objects.o.color.map.points.0.1: must be a colour \"#rrggbb\" or \"#rrggbbaa\", not \"black\"");
  row("colour", withObject(R"({"name":"o","type":"outline","color":"red"})"),
      "objects.o.color: must be a colour \"#rrggbb\" or \"#rrggbbaa\", not \"red\"");
  const auto volume = [&](const char* name, const char* keys, const char* expected) {
    row(name, withObject(std::string(R"({"name":"v","type":"volume","by":"u",)") + keys + "}"), expected);
  };
  row("volume of nothing", withObject(R"({"name":"v","type":"volume"})"),
      "objects.v.by: missing; name a function");
  volume("opacity above 1", R"("transfer":{"opacity":[[0,2]]})",
         "objects.v.transfer.opacity.0.1: must be a number from 0 to 1, not 2");
  volume(
      "unknown preset", R"("transfer":{"opacity":"rampp"})",
      "objects.v.transfer.opacity: must be one of ramp, falling, solid, ends, shells, not \"rampp\"; did you mean 'ramp'?");
  volume(
      "preset without points", R"("transfer":{"preset":"ramp"})",
      "objects.v.transfer.preset: says of points which preset they were made from; name the preset as opacity");
  volume("opacities out of order", R"("transfer":{"opacity":[[1,0],[0,1]]})",
         "objects.v.transfer.opacity.1: values must ascend");
  volume("unit of nothing", R"("transfer":{"unit":0})",
         "objects.v.transfer.unit: must be a number above 0, not 0");
  volume("misspelt in transfer", R"("transfer":{"colour":{}})",
         "objects.v.transfer.colour: unknown key; did you mean 'color'?");
  volume("isosurface of nothing", R"("mode":"isosurface")",
         "objects.v.value: missing; say which value the surface has");
  volume("value without a surface", R"("value":1)",
         "objects.v.value: goes with \"mode\": \"isosurface\"; leave it out, or set the mode");
  volume("two qualities", R"("quality":{"pixelError":1,"samplesPerVoxel":1})",
         "objects.v.quality.pixelError: cannot be combined with samplesPerVoxel; give one of the two");
  volume("inside out", R"("clip":{"box":[[0,0,0],[1,-1,1]]})",
         "objects.v.clip.box: must ascend along every axis");
  volume("plane of no direction", R"("clip":{"planes":[{"origin":[0,0,0],"normal":[0,0,0]}]})",
         "objects.v.clip.planes.0.normal: has no direction; give one such as [0, 0, 1]");
  row("blind camera", withObject(kLines + "}", R"(, "camera": {"position": [0,0,5], "target": [0,0,0]})"),
      "camera.up: must not be along the line of sight");
  row("no stretch", withObject(kLines + "}", R"(, "camera": {"stretch": [1, 0, 1]})"),
      "camera.stretch.1: must be a number from 1e-09 to 1e+09, not 0");
  row("a stretch of one number",
      withObject(kLines + "}", R"(, "camera": {"direction": [0,1,1], "stretch": 2})"),
      "camera.stretch: must be three numbers [x, y, z], not 2");
  row("view without a name", withObject(kLines + "}", R"(, "views": [{"camera": "auto"}])"),
      "views.0.name: missing; name the view");
  row("blind view",
      withObject(kLines + "}", R"(, "views": [{"name": "a", "camera": {"direction": [0,0,1]}}])"),
      "views.0.camera.up: must not be along the line of sight");
  row("image", withObject(kLines + "}", R"(, "image": {"size": [0, 10]})"),
      "image.size.0: must be a whole number from 1 to 16384, not 0");
  row("not an object", "[]", "is not a session: the document must be an object {…}");
  row("control character", withObject(R"({"name":"o","type":"outline","color":{"by":"a\u0000b"}})"),
      "objects.o.color.by: holds a control character");
}

void TestSession::saysWhatIsWrong() {
  QFETCH(QString, text);
  QFETCH(QString, expected);
  QCOMPARE(errorOf(text.toStdString()), expected);
}

void TestSession::refusesHostileText_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QString>("part");
  QTest::newRow("empty") << QByteArray() << "line 1, column 1: ";
  QTest::newRow("trailing comma") << QByteArray("{\n  \"farfield\": 1,\n}") << "line 3, column 1: ";
  QTest::newRow("two documents") << QByteArray("{} {}") << "line 1, column 4: ";
  QTest::newRow("deep") << QByteArray(1'000'000, '[') << "nested too deeply";
  QTest::newRow("deep objects") << QByteArray("{\"a\":").repeated(100'000) << "nested too deeply";
  QTest::newRow("huge number") << QByteArray("{\"farfield\": 1e999}") << "line 1, column ";
  QTest::newRow("many values") << QByteArray("[") + QByteArray("0,").repeated(3'000'000) << "too many values";
  QTest::newRow("many bytes") << QByteArray((16 << 20) + 1, ' ') << "larger than 16 MiB";
  QTest::newRow("long string") << QByteArray("\"") + QByteArray(1 << 20, 'a') << "line 1, column ";
  QTest::newRow("same key") << QByteArray("{\"data\": 1, \"data\": 2}") << "the key 'data' appears twice";
  QTest::newRow("bad UTF-8") << QByteArray("{\"da\xff\": 1}") << "line 1, column ";
  QTest::newRow("zero byte") << QByteArray("{\"a\0\": 1}", 9) << "line 1, column ";
  QTest::newRow("huge integer")
      << QByteArray(withObject(R"({"type":"outline","block":99999999999999999999})").c_str())
      << "objects.0.block: must be a whole number";
}

void TestSession::refusesHostileText() {
  QFETCH(QByteArray, text);
  QFETCH(QString, part);
  const QString error = errorOf(text.toStdString());
  QVERIFY2(error.contains(part), qPrintable(error));
  QVERIFY2(error.size() < 500 && !error.contains('\n'), qPrintable(error));
}

void TestSession::everyCutOfTheExampleIsAnError() {
  for (std::size_t length = 0; length < kExample.size(); ++length)
    QVERIFY(errorOf(kExample.substr(0, length)) != "no error");
}

void TestSession::overrides() {
  const Session session =
      parseSession(kExample, {"objects.lines.seeds.count=100", "objects.1.color.by=density",
                              "objects.wall.color.range=[0, 2]", "image.title=a = b",
                              "camera={\"position\": [9,0,0], \"target\": [0,0,0]}",
                              "data.flow.solution=other.q", "objects.wall.budget.milliseconds=5"});
  QCOMPARE(std::get<LineSeeds>(std::get<Streamlines>(session.objects[0].shape).seeds).count, 100);
  QCOMPARE(session.objects[1].color.by, std::string("density"));
  QCOMPARE(session.objects[1].color.range.value()[1], 2.0);
  QCOMPARE(session.image.title, std::string("a = b"));
  QCOMPARE(std::get<FixedCamera>(session.camera).position.x, 9.0);
  QCOMPARE(session.data[0].solution, std::vector<std::string>{"other.q"});
  QCOMPARE(session.objects[1].budgetMs.value(), 5);
}

void TestSession::wrongOverrides_data() {
  QTest::addColumn<QString>("change");
  QTest::addColumn<QString>("expected");
  QTest::newRow("no value") << "objects.lines"
                            << "'objects.lines' is not an override; write objects.NAME.KEY=VALUE";
  QTest::newRow("no path") << "=3"
                           << "'=3' is not an override; write objects.NAME.KEY=VALUE";
  QTest::newRow("no such object")
      << "objects.line.visible=false"
      << "objects.line: there is no element of that name or number; there are lines, wall";
  QTest::newRow("unknown key") << "objects.lines.seeds.cuont=3"
                               << "objects.lines.seeds.cuont: unknown key; did you mean 'count'?";
  QTest::newRow("wrong value")
      << "objects.lines.seeds.count=many"
      << "objects.lines.seeds.count: must be a whole number from 1 to 2147483647, not \"many\"";
  QTest::newRow("no keys") << "camera.position=[1,1,1]"
                           << "camera: is \"auto\", which has no keys; set it whole";
  QTest::newRow("empty part") << "objects..x=1"
                              << "objects..x: a key is missing between dots; write objects.NAME.KEY=VALUE";
}

void TestSession::wrongOverrides() {
  QFETCH(QString, change);
  QFETCH(QString, expected);
  QCOMPARE(errorOf(kExample, {change.toStdString()}), expected);
}

/// Readers get them as text, and take whole numbers for counts.
void TestSession::wholeOptionsAreWrittenWhole() {
  const Session session = parseSession(R"({"farfield": 1, "data": {"d": {"source": "a.raw", "options": {
    "offset": 100000, "more": 1234567, "float": 2e6, "large": 9007199254740993, "largest": 18446744073709551615,
    "less": -300000, "gamma": 1.4, "small": 1e-7, "huge": 1e300, "dims": [100000, 2, 1]}}}, "objects": []})");
  const auto said = [&](const char* option) { return textOf(session.data[0].options.at(option)); };
  QCOMPARE(said("offset"), std::string("100000"));
  QCOMPARE(said("more"), std::string("1234567"));
  QCOMPARE(said("float"), std::string("2000000"));
  QCOMPARE(said("large"), std::string("9007199254740993"));
  QCOMPARE(said("largest"), std::string("18446744073709551615"));
  QCOMPARE(said("less"), std::string("-300000"));
  QCOMPARE(said("gamma"), std::string("1.4"));
  QCOMPARE(said("small"), std::string("1e-07"));
  QCOMPARE(said("huge"), std::string("1e+300"));
  QCOMPARE(said("dims"), std::string("[100000,2,1]"));
  // As they are saved they are the same.
  QVERIFY(parseSession(toJson(session)).data == session.data);
}

void TestSession::choosesSteps() {
  using Steps = std::vector<std::int64_t>;
  QCOMPARE((TimeSelection{{1, -1}, 2}.stepsOf(6)), (Steps{1, 3, 5}));
  QCOMPARE((TimeSelection{{-2, -2}, 1}.stepsOf(6)), (Steps{4}));
  QCOMPARE((TimeSelection{{0, 0}, std::numeric_limits<std::int64_t>::max()}.stepsOf(6)), (Steps{0}));
  QVERIFY_THROWS_EXCEPTION(Invalid, (TimeSelection{{7, 7}, 1}.stepsOf(6)));
  QVERIFY_THROWS_EXCEPTION(Invalid, (TimeSelection{{3, -4}, 1}.stepsOf(6)));
}

void TestSession::resolvesPaths() {
  Session session;
  session.baseFolder = "/data/run";
  QCOMPARE(session.resolve("a.bin"), std::string("/data/run/a.bin"));
  QCOMPARE(session.resolve("../a.bin"), std::string("/data/a.bin"));
  QCOMPARE(session.resolve("/x/a.bin"), std::string("/x/a.bin"));
  QCOMPARE(session.resolve("far://host/a.bin"), std::string("far://host/a.bin"));
}

/// By themselves, and out of a whole session; and what is none.
void TestSession::camerasAreText() {
  scene::Camera camera;
  camera.position = {1, -2, 3.25};
  camera.target = {0.1, 0, 0};
  camera.up = {0, 1, 0};
  camera.fieldOfViewDegrees = 41;
  for (const bool orthographic : {false, true}) {
    camera.orthographic = orthographic;
    camera.orthographicHeight = orthographic ? 7.5 : 1;
    camera.stretch = orthographic ? Vec3{1, 2, 0.25} : scene::kUnstretched;
    const std::string text = textOfCamera(camera);
    const auto again = cameraFromText(text);
    QVERIFY2(again, text.c_str());
    QVERIFY(again->position == camera.position && again->target == camera.target && again->up == camera.up);
    QCOMPARE(again->orthographic, orthographic);
    QCOMPARE(again->orthographicHeight, camera.orthographicHeight);
    QVERIFY(again->stretch == camera.stretch);
    QCOMPARE(text.find("stretch") != std::string::npos, orthographic);
    QCOMPARE(again->fieldOfViewDegrees, 41.0);
    QVERIFY(fixedCamera(*again) == fixedCamera(camera));
    QVERIFY(cameraFromText(withObject(kLines + "}", ",\"camera\":" + text)));
    // the line alone, as it stands in a session
    QVERIFY(cameraFromText("\"camera\": " + text));
    QVERIFY(cameraFromText("  \"camera\": " + text + ",\n"));
  }
  for (const char* const text :
       {"", "no camera", "[1,2]", R"({"camera":"auto"})", R"({"position":[1,2,3]})",
        R"({"position":[1,2,3],"target":[1,2,3]})", R"({"position":[0,0,1],"target":[0,0,0]})",
        R"({"position":[1,2,3],"target":[0,0,0],"zoom":2})", "\"camera\"", "\"camera\": 3,"})
    QVERIFY2(!cameraFromText(text), text);
}

void TestSession::readsFiles() {
  const test::TemporaryFolder folder;
  const auto path = folder / "fin.json";
  {
    NewFile file(path);
    file.write(kExample);
    file.commit();
  }
  const Session session = readSession(path, {"image.size=[8, 8]"});
  QCOMPARE(session.name, std::string("fin"));
  std::filesystem::copy(path, folder / "fin.two.farfield.json");
  QCOMPARE(readSession(folder / "fin.two.farfield.json").name, std::string("fin.two"));
  QCOMPARE(session.resolve("q"), (folder / "q").string());
  QCOMPARE(session.image.sizePixels[0], 8);
  try {
    readSession(path, {"image.sise=[8, 8]"});
    QFAIL("accepted");
  } catch (const Invalid& error) {
    QCOMPARE(std::string(error.what()),
             "file " + path.string() + ": image.sise: unknown key; did you mean 'size'?");
  }
  QVERIFY_THROWS_EXCEPTION(NotFound, readSession(folder / "none.json"));
  QVERIFY_THROWS_EXCEPTION(Io, readSession(folder.path()));
}

QTEST_APPLESS_MAIN(TestSession)
#include "tst_session.moc"
