// Sessions as files: opening one in the place of the document, and saving that.

#include <QFileInfo>
#include <memory>
#include <utility>

#include "app/model/app_model.h"
#include "app/model/document/shared_colors.h"
#include "app/model/files/example_sessions.h"

namespace farfield::app {

void AppModel::openSession(const QString& path) {
  m_files->load(path, [this, path, before = m_document->state()](LoadedSession loaded) {
    if (!loaded.session) {
      emit loadFailed(path, loaded.problem);
      return;
    }
    const auto take = [this, path, session = std::move(*loaded.session), digest = std::move(loaded.digest)] {
      takeSession(path, session, digest);
    };
    // The file may have been long in coming, and nobody was asked about what was done meanwhile.
    if (m_document->isModified() && m_document->state() != before)
      emit changedMeanwhile(path, take);
    else
      take();
  });
}

void AppModel::takeSession(const QString& path, const session::Session& session, const QByteArray& digest) {
  // Its folder as it was found when the file was read: Qt takes ".." for text, also behind a link.
  const QFileInfo named(path);
  const QString absolute =
      session.baseFolder.empty()
          ? named.absoluteFilePath()
          : QString::fromStdString((session.baseFolder / named.fileName().toStdString()).string());
  if (isExample(absolute)) {
    m_document->replace(session, {});
    emit sessionLoaded(QFileInfo(path).completeBaseName());
    return;
  }
  m_settings->addRecent(absolute);
  m_document->replace(session, absolute);
  m_files->know(absolute, digest);
  emit sessionLoaded(absolute);
}

void AppModel::save(const QString& path, bool whatever) {
  // Until it is written nothing is as in the file: who undoes meanwhile, back to what was saved before, can save that.
  m_document->undoStack().resetClean();
  const DocumentState state = m_document->state();
  session::Session session = m_document->session();
  session.shownStep = m_stage->stepToKeep();  // to go to another step is no edit
  session.shownTime = m_stage->timeToKeep();
  session.layout.before = joinedColors(state);
  // Another may have taken its place by the time it is written: that has a file of its own, or none.
  const auto isAnother = std::make_shared<bool>(false);
  const auto watch = connect(m_document.get(), &Document::replaced, this, [isAnother] { *isAnother = true; });
  const bool mayReplace = whatever || path != m_document->path();
  m_files->save(session, path, mayReplace,
                [this, path, state, isAnother, watch](const SavedSession& written) {
                  disconnect(watch);
                  if (written.changedElsewhere && !*isAnother) {
                    emit changedElsewhere(path);
                    return;
                  }
                  if (written.changedElsewhere || !written.problem.isEmpty()) {
                    const QString kept =
                        tr("%1: another program has changed it since, and it is not replaced").arg(path);
                    emit saveFailed(path, written.changedElsewhere ? kept : written.problem);
                    return;
                  }
                  m_settings->addRecent(path);
                  if (!*isAnother) m_document->markSaved(path, state);
                  emit saved(path);
                });
}

}  // namespace farfield::app
