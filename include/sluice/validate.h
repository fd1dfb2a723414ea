// Whether every kernel says on this machine what its plain twin says.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/progress.h"
#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice {

/// One check on one device, beside the reference: plain loops on one thread.
struct ValidationRow {
    std::string domain, check;
    std::string device;  ///< as Device::named() takes it
    std::string data;    ///< what it was computed from
    index values = 0;    ///< that were compared
    /// The largest, as a part of the largest magnitude of its quantity, or of each value's own
    /// where `why` says so.
    double difference = 0;
    double tolerance = 0;  ///< of it; 0: the same bits
    std::string why;       ///< the tolerance is what it is
    index not_finite = 0;  ///< values that are finite here or there, but not in both
    bool repeats = false;  ///< a second run and one on another number of threads have the same bits
    double seconds = 0;    ///< of one run
    std::string error = {};  ///< what kept it from running; empty: it ran

    bool passed() const {
        return error.empty() && repeats && not_finite == 0 && difference <= tolerance;
    }
};

struct Validation {
    std::vector<ValidationRow> rows;
    std::vector<std::string> devices;  ///< that were there
    std::vector<std::string> notes;    ///< what was not validated, and why
    double seconds = 0;

    bool passed() const;
};

struct ValidateOptions {
    /// The user's own scan, of which a part is taken beside what is simulated; empty: none.
    std::string data = {};
    std::string folder = {};  ///< for a simulated scan, which is removed; empty: the system's
    int threads = 0;          ///< of processors; 0: two, or one where there is one
    Progress progress = {};   ///< in checks of devices
};

/// Runs all checks on all devices and instruction sets that are here. An error is what keeps it
/// from beginning, not what it finds.
Result<Validation> validate(ValidateOptions const& options = {});

}  // namespace sluice
