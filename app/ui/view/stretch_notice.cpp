#include "app/ui/view/stretch_notice.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/ui/view/view_controller.h"
#include "app/ui/widgets/notice_bar.h"
#include "core/session/session_camera.h"

namespace farfield::ui {
namespace {

const QString kTopic = QStringLiteral("stretch");
/// What is that much longer, or shorter, along an axis than it was has other proportions.
constexpr double kOther = 1.5;

bool isAnotherShape(Vec3 size, Vec3 was) {
  for (int axis = 0; axis < 3; ++axis)
    if (std::max(size[axis], was[axis]) > kOther * std::min(size[axis], was[axis])) return true;
  return false;
}

QChar letter(int axis) {
  return QChar("xyz"[axis]);
}

}  // namespace

StretchNotice::StretchNotice(app::AppModel& model, ViewController& controller, NoticeBar& bar,
                             QObject* parent)
    : QObject(parent), m_model(model), m_controller(controller), m_bar(bar) {
  connect(&model.stage(), &app::Stage::dataOpened, this, &StretchNotice::look);
  connect(&model.stage(), &app::Stage::dataReadAgain, this, &StretchNotice::look);
  connect(&model.document(), &app::Document::changed, this, &StretchNotice::check);
  connect(&model.document(), &app::Document::replaced, this, [this] {
    m_sizes.clear();
    m_told.clear();
    m_saved.clear();
    for (const session::DataSource& source : m_model.document().session().data) m_saved.insert(source.name);
    m_bar.unsay(kTopic);
  });
}

/// By the program, and nobody has told since from where to look.
bool StretchNotice::isStretchedAtFirst(const app::DataSummary& summary) const {
  const auto* const automatic = std::get_if<session::AutoCamera>(&m_model.document().session().camera);
  const auto first = app::firstView(summary);
  return automatic && automatic->stretch != scene::kUnstretched && first && *automatic == *first;
}

/// Who saved the session had the offer. One that says nothing of how to look at its only data may have been written by hand.
bool StretchNotice::isSeenAsWasSaved(const std::string& name, const app::DataSummary& summary) const {
  if (!m_saved.contains(name)) return false;
  const session::Session& session = m_model.document().session();
  const auto* const automatic = std::get_if<session::AutoCamera>(&session.camera);
  if (session.data.size() != 1 || !automatic) return true;
  return automatic->stretch != scene::kUnstretched && !isStretchedAtFirst(summary);
}

/// Whether the other data were a line or a needle already: these have not made one.
bool StretchNotice::wasUnevenWithout(const std::string& name, Vec3 stretch) const {
  std::vector<std::shared_ptr<const app::DataSummary>> others;
  Bounds bounds;
  for (const session::DataSource& source : m_model.document().session().data)
    if (const auto its = source.name == name ? nullptr : m_model.stage().summary(source.name)) {
      others.push_back(its);
      bounds.add(its->bounds);
    }
  return std::any_of(others.begin(), others.end(), [&](const auto& its) {
    return app::unevenSides(*its, scene::stretched(bounds, stretch)).has_value();
  });
}

void StretchNotice::look(const std::string& name) {
  const auto summary = m_model.stage().summary(name);
  if (!summary || summary->bounds.empty()) return;
  const Vec3 size = summary->bounds.max - summary->bounds.min;
  const auto [known, isUnknown] = m_sizes.try_emplace(name, size);
  // Also where they were opened once more, as the program chose to read them, before anybody had seen them.
  const bool isNew = isUnknown || (isStretchedAtFirst(*summary) && !m_told.contains(name));
  // Who has seen them so has had the offer.
  if (!isNew && !isAnotherShape(size, std::exchange(known->second, size))) return;
  if (isNew && isSeenAsWasSaved(name, *summary)) return;
  const Bounds bounds = m_model.stage().dataBounds();
  const Vec3 stretch = session::stretchOf(m_model.document().session().camera);
  if (isNew && isStretchedAtFirst(*summary) && !wasUnevenWithout(name, scene::kUnstretched)) {
    m_told.insert(name);
    if (const auto sides = app::unevenSides(*summary, bounds)) sayStretched(name, *sides);
    return;
  }
  // What is said of others stays while nothing else is to be said.
  if (!isNew) m_bar.unsay(kTopic);
  if (isNew && wasUnevenWithout(name, stretch)) return;
  const auto sides = app::unevenSides(*summary, scene::stretched(bounds, stretch));
  const Vec3 wanted = scene::fillingStretch(bounds);
  if (sides && wanted != stretch) offer(name, *sides, stretch, wanted);
}

void StretchNotice::sayStretched(const std::string& name, const app::UnevenSides& sides) {
  m_saidFor = name;
  m_saidOf = session::stretchOf(m_model.document().session().camera);
  m_bar.say(
      tr("Along %1 the data are in %2, along %3 in %4: the axes are stretched to about one length.")
          .arg(letter(sides.longest))
          .arg(QString::fromStdString(sides.longestUnits))
          .arg(letter(sides.shortest))
          .arg(QString::fromStdString(sides.shortestUnits)),
      tr("Do not stretch"), [this] { m_controller.setStretch(scene::kUnstretched, true); }, {}, kTopic);
}

void StretchNotice::offer(const std::string& name, const app::UnevenSides& sides, Vec3 now, Vec3 wanted) {
  m_saidFor = name;
  m_saidOf = now;
  const bool isStretched = now != scene::kUnstretched, isToBe = wanted != scene::kUnstretched;
  const QString text =
      (isStretched ? tr("With the axes stretched as they are, the data are seen %1 times as long along %2 as "
                        "along %3.")
                   : tr("The data are %1 times as long along %2 as along %3."))
          .arg(std::lround(sides.times))
          .arg(letter(sides.longest))
          .arg(letter(sides.shortest));
  m_bar.say(
      text,
      !isToBe       ? tr("Do not stretch")
      : isStretched ? tr("Stretch them anew")
                    : tr("Stretch the axes"),
      [this, wanted] { m_controller.setStretch(wanted, true); }, {}, kTopic);
}

/// Axes that have been stretched elsewhere meanwhile are not offered any more, nor those of data that are gone.
void StretchNotice::check() {
  const session::Session& session = m_model.document().session();
  if (m_bar.says(kTopic) && (!session.find(m_saidFor) || m_saidOf != session::stretchOf(session.camera)))
    m_bar.unsay(kTopic);
}

}  // namespace farfield::ui
