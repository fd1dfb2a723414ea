// Adds up the bytes a virtual detector touches.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/touched_bytes.h"

#include "domain/stem4d/compiled.h"
#include "kernel/lines/cpu.h"
#include "store/resident.h"

namespace sluice::stem4d {

Result<std::uint64_t> touched_bytes(Scan const& scan, Detector const& detector, Disk const& disk) {
    SLUICE_TRY(Array<float> const weights, rasterize(scan, detector, disk));
    Compiled const mask = compile(weights, scan.bad_pixels());
    store::Resident const* const store = scan.resident_store();
    if (store && store->is_lines()) {
        lines::UnitSet const set = store->line_units();
        lines::LineMask const lines = lines::line_mask(mask.words, set.grid);
        std::uint64_t bytes = 0;
        for (index u = 0; u < set.units; ++u)
            bytes += static_cast<std::uint64_t>(lines::touched_bytes(set.unit(u), lines));
        return bytes;
    }
    if (!store || !store->is_planes())
        return static_cast<std::uint64_t>(mask.valid) *
               static_cast<std::uint64_t>(size_of(scan.dtype()) * scan.plan().frames());
    planes::TileSet const set = store->tiles();
    std::uint64_t bytes = 0;
    for (index t = 0; t < set.tiles; ++t) {
        planes::Tile const tile = set.tile(t);
        for (planes::MaskWord const& w : mask.words) {
            auto const e = tile.entry(w.block);
            bool const whole = ~w.bits == 0;
            bytes += static_cast<std::uint64_t>(whole ? planes::tile_frames : 4);
            if (!whole || e.totals == planes::Totals::none)
                bytes += static_cast<std::uint64_t>(8 * planes::tile_frames * e.planes);
            else if (e.totals == planes::Totals::wide)
                bytes += static_cast<std::uint64_t>(4 * planes::tile_frames + 4);
        }
    }
    return bytes;
}

}  // namespace sluice::stem4d
