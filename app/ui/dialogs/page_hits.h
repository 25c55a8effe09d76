#pragma once
// Where the words that are looked for stand on a page that is shown: all are marked, one of them more than the others, and is scrolled to.

#include <QList>
#include <QStringList>

class QTextBrowser;

namespace farfield::ui {

class PageHits {
 public:
  /// `page` outlives it.
  explicit PageHits(QTextBrowser& page) : m_page(page) {}

  /// On the page as it is now; none of them is the present one. No words: nothing is marked any more.
  void find(const QStringList& words);
  /// Where in the characters [from, to) most of the words stand in one paragraph, else the first of them; false where there is none.
  bool showFirstIn(int from, int to);
  /// The next one, or the one before, round the page; from where the page stands if there is no present one. False where there is none.
  bool step(bool back);
  /// In the colours of the page as they are now.
  void mark() const;

  int count() const { return static_cast<int>(m_all.size()); }
  /// Counted from 0; -1: none.
  int now() const { return m_now; }

 private:
  struct Hit {
    int from, length, word;
  };
  void show(int hit);

  QTextBrowser& m_page;
  QList<Hit> m_all;  ///< in the order of the page, none of them in another
  int m_now = -1;
};

}  // namespace farfield::ui
