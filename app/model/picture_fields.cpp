#include "app/model/picture_fields.h"

#include <QCoreApplication>

namespace farfield::app {
namespace {

using session::Session;

QString tr(const char* text) {
  return QCoreApplication::translate("PictureFields", text);
}

PictureField make(const QString& group, const char* key, const QString& label, FieldKind kind,
                  const QString& tip) {
  PictureField its;
  its.field.group = group;
  its.field.key = QString::fromLatin1(key);
  its.field.label = label;
  its.field.kind = kind;
  its.field.tip = tip;
  return its;
}

PictureField side(const char* key, const QString& label, const QString& tip, std::size_t n) {
  constexpr double kMostPixels = 8192;
  PictureField its = make(tr("Picture"), key, label, FieldKind::Integer, tip);
  its.field.unit = tr("px");
  its.field.least = 16;
  its.field.greatest = kMostPixels;
  its.field.byDefault = QVariant::fromValue<qlonglong>(session::ImageSettings{}.sizePixels[n]);
  its.get = [n](const Session& s) { return QVariant::fromValue<qlonglong>(s.image.sizePixels[n]); };
  its.set = [n](Session& s, const QVariant& value) { s.image.sizePixels[n] = value.toInt(); };
  return its;
}

}  // namespace

std::vector<PictureField> pictureFields() {
  std::vector<PictureField> all;
  const QString group = tr("Picture");
  PictureField background =
      make(group, "image.background", tr("Background"), FieldKind::Color, tr("Behind everything."));
  background.field.byDefault = textOfColor(session::ImageSettings{}.background);
  background.get = [](const Session& s) { return textOfColor(s.image.background); };
  background.set = [](Session& s, const QVariant& value) {
    s.image.background = colorFromText(value.toString());
  };
  all.push_back(background);
  PictureField title =
      make(group, "image.title", tr("Title"), FieldKind::Text,
           tr("Written at the top of the picture. Empty: none, or the step where there are several."));
  title.field.automatic = tr("none");
  title.get = [](const Session& s) {
    return s.image.title.empty() ? QVariant() : QVariant(QString::fromStdString(s.image.title));
  };
  title.set = [](Session& s, const QVariant& value) { s.image.title = value.toString().toStdString(); };
  all.push_back(title);
  PictureField legend = make(group, "image.legend", tr("Legends"), FieldKind::Flag,
                             tr("What the colours stand for, at the right of the picture."));
  legend.field.byDefault = true;
  legend.get = [](const Session& s) { return s.image.legend; };
  legend.set = [](Session& s, const QVariant& value) { s.image.legend = value.toBool(); };
  all.push_back(legend);
  all.push_back(
      side("image.size.0", tr("Width"), tr("Of pictures that are written, here and by batch runs."), 0));
  all.push_back(
      side("image.size.1", tr("Height"), tr("Of pictures that are written, here and by batch runs."), 1));
  return all;
}

}  // namespace farfield::app
