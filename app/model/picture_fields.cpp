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
  constexpr double kMostPixels = 16384;
  PictureField its = make(tr("Picture"), key, label, FieldKind::Integer, tip);
  its.field.unit = tr("px");
  its.field.least = 1;
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
  const auto addFlag = [&](const char* key, const QString& label, const QString& tip,
                           bool scene::Annotations::*place) {
    PictureField flag = make(tr("Written over it"), key, label, FieldKind::Flag, tip);
    flag.field.byDefault = false;
    flag.get = [place](const Session& s) { return s.image.notes.*place; };
    flag.set = [place](Session& s, const QVariant& value) { s.image.notes.*place = value.toBool(); };
    all.push_back(flag);
  };
  addFlag("image.axes", tr("Axes with numbers"), tr("Along the edges of the box around everything."),
          &scene::Annotations::axes);
  addFlag("image.scaleBar", tr("Scale bar"),
          tr("A bar of a round length, at the depth of what the view turns about."),
          &scene::Annotations::scaleBar);
  PictureField text = make(tr("Written over it"), "image.text", tr("Text"), FieldKind::Text,
                           tr("At the bottom. {time}, {step} and, where the files say them, {mach}, {alpha}, "
                              "{reynolds} and other attributes stand for their values; also in the title."));
  text.field.automatic = tr("none");
  text.get = [](const Session& s) {
    const auto& texts = s.image.notes.texts;
    return texts.empty() ? QVariant() : QVariant(QString::fromStdString(texts.front().text));
  };
  text.set = [](Session& s, const QVariant& value) {
    auto& texts = s.image.notes.texts;
    const std::string wanted = value.toString().toStdString();
    if (wanted.empty()) {
      if (!texts.empty()) texts.erase(texts.begin());
      return;
    }
    if (texts.empty()) texts.emplace_back();
    texts.front().text = wanted;
  };
  all.push_back(text);
  // Where the first of the texts is, from the upper left corner.
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}}) {
    PictureField place =
        make(tr("Written over it"), n == 0 ? "image.text.x" : "image.text.y",
             n == 0 ? tr("Text, across") : tr("Text, down"), FieldKind::Number,
             n == 0 ? tr("0: at the left, 1: at the right.") : tr("0: at the top, 1: at the bottom."));
    place.field.least = 0;
    place.field.greatest = 1;
    place.field.byDefault = scene::TextNote{}.place[n];
    place.get = [n](const Session& s) {
      const auto& texts = s.image.notes.texts;
      return QVariant(texts.empty() ? scene::TextNote{}.place[n] : texts.front().place[n]);
    };
    place.set = [n](Session& s, const QVariant& value) {
      if (!s.image.notes.texts.empty()) s.image.notes.texts.front().place[n] = value.toDouble();
    };
    all.push_back(place);
  }
  all.push_back(
      side("image.size.0", tr("Width"), tr("Of pictures that are written, here and by batch runs."), 0));
  all.push_back(
      side("image.size.1", tr("Height"), tr("Of pictures that are written, here and by batch runs."), 1));
  return all;
}

}  // namespace farfield::app
