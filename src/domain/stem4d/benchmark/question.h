// What a contestant asks of a scan, with what answers it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bench/answers.h"
#include "domain/stem4d/product_work.h"

namespace sluice::stem4d {

/// What is asked for, and owns what Wanted looks at.
struct Question {
    std::string name;
    std::vector<Detector> detectors = {};
    bool center_of_mass = false;
    std::optional<Detector> within = {};  ///< of the centre of mass
    std::vector<Pattern> patterns = {};
    std::vector<std::uint8_t> take = {};
};

Result<Products> ask(Question const& q, Scan const& scan, Options options, Shortcuts shortcuts);

bench::Answer numbers_of(Products const& p);

/// The scan points of a circle in the middle, an eighth of all of a square scan.
std::vector<std::uint8_t> middle_of(std::array<index, 2> scan);

}  // namespace sluice::stem4d
