// The findings of a profile: what limits reading, and what to do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "domain/slide/profile/rules/facts.h"

namespace sluice::slide {

/// Why the times cannot be trusted, and how to get better ones; empty where they can.
std::optional<Finding> cannot_tell(Facts const& facts);

/// The findings of all rules that apply, what limits reading first. Times that cannot be trusted
/// give no findings, and no advice but how to measure.
std::vector<Finding> findings_of(Facts const& facts);

}  // namespace sluice::slide
