// References on the pixels of a scan, and in the weights of detectors.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/pixel_references.h"

#include <algorithm>

#include "store/plan.h"

namespace sluice::stem4d {

PixelReferences pixel_references(Scan const& scan, References const& references) {
    PixelReferences out;
    if (!references.any()) return out;
    store::Plan const& plan = scan.plan();
    auto const pixels = static_cast<std::size_t>(plan.pixels());
    out.dark.assign(pixels, 0);
    out.gain.assign(pixels, 1);
    for (index r = 0; r < plan.rows; ++r)
        for (index c = 0; c < plan.cols; ++c) {
            auto const to = static_cast<std::size_t>(r * plan.cols + c);
            auto const from = static_cast<std::size_t>(
                (plan.detector_region.row + r) * plan.stored.cols + plan.detector_region.col + c);
            if (references.gain.size() > 0) out.gain[to] = references.gain.values[from];
            if (references.dark.size() > 0) out.dark[to] = references.dark.values[from];
            if (!plan.bad.empty() && plan.bad[to]) out.gain[to] = out.dark[to] = 0;
        }
    return out;
}

void add_notes(Scan const& scan, References const& references, std::optional<Disk> const& disk,
               std::vector<std::string>& notes) {
    notes.push_back(describe(scan, references));
    if (disk && disk->quality)
        notes.push_back(
            "the bright-field disk was measured on frames as they were read, without dark and "
            "gain");
}

Compiled compile(Array<float> weights, std::span<std::uint8_t const> bad,
                 PixelReferences const& references) {
    if (!references.any()) return compile(weights, bad);
    for (std::size_t i = 0; i < weights.values.size(); ++i) weights.values[i] *= references.gain[i];
    Compiled out = compile(weights, bad);
    index const cols = weights.shape[1];
    for (dense::Run const& run : out.runs)
        for (index c = run.col; c < run.col + run.count; ++c) {
            auto const at = static_cast<std::size_t>(run.row * cols + c);
            out.corrected.push_back({static_cast<std::uint32_t>(at),
                                     static_cast<std::uint32_t>(c % planes::block_edge),
                                     weights.values[at], references.dark[at]});
        }
    planes::Grid const grid{weights.shape[0], cols};
    std::ranges::stable_sort(out.corrected, {}, [&](CorrectedPixel const& p) {
        return grid.block_of(p.at / cols, p.at % cols);
    });
    // What is subtracted from a sum has the weights that the sum has, whose rounding cancels so.
    for (CorrectedPixel const& p : out.corrected)
        out.offset += static_cast<double>(p.weight) * static_cast<double>(p.dark);
    return out;
}

}  // namespace sluice::stem4d
