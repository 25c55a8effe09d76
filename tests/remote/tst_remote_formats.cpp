// Every format that opens in place is served in place: the same description, pages and boxes as from local files, through one
// server and through a server in front of it; the program draws the same bytes. Files that data name in themselves are found below
// the shared folder and nowhere else, and a replaced one is not taken for what it was.

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/base/error.h"
#include "core/base/own_folder.h"
#include "core/fields/functions/node_places.h"
#include "core/fields/functions/origin.h"
#include "remote/client/remote_data.h"
#include "remote/client/server_folders.h"
#include "remote/pagerd/far_upstream.h"
#include "tests/contract/same_data.h"
#include "tests/remote/loopback_server.h"
#include "tests/remote/raw_client.h"
#include "tests/remote/server_process.h"
#include "tests/support/error_words.h"

namespace farfield::test {
namespace {

using Data = std::unique_ptr<fields::OpenData>;

}  // namespace

class TestRemoteFormats : public QObject {
  Q_OBJECT
 private slots:
  void sameAsLocal_data();
  void sameAsLocal();
  void conversionReadsTheSame_data() { sameAsLocal_data(); }
  void conversionReadsTheSame();
  void choicesAreSentToWhoKnowsThem();
  void levelsAreTheSame();
  void theProgramDrawsTheSame();
  void foldersAreListed();
  void whatIsNamedStaysBelow();
  void whatIsNamedIsCompared();
  void storesThatHaveGrownAreReadOn();
  void listsComeBackWithTheOtherServer();
  void foldersOfKilledServersAreRemoved();

 private:
  Data near(const FormatCase& its, bool forConversion = false) {
    return servedReaders().open(requestFor(its, m_files.path(""), forConversion), m_account);
  }
  /// As what opens data by any reader gives them out.
  Data far(const FormatCase& its, const std::string& base, bool forConversion = false) {
    Data data = remote::RemoteDataReader().open(requestFor(its, base, forConversion), m_account);
    return forConversion ? std::move(data) : fields::withPlaces(std::move(data));
  }
  std::string refused(const std::string& name) {
    return errorOf<Error>([&] { far({"", {name}}, m_server.url("")); });
  }

  FormatFiles m_files;
  LoopbackServer m_server{m_files.folder()};
  MemoryAccount m_account{std::uint64_t{256} << 20};
};

void TestRemoteFormats::sameAsLocal_data() {
  QTest::addColumn<int>("number");
  const auto cases = FormatFiles::cases();
  for (std::size_t n = 0; n < cases.size(); ++n) QTest::newRow(cases[n].name.c_str()) << static_cast<int>(n);
}

void TestRemoteFormats::sameAsLocal() {
  QFETCH(int, number);
  const FormatCase its = FormatFiles::cases()[static_cast<std::size_t>(number)];
  remote::ServerOptions inFront;
  inFront.upstream = remote::makeFarUpstream("far://" + m_server.address());
  const LoopbackServer front(m_files.folder(), inFront);
  const Data local = near(its);
  for (const std::string& base : {m_server.url(""), front.url("")}) {
    const std::string different = difference(*local, *far(its, base));
    QVERIFY2(different.empty(), different.c_str());
  }
}

void TestRemoteFormats::conversionReadsTheSame() {
  QFETCH(int, number);
  const FormatCase its = FormatFiles::cases()[static_cast<std::size_t>(number)];
  const std::string different = differenceOfBoxes(*near(its, true), *far(its, m_server.url(""), true));
  QVERIFY2(different.empty(), different.c_str());
}

/// Older clients would not read on behind what they know.
void TestRemoteFormats::choicesAreSentToWhoKnowsThem() {
  const auto sentTo = [&](std::uint64_t features) {
    RawClient client(m_server.address());
    remote::Hello hello;
    hello.features = features;
    client.send(remote::MessageType::Hello, 0, bytesOf(hello));
    client.send(remote::MessageType::Open, 1,
                bytesOf(remote::OpenRequestMessage{{"packed.nc"}, {}, "", {}, false}));
    for (;;) {
      const auto answer = client.next();
      if (!answer) throw std::runtime_error("no answer");
      if (answer->header.type == remote::MessageType::Opened)
        return remote::parseOpened(answer->body).choices;
    }
  };
  const auto choices = sentTo(remote::kFeatures);
  QVERIFY(std::any_of(choices.begin(), choices.end(), [](const remote::OpenChoice& choice) {
    return choice.option == "vertical" && choice.atFirst;
  }));
  QVERIFY(sentTo(remote::kKnowsParts).empty());
}

void TestRemoteFormats::levelsAreTheSame() {
  const FormatCase raw = FormatFiles::cases().front();
  SUCCEEDS(
      runFarfield({"convert", QString::fromStdString(m_files.path("flow.raw")), "--option", "dims=14,12,10",
                   "--option", "type=f32", "--option", "components=3", "--option", "name=velocity",
                   "--levels", "2", "-o", QString::fromStdString(m_files.path("flow.h5"))}));
  remote::ServerOptions inFront;
  inFront.upstream = remote::makeFarUpstream("far://" + m_server.address());
  const LoopbackServer front(m_files.folder(), inFront);
  const FormatCase store{"store", {"flow.h5"}};
  for (const auto& [its, base] : {std::pair{raw, m_server.url("")},
                                  {store, m_server.url("")},
                                  {raw, front.url("")},
                                  {store, front.url("")}}) {
    const Data here = near(its), there = far(its, base);
    const Data coarseHere = here->openLevel(1, m_account), coarseThere = there->openLevel(1, m_account);
    QVERIFY2(coarseHere && coarseThere, its.name.c_str());
    QCOMPARE(coarseThere->description().blocks.front().dims, coarseHere->description().blocks.front().dims);
    QVERIFY(coarseThere->description().blocks.front().dims[0] < 10);
    const std::string different = difference(*coarseHere, *coarseThere);
    QVERIFY2(different.empty(), different.c_str());
    QVERIFY(!there->openLevel(12, m_account));
    QVERIFY(!there->openLevel(-1, m_account));
  }
  // what is not regular has none
  QVERIFY(!far({"", {"mesh.vtk"}}, m_server.url(""))->openLevel(1, m_account));
  QVERIFY(!far({"", {"deep/grid.xyz"}, {"deep/grid_0000.q"}}, m_server.url(""))->openLevel(1, m_account));
  const FormatCase wrong{"", {"flow.nrrd"}, {}, {{"@level", "x"}}};
  QVERIFY(errorOf<Invalid>([&] { far(wrong, m_server.url("")); }).find("no level") != std::string::npos);
}

void TestRemoteFormats::theProgramDrawsTheSame() {
  QTemporaryDir home;
  const ServerProcess server({"--root", QString::fromStdString(m_files.path(""))}, home.path());
  QVERIFY(!server.address.isEmpty());
  const std::map<std::string, std::string> vectors = {{"nrrd", "velocity"},     {"nrrd detached", "velocity"},
                                                      {"raw", "velocity"},      {"vtk image", "velocity"},
                                                      {"vtk mesh", "velocity"}, {"netcdf of exodus", "vel"},
                                                      {"plot3d", "velocity"},   {"plot3d list", "velocity"}};
  const std::map<std::string, std::string> scalars = {{"netcdf", "temp"},
                                                      {"netcdf curvilinear", "u"},
                                                      {"vtk mesh", "c"},
                                                      {"netcdf of exodus", "stress"},
                                                      {"plot3d", "pressure"}};
  const auto run = [&](bool remote) {
    QJsonObject data;
    QJsonArray objects;
    for (const FormatCase& its : FormatFiles::cases()) {
      const bool hasVector = vectors.contains(its.name), hasScalar = scalars.contains(its.name);
      if (!hasVector && !hasScalar) continue;
      const auto named = [&](const std::vector<std::string>& names) {
        QJsonArray all;
        for (const std::string& name : names)
          all.append(remote ? "far://" + server.address + "/" + QString::fromStdString(name)
                            : QString::fromStdString(m_files.path(name)));
        return all;
      };
      QJsonObject options, its_;
      for (const auto& [key, value] : its.options)
        options[QString::fromStdString(key)] = QString::fromStdString(value);
      its_["source"] = named(its.sources);
      if (!its.solutions.empty()) its_["solution"] = named(its.solutions);
      if (!options.isEmpty()) its_["options"] = options;
      const QString name = QString::fromStdString(its.name).replace(' ', '-');
      data[name] = its_;
      if (hasVector)
        objects.append(QJsonObject{{"name", name + "-lines"},
                                   {"type", "streamlines"},
                                   {"data", name},
                                   {"vector", QString::fromStdString(vectors.at(its.name))},
                                   {"seeds", QJsonObject{{"type", "spread"}, {"count", 12}}}});
      if (hasScalar)
        objects.append(
            QJsonObject{{"name", name + "-cut"},
                        {"type", "slice"},
                        {"data", name},
                        {"color", QJsonObject{{"by", QString::fromStdString(scalars.at(its.name))}}}});
    }
    const QJsonObject session{{"farfield", 1},
                              {"data", data},
                              {"objects", objects},
                              {"time", QJsonObject{{"steps", 0}}},
                              {"output", QJsonObject{{"images", false}}}};
    const QString name = remote ? "far" : "near";
    write(home.filePath(name + ".json"), QJsonDocument(session).toJson());
    return farfield({"batchvis", home.filePath(name + ".json"), "-o", home.filePath(name)}, home.path());
  };
  SUCCEEDS(run(false));
  SUCCEEDS(run(true));
  const QStringList files = QDir(home.filePath("near")).entryList({"*.vtp"}, QDir::Files);
  QCOMPARE(files.size(), static_cast<qsizetype>(vectors.size() + scalars.size()));
  for (const QString& file : files) {
    const QByteArray bytes = contents(home.filePath("near/" + file));
    QVERIFY2(bytes.size() > 1000, qPrintable(file));
    QVERIFY2(contents(home.filePath("far/" + file)) == bytes, qPrintable(file));
  }
}

void TestRemoteFormats::foldersAreListed() {
  remote::ServerFolders folders(remote::parseFarUrl("far://" + m_server.address()));
  std::map<std::string, std::string> deep;
  for (const remote::ListEntry& entry : folders.list("deep")) deep[entry.name] = entry.solution;
  QVERIFY(deep.contains("values.f32"));
  QVERIFY(deep.contains("grid.xyz"));
}

void TestRemoteFormats::whatIsNamedStaysBelow() {
  const std::string head = "NRRD0004\ntype: uchar\ndimension: 1\nsizes: 64\nencoding: raw\n";
  const TemporaryFolder outside;
  std::ofstream(outside / "secret", std::ios::binary) << std::string(64, 's');
  std::filesystem::create_symlink(outside / "secret", m_files.path("inward"));
  const std::string up = std::filesystem::relative(outside / "secret", m_files.folder()).string();
  for (const std::string& named : {(outside / "secret").string(), up, "deep/../" + up, std::string("inward"),
                                   std::string("/etc/passwd"), std::string("/proc/self/environ")}) {
    m_files.write("bad.nhdr", head + "data file: " + named + "\n");
    QVERIFY2(refused("bad.nhdr").find("leads out") != std::string::npos, named.c_str());
    m_files.write("bad.p3d", R"({"filenames": [{"xyz": ")" + named + "\"}]}");
    QVERIFY2(refused("bad.p3d").find("leads out") != std::string::npos, named.c_str());
    // of an absolute path the last part is looked for beside the list, and there is none
    m_files.write("bad.pvd", R"(<VTKFile type="Collection"><Collection><DataSet timestep="0" file=")" +
                                 named + R"("/></Collection></VTKFile>)");
    const std::string words = named.starts_with('/') ? "no such file" : "leads out";
    QVERIFY2(refused("bad.pvd").find(words) != std::string::npos,
             (named + ": " + refused("bad.pvd")).c_str());
  }
  m_files.write("bad.nhdr", head + "data file: deep/../inwards\n");
  QVERIFY(refused("bad.nhdr").find("no such file") != std::string::npos);
  std::string many = head + "data file: LIST\n";
  constexpr int kBits = 13;  // one file by more names than a set may have files
  for (int n = 0; n < 1 << kBits; ++n) {
    for (int bit = 0; bit < kBits; ++bit) many += (n >> bit & 1) != 0 ? "./" : ".//";
    many += "deep/values.f32\n";
  }
  m_files.write("bad.nhdr", many);
  const std::string tooMany = refused("bad.nhdr");
  QVERIFY2(tooMany.find("names more than") != std::string::npos, tooMany.c_str());
  // what the server's own names are is not said
  m_files.write("bad.nhdr", head + "data file: deep/values.nothing\n");
  QVERIFY(refused("bad.nhdr").find(m_files.path("")) == std::string::npos);
  QVERIFY(refused("bad.nhdr").find("farfield-pagerd-") == std::string::npos);
  m_files.write("list.xdmf", "<Xdmf></Xdmf>");
  QVERIFY(refused("list.xdmf").find("names others") != std::string::npos);
}

void TestRemoteFormats::whatIsNamedIsCompared() {
  const FormatCase its{"", {"flow.nhdr"}, {}, {{"name", "velocity"}}};
  const auto identity = [](const Data& data) {
    return dynamic_cast<const fields::RemoteOrigin&>(*data).origin().identity;
  };
  const Data before = far(its, m_server.url("")), again = far(its, m_server.url(""));
  QCOMPARE(identity(again), identity(before));
  const std::vector<std::byte> were = pagesOf(*before, 0);
  // another file under the name that the header has
  std::string other(4 * 3 * 14 * 12 * 10, '\0');
  m_files.write("deep/other", other);
  std::filesystem::rename(m_files.path("deep/other"), m_files.path("deep/values.f32"));
  const Data after = far(its, m_server.url(""));
  QVERIFY(identity(after) != identity(before));
  QVERIFY(pagesOf(*after, 0) != were);
  QVERIFY(pagesOf(*before, 0) == were);
  QVERIFY(pagesOf(*after, 0) == pagesOf(*near(its), 0));
}

/// A link that is made again takes what has grown for what it was, and nothing else.
void TestRemoteFormats::storesThatHaveGrownAreReadOn() {
  const QTemporaryDir folder;
  const auto convert = [&](const QString& solution, const QString& time, const QStringList& more) {
    return runFarfield(
        QStringList{"convert", QString::fromStdString(m_files.path("deep/grid.xyz")), "--solution",
                    QString::fromStdString(m_files.path("deep/" + solution.toStdString())), "--option",
                    "times=" + time, "-o", folder.filePath("grows.h5"), "--quiet"} +
        more);
  };
  SUCCEEDS(convert("grid_0000.q", "0", {}));
  remote::ServerOptions options;
  auto server = std::make_unique<LoopbackServer>(folder.path().toStdString(), options);
  options.listen = server->address();
  const std::string url = server->url("grows.h5");
  const auto restart = [&] {
    server.reset();
    server = std::make_unique<LoopbackServer>(folder.path().toStdString(), options);
  };
  const Data data = remote::RemoteDataReader().open({{url}, {}, "", {}}, m_account);
  const auto arrays = data->description().arrays.size();
  std::vector<std::vector<std::byte>> were;
  for (std::uint32_t n = 0; n < arrays; ++n) were.push_back(pagesOf(*data, n));
  for (int times = 0; times < 2; ++times) {
    SUCCEEDS(convert("grid_0001.q", QString::number(times + 1), {"--append"}));
    restart();
    for (std::uint32_t n = 0; n < arrays; ++n) QVERIFY(pagesOf(*data, n) == were[n]);
  }
  // who comes now has all of it
  const Data longer = remote::RemoteDataReader().open({{url}, {}, "", {}}, m_account);
  QCOMPARE(longer->description().times.size(), std::size_t{3});
  // another store of that name
  SUCCEEDS(convert("grid_0001.q", "0", {"--overwrite"}));
  restart();
  QVERIFY(errorOf<Corrupt>([&] { pagesOf(*data, 0); }).find("were replaced") != std::string::npos);
}

/// Also where it did not let the server in front in for a while.
void TestRemoteFormats::listsComeBackWithTheOtherServer() {
  const QTemporaryDir folder;
  const std::filesystem::path tokens = folder.filePath("tokens").toStdString();
  const auto allow = [&](const std::string& token) { std::ofstream(tokens) << token << "\n"; };
  remote::ServerOptions options;
  options.tokenFile = tokens;
  const std::string mine(32, 'm'), other(32, 'o');
  qputenv("FARFIELD_TOKEN", mine.c_str());
  allow(mine);
  auto server = std::make_unique<LoopbackServer>(m_files.folder(), options);
  options.listen = server->address();
  const auto upstream = remote::makeFarUpstream("far://" + server->address());
  QVERIFY(!upstream->list("deep").empty());
  for (const std::string& token : {other, mine}) {
    server.reset();
    allow(token);
    server = std::make_unique<LoopbackServer>(m_files.folder(), options);
    const std::string words = errorOf<Invalid>([&] { upstream->list("deep"); });
    QCOMPARE(words.empty(), token == mine);
  }
  qunsetenv("FARFIELD_TOKEN");
}

void TestRemoteFormats::foldersOfKilledServersAreRemoved() {
  namespace fs = std::filesystem;
  const QTemporaryDir folder;
  const fs::path parent = folder.path().toStdString();
  const fs::path left = parent / "farfield-pagerd-killed", elsewhere = parent / "elsewhere";
  fs::create_directories(left / "0");
  fs::create_directory(elsewhere);
  fs::create_symlink(elsewhere, left / "0" / "data");
  fs::create_directory_symlink(elsewhere, parent / "farfield-pagerd-link");
  fs::path its;
  {
    const OwnFolder first(parent, "farfield-pagerd-");
    its = first.path();
    fs::create_symlink(elsewhere, its / "data");
    QVERIFY(!fs::exists(left));
    OwnFolder second(parent, "farfield-pagerd-");
    const OwnFolder moved(std::move(second));
    QVERIFY(fs::exists(its));
    QVERIFY(fs::exists(moved.path()));
    QVERIFY(moved.path() != its);
  }
  QVERIFY(!fs::exists(its));
  QVERIFY(fs::exists(elsewhere));
  QVERIFY(fs::is_symlink(parent / "farfield-pagerd-link"));
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestRemoteFormats)
#include "tst_remote_formats.moc"
