// What is asked for about phase contrast, in words, before a scan is there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sluice/stem4d.h"

namespace sluice::stem4d {

struct PhaseWish {
    /// "auto" finds it, "file" takes what the file says, "none", DEGREES or DEGREES,transpose;
    /// empty: the file's, where it says one, else none.
    std::optional<std::string> rotation = {};
    bool periodic = false;
    std::optional<Descan> descan = {};
};

/// Fails where the words are none, and where what else is asked for has no effect.
Status check(PhaseWish const& wish);
/// What is made of the centres of mass of this scan; empty: no phase contrast.
Result<std::optional<PhaseOptions>> phase_options(Scan const& scan, PhaseWish const& wish);

}  // namespace sluice::stem4d
