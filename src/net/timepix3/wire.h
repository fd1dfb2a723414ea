// A Timepix3 readout, as a simulated detector speaks for it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "net/wire.h"

namespace sluice::net::timepix3 {

struct WireOptions {
    std::string chip_layout = {};  ///< as StreamOptions has it
};
config::Fields<WireOptions> wire_fields();

/// Counts become hits of one chip or several, spread over the time of their image in an order drawn
/// from the seed. A signal (TDC 1, rising) begins each line of the scan; the clock turns over
/// within the first one. A frame that was not measured, or is dropped, has no hits: nobody can tell
/// it from one without electrons. Bound to the address. The dataset and the options live as long as
/// the wire. Errors: the address, frames that are larger than the chips, counts where no chip is,
/// values that are no counts, and images that come twice or late, which hits have not.
Result<std::unique_ptr<Wire>> wire(std::string const& address, Dataset const& dataset,
                                   SimulatorOptions const& options, WireOptions const& how = {});

}  // namespace sluice::net::timepix3
