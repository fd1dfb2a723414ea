// FrameCopier: one worker's way from the units of a scan to values of its frames.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sluice/scan.h"
#include "store/unit_reader.h"

namespace sluice {

/// A wanted frame, and where among the wanted ones its values go.
struct FramePlace {
    index frame = 0, at = 0;
};

/// Holds the worker's scratch memory. The scan must outlive it.
class FrameCopier {
  public:
    FrameCopier(Scan const& scan, Region const& part);

    /// Copies `part` of some frames of one unit to out[at][row][col].
    Status copy(std::span<FramePlace const> places, std::byte* out);

    /// What decoding met.
    store::Tally tally() const { return maker_ ? maker_->tally() : store::Tally{}; }

  private:
    bool whole_frames() const;
    void from_memory(store::Unit const& unit, std::span<FramePlace const> places, std::byte* out);
    void cut(std::byte const* frame, std::byte* to) const;
    template <class T>
    void cut_counts(std::byte* to) const;

    Scan const& scan_;
    store::Plan const& plan_;
    Region part_;
    index element_, frame_bytes_, part_bytes_;
    std::optional<store::UnitReader> units_ = {};  // of a scan in memory
    std::optional<store::UnitMaker> maker_ = {};
    std::vector<std::byte> values_ = {};
    std::vector<double> counts_ = {};
};

}  // namespace sluice
