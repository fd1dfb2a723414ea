// PixelReferences: dark and gain of the pixels of a scan as loaded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/compiled.h"

namespace sluice::stem4d {

/// [row][col]; empty: no references. Pixels that hold no counts have 0 and 0.
struct PixelReferences {
    std::vector<float> dark = {}, gain = {};

    bool any() const { return !gain.empty(); }
};

/// Of references that check_references() took.
PixelReferences pixel_references(Scan const& scan, References const& references);

/// Says what was corrected, and that a measured disk was not.
void add_notes(Scan const& scan, References const& references, std::optional<Disk> const& disk,
               std::vector<std::string>& notes);

/// A detector whose sums are of corrected values. `bad` as in compile().
Compiled compile(Array<float> weights, std::span<std::uint8_t const> bad,
                 PixelReferences const& references);

}  // namespace sluice::stem4d
