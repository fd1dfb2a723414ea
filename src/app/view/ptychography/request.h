// Requests about a reconstruction, at work or finished (docs/protocol.md), checked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/fields.h"
#include "app/view/wire.h"

namespace sluice::app {

struct MonitorRequest {
    enum class What : std::uint8_t { object, probe, positions, curve, shown };
    What what = What::shown;
    /// The slice of the object, the mode of the probe, or the first iteration of the curve.
    std::int64_t number = 0;
    std::int64_t job = 0;  ///< of which; 0: not told
};

Result<MonitorRequest> parse_monitor_request(std::string const& op, Fields const& fields);

/// The request as it was understood, in the words of the protocol.
Json echo(MonitorRequest const& request);

}  // namespace sluice::app
