// The options of `sluice live` that arm the detector.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/live/arm_options.h"

#include "app/cli/live/hook.h"
#include "net/control_fields.h"

namespace sluice::cli {

void ArmWords::add(Verb const& app) {
    app.add_flag("--arm", arm, "set the detector for --scan, arm it, and disarm it at the end");
    app.add_fields(net::arm_fields(), options);
    app.add_option("--set", options.set,
                   "another setting of the detector, as NAME=VALUE, before the others; any number");
    app.add_option("--on-armed", on_armed,
                   "command of the shell that starts the scan engine once the detector is armed; "
                   "it knows SLUICE_SERIES, SLUICE_ROWS, SLUICE_COLS and SLUICE_IMAGES");
}

Result<std::optional<ArmOptions>> ArmWords::read() const {
    ArmOptions const usual;
    bool const given = !on_armed.empty() || !options.control.empty() || !options.set.empty() ||
                       options.dwell_s || options.exposure_s || options.take_over ||
                       options.trigger != usual.trigger;
    if (!arm && given)
        return Error{Code::invalid_argument,
                     "the detector is set and armed only where that is asked for; give --arm, too"};
    if (!arm) return std::optional<ArmOptions>();
    ArmOptions out = options;
    if (!on_armed.empty())
        out.on_armed = [command = on_armed](ArmedScan const& scan, GoOn const& go_on) {
            return run_hook(command, scan, go_on);
        };
    return std::optional(std::move(out));
}

}  // namespace sluice::cli
