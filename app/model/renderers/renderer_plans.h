#pragma once
// What this program started as renderers, by their addresses: who shows their data when they have ended, in this run or in a later one
// that opens a session, can have them started again.

#include <QString>
#include <optional>

#include "app/model/renderers/renderer_start.h"

namespace farfield::app {

class Settings;

/// `url`: where it listens. The oldest of many are forgotten.
void keepRendererPlan(Settings& settings, const QString& url, const RendererPlan& plan);
/// None: it was not started by this program.
std::optional<RendererPlan> rendererPlan(const Settings& settings, const QString& url);

}  // namespace farfield::app
