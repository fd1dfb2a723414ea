// A check: numbers that a device makes, and how far they may be from the reference's.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "sluice/device.h"
#include "sluice/scan.h"
#include "sluice/validate.h"

namespace sluice::validation {

using Numbers = std::vector<double>;

struct Check {
    std::string domain, name, data;
    double tolerance = 0;  ///< of a value's scale; 0: the same bits
    std::string why;       ///< the tolerance
    std::function<Result<Numbers>(Device const&)> run;
    bool remote = true;  ///< devices beside processors do it, too
    /// The values are so many quantities of as many values each, one after the other.
    std::size_t quantities = 1;
    /// A value's scale is its magnitude, but at least this part of its quantity's largest one: 1
    /// where values cancel, as in a transform.
    double least_scale = 1;
};

/// The devices that are here: instruction sets of the processor, memory out of reach, GPUs.
std::vector<Device> devices(int threads);

/// Runs a check on a device twice, and on one thread, and compares it with the reference's numbers.
ValidationRow compare(Check const& check, Device const& device, Numbers const& reference);

/// Each file of this folder makes the checks of one domain.
void add_stem4d(Dataset const& dataset, std::string const& data, std::vector<Check>& to);
void add_crystal(Dataset const& dataset, std::string const& data, std::vector<Check>& to);
void add_orientation(std::vector<Check>& to);
void add_ptychography(Dataset const& dataset, std::string const& data, std::vector<Check>& to);
void add_proton(std::vector<Check>& to);
void add_fft(std::vector<Check>& to);
void add_slide(std::vector<Check>& to);

}  // namespace sluice::validation
