// Mass and first moments of each frame.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/moment_frames.h"

#include "kernel/dense/cpu.h"

namespace sluice::stem4d {
using planes::tile_frames;
using store::Unit;

void MomentFrames::add(Partial& p, std::span<Unit const> units) const {
    if (!units.front().is_tile) {
        for (Unit const& u : units)
            dense::kernels_for(device).moments(
                {u.values, mask.runs.data(), std::ssize(mask.runs), p.at(0, u.first_frame)}, 0,
                u.frames);
        return;
    }
    planes::Moment moments[batch][tile_frames] = {};
    planes::Tile list[batch];
    for (std::size_t i = 0; i < units.size(); ++i) list[i] = units[i].tile;
    if (!mask.words.empty())
        planes::kernels_for(device).moments({list, units.size()}, grid.block_cols(), mask.words,
                                            moments);
    for (std::size_t i = 0; i < units.size(); ++i)
        for (index f = 0; f < units[i].frames; ++f) {
            double* const to = p.at(0, units[i].first_frame + f);
            to[0] = static_cast<double>(moments[i][f].sum);
            to[1] = static_cast<double>(moments[i][f].row);
            to[2] = static_cast<double>(moments[i][f].col);
        }
}

}  // namespace sluice::stem4d
