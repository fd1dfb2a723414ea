// Resident: a scan in memory, as bit planes or as plain values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "kernel/lines/lines.h"
#include "store/arena.h"
#include "store/unit.h"

namespace sluice::store {

/// What a few units, spread over the scan, tell of the rest.
struct Sample {
    Layout layout = Layout::planes;  ///< planes where they take at most 0.9 of plain values
    bool lines = false;              ///< the planes are to be turned by frames
    std::uint64_t planes_bytes = 0;  ///< expected for the whole scan, as tiles; 0 for floats
    std::uint64_t lines_bytes = 0;   ///< the same as lines
    std::uint64_t dense_bytes = 0;

    std::uint64_t bytes() const {
        if (layout != Layout::planes) return dense_bytes;
        return lines ? lines_bytes : planes_bytes;
    }
};
/// What to say where a scan needs more memory than it may take.
Error too_large(Dataset const& dataset, Plan const& plan, std::uint64_t bytes,
                std::uint64_t memory);
Result<Sample> sample(Dataset const& dataset, Plan const& plan, LoadOptions const& options);

class Resident {
  public:
    /// Loads everything. `memory` bytes are the most it may take.
    static Result<Resident> load(Dataset const& dataset, Plan const& plan, Sample const& sample,
                                 LoadOptions const& options, std::uint64_t memory);

    bool is_planes() const { return layout_ == Layout::planes; }
    bool is_lines() const { return layout_ == Layout::lines; }
    planes::TileSet tiles() const;
    lines::UnitSet line_units() const;
    dense::Frames values() const;
    /// Unit number t: a tile, or sixteen frames of values. Of lines a UnitReader has them.
    Unit unit(index t) const;
    index frames() const { return frames_; }
    /// Bytes of the tiles, lines or values themselves.
    std::uint64_t bytes() const { return bytes_; }
    std::uint64_t bytes_read() const { return bytes_read_; }
    Tally const& tally() const { return tally_; }
    /// Sum and first moments over the whole detector: [frame]; empty: they are not known.
    std::span<planes::Moment const> moments() const {
        return std::span(moments_).first(moments_.empty() ? 0 : static_cast<std::size_t>(frames_));
    }

    /// For a copy to a device: all addresses from tiles().base up to this many bytes.
    std::uint64_t span() const { return arena_->taken(); }

  private:
    friend class Filling;
    friend class LineFilling;
    explicit Resident(std::shared_ptr<Arena> arena) : arena_(std::move(arena)) {}

    std::shared_ptr<Arena> arena_;  // copies of a scan that is being filled share it
    std::vector<std::shared_ptr<std::byte const>> lent_;  // tiles that others get when nobody looks
    Layout layout_ = Layout::planes;
    std::vector<std::uint64_t> offsets_;
    std::vector<planes::Moment> moments_;  // [unit][16]
    planes::Grid grid_ = {};
    DType dtype_ = DType::u16;
    index frames_ = 0;
    std::uint64_t bytes_ = 0, bytes_read_ = 0;
    Tally tally_;
};

}  // namespace sluice::store
