// The man pages and completions that the program writes, against the declarations of its commands.
// Completions are tried in the shells themselves.

#include <QDir>
#include <QFile>
#include <QSet>
#include <QTest>

#include "app/cli/manual/program_manual.h"
#include "app/cli/options/command.h"
#include "tests/cli/program.h"
#include "tests/packaging/tool.h"
#include "tests/support/temporary_folder.h"

using farfield::cli::ChoiceTarget;
using farfield::cli::Option;
using farfield::test::haveTool;
using farfield::test::runTool;
using farfield::test::ToolOutcome;

namespace {

#ifdef FARFIELD_GUI
constexpr bool kWindow = true;
#else
constexpr bool kWindow = false;
#endif

using Words = QSet<QString>;

/// What may stand after some words of a command line.
struct Question {
  QString line;
  Words answers;
};

Words wordsOf(const std::vector<std::string>& words) {
  Words all;
  for (const std::string& word : words) all += QString::fromStdString(word);
  return all;
}

}  // namespace

class TestManuals : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void everyCommandHasItsPage();
  void pagesNameEveryOption();
  void pagesAreWithoutFault();
  void bashCompletes();
  void fishCompletes();
  void zshCompletes();
  void foldersThatCannotBeMade();

 private:
  struct Declared {
    QString name;  ///< of the command; "" is the program
    QString summary;
    std::vector<Option> options, arguments;
  };
  static QStringList flagsOf(const Option& option) { return QString::fromStdString(option.flags).split(','); }
  static Words longFlagsOf(const Declared& command);
  std::vector<Question> questions() const;
  QString fileText(const QString& name) const;
  QString path(const QString& name) const {
    return QString::fromStdString((m_folder / name.toStdString()).string());
  }

  farfield::test::TemporaryFolder m_folder;
  farfield::cli::ProgramManual m_manual;
  std::vector<Declared> m_declared;
};

void TestManuals::initTestCase() {
  const auto outcome = farfield::test::runFarfield({"--manuals", path("made/here")});
  QVERIFY2(outcome.status == 0, outcome.errors);
  m_manual = farfield::cli::programManual({.window = kWindow});
  const auto add = [&](const QString& name, const farfield::cli::Manual& manual) {
    m_declared.push_back({name, QString::fromStdString(manual.summary), manual.options, manual.arguments});
  };
  add("", m_manual.program);
  for (const farfield::cli::Manual& manual : m_manual.manuals) {
    add(QString::fromStdString(manual.name), manual);
    // Said here once more, because the parser takes them for every command.
    for (const char* flags : {"-h,--help", "-q,--quiet", "-v,--verbose"})
      m_declared.back().options.push_back({flags, "", "", static_cast<bool*>(nullptr)});
  }
  QVERIFY(m_declared.size() > 5);
}

QString TestManuals::fileText(const QString& name) const {
  QFile file(path("made/here/" + name));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

Words TestManuals::longFlagsOf(const Declared& command) {
  Words flags;
  for (const Option& option : command.options)
    for (const QString& flag : flagsOf(option))
      if (flag.startsWith("--")) flags += flag;
  return flags;
}

/// All that the declarations answer.
std::vector<Question> TestManuals::questions() const {
  std::vector<Question> all;
  Words names;
  for (const Declared& command : m_declared) {
    if (!command.name.isEmpty()) names += command.name;
    const QString start = command.name.isEmpty() ? "farfield " : "farfield " + command.name + " ";
    all.push_back({start + "--", longFlagsOf(command)});
    for (const Option& option : command.options)
      if (const auto* choice = std::get_if<ChoiceTarget>(&option.target))
        for (const QString& flag : flagsOf(option))
          all.push_back({start + flag + " ", wordsOf(choice->choices)});
    if (command.arguments.empty()) continue;
    const Option& argument = command.arguments.front();
    const auto* choice = std::get_if<ChoiceTarget>(&argument.target);
    const Words known = wordsOf(choice ? choice->choices : argument.knownWords);
    if (!known.isEmpty()) all.push_back({start, known});
  }
  const Words files{"a file.json", "folder"};
  all.push_back({"farfield ", kWindow ? names + files : names});
  if (kWindow) all.push_back({"farfield some.json ", files});
  all.push_back({"farfield convert --memory ", {}});  // a number that no shell knows
  // Names of files and folders; the test runs the shell beside one of each.
  all.push_back({"farfield batchvis ", files});
  all.push_back({"farfield batchvis -o ", {"folder"}});
  return all;
}

void TestManuals::everyCommandHasItsPage() {
  QStringList pages{"farfield.1"};
  for (const Declared& command : m_declared)
    if (!command.name.isEmpty()) pages += "farfield-" + command.name + ".1";
  pages.sort();
  QCOMPARE(QDir(path("made/here")).entryList({"*.1"}, QDir::Files, QDir::Name), pages);
  const QString program = fileText("farfield.1").replace("\\-", "-");
  for (const QString& page : pages)
    if (page != "farfield.1") QVERIFY2(program.contains(page.chopped(2) + "\\fR(1)"), qPrintable(page));
}

void TestManuals::pagesNameEveryOption() {
  for (const Declared& command : m_declared) {
    const QString page = command.name.isEmpty() ? "farfield.1" : "farfield-" + command.name + ".1";
    const QString text = fileText(page).replace("\\-", "-").replace("\\(aq", "'");
    QVERIFY2(text.contains(command.summary), qPrintable(page));
    for (const Option& option : command.options) {
      // The head of its paragraph, and its help.
      QStringList flags;
      for (const QString& flag : flagsOf(option)) flags += "\\fB" + flag + "\\fR";
      QString head = ".TP\n" + flags.join(", ");
      if (!option.valueName.empty()) head += " \\fI" + QString::fromStdString(option.valueName) + "\\fR";
      QVERIFY2(text.contains(head + "\n"), qPrintable(page + ": " + head));
      QVERIFY2(text.contains(QString::fromStdString(option.help).mid(1)), option.help.c_str());
    }
    for (const Option& argument : command.arguments)
      QVERIFY2(text.contains(".TP\n\\fI" + QString::fromStdString(argument.flags) + "\\fR\n"),
               qPrintable(page));
  }
}

void TestManuals::pagesAreWithoutFault() {
  if (!haveTool("man") || !haveTool("groff")) QSKIP("no man, no groff");
  qputenv("LC_ALL", "C.UTF-8");
  qputenv("MANWIDTH", "80");
  for (const QString& page : QDir(path("made/here")).entryList({"*.1"})) {
    const ToolOutcome checked = runTool("sh", {"-c", "man --warnings -E UTF-8 -l -Tutf8 -Z \"$1\" >/dev/null",
                                               "sh", path("made/here/" + page)});
    QVERIFY2(checked.status == 0 && checked.text.isEmpty(), qPrintable(page + ": " + checked.text));
    const ToolOutcome shown = runTool("man", {"-P", "cat", "-l", path("made/here/" + page)});
    QVERIFY2(shown.text.contains("SYNOPSIS") && !shown.text.contains('\\'), qPrintable(shown.text));
  }
}

/// Runs a script that answers each line of `questions` by its words, one a line, after a line "[LINE]".
static QString wrongAnswers(const std::vector<Question>& questions, const QString& shell,
                            const QStringList& arguments, const QString& folder) {
  const ToolOutcome outcome = runTool(shell, arguments, folder);
  if (outcome.status != 0) return shell + ": " + outcome.text;
  std::map<QString, Words> given;
  QString line;
  for (const QString& row : outcome.text.split('\n', Qt::SkipEmptyParts)) {
    if (row.startsWith('['))
      given[line = row.mid(1, row.size() - 2)];
    else
      given[line] += row;
  }
  QString wrong;
  for (const Question& question : questions) {
    if (given.contains(question.line) && given.at(question.line) == question.answers) continue;
    const auto text = [](const Words& words) { return QStringList(words.values()).join(", "); };
    wrong += "'" + question.line + "' gives " + text(given[question.line]) + " instead of " +
             text(question.answers) + "\n";
  }
  return wrong;
}

static QString folderWithFiles(const farfield::test::TemporaryFolder& folder) {
  const QString place = QString::fromStdString((folder / "place").string());
  QDir().mkpath(place + "/folder");
  QFile file(place + "/a file.json");
  return file.open(QIODevice::WriteOnly) ? place : QString();
}

void TestManuals::bashCompletes() {
  if (!haveTool("bash")) QSKIP("no bash");
  std::vector<Question> all = questions();
  // As a shell hands it over where = breaks words.
  all.push_back({"farfield convert --codec = zs", {"zstd"}});
  QString script = "source '" + path("made/here/farfield.bash") +
                   "'\ntry() { COMP_WORDS=(\"${@:2}\"); COMP_CWORD=$(($# - 2)); _farfield; echo \"[$1]\"; "
                   "((${#COMPREPLY[@]})) && printf '%s\\n' \"${COMPREPLY[@]}\"; true; }\n"
                   "complete -p farfield >/dev/null || exit 3\n";
  for (const Question& question : all) {
    script += "try '" + question.line + "'";
    for (const QString& word : question.line.split(' ')) script += " '" + word + "'";
    script += "\n";
  }
  const QString wrong = wrongAnswers(all, "bash", {"--norc", "-c", script}, folderWithFiles(m_folder));
  QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

void TestManuals::fishCompletes() {
  if (!haveTool("fish")) QSKIP("no fish");
  qputenv("HOME", path("home").toLocal8Bit());
  const std::vector<Question> all = questions();
  // Words come with their explanation behind a tab, folders with a slash, spaces with a backslash.
  QString script = "source '" + path("made/here/farfield.fish") + "'\n";
  for (const Question& question : all)
    script += "echo '[" + question.line + "]'; complete -C '" + question.line +
              "' | string replace -r '\\t.*' '' | string replace -r '/$' '' | string replace '\\\\ ' ' '\n";
  // The status of a replacement that found nothing to replace is none of the script's.
  script += "true\n";
  const QString wrong = wrongAnswers(all, "fish", {"--no-config", "-c", script}, folderWithFiles(m_folder));
  QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

void TestManuals::zshCompletes() {
  const QString text = fileText("_farfield");
  QVERIFY(text.startsWith("#compdef farfield\n"));
  for (const Declared& command : m_declared) {
    const QString start = command.name.isEmpty() ? "    -*)\n" : "    " + command.name + ")\n";
    const qsizetype at = text.indexOf(start);
    QVERIFY2(at >= 0, qPrintable(command.name));
    const QString part = text.mid(at, text.indexOf(";;", at) - at);
    for (const Option& option : command.options)
      for (const QString& flag : flagsOf(option)) QVERIFY2(part.contains(flag + "["), qPrintable(flag));
  }
  if (!haveTool("zsh")) QSKIP("no zsh");
  const ToolOutcome checked = runTool("zsh", {"-f", "-n", path("made/here/_farfield")});
  QVERIFY2(checked.status == 0 && checked.text.isEmpty(), qPrintable(checked.text));
}

void TestManuals::foldersThatCannotBeMade() {
  QFile file(path("file"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  const auto blocked = farfield::test::runFarfield({"--manuals", path("file")});
  QCOMPARE(blocked.status, 1);
  QCOMPARE(blocked.errorLines().size(), 1);
  QCOMPARE(farfield::test::runFarfield({"--manuals"}).status, 2);
}

QTEST_GUILESS_MAIN(TestManuals)
#include "tst_manuals.moc"
