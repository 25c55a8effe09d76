#pragma once
// The guide inside the program: the pages of docs/user, with a search over all of them. Pictures are left to the
// installed pages.

#include <QDialog>
#include <QList>
#include <QString>
#include <utility>

#include "app/ui/dialogs/page_hits.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QTextBrowser;
class QToolButton;
class QUrl;

namespace farfield::ui {

/// A part of a page under one heading.
struct GuideSection {
  QString page;   ///< "window.md"
  QString title;  ///< of its heading
  QString text;   ///< Markdown, without pictures; up to the next heading
  int level = 1;  ///< of the heading
};
/// All of them, page after page, as the first page lists them.
const QList<GuideSection>& guideSections();
/// Those with all words of `text`, the best first: words in titles count more.
QList<GuideSection> findInGuide(const QString& text);
/// Words of the guide that those of `text` which it does not have may have been meant to be.
QStringList wordsLike(const QString& text);
/// As links name a heading: "Memory and I/O" is "memory-and-io".
QString anchorOf(const QString& title);

class Guide : public QDialog {
  Q_OBJECT
 public:
  explicit Guide(QWidget* parent = nullptr);
  /// "window.md", or "session.md#color". False where there is none.
  bool showPage(const QString& link);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  int widthOfTitles() const;
  void search(const QString& text);
  void showFound(int row);
  /// What is chosen in the list: the section, and in it the words that are looked for.
  void showChosen();
  /// The next of these words, or the one before; what was found first where nothing of it is shown yet.
  void goOn(bool back);
  void markWords();
  void tellWords();
  void follow(const QUrl& link);
  struct Place {
    QString page;
    int at = 0;  ///< how far it is scrolled
  };
  void setIcons();
  Place here() const;
  /// To where the last of `from` was; that `to` remembers the place that is left.
  void goBackTo(QList<Place>& from, QList<Place>& to);
  /// That here is where one goes back to, from a page that is shown next.
  void remember();
  /// In the list, where the page that is shown is in it.
  void markPage();
  /// From its beginning to the next heading, in characters of the page that is shown.
  std::pair<int, int> rangeOf(const QString& title) const;
  void scrollTo(const QString& title);

  QString m_page;
  QList<Place> m_before, m_after;  ///< where was read, the nearest last; a hundred at most
  QToolButton *m_back, *m_forward;
  QLineEdit* m_search;
  QLabel* m_nothing;  ///< is found
  QListWidget* m_list;
  QLabel* m_where;  ///< the word that is shown is among all of the page
  QTextBrowser* m_text;
  PageHits m_hits;
  bool m_foundShown = false;  ///< something of what was found is
};

}  // namespace farfield::ui
