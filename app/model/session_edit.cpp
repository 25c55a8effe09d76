#include "app/model/session_edit.h"

namespace farfield::app {

SessionEdit::SessionEdit(Document& document, DocumentState before, DocumentState after, QString key,
                         std::uint64_t mergeEpoch)
    : m_document(document),
      m_before(std::move(before)),
      m_after(std::move(after)),
      m_key(std::move(key)),
      m_mergeEpoch(mergeEpoch) {}

void SessionEdit::undo() {
  m_document.apply(m_before);
}

void SessionEdit::redo() {
  m_document.apply(m_after);
}

bool SessionEdit::mergeWith(const QUndoCommand* other) {
  const auto& next = static_cast<const SessionEdit&>(*other);
  if (m_key.isEmpty() || m_key != next.m_key || m_mergeEpoch != next.m_mergeEpoch) return false;
  m_after = next.m_after;
  // Dragged back to where it was: nothing to take back.
  setObsolete(m_before == m_after);
  return true;
}

}  // namespace farfield::app
