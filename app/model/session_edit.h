#pragma once
// One step of the undo stack.

#include <QUndoCommand>

#include "app/model/document.h"

namespace farfield::app {

class SessionEdit final : public QUndoCommand {
 public:
  SessionEdit(Document& document, DocumentState before, DocumentState after, QString key,
              std::uint64_t mergeEpoch);
  void undo() override;
  void redo() override;
  int id() const override { return 1; }
  bool mergeWith(const QUndoCommand* other) override;
  const QString& key() const { return m_key; }
  /// The last step of the document with this key that is done; null where there is none.
  static SessionEdit* lastOf(Document& document, const QString& key);
  /// The document becomes `now`: what that changes belongs to this step, and goes into all that came after it, done or taken back.
  void changeWithThoseAfter(const DocumentState& now);
  std::uint64_t mergeEpoch() const { return m_mergeEpoch; }

 private:
  static SessionEdit* stepOf(Document& document, int number);

  Document& m_document;
  DocumentState m_before, m_after;
  QString m_key;
  std::uint64_t m_mergeEpoch;
};

}  // namespace farfield::app
