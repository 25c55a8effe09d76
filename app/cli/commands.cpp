// The subcommands that there are.

#include "app/cli/batchvis_command.h"
#include "app/cli/bench_command.h"
#include "app/cli/convert_command.h"
#include "app/cli/doctor_command.h"
#include "app/cli/info_command.h"
#include "app/cli/integrate_command.h"
#include "app/cli/login_command.h"
#include "app/cli/probe_command.h"
#include "app/cli/sample_command.h"
#include "app/cli/stripe_command.h"
#include "app/cli/trace_command.h"
#include "app/cli/verify_command.h"

namespace farfield::cli {

const std::vector<CommandFactory>& commands() {
  static const std::vector<CommandFactory> all{makeBatchvisCommand, makeConvertCommand,   makeInfoCommand,
                                               makeProbeCommand,    makeIntegrateCommand, makeVerifyCommand,
                                               makeSampleCommand,   makeBenchCommand,     makeTraceCommand,
                                               makeDoctorCommand,   makeLoginCommand,     makeStripeCommand};
  return all;
}

}  // namespace farfield::cli
