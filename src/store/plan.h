// Plan: LoadOptions made definite for one dataset: shapes, masks and where each frame comes from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/planes/tile.h"
#include "sluice/load.h"
#include "store/frame_planes.h"

namespace sluice::store {

struct Plan {
    FrameGeometry stored = {};  ///< of the frames in the files
    PixelRules rules = {};
    index scan_cols_stored = 0;
    std::array<index, 2> scan = {};  ///< of the result, (rows, columns)
    index rows = 0, cols = 0;        ///< of the result's detector
    DType dtype = DType::u16;        ///< of the result
    Region scan_region = {}, detector_region = {};
    index det_bin = 1, scan_bin = 1, scan_step = 1;
    BinMode mode = BinMode::sum;
    std::vector<std::uint32_t> valid = {};  ///< [row][col] of the result: stored pixels that count
    std::vector<std::uint8_t> bad = {};     ///< [row][col] of the result, 1: no valid pixel
    /// [frame] of the result, 1: it was not measured, for no file holds all of it (of a mean: any
    /// of it); empty: all were.
    std::vector<std::uint8_t> lost = {};
    std::vector<std::string> notes = {};  ///< what was masked, binned or assumed
    std::int64_t made_at = 0;             ///< by the system's clock, ns: before a frame was read

    index frames() const { return scan[0] * scan[1]; }
    index pixels() const { return rows * cols; }
    planes::Grid grid() const { return {rows, cols}; }
    index tiles() const { return (frames() + planes::tile_frames - 1) / planes::tile_frames; }
    std::uint64_t dense_bytes() const {
        return static_cast<std::uint64_t>(frames() * pixels() * size_of(dtype));
    }
    /// Encoded bytes that reading `units` of the units costs; of all units about what is stored.
    std::uint64_t bytes_to_read(Dataset const& dataset, index units) const;
    /// Nothing is cut or added up: a stored frame is a frame of the result.
    bool frame_by_frame() const {
        return det_bin == 1 && scan_bin == 1 && detector_region.rows == stored.rows &&
               detector_region.cols == stored.cols;
    }
    /// The stored frame at (row, col) of bin number `part` (0 .. scan_bin^2 - 1) of a result frame.
    index stored_frame(index frame, index part) const {
        index const pitch = scan_bin * scan_step;  // one of them is 1
        index const row = scan_region.row + frame / scan[1] * pitch + part / scan_bin;
        index const col = scan_region.col + frame % scan[1] * pitch + part % scan_bin;
        return row * scan_cols_stored + col;
    }
};

/// Checks the options against the dataset. `hot` pixels (ascending) are left out as well.
Result<Plan> make_plan(Dataset const& dataset, LoadOptions const& options,
                       std::span<std::uint32_t const> hot = {});

/// Finds what was not measured, anew: of a live scan, more is known at its end.
void find_lost(Plan& plan, Dataset const& dataset,
               std::string_view why = "no file holds all of their frames");

/// Bytes of memory that are free for us now: 60 % of memory_available() and of what the arena
/// keeps.
std::uint64_t memory_to_spare();

}  // namespace sluice::store
