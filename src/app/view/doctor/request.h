// Requests about the doctor (docs/protocol.md), checked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/fields.h"
#include "app/view/wire.h"

namespace sluice::app {

struct DoctorRequest {
    enum class What : std::uint8_t { examine, stop };
    What what = What::stop;
    bool quick = false;  ///< of examine
};

Result<DoctorRequest> parse_doctor_request(std::string const& op, Fields const& fields);

/// The request as it was understood, in the words of the protocol.
Json echo(DoctorRequest const& request);

}  // namespace sluice::app
