// Facts made for the tests of rules, and what the findings say of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "domain/slide/profile/rules/findings.h"

namespace sluice::slide {

/// A quiet machine of four processors, a fast disk, and a file without surprises.
inline Facts plain() {
    Facts f;
    f.processors = 4;
    f.codec = "JPEG XR";
    f.decode = 0.93;
    f.reads = {{1, 4.0, 4.0, 0, 0}, {2, 2.0, 4.0, 0.02, 0}, {4, 1.0, 4.1, 0.05, 0}};
    f.cold = {{4, 1.1, 4.2, 0.05, 0}, 0.02};
    f.cold_asked = true;
    f.bytes_read = 40e6;
    f.open_s = 0.01;
    f.entries = f.tiles = f.tiles_in_region = 100;
    f.levels = 3;
    f.longest_tile_s = 0.05;
    f.seek_directory = f.seek_file = 1e3;
    return f;
}

inline Finding const* find(std::vector<Finding> const& all, std::string_view rule) {
    for (Finding const& f : all)
        if (f.rule == rule) return &f;
    return nullptr;
}

/// The text of a rule's finding, with its advice; empty where it has none.
inline std::string said(Facts const& f, std::string_view rule) {
    std::vector<Finding> const all = findings_of(f);
    Finding const* const found = find(all, rule);
    return found ? found->text + "|" + found->advice : std::string();
}

inline std::string evidence(Facts const& f, std::string_view rule) {
    std::vector<Finding> const all = findings_of(f);
    Finding const* const found = find(all, rule);
    return found ? found->evidence : std::string();
}

/// Everything that can be said, said at once.
inline Facts everything() {
    Facts f = plain();
    f.copy = f.compose = f.outside = 0.5;
    f.cold = {{4, 4.0, 4.2, 0.05, 0}, 0.7};
    f.reads.back().cpu_s = 6;
    f.reads.back().idle = 0.3;
    f.longest_tile_s = 0.8;
    f.amplification = 7;
    f.seek_directory = 500e6;
    f.open_s = 2;
    f.levels = 1;
    f.hidden = 3;
    return f;
}

}  // namespace sluice::slide
