#include "app/ui/dialogs/guide.h"

#include <QDesktopServices>
#include <QFile>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QShortcut>
#include <QStyledItemDelegate>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "app/ui/widgets/clear_button.h"
#include "app/ui/widgets/look.h"
#include "core/base/near_names.h"

namespace farfield::ui {
namespace {

constexpr const char* kFolder = ":/guide/";
constexpr const char* kFirstPage = "README.md";
constexpr qsizetype kMostPlaces = 100;

/// What links to pages beside the guide, for those who build the program, names them instead: they are not part of it.
QString withoutLinksElsewhere(const QString& text) {
  static const QRegularExpression kLink("\\[([^\\]]*)\\]\\((\\.\\./[^)#]*)(#[^)]*)?\\)");
  QString plain;
  qsizetype from = 0;
  for (auto each = kLink.globalMatch(text); each.hasNext();) {
    const auto link = each.next();
    const QString file = "docs/" + link.captured(2).mid(3);
    plain += text.mid(from, link.capturedStart() - from);
    // a file that is called by its own name once
    plain += link.captured(1).remove('`').endsWith(link.captured(2).section('/', -1))
                 ? QString("`%1`").arg(file)
                 : QString("%1 (`%2`)").arg(link.captured(1), file);
    from = link.capturedEnd();
  }
  return plain + text.mid(from);
}

QString pageText(const QString& page) {
  QFile file(kFolder + page);
  if (!file.open(QIODevice::ReadOnly)) return {};
  QString text = QString::fromUtf8(file.readAll());
  // Pictures are not part of the program.
  static const QRegularExpression kPicture("!\\[[^\\]]*\\]\\([^)]*\\)[ \\t]*\\n?");
  text.remove(kPicture);
  // Nor lines that say nothing but where to read on outside of it.
  static const QRegularExpression kElsewhere("^[^\\n]*: \\[[^\\]]*\\]\\(\\.\\./[^)]*\\)\\.\\n?$",
                                             QRegularExpression::MultilineOption);
  text.remove(kElsewhere);
  return withoutLinksElsewhere(text);
}

QStringList wordsOf(const QString& text) {
  return text.toLower().split(QRegularExpression("\\s+"), Qt::SkipEmptyParts);
}

/// In the order in which the first page names them.
QStringList pageNames() {
  QStringList names{kFirstPage};
  static const QRegularExpression kLink("\\]\\(([a-z-]+\\.md)\\)");
  auto match = kLink.globalMatch(pageText(kFirstPage));
  while (match.hasNext())
    if (const QString name = match.next().captured(1); !names.contains(name) && QFile::exists(kFolder + name))
      names.append(name);
  return names;
}

QList<GuideSection> readSections() {
  static const QRegularExpression kBehindMarks("[^#]");
  QList<GuideSection> all;
  for (const QString& page : pageNames()) {
    bool code = false;
    const QStringList lines = pageText(page).split('\n');
    for (const QString& line : lines) {
      if (line.startsWith("```")) code = !code;
      const auto level = code ? 0 : static_cast<int>(line.indexOf(kBehindMarks));
      if (level > 0 && line.size() > level && line[level] == ' ')
        all.append({page, line.mid(level + 1).trimmed(), {}, level});
      else if (!all.isEmpty() && all.back().page == page)
        all.back().text += line + '\n';
    }
  }
  return all;
}

/// What was found: the section's title, below it the page that it is on, and a line to the next.
class FoundDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  static constexpr int kRoom = 5;
  static QFont titleFont(const QStyleOptionViewItem& option) {
    QFont font = option.font;
    font.setBold(true);
    return font;
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem row = option;
    initStyleOption(&row, index);
    row.text.clear();
    const QStringList lines = index.data().toString().split('\n');
    option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &row, painter, option.widget);
    painter->save();
    const bool selected = option.state & QStyle::State_Selected;
    const QRect place = option.rect.adjusted(kRoom, kRoom, -kRoom, -kRoom);
    const QFontMetrics metrics(titleFont(option));
    painter->setFont(titleFont(option));
    painter->setPen(option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
    painter->drawText(place, Qt::AlignLeft | Qt::AlignTop,
                      metrics.elidedText(lines.front(), Qt::ElideRight, place.width()));
    if (lines.size() > 1) {
      painter->setFont(option.font);
      painter->setPen(option.palette.color(selected ? QPalette::HighlightedText : QPalette::PlaceholderText));
      painter->drawText(place, Qt::AlignLeft | Qt::AlignBottom,
                        QFontMetrics(option.font).elidedText(lines[1], Qt::ElideRight, place.width()));
    }
    painter->setPen(option.palette.color(QPalette::Midlight));
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    painter->restore();
  }
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const bool two = index.data().toString().contains('\n');
    return {0, QFontMetrics(titleFont(option)).height() + (two ? QFontMetrics(option.font).height() : 0) +
                   2 * kRoom + 1};
  }
};

}  // namespace

const QList<GuideSection>& guideSections() {
  static const QList<GuideSection> kAll = readSections();
  return kAll;
}

QList<GuideSection> findInGuide(const QString& text) {
  const QStringList words = wordsOf(text);
  if (words.isEmpty()) return {};
  QList<std::pair<qsizetype, GuideSection>> found;
  for (const GuideSection& section : guideSections()) {
    qsizetype weight = 0;
    for (const QString& word : words) {
      const qsizetype times = 20 * section.title.count(word, Qt::CaseInsensitive) +
                              std::min<qsizetype>(section.text.count(word, Qt::CaseInsensitive), 10);
      weight = times == 0 ? -1 : weight + times;
      if (times == 0) break;
    }
    if (weight > 0) found.append({weight, section});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  QList<GuideSection> sections;
  for (const auto& [weight, section] : found) sections.append(section);
  return sections;
}

QStringList wordsLike(const QString& text) {
  static const QRegularExpression kWord("[A-Za-z]{4,}");
  static const std::vector<std::string> kAll = [] {
    std::set<std::string> words;
    for (const GuideSection& section : guideSections())
      for (auto each = kWord.globalMatch(section.title + ' ' + section.text); each.hasNext();)
        words.insert(each.next().captured().toLower().toStdString());
    return std::vector<std::string>(words.begin(), words.end());
  }();
  QStringList like;
  for (auto each = kWord.globalMatch(text.toLower()); each.hasNext();) {
    const std::string word = each.next().captured().toStdString();
    if (std::binary_search(kAll.begin(), kAll.end(), word)) continue;
    for (const std::string& near : nearNames(word, kAll)) like.append(QString::fromStdString(near));
  }
  return like;
}

QString anchorOf(const QString& title) {
  QString anchor = title.toLower();
  anchor.remove(QRegularExpression("[^\\w\\s-]", QRegularExpression::UseUnicodePropertiesOption));
  return anchor.trimmed().replace(QRegularExpression("\\s"), "-");
}

Guide::Guide(QWidget* parent)
    : QDialog(parent),
      m_back(new QToolButton(this)),
      m_forward(new QToolButton(this)),
      m_search(new QLineEdit(this)),
      m_nothing(new QLabel(this)),
      m_list(new QListWidget(this)),
      m_where(new QLabel(this)),
      m_text(new QTextBrowser(this)),
      m_hits(*m_text) {
  setObjectName("guide");
  setWindowTitle(tr("The guide"));
  setWindowFlag(Qt::WindowMaximizeButtonHint);
  auto* const row = new QHBoxLayout(this);
  auto* const column = new QVBoxLayout;
  m_search->setObjectName("guide.search");
  m_search->setPlaceholderText(tr("Search the guide"));
  m_search->setAccessibleName(tr("Search the guide"));
  addClearButton(*m_search);
  m_search->setWhatsThis(tr(
      "Words to look for, in any order. Return shows the first place, and goes on to the next; arrows choose "
      "another section."));
  m_nothing->setObjectName("guide.nothing");
  m_nothing->setWordWrap(true);
  m_nothing->setTextFormat(Qt::RichText);
  m_nothing->setTextInteractionFlags(Qt::TextBrowserInteraction);
  m_nothing->hide();
  connect(m_nothing, &QLabel::linkActivated, this, [this](const QString& word) {
    m_search->setText(word);
    m_search->setFocus();
  });
  m_list->setObjectName("guide.list");
  m_list->setAccessibleName(tr("Pages, or what was found"));
  m_list->setWhatsThis(tr("The pages or, while something is looked for, the sections that have it."));
  m_list->setItemDelegate(new FoundDelegate(m_list));
  auto* const line = new QHBoxLayout;
  const auto add = [&](QToolButton* button, const char* name, const QString& what, const char* key, auto go) {
    button->setObjectName(name);
    button->setAccessibleName(what);
    button->setToolTip(QString("%1 (%2)").arg(what, QKeySequence(key).toString(QKeySequence::NativeText)));
    button->setAutoRaise(true);
    button->setEnabled(false);
    connect(button, &QToolButton::clicked, this, go);
    connect(new QShortcut(QKeySequence(key), this), &QShortcut::activated, button, &QToolButton::click);
    line->addWidget(button);
  };
  add(m_back, "guide.back", tr("Back to what was read before"), "Alt+Left",
      [this] { goBackTo(m_before, m_after); });
  add(m_forward, "guide.forward", tr("Forward again"), "Alt+Right", [this] { goBackTo(m_after, m_before); });
  setIcons();
  line->addWidget(m_search, 1);
  column->addLayout(line);
  column->addWidget(m_nothing);
  column->addWidget(m_list, 1);
  m_where->setObjectName("guide.where");
  m_where->setForegroundRole(QPalette::PlaceholderText);
  m_where->hide();
  column->addWidget(m_where);
  row->addLayout(column, 2);
  m_text->setObjectName("guide.text");
  m_text->setAccessibleName(tr("Page"));
  m_text->setWhatsThis(tr("The page; Tab goes to its links. F3 and Shift+F3 go to what was looked for."));
  m_text->setOpenLinks(false);
  row->addWidget(m_text, 5);
  resize(fontMetrics().averageCharWidth() * 150, fontMetrics().height() * 44);
  connect(m_search, &QLineEdit::textChanged, this, &Guide::search);
  // What was found is gone through without leaving the search.
  m_search->installEventFilter(this);
  for (const bool back : {false, true}) {
    auto* const key = new QShortcut(QKeySequence(back ? "Shift+F3" : "F3"), this);
    connect(key, &QShortcut::activated, this, [this, back] { goOn(back); });
  }
  connect(m_list, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
    if (item) showChosen();
  });
  // Also the one that is chosen already.
  connect(m_list, &QListWidget::itemClicked, this, &Guide::showChosen);
  connect(m_text, &QTextBrowser::anchorClicked, this, &Guide::follow);
  search({});
  m_list->setMinimumWidth(widthOfTitles());
  showPage(kFirstPage);
  m_search->setFocus();
}

void Guide::setIcons() {
  m_back->setIcon(icon("back"));
  m_forward->setIcon(icon("forward"));
}

/// In which no title of a page is cut off.
int Guide::widthOfTitles() const {
  QStyleOptionViewItem option;
  option.font = m_list->font();
  const QFontMetrics letters(FoundDelegate::titleFont(option));
  int widest = 0;
  for (int row = 0; row < m_list->count(); ++row)
    widest = std::max(widest, letters.horizontalAdvance(m_list->item(row)->text()));
  return widest + 2 * FoundDelegate::kRoom + 2 * m_list->frameWidth() +
         m_list->verticalScrollBar()->sizeHint().width();
}

void Guide::search(const QString& text) {
  const QSignalBlocker quiet(m_list);
  m_list->clear();
  m_nothing->hide();
  m_foundShown = false;
  markWords();
  const auto add = [&](const GuideSection& section, const QString& label) {
    auto* const item = new QListWidgetItem(label, m_list);
    item->setToolTip(label);
    item->setData(Qt::UserRole,
                  section.level > 1 ? section.page + '#' + anchorOf(section.title) : section.page);
  };
  if (text.trimmed().isEmpty()) {
    for (const GuideSection& section : guideSections())
      if (section.level == 1) add(section, section.title);
    return markPage();
  }
  for (const GuideSection& section : findInGuide(text)) {
    QString label = section.title;
    if (section.level > 1)
      for (const GuideSection& page : guideSections())
        if (page.page == section.page && page.level == 1) label += "\n" + page.title;
    add(section, label);
  }
  if (m_list->count() > 0) return;
  QStringList like;
  for (const QString& word : wordsLike(text)) like.append(QString("<a href=\"%1\">%1</a>").arg(word));
  const QString said = tr("Nothing is found for “%1”.").arg(text.trimmed().toHtmlEscaped());
  m_nothing->setText(like.isEmpty() ? said : said + ' ' + tr("Did you mean %1?").arg(like.join(", ")));
  m_nothing->show();
}

void Guide::showFound(int row) {
  QListWidgetItem* const item = m_list->item(std::clamp(row, 0, std::max(0, m_list->count() - 1)));
  if (!item) return;
  {
    const QSignalBlocker quiet(m_list);  // it may be the current one already, of which nothing is told
    m_list->setCurrentItem(item);
  }
  showChosen();
}

void Guide::showChosen() {
  const QListWidgetItem* const item = m_list->currentItem();
  const QString link = item ? item->data(Qt::UserRole).toString() : QString();
  if (link.section('#', 0, 0) != m_page) remember();
  if (!showPage(link)) return;
  m_foundShown = !m_search->text().trimmed().isEmpty();
  if (!m_foundShown) return;
  const QString anchor = link.section('#', 1);
  std::pair<int, int> range{0, 0};
  for (const GuideSection& section : guideSections())
    if (section.page == m_page &&
        (anchor.isEmpty() ? section.level == 1 : anchorOf(section.title) == anchor)) {
      range = rangeOf(section.title);
      break;
    }
  m_hits.showFirstIn(range.first, range.second);
  tellWords();
}

void Guide::goOn(bool back) {
  if (!m_foundShown) return showFound(std::max(0, m_list->currentRow()));
  m_hits.step(back);
  tellWords();
}

void Guide::markWords() {
  m_hits.find(wordsOf(m_search->text()));
  tellWords();
}

void Guide::tellWords() {
  m_where->setVisible(m_hits.now() >= 0);
  m_where->setText(tr("%1 of %2 on this page (F3, Shift+F3)").arg(m_hits.now() + 1).arg(m_hits.count()));
}

Guide::Place Guide::here() const {
  return {m_page, m_text->verticalScrollBar()->value()};
}

void Guide::remember() {
  if (m_page.isEmpty()) return;
  m_before.append(here());
  if (m_before.size() > kMostPlaces) m_before.removeFirst();
  m_after.clear();
  m_back->setEnabled(true);
  m_forward->setEnabled(false);
}

void Guide::goBackTo(QList<Place>& from, QList<Place>& to) {
  if (from.isEmpty()) return;
  to.append(here());
  const Place place = from.takeLast();
  showPage(place.page);
  m_text->verticalScrollBar()->setValue(place.at);
  m_back->setEnabled(!m_before.isEmpty());
  m_forward->setEnabled(!m_after.isEmpty());
  markPage();
}

void Guide::markPage() {
  const QSignalBlocker quiet(m_list);  // it is shown already
  m_list->setCurrentItem(nullptr);
  for (int row = 0; row < m_list->count(); ++row)
    if (m_list->item(row)->data(Qt::UserRole).toString() == m_page) return m_list->setCurrentRow(row);
}

bool Guide::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_search && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Down || key == Qt::Key_Up) {
      const int now = m_list->selectedItems().isEmpty() ? -1 : m_list->currentRow();
      showFound(now + (key == Qt::Key_Down ? 1 : -1));
      return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
      goOn(static_cast<QKeyEvent*>(event)->modifiers() & Qt::ShiftModifier);
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

/// The page has the colours of links from when it was set.
void Guide::changeEvent(QEvent* event) {
  QDialog::changeEvent(event);
  if (event->type() != QEvent::PaletteChange || m_page.isEmpty()) return;
  setIcons();
  const int at = m_text->verticalScrollBar()->value();
  m_text->setMarkdown(pageText(m_page));
  m_text->verticalScrollBar()->setValue(at);
  m_hits.mark();  // where they were
}

bool Guide::showPage(const QString& link) {
  const QString page = link.section('#', 0, 0), anchor = link.section('#', 1);
  const QString wanted = page.isEmpty() ? m_page : page;
  const QString text = pageText(wanted);
  if (text.isEmpty()) return false;
  if (wanted != m_page) {
    m_page = wanted;
    m_text->setMarkdown(text);
    m_text->verticalScrollBar()->setValue(0);
    markWords();
  }
  if (anchor.isEmpty()) {
    m_text->verticalScrollBar()->setValue(0);
    return true;
  }
  for (const GuideSection& section : guideSections()) {
    if (section.page != m_page || anchorOf(section.title) != anchor) continue;
    scrollTo(section.title);
    return true;
  }
  return false;
}

std::pair<int, int> Guide::rangeOf(const QString& title) const {
  // As it is shown, without the marks of Markdown.
  const QString plain = QString(title).remove('`').remove('*');
  std::pair<int, int> range{0, 0};
  bool isIn = false;
  for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next()) {
    const bool isHeading = block.blockFormat().headingLevel() > 0;
    if (isIn && isHeading) return range;
    if (!isIn && isHeading && block.text() == plain) {
      isIn = true;
      range.first = block.position();
    }
    if (isIn) range.second = block.position() + block.length();
  }
  return range;
}

void Guide::scrollTo(const QString& title) {
  const auto [from, to] = rangeOf(title);
  if (from == to) return;
  m_text->moveCursor(QTextCursor::End);
  QTextCursor cursor(m_text->document());
  cursor.setPosition(from);
  m_text->setTextCursor(cursor);
  m_text->verticalScrollBar()->setValue(m_text->verticalScrollBar()->value() + m_text->cursorRect().top() -
                                        8);
}

void Guide::follow(const QUrl& link) {
  if (link.scheme() == "http" || link.scheme() == "https") {
    QDesktopServices::openUrl(link);
    return;
  }
  remember();
  showPage(link.toString());
  markPage();
}

}  // namespace farfield::ui
