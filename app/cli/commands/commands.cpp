// The subcommands that there are.

#include "app/cli/commands/batchvis_command.h"
#include "app/cli/commands/bench_command.h"
#include "app/cli/commands/convert_command.h"
#include "app/cli/commands/doctor_command.h"
#include "app/cli/commands/info_command.h"
#include "app/cli/commands/integrate_command.h"
#include "app/cli/commands/login_command.h"
#include "app/cli/commands/probe_command.h"
#include "app/cli/commands/sample_command.h"
#include "app/cli/commands/stripe_command.h"
#include "app/cli/commands/trace_command.h"
#include "app/cli/commands/verify_command.h"

namespace farfield::cli {

const std::vector<CommandFactory>& commands() {
  static const std::vector<CommandFactory> all{makeBatchvisCommand, makeConvertCommand,   makeInfoCommand,
                                               makeProbeCommand,    makeIntegrateCommand, makeVerifyCommand,
                                               makeSampleCommand,   makeBenchCommand,     makeTraceCommand,
                                               makeDoctorCommand,   makeLoginCommand,     makeStripeCommand};
  return all;
}

}  // namespace farfield::cli
