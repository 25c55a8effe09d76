#pragma once
// One step of the undo stack.

#include <QUndoCommand>
#include <functional>
#include <memory>

#include "app/model/document/document.h"

namespace farfield::app {

class SessionEdit final : public QUndoCommand {
 public:
  SessionEdit(Document& document, DocumentState before, DocumentState after, QString key,
              std::uint64_t mergeEpoch);
  /// Onto the stack of its document. What it takes back of the step before it may take all of that back: then what could be done again
  /// before that step can be done again.
  static void push(Document& document, std::unique_ptr<SessionEdit> step);
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
  /// What becomes of all states of the document, those that can be done again included. It is no step.
  static void changeAll(Document& document, const std::function<DocumentState(const DocumentState&)>& after);

 private:
  /// Steps that were taken back when this one came, and went for it.
  struct Displaced {
    std::vector<std::unique_ptr<SessionEdit>> steps;
    int cleanIndex = -1;  ///< of the stack, where it was among them
  };
  bool change(const std::function<DocumentState(const DocumentState&)>& after);
  static std::shared_ptr<Displaced> displacedNow(Document& document);
  static void putBack(Document& document, Displaced& displaced);
  static SessionEdit* stepOf(Document& document, int number);

  Document& m_document;
  DocumentState m_before, m_after;
  QString m_key;
  std::uint64_t m_mergeEpoch;
  std::shared_ptr<Displaced> m_displaced;  ///< while it is the last one
  bool m_isPutBack = false;                ///< just now: the document is as it shall be
};

}  // namespace farfield::app
