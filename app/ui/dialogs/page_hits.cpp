#include "app/ui/dialogs/page_hits.h"

#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <algorithm>
#include <set>

namespace farfield::ui {

void PageHits::find(const QStringList& words) {
  m_all.clear();
  m_now = -1;
  // A character of it for each position of the document.
  const QString text = m_page.document()->toPlainText();
  for (qsizetype word = 0; word < words.size(); ++word)
    for (qsizetype at = 0; (at = text.indexOf(words[word], at, Qt::CaseInsensitive)) >= 0;
         at += words[word].size())
      m_all.append({static_cast<int>(at), static_cast<int>(words[word].size()), static_cast<int>(word)});
  std::sort(m_all.begin(), m_all.end(), [](const Hit& a, const Hit& b) {
    return a.from != b.from ? a.from < b.from : a.length > b.length;
  });
  int end = 0;
  m_all.removeIf([&](const Hit& hit) {
    if (hit.from < end) return true;
    end = hit.from + hit.length;
    return false;
  });
  mark();
}

bool PageHits::showFirstIn(int from, int to) {
  int best = -1;
  std::size_t most = 0;
  for (int hit = 0; hit < count();) {
    const QTextBlock paragraph = m_page.document()->findBlock(m_all[hit].from);
    const int first = hit, end = paragraph.position() + paragraph.length();
    std::set<int> words;
    for (; hit < count() && m_all[hit].from < end; ++hit) words.insert(m_all[hit].word);
    if (m_all[first].from < from || m_all[first].from >= to || words.size() <= most) continue;
    most = words.size();
    best = first;
  }
  if (best < 0) return false;
  show(best);
  return true;
}

bool PageHits::step(bool back) {
  if (m_all.isEmpty()) return false;
  int next = m_now + (back ? -1 : 1);
  if (m_now < 0) {
    const int top = m_page.cursorForPosition({0, 0}).position();
    const auto below =
        std::find_if(m_all.begin(), m_all.end(), [&](const Hit& hit) { return hit.from >= top; });
    next = static_cast<int>(below - m_all.begin()) - (back ? 1 : 0);
  }
  show((next + count()) % count());
  return true;
}

void PageHits::show(int hit) {
  m_now = hit;
  QTextCursor cursor(m_page.document());
  cursor.setPosition(m_all[hit].from);
  m_page.setTextCursor(cursor);
  // With some of what stands before it, unless it was in sight.
  const QRect place = m_page.cursorRect();
  if (const int height = m_page.viewport()->height();
      place.top() < height / 20 || place.bottom() > height * 0.9)
    m_page.verticalScrollBar()->setValue(m_page.verticalScrollBar()->value() + place.top() - height / 3);
  mark();
}

void PageHits::mark() const {
  QList<QTextEdit::ExtraSelection> marks;
  const QPalette& palette = m_page.palette();
  for (int hit = 0; hit < count(); ++hit) {
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(m_page.document());
    mark.cursor.setPosition(m_all[hit].from);
    mark.cursor.setPosition(m_all[hit].from + m_all[hit].length, QTextCursor::KeepAnchor);
    QColor behind = palette.color(QPalette::Highlight);
    if (hit == m_now)
      mark.format.setForeground(palette.color(QPalette::HighlightedText));
    else
      behind.setAlphaF(0.3F);
    mark.format.setBackground(behind);
    marks.append(mark);
  }
  m_page.setExtraSelections(marks);
}

}  // namespace farfield::ui
