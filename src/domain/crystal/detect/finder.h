// Finder: everything that is the same for all patterns of a scan, and a worker's room.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "domain/crystal/detect/correlator.h"
#include "domain/crystal/detect/found.h"
#include "domain/crystal/detect/gaps.h"
#include "domain/crystal/refine/joint.h"
#include "domain/crystal/refine/refiner.h"
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
    double saturation = 1e9;                 ///< values above it are saturated
    /// In pixels of the patterns; `columns` of the scan.
    std::optional<stem4d::KnownLattice> lattice = {};
    index columns = 1;
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
            bool own_weights = false, any = false, used = false, saturated = false;
            index frame = 0;
        };
        std::array<Pattern, 2> patterns_;
        AlignedFloats scratch_;
        CropRoom crop_;
        std::vector<Peak> peaks_;
        std::vector<Candidate> candidates_;
        std::vector<DiskFit> fits_;
        std::vector<FoundDisk> found_;
        AlignedFloats others_;  // the model of a pattern's disks, with margins
        Refiner::Room refined_;
        JointRefiner::Room joint_;
    };

    /// Puts a pattern [row][col] into a room, as the first or the second. What is not finite, or
    /// beyond 1e9, weighs nothing. `frame` of the scan says where its lattice is expected.
    template <class T>
    void put(Room& room, int which, T const* values, index frame = 0) const;
    /// The disks of the room's patterns. What a pattern's are depends on both, by rounding.
    void find(Room& room, std::span<FoundPattern> out) const;

    /// How a known lattice fits one of the room's patterns, which stays there.
    struct Match {
        bool converged;
        double misfit, part;  ///< of the pattern's counts that is in disks
        index clear;          ///< disks that are clearly there
        struct Seen {
            int h, k;
            double snr;  ///< of the height
        };
        std::vector<Seen> points;
    };
    Match match(Room& room, int which) const;
    /// What a known lattice leaves of one of the room's patterns, without its disks; empty where it
    /// does not converge.
    std::vector<float> rest(Room& room, int which) const;

    index pixels() const { return setup_.shape[0] * setup_.shape[1]; }
    /// Bytes of a worker's room, without the fits of a pattern's disks.
    std::uint64_t room_bytes() const;
    /// Bytes that all workers share.
    std::uint64_t bytes() const;

  private:
    friend Room;
    Finder(FinderSetup setup, Device const& device, Correlator correlator);

    void leave_out(Room::Pattern& p, float limit) const;
    Padded padded(Room::Pattern const& p) const;
    void prepare(Room::Pattern& p) const;
    void find_all(Room& room, std::span<FoundPattern> out) const;
    FoundPattern find_one(Room& room, Room::Pattern const& p) const;
    FoundPattern find_known(Room& room, int which) const;
    Refined refine(Room& room, Room::Pattern const& p, stem4d::LatticeBasis const& start) const;
    bool explains(Refined const& refined, Room::Pattern const& p, index least_seen) const;
    FoundPattern with_lattice(Room::Pattern const& p, Refined const& refined) const;
    float* others(Room& room) const;
    stem4d::DiskReason candidates(Room& room, Room::Pattern const& p) const;
    void look_closer(Room& room, Room::Pattern const& of, Padded const& p, Candidate c,
                     index (&refused)[2]) const;
    void fit_candidates(Room& room, Room::Pattern const& p) const;
    void fit_in_turns(Room& room, Padded pattern) const;
    bool partly_cut(Room& room, Padded const& p, Candidate const& c) const;
    void thin_out(std::vector<Candidate>& candidates) const;
    FoundDisk found(Padded const& p, DiskFit const& fit) const;
    double counts_of(Room::Pattern const& p) const;

    FinderSetup setup_;
    FitKernels const* fit_;
    JointKernels const* joint_;
    DetectKernels const* detect_;
    Tables tables_;
    Correlator correlator_;
    Gaps gaps_;
    double floor_ = 0, least_spread_ = 0;
    // Counts are values * scale_ + shift_: with the shift their variance is their mean.
    double scale_ = 1, shift_ = 0;
    index margin_, pitch_;
    bool all_good_ = true;           // no pixel is bad
    AlignedFloats weights_, shape_;  // with margins
};

extern template void Finder::put(Room&, int, std::uint8_t const*, index) const;
extern template void Finder::put(Room&, int, std::uint16_t const*, index) const;
extern template void Finder::put(Room&, int, std::uint32_t const*, index) const;
extern template void Finder::put(Room&, int, float const*, index) const;
extern template void Finder::put(Room&, int, double const*, index) const;

}  // namespace sluice::crystal
