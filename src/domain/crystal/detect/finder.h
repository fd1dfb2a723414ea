// Finder: everything that is the same for all patterns of a scan, and a worker's room.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "domain/crystal/detect/correlator.h"
#include "domain/crystal/detect/found.h"
#include "domain/crystal/detect/gaps.h"
#include "domain/crystal/fit/scoring.h"
#include "sluice/disks.h"

namespace sluice::crystal {

/// A maximum that may be a disk.
struct Candidate {
    DiskState start;
    double snr = 0;
};

/// Lengths are in pixels of the patterns, but those of the template, which are detector_bin as
/// small.
struct FinderSetup {
    stem4d::ProbeTemplate probe;
    index detector_bin = 1;
    stem4d::DiskOptions options;  ///< with nothing left open
    std::array<index, 2> shape{};
    std::span<std::uint8_t const> bad = {};  ///< [row][col]; empty: none
};

class Finder {
  public:
    /// Fails where the template does not fit into the patterns, and where the shape of the
    /// background or the bad pixels are of another size.
    static Result<Finder> make(FinderSetup const& setup, Device const& device);

    /// What one worker needs: two patterns and what is made of them.
    class Room {
      public:
        explicit Room(Finder const& finder);

      private:
        friend Finder;
        struct Pattern {
            AlignedFloats counts, weights, binned, correlated;
            bool own_weights = false, any = false, used = false;
        };
        std::array<Pattern, 2> patterns_;
        AlignedFloats scratch_;
        CropRoom crop_;
        std::vector<Peak> peaks_;
        std::vector<Candidate> candidates_;
        std::vector<DiskFit> fits_;
        std::vector<FoundDisk> found_;
        AlignedFloats others_;  // the model of a pattern's disks, with margins
    };

    /// Puts a pattern [row][col] into a room, as the first or the second. What is not finite, or
    /// beyond 1e9, weighs nothing.
    template <class T>
    void put(Room& room, int which, T const* values) const;
    /// The disks of the room's patterns. What a pattern's are depends on both, by rounding.
    void find(Room& room, std::span<FoundPattern> out) const;

    index pixels() const { return setup_.shape[0] * setup_.shape[1]; }

  private:
    friend Room;
    Finder(FinderSetup setup, Device const& device, Correlator correlator);

    Padded padded(Room::Pattern const& p) const;
    void prepare(Room::Pattern& p) const;
    FoundPattern find_one(Room& room, Room::Pattern const& p) const;
    stem4d::DiskReason candidates(Room& room, Room::Pattern const& p) const;
    void look_closer(Room& room, Padded const& p, Candidate c, index (&refused)[2]) const;
    void fit_candidates(Room& room, Room::Pattern const& p) const;
    void fit_in_turns(Room& room, Padded pattern) const;
    void thin_out(std::vector<Candidate>& candidates) const;
    FoundDisk found(Padded const& p, DiskFit const& fit) const;

    FinderSetup setup_;
    FitKernels const* fit_;
    DetectKernels const* detect_;
    Tables tables_;
    Correlator correlator_;
    Gaps gaps_;
    double table_mean_ = 0, floor_ = 0, least_spread_ = 0;
    index margin_, pitch_;
    AlignedFloats weights_, shape_;  // with margins
};

extern template void Finder::put(Room&, int, std::uint8_t const*) const;
extern template void Finder::put(Room&, int, std::uint16_t const*) const;
extern template void Finder::put(Room&, int, std::uint32_t const*) const;
extern template void Finder::put(Room&, int, float const*) const;
extern template void Finder::put(Room&, int, double const*) const;

}  // namespace sluice::crystal
