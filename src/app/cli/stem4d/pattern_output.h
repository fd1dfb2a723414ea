// Diffraction patterns as results.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/stem4d/job.h"

namespace sluice::cli {

/// Appends the pattern of a member; its name begins with that of the part, if that has one.
Status add_pattern(stem4d::DiffractionPattern const& pattern, stem4d::Pattern kind,
                   std::string const& part, Scan const& scan, index member,
                   OutputOptions const& output, ResultImage& image);

}  // namespace sluice::cli
