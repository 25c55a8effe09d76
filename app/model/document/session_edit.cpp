#include "app/model/document/session_edit.h"

#include <utility>

#include "app/model/document/carried_change.h"

namespace farfield::app {

SessionEdit::SessionEdit(Document& document, DocumentState before, DocumentState after, QString key,
                         std::uint64_t mergeEpoch)
    : m_document(document),
      m_before(std::move(before)),
      m_after(std::move(after)),
      m_key(std::move(key)),
      m_mergeEpoch(mergeEpoch) {}

void SessionEdit::push(Document& document, std::unique_ptr<SessionEdit> step) {
  QUndoStack& stack = document.m_undo;
  const int index = stack.index();
  // It may become a part of the step before it, and both vanish.
  const std::shared_ptr<Displaced> displaced = index > 0 ? stepOf(document, index - 1)->m_displaced : nullptr;
  if (stack.canRedo()) step->m_displaced = displacedNow(document);
  stack.push(step.release());
  if (displaced && stack.index() < index) putBack(document, *displaced);
  if (index > 0 && stack.index() > index) stepOf(document, index - 1)->m_displaced.reset();
}

std::shared_ptr<SessionEdit::Displaced> SessionEdit::displacedNow(Document& document) {
  const QUndoStack& stack = document.m_undo;
  auto displaced = std::make_shared<Displaced>();
  for (int n = stack.index(); n < stack.count(); ++n) {
    const SessionEdit& each = *stepOf(document, n);
    displaced->steps.push_back(
        std::make_unique<SessionEdit>(document, each.m_before, each.m_after, each.m_key, each.m_mergeEpoch));
    displaced->steps.back()->setText(each.text());
  }
  if (stack.cleanIndex() > stack.index()) displaced->cleanIndex = stack.cleanIndex();
  return displaced;
}

void SessionEdit::putBack(Document& document, Displaced& displaced) {
  QUndoStack& stack = document.m_undo;
  const int index = stack.index();
  for (std::unique_ptr<SessionEdit>& each : displaced.steps) {
    each->m_isPutBack = true;
    stack.push(each.release());
  }
  if (displaced.cleanIndex >= 0) {
    stack.setIndex(displaced.cleanIndex);
    stack.setClean();
  }
  stack.setIndex(index);
  for (int n = index; n < stack.count(); ++n) stepOf(document, n)->m_isPutBack = false;
}

void SessionEdit::undo() {
  if (!m_isPutBack) m_document.apply(m_before);
}

void SessionEdit::redo() {
  if (!m_isPutBack) m_document.apply(m_after);
}

SessionEdit* SessionEdit::stepOf(Document& document, int number) {
  // The stack hands out what it was given, which is not constant.
  return const_cast<SessionEdit*>(static_cast<const SessionEdit*>(document.m_undo.command(number)));
}

SessionEdit* SessionEdit::lastOf(Document& document, const QString& key) {
  for (int n = document.m_undo.index() - 1; n >= 0; --n)
    if (SessionEdit* const step = stepOf(document, n); step->m_key == key) return step;
  return nullptr;
}

void SessionEdit::changeWithThoseAfter(const DocumentState& now) {
  const DocumentState before = m_document.m_state;
  QUndoStack& stack = m_document.m_undo;
  int number = 0;
  while (stack.command(number) != this) ++number;
  m_after = carriedOver(before, now, m_after);
  const DocumentState* last = &m_after;
  for (int n = number + 1; n < stack.count(); ++n) {
    SessionEdit* const later = stepOf(m_document, n);
    later->m_before = *last;
    later->m_after = carriedOver(before, now, later->m_after);
    last = &later->m_after;
  }
  // What was saved is among those that are other than they were.
  if (stack.cleanIndex() > number) stack.resetClean();
  m_document.apply(now);
}

void SessionEdit::changeAll(Document& document,
                            const std::function<DocumentState(const DocumentState&)>& after) {
  const DocumentState now = after(document.m_state);
  const bool isOther = !(now == document.m_state);
  bool isAny = isOther;
  for (int n = 0; n < document.m_undo.count(); ++n) isAny |= stepOf(document, n)->change(after);
  if (!isAny) return;
  document.m_undo.resetClean();  // the file has it as it was
  if (isOther) document.apply(now);
}

bool SessionEdit::change(const std::function<DocumentState(const DocumentState&)>& after) {
  bool isAny = false;
  for (DocumentState* const each : {&m_before, &m_after}) {
    DocumentState now = after(*each);
    isAny |= !(now == *each);
    *each = std::move(now);
  }
  if (m_displaced)
    for (const std::unique_ptr<SessionEdit>& each : m_displaced->steps)
      if (each->change(after)) m_displaced->cleanIndex = -1;
  return isAny;
}

bool SessionEdit::mergeWith(const QUndoCommand* other) {
  const auto& next = static_cast<const SessionEdit&>(*other);
  if (next.m_isPutBack || m_key.isEmpty() || m_key != next.m_key || m_mergeEpoch != next.m_mergeEpoch)
    return false;
  m_after = next.m_after;
  // Dragged back to where it was: nothing to take back.
  setObsolete(m_before == m_after);
  return true;
}

}  // namespace farfield::app
