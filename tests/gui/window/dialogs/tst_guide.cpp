// The guide inside the program: all pages are there, links lead somewhere, and what is looked for is found.

#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSet>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolButton>
#include <QUrl>

#include "app/ui/dialogs/guide.h"
#include "app/ui/widgets/look.h"

using namespace farfield;

class TestGuide : public QObject {
  Q_OBJECT
 private slots:
  void pagesAreThere();
  void linksLeadSomewhere();
  void whatIsNotThereIsNoLink();
  void wordsAreFound();
  void foundWordsAreShown();
  void nothingFoundIsSaid();
  void whereWasReadIsComeBackTo();
  void linksFollowTheTheme();
};

void TestGuide::pagesAreThere() {
  QStringList pages;
  for (const ui::GuideSection& section : ui::guideSections())
    if (!pages.contains(section.page)) pages.append(section.page);
  for (const char* const page : {"README.md", "window.md", "session.md", "panels.md", "data.md"})
    QVERIFY2(pages.contains(page), page);
  for (const ui::GuideSection& section : ui::guideSections()) {
    QVERIFY(!section.title.isEmpty());
    QVERIFY2(!section.text.contains("!["), qPrintable(section.title));
  }
}

void TestGuide::linksLeadSomewhere() {
  ui::Guide guide;
  static const QRegularExpression kLink("\\]\\(([a-z-]+\\.md)?(#[^)]*)?\\)");
  int links = 0;
  for (const ui::GuideSection& section : ui::guideSections()) {
    auto match = kLink.globalMatch(section.text);
    while (match.hasNext()) {
      const auto link = match.next();
      const QString page = link.captured(1).isEmpty() ? section.page : link.captured(1);
      QVERIFY2(guide.showPage(page + link.captured(2)), qPrintable(section.page + ": " + link.captured(0)));
      ++links;
    }
  }
  QVERIFY(links > 30);
  QVERIFY(!guide.showPage("nothing.md") && !guide.showPage("window.md#nothing-of-the-kind"));
}

// As a reader sees it: each link of each page that is shown is followed by a click.
void TestGuide::whatIsNotThereIsNoLink() {
  ui::Guide guide;
  auto* const text = guide.findChild<QTextBrowser*>("guide.text");
  QStringList pages;
  for (const ui::GuideSection& section : ui::guideSections())
    if (!pages.contains(section.page)) pages.append(section.page);
  int links = 0;
  for (const QString& page : pages) {
    QVERIFY(guide.showPage(page));
    QStringList targets;
    for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next())
      for (auto part = block.begin(); !part.atEnd(); ++part)
        if (const QString target = part.fragment().charFormat().anchorHref(); !target.isEmpty())
          targets.append(target);
    for (const QString& target : targets) {
      ++links;
      if (target.startsWith("http")) continue;
      QVERIFY(guide.showPage(page));
      QVERIFY2(guide.showPage(target), qPrintable(page + ": " + target));
    }
  }
  QVERIFY(links > 30);
  QVERIFY(guide.showPage("memory.md"));
  QVERIFY(text->toPlainText().contains("docs/benchmarks/window.md"));
  // A line that says only where to read on elsewhere is none of the guide.
  QVERIFY(guide.showPage("README.md"));
  QVERIFY(text->toPlainText().contains("getting-started"));
  QVERIFY(!text->toPlainText().contains("ARCHITECTURE"));
}

void TestGuide::wordsAreFound() {
  ui::Guide guide;
  guide.show();
  QVERIFY(QTest::qWaitForWindowExposed(&guide));
  auto* const search = guide.findChild<QLineEdit*>("guide.search");
  auto* const list = guide.findChild<QListWidget*>("guide.list");
  auto* const text = guide.findChild<QTextBrowser*>("guide.text");
  const int pages = list->count();
  // Titles are whole, at the size that it opens with.
  QFont bold = list->font();
  bold.setBold(true);
  for (int row = 0; row < pages; ++row)
    QVERIFY2(QFontMetrics(bold).horizontalAdvance(list->item(row)->text()) + 10 <= list->viewport()->width(),
             qPrintable(list->item(row)->text()));
  QVERIFY(pages >= 10 && text->toPlainText().contains("getting-started"));
  QTest::keyClicks(search, "memory budget");
  QVERIFY(list->count() > 0);
  QTest::keyClick(search, Qt::Key_Return);
  QVERIFY(text->toPlainText().contains("budget", Qt::CaseInsensitive));
  // The first that was found is shown, and said to be; arrows go on to the next.
  search->clear();
  QVERIFY(guide.showPage("README.md"));
  QTest::keyClicks(search, "orthographic");
  QVERIFY(list->count() > 0);
  QTest::keyClick(search, Qt::Key_Return);
  QVERIFY(list->item(0)->isSelected());
  QVERIFY(text->toPlainText().contains("orthographic", Qt::CaseInsensitive));
  search->clear();
  QTest::keyClicks(search, "memory");
  QVERIFY(list->count() > 2);
  QTest::keyClick(search, Qt::Key_Return);
  QTest::keyClick(search, Qt::Key_Down);
  QTest::keyClick(search, Qt::Key_Down);
  QCOMPARE(list->currentRow(), 2);
  QTest::keyClick(search, Qt::Key_Up);
  QCOMPARE(list->currentRow(), 1);
  // A section far down its page is scrolled to.
  search->setText("Memory and I/O");
  bool found = false;
  for (int row = 0; row < list->count() && !found; ++row) {
    if (!list->item(row)->text().startsWith("Memory and I/O")) continue;
    list->setCurrentRow(row);
    found = true;
  }
  QVERIFY(found);
  QTRY_VERIFY_WITH_TIMEOUT(text->verticalScrollBar()->value() > 0, 60'000);
  search->setText("there is no such word as xyzzy");
  QCOMPARE(list->count(), 0);
  search->clear();
  QCOMPARE(list->count(), pages);
}

/// Not only their section, which may be longer than what is seen of it.
void TestGuide::foundWordsAreShown() {
  ui::Guide guide;
  guide.resize(900, 500);
  guide.show();
  guide.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&guide));
  auto* const search = guide.findChild<QLineEdit*>("guide.search");
  auto* const list = guide.findChild<QListWidget*>("guide.list");
  auto* const text = guide.findChild<QTextBrowser*>("guide.text");
  auto* const where = guide.findChild<QLabel*>("guide.where");
  const auto seen = [&](const QTextCursor& cursor) {
    return text->viewport()->rect().contains(text->cursorRect(cursor));
  };
  /// The one that is marked more than the others; -1: none.
  const auto now = [&] {
    const auto marks = text->extraSelections();
    for (qsizetype n = 0; n < marks.size(); ++n)
      if (marks[n].format.foreground().style() != Qt::NoBrush) return static_cast<int>(n);
    return -1;
  };
  const QString word = "turntable";
  QTest::keyClicks(search, word);
  QVERIFY(list->count() > 0 && !where->isVisible());
  int scrolled = 0;
  for (int row = 0; row < list->count(); ++row) {
    QTest::keyClick(search, row == 0 ? Qt::Key_Return : Qt::Key_Down);
    QCOMPARE(list->currentRow(), row);
    const auto marks = text->extraSelections();
    QVERIFY2(!marks.isEmpty(), qPrintable(list->item(row)->text()));
    for (const QTextEdit::ExtraSelection& mark : marks) QCOMPARE(mark.cursor.selectedText().toLower(), word);
    QVERIFY2(now() >= 0 && seen(marks[now()].cursor), qPrintable(list->item(row)->text()));
    QVERIFY(where->isVisible());
    scrolled += text->verticalScrollBar()->value() > 0;
  }
  QVERIFY(scrolled > 0);

  // On to the next ones of the page and back, round it, with either key.
  search->clear();
  QVERIFY(text->extraSelections().isEmpty() && !where->isVisible());
  QTest::keyClicks(search, "legend");
  QTest::keyClick(search, Qt::Key_Return);
  const qsizetype count = text->extraSelections().size();
  QVERIFY(count > 3);
  const int first = now();
  for (qsizetype step = 1; step <= count; ++step) {
    if (step % 2 == 0)
      QTest::keyClick(search, Qt::Key_Return);
    else
      QTest::keyClick(text, Qt::Key_F3);
    QCOMPARE(now(), static_cast<int>((first + step) % count));
    QVERIFY(seen(text->extraSelections()[now()].cursor));
    QVERIFY(where->text().startsWith(QString("%1 of %2 ").arg(now() + 1).arg(count)));
  }
  QTest::keyClick(search, Qt::Key_F3, Qt::ShiftModifier);
  QTest::keyClick(search, Qt::Key_Return, Qt::ShiftModifier);
  QCOMPARE(now(), static_cast<int>((first - 2 + 2 * count) % count));
  // The colours of another theme keep them.
  ui::applyTheme(app::Theme::Dark);
  QTRY_VERIFY(now() == static_cast<int>((first - 2 + 2 * count) % count) &&
              text->extraSelections()[now()].cursor.selectedText().toLower() == "legend");
  ui::applyTheme(app::Theme::Light);
  // Of several words where they stand together.
  search->setText("keep views");
  QTest::keyClick(search, Qt::Key_Return);
  QVERIFY(now() >= 0);
  const QString paragraph = text->extraSelections()[now()].cursor.block().text().toLower();
  QVERIFY2(paragraph.contains("keep") && paragraph.contains("views"), qPrintable(paragraph));
}

void TestGuide::nothingFoundIsSaid() {
  ui::Guide guide;
  guide.show();
  QVERIFY(QTest::qWaitForWindowExposed(&guide));
  auto* const search = guide.findChild<QLineEdit*>("guide.search");
  auto* const list = guide.findChild<QListWidget*>("guide.list");
  auto* const nothing = guide.findChild<QLabel*>("guide.nothing");
  QVERIFY(!nothing->isVisible());
  search->setText("orthografic");
  QCOMPARE(list->count(), 0);
  QVERIFY(nothing->isVisible());
  QVERIFY2(nothing->text().contains("Nothing is found for “orthografic”"), qPrintable(nothing->text()));
  QVERIFY2(nothing->text().contains("\"orthographic\""), qPrintable(nothing->text()));
  emit nothing->linkActivated("orthographic");
  QVERIFY(list->count() > 0 && !nothing->isVisible());
  search->setText("<b>xyzzyx</b>");
  QVERIFY(nothing->isVisible() && nothing->text().contains("&lt;b&gt;"));
  // As other programs call it.
  search->setText("turntable");
  QVERIFY(list->count() > 0);
}

/// A link leads to another page: the list marks that one, and there is a way back to where one has read, and forth again.
void TestGuide::whereWasReadIsComeBackTo() {
  ui::Guide guide;
  guide.resize(900, 500);
  guide.show();
  guide.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&guide));
  auto* const list = guide.findChild<QListWidget*>("guide.list");
  auto* const text = guide.findChild<QTextBrowser*>("guide.text");
  auto* const back = guide.findChild<QToolButton*>("guide.back");
  auto* const forward = guide.findChild<QToolButton*>("guide.forward");
  const auto marked = [&] {
    const auto rows = list->selectedItems();
    return rows.size() == 1 ? rows.front()->data(Qt::UserRole).toString() : QString();
  };
  QVERIFY(!back->isEnabled() && !forward->isEnabled());
  for (int row = 0; row < list->count(); ++row)
    if (list->item(row)->data(Qt::UserRole) == "panels.md") list->setCurrentRow(row);
  QCOMPARE(marked(), QString("panels.md"));
  text->verticalScrollBar()->setValue(text->verticalScrollBar()->maximum() / 2);
  const int read = text->verticalScrollBar()->value();
  const QString page = text->toPlainText();
  QVERIFY(read > 0);
  emit text->anchorClicked(QUrl("session.md#color"));
  QCOMPARE(marked(), QString("session.md"));
  QVERIFY(text->toPlainText() != page && back->isEnabled());
  const int there = text->verticalScrollBar()->value();
  QTest::keyClick(text, Qt::Key_Left, Qt::AltModifier);
  QCOMPARE(marked(), QString("panels.md"));
  QCOMPARE(text->toPlainText(), page);
  QCOMPARE(text->verticalScrollBar()->value(), read);
  QVERIFY(back->isEnabled() && forward->isEnabled());
  QTest::keyClick(text, Qt::Key_Right, Qt::AltModifier);
  QCOMPARE(marked(), QString("session.md"));
  QCOMPARE(text->verticalScrollBar()->value(), there);
  QVERIFY(!forward->isEnabled());
  // To where it began, and no further; also from the search.
  auto* const search = guide.findChild<QLineEdit*>("guide.search");
  search->setFocus();
  for (int n = 0; n < 3; ++n) QTest::keyClick(search, Qt::Key_Left, Qt::AltModifier);
  QCOMPARE(marked(), QString("README.md"));
  QVERIFY(!back->isEnabled());
  // Another way from there.
  QTest::mouseClick(forward, Qt::LeftButton);
  emit text->anchorClicked(QUrl("time.md"));
  QVERIFY(!forward->isEnabled());
  QCOMPARE(marked(), QString("time.md"));
}

/// Also those of the page that is open, which stays where it is.
void TestGuide::linksFollowTheTheme() {
  ui::applyTheme(app::Theme::Light);
  ui::Guide guide;
  guide.show();
  QVERIFY(QTest::qWaitForWindowExposed(&guide));
  QVERIFY(guide.showPage("window.md"));
  auto* const text = guide.findChild<QTextBrowser*>("guide.text");
  const auto colors = [&] {
    QSet<QString> all;
    for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next())
      for (auto part = block.begin(); !part.atEnd(); ++part)
        if (part.fragment().charFormat().isAnchor())
          all.insert(part.fragment().charFormat().foreground().color().name());
    return all;
  };
  text->verticalScrollBar()->setValue(text->verticalScrollBar()->maximum() / 2);
  const int at = text->verticalScrollBar()->value();
  QVERIFY(at > 0);
  for (const auto theme : {app::Theme::Dark, app::Theme::Light}) {
    ui::applyTheme(theme);
    QTRY_COMPARE(colors(), QSet<QString>{guide.palette().color(QPalette::Link).name()});
    QCOMPARE(text->verticalScrollBar()->value(), at);
  }
}

QTEST_MAIN(TestGuide)
#include "tst_guide.moc"
