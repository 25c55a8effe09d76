// What the panel of plots says of an object that is drawn: how often values occur on it, its area or length, and integrals.

#include <QLabel>
#include <QPointer>
#include <QToolButton>

#include "app/model/object_tree.h"
#include "app/model/words/unit_words.h"
#include "app/ui/plots/plot_panel.h"
#include "app/ui/plots/value_bars.h"
#include "core/fields/functions/vector_parts.h"

namespace farfield::ui {

void PlotPanel::askObject(app::ObjectId object) {
  const app::ObjectStatus status = m_model.stage().status(object);
  if (const session::Object* const its = m_model.document().object(object); its && !its->visible) {
    ++m_sumsAsked;  // an answer that is on its way comes too late
    return showNothing(
        tr("%1 is hidden. Its values are shown when it is.").arg(QString::fromStdString(its->name)));
  }
  // Nothing else is told of these.
  if (status.state == app::ObjectState::Failed || status.state == app::ObjectState::Cancelled) {
    ++m_sumsAsked;
    return showNothing(app::stateText(status));
  }
  if (status.state != app::ObjectState::Done) {
    if (!m_sums) showNothing(tr("Looking …"), true);
    return;  // it is told when it is there
  }
  const std::uint64_t number = ++m_sumsAsked;
  const auto sums = std::make_shared<std::optional<app::ItemSums>>();
  m_model.engine().draw(
      {object}, {},
      [sums](const scene::Scene& scene) {
        if (!scene.items.empty()) *sums = app::sumsOf(scene.items.front());
      },
      [this, guard = QPointer(this), number, sums, object](const std::optional<app::Problem>& problem) {
        if (!guard || number != m_sumsAsked) return;
        if (problem) return showNothing(QString::fromStdString(problem->message));
        m_answers.clear();
        m_alongRead.reset();
        m_sums = *sums;
        showSums(object);
      });
}

void PlotPanel::showSums(app::ObjectId object) {
  if (!m_sums || !m_sums->values.least()) return showNothing(tr("There are no values on it."));
  const app::ItemSums& its = *m_sums;
  Curve curve;
  const scene::ColorScale& scale = m_model.stage().status(object).scale;
  curve.across = QString::fromStdString(scale.legend.title.empty() ? scale.title : scale.legend.title);
  curve.up = its.isSurface ? tr("area") : tr("length");
  QString ofSize, ofValues;
  const session::Object* const shown = m_model.document().object(object);
  if (const auto summary = shown ? m_model.stage().summary(shown->data) : nullptr) {
    const int power = its.isSurface ? 2 : 1;
    curve.up = app::withLengthUnits(curve.up, *summary, power);
    ofSize = app::lengthUnits(*summary, power);
    ofValues = QString::fromStdString(fields::unitsOf(summary->description, scale.title));
  }
  const auto in = [](const QString& units, const QString& number) {
    return units.isEmpty() ? number : number + ' ' + units;
  };
  const auto size = [&](double number) { return in(ofSize, shortNumber(number)); };
  // Where one of the two is not known, nothing true can be said of the product.
  const QString ofIntegral =
      ofSize.isEmpty() || ofValues.isEmpty() ? QString() : ofValues + QChar(0xb7) + ofSize;
  setBars(curve, its.values, its.least, its.greatest);
  m_curve->showCurve(curve);
  QString text = its.isSurface ? tr("Area %1.").arg(size(its.size)) : tr("Length %1.").arg(size(its.size));
  // The numbers that follow are of what has values.
  if (const double without = its.size - its.valued; without > 0)
    text += ' ' + tr("%1 of it has values, %2 has none.").arg(size(its.valued), size(without));
  text += ' ' + tr("From %1 to %2, on average %3, integral %4.")
                    .arg(shortNumber(its.least), shortNumber(its.greatest),
                         in(ofValues, shortNumber(its.valued > 0 ? its.integral / its.valued : 0)),
                         in(ofIntegral, shortNumber(its.integral)));
  if (its.isSurface)
    text += ' ' + tr("Times the normal: %1.")
                      .arg(in(ofIntegral, QStringLiteral("(%1, %2, %3)")
                                              .arg(shortNumber(its.through.x), shortNumber(its.through.y),
                                                   shortNumber(its.through.z))));
  const scene::Clip& cut = m_model.document().session().image.clip;
  if (shown && shown->clipped && !scene::allPlanes(cut).empty())
    text += ' ' + tr("What is cut away of the picture counts, too.");
  m_note->setText(text);
  showSavable();
}

}  // namespace farfield::ui
