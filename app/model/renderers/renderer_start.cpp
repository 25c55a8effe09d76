#include "app/model/renderers/renderer_start.h"

#include <signal.h>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcessEnvironment>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QStandardPaths>
#include <algorithm>
#include <vector>

namespace farfield::app {
namespace {

constexpr int kMostLines = 40, kLastWaitMs = 3000;
constexpr const char* kListening = "listening on ";

/// The program beside this one, as in its package, or any in the search path; empty: there is none.
QString slabdHere() {
  const QString name = QStringLiteral("farfield-slabd");
  const QString beside = QDir(QCoreApplication::applicationDirPath()).filePath(name);
  return QFileInfo(beside).isExecutable() ? beside : QStandardPaths::findExecutable(name);
}

/// As one word of a shell.
QString quoted(const QString& word) {
  static const QRegularExpression kPlain(QStringLiteral("^[-A-Za-z0-9_./:@,=+%~]+$"));
  if (kPlain.match(word).hasMatch()) return word;
  return '\'' + QString(word).replace('\'', QStringLiteral("'\\''")) + '\'';
}

QString quotedAll(const QStringList& words) {
  QStringList all;
  for (const QString& word : words) all.append(quoted(word));
  return all.join(' ');
}

QStringList slabdWords(const RendererPlan& plan, const QString& mpirun, const QString& slabd) {
  QStringList words{mpirun, QStringLiteral("-n"), QString::number(plan.ranks), slabd, plan.data};
  if (!plan.solution.isEmpty()) words += {QStringLiteral("--solution"), plan.solution};
  const int port = plan.isHere ? 0 : plan.port + 1;
  return words + QStringList{QStringLiteral("--listen"), QStringLiteral("127.0.0.1:%1").arg(port)};
}

/// The words in FARFIELD_SSH, else ssh.
QStringList sshWords() {
  const QStringList words = qEnvironmentVariable("FARFIELD_SSH").split(' ', Qt::SkipEmptyParts);
  return words.isEmpty() ? QStringList{QStringLiteral("ssh")} : words;
}

/// "USER@HOST:PORT" as far+ssh:// takes it; all else, such as a name in ssh's own configuration, as it is.
QStringList destination(const QString& host) {
  static const QRegularExpression kWithPort(
      QStringLiteral("^((?:[^@:/]+@)?(?:[^:/\\[\\]]+|\\[[^\\]]+\\])):([0-9]{1,5})$"));
  const QRegularExpressionMatch found = kWithPort.match(host);
  if (!found.hasMatch()) return {QStringLiteral("--"), host};
  QString name = found.captured(1);
  name.remove('[').remove(']');
  return {QStringLiteral("-p"), found.captured(2), QStringLiteral("--"), name};
}

/// More ranks than processors, and some that die while the rest go on: whichever MPI it is, it passes over the others' names.
const std::vector<std::pair<const char*, const char*>> kMpiSettings = {
    {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
    {"OMPI_MCA_orte_enable_recovery", "1"},
    {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"}};

/// A shell that becomes its words, beside another one that reads what it gets until that ends, as it does when whoever holds the other end
/// is gone, however he went. MPI's own way of handing standard input on differs from one to the next, and ranks that still open data
/// would not look. As ssh's shells take it: without exclamation marks.
constexpr const char* kUntilInputEnds =
    "exec 3<&0; { while read -r line; do :; done; kill $$; } <&3 >/dev/null 2>&1 & exec \"$@\" </dev/null 3<&-";

/// `isWatched`: it ends with its standard input; else it is for a terminal.
QStringList commandWords(const RendererPlan& plan, bool isWatched) {
  const QString slabd = plan.isHere ? slabdHere() : QString();
  QStringList words =
      slabdWords(plan, QStringLiteral("mpirun"), slabd.isEmpty() ? QStringLiteral("farfield-slabd") : slabd);
  if (isWatched) words = QStringList{"sh", "-c", kUntilInputEnds, "sh"} + words;
  if (plan.isHere) return words;
  QString there = QStringLiteral("env ");  // as any shell understands it
  for (const auto& [name, value] : kMpiSettings) there += QStringLiteral("%1=%2 ").arg(name, value);
  there += quotedAll(words);
  return sshWords() +
         QStringList{isWatched ? QStringLiteral("-T") : QStringLiteral("-tt"),
                     QStringLiteral("-o"),
                     QStringLiteral("BatchMode=yes"),
                     QStringLiteral("-o"),
                     QStringLiteral("ExitOnForwardFailure=yes"),
                     QStringLiteral("-L"),
                     QStringLiteral("127.0.0.1:%1:127.0.0.1:%2").arg(plan.port).arg(plan.port + 1)} +
         destination(plan.host) + QStringList{there};
}

/// Those that listen or did. On the UI thread, as all of it.
std::vector<const RendererStart*>& started() {
  static std::vector<const RendererStart*> all;
  return all;
}

}  // namespace

int somePort() {
  return static_cast<int>(QRandomGenerator::global()->bounded(20'000, 32'000));
}

QStringList rendererCommand(const RendererPlan& plan) {
  return commandWords(plan, true);
}

QString commandText(const RendererPlan& plan) {
  return quotedAll(commandWords(plan, false));
}

bool RendererStart::isOwn(const QString& url) {
  return std::any_of(started().begin(), started().end(),
                     [&](const RendererStart* each) { return each->url() == url; });
}

RendererStart::RendererStart(RendererPlan plan, QObject* parent) : QObject(parent), m_plan(std::move(plan)) {
  m_process.setProcessChannelMode(QProcess::MergedChannels);
  // The terminal's Ctrl+C is not for it.
  m_process.setChildProcessModifier([] { ::setpgid(0, 0); });
  connect(&m_process, &QProcess::readyRead, this, &RendererStart::read);
  connect(&m_process, &QProcess::finished, this, &RendererStart::finish);
  connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) finish();
  });
}

RendererStart::~RendererStart() {
  std::erase(started(), this);
  m_process.disconnect(this);
  if (m_process.state() == QProcess::NotRunning) return;
  m_process.terminate();
  if (m_process.waitForFinished(kLastWaitMs)) return;
  m_process.kill();
  m_process.waitForFinished(kLastWaitMs);
}

void RendererStart::start() {
  const QString needed = m_plan.isHere ? QStringLiteral("mpirun") : sshWords().front();
  const auto fail = [this](const QString& message, const QString& advice) {
    m_hasFailed = true;
    emit failed(message, advice);
  };
  if (QStandardPaths::findExecutable(needed).isEmpty())
    return m_plan.isHere
               ? fail(tr("there is no mpirun on this machine"),
                      tr("install MPI (Debian: openmpi-bin), or start the renderer where it is"))
               : fail(tr("there is no program %1").arg(needed),
                      tr("install ssh (Debian: openssh-client), or type the command there yourself"));
  if (m_plan.isHere && slabdHere().isEmpty())
    return fail(tr("there is no farfield-slabd on this machine"),
                tr("install it: it is built where MPI was found (Debian: libopenmpi-dev)"));
  if (m_plan.isHere) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const auto& [name, value] : kMpiSettings)
      if (!environment.contains(name)) environment.insert(name, value);
    m_process.setProcessEnvironment(environment);
  }
  const QStringList words = rendererCommand(m_plan);
  m_process.setProgram(words.front());
  m_process.setArguments(words.mid(1));
  m_process.start();
}

void RendererStart::read() {
  m_unread += m_process.readAll();
  for (qsizetype end; (end = m_unread.indexOf('\n')) >= 0; m_unread.remove(0, end + 1))
    take(QString::fromUtf8(m_unread.left(end)).trimmed());
  if (m_unread.size() > 65'536) m_unread.clear();  // no line of ours
}

void RendererStart::take(const QString& line) {
  if (line.isEmpty()) return;
  m_said.append(line);
  if (m_said.size() > kMostLines) m_said.removeFirst();
  if (!m_url.isEmpty() || !line.startsWith(QLatin1String(kListening))) return;
  m_url = QStringLiteral("slab://") + (m_plan.isHere ? line.mid(static_cast<qsizetype>(qstrlen(kListening)))
                                                     : QStringLiteral("127.0.0.1:%1").arg(m_plan.port));
  started().push_back(this);
  emit listening(m_url);
}

/// Of what it said the line that says most: the renderer's own, else a shell's or mpirun's first that is no ornament.
void RendererStart::finish() {
  if (m_hasFailed) return;
  m_hasFailed = true;
  read();
  if (!m_unread.isEmpty()) take(QString::fromUtf8(m_unread).trimmed());
  static const QRegularExpression kOrnament(QStringLiteral("^[-=*\\s]*$"));
  QString what;
  for (const QString& line : m_said) {
    const bool isOurs = line.startsWith(QLatin1String("farfield-slabd: "));
    if (isOurs) what = line.mid(16);
    if (what.isEmpty() && !kOrnament.match(line).hasMatch()) what = line;
    if (isOurs) break;
  }
  if (what.isEmpty()) what = m_process.errorString();
  const QString where = m_plan.isHere ? tr("on this machine") : tr("on %1").arg(m_plan.host);
  if (!m_url.isEmpty())
    return emit failed(tr("the renderer %1 has ended").arg(where),
                       tr("“Connect to renderer …” at its data starts it again"));
  QString advice = tr("try the command in a terminal");
  if (what.contains(QLatin1String("mpirun")) && what.contains(QLatin1String("not found")))
    advice = tr("install MPI there (Debian: openmpi-bin), and farfield-slabd");
  else if (what.contains(QLatin1String("as root")))
    advice = tr(
        "start Farfield as another user, or set OMPI_ALLOW_RUN_AS_ROOT and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM");
  else if (what.contains(QLatin1String("Permission denied")) || what.contains(QLatin1String("Host key")))
    advice = tr("log in there once in a terminal, with a key that ssh finds by itself");
  emit failed(tr("the renderer %1 does not start: %2").arg(where, what), advice);
}

}  // namespace farfield::app
