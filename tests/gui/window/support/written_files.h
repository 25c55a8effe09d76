#pragma once
// What tests of the files that the window writes have in common: data that are seen, turns of few small pictures, the files that
// are there, and the buttons of questions.

#include <QAbstractButton>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

#include "app/ui/dialogs/animation_dialog.h"
#include "tests/gui/window/support/studio.h"

namespace farfield::test {

inline QStringList filesIn(const QString& folder, const char* pattern) {
  return QDir(folder).entryList({pattern}, QDir::Files, QDir::Name);
}

inline bool opens(Studio& studio, const char* what) {
  studio.model.open({what});
  return QTest::qWaitFor([&] { return studio.rests() && !studio.session().objects.empty(); }, kPatienceMs) &&
         QTest::qWaitFor([&] { return studio.viewRests(); }, kPatienceMs);
}

/// By the dialogs, as they are offered; returns when those are gone.
inline void exportAs(Studio& studio, const char* name) {
  studio.trigger("exportImage");
  studio.child<QDialog>("exportImage.dialog")->accept();
  const auto dialog = [&] { return studio.child<QFileDialog>({}); };
  if (!QTest::qWaitFor([&] { return dialog() != nullptr; }, kPatienceMs)) return;
  dialog()->setDirectory(QFileInfo(studio.settingsFile).absolutePath());
  dialog()->selectFile(name);
  QMetaObject::invokeMethod(dialog(), "accept");
  (void)QTest::qWaitFor([&] { return !dialog() && !studio.child<QDialog>("exportImage.dialog"); },
                        kPatienceMs);
}

inline ui::AnimationChoice shortTurn(int pictures) {
  ui::AnimationChoice choice;
  choice.kind = ui::AnimationChoice::Kind::Turn;
  choice.pictures = pictures;
  choice.sizePixels = {96, 64};
  return choice;
}

/// nullptr where it has none of that role.
inline QAbstractButton* buttonOf(const QMessageBox& question, QMessageBox::ButtonRole role) {
  for (QAbstractButton* const each : question.buttons())
    if (question.buttonRole(each) == role) return each;
  return nullptr;
}

}  // namespace farfield::test
