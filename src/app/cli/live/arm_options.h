// The options of `sluice live` that arm the detector.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/verb.h"
#include "sluice/detector_control.h"

namespace sluice::cli {

struct ArmWords {
    bool arm = false;
    ArmOptions options = {};
    std::string on_armed;  ///< a command of the shell

    void add(Verb const& app);
    /// Empty: the detector is left alone. Errors: options without --arm.
    Result<std::optional<ArmOptions>> read() const;
};

}  // namespace sluice::cli
