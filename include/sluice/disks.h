// Disks: Bragg disks found by likelihood in patterns and scans, each with its errors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/lattice.h"
#include "sluice/probe_template.h"

namespace sluice::stem4d {

/// How disks are fitted.
enum class DiskMode : std::uint8_t {
    automatic,    ///< as the probe and a sample of patterns ask for
    isolated,     ///< each on its own
    touching,     ///< in turns beside the models of the others
    overlapping,  ///< likewise; refine_lattice() fits all disks of a pattern at once
    fringes       ///< by their edges, whose height varies: for disks with contrast inside
};
struct DiskOptions {
    DiskMode mode = DiskMode::automatic;
    double least_snr = 3.5;     ///< of a candidate in the correlation
    double least_score = 25;    ///< twice the gain in log-likelihood over no disk
    double least_distance = 0;  ///< between disks, in pixels; 0: a radius
    /// Pixels farther from a disk's centre are not looked at; 0: a radius and 3.9 pixels, or less
    /// where neighbours are near.
    double fit_radius = 0;
    index most_disks = 512;  ///< of a pattern
    int bin = 0;             ///< of the patterns that are correlated: 1, 2; 0: by the radius
    /// Values of a pixel for each count, and the standard deviation in values that electronics add.
    /// 0: measured by the noise of a sample; gain 1: values are counts.
    double gain = 0, read_noise = 0;
    /// The background's shape [row][col] of the detector as loaded; empty: it is measured on the
    /// scan. Of one pattern: a local plane.
    Array<double> background = {};
};

/// A lattice that is known before: its disks are not looked for, but fitted where they must be.
struct KnownLattice {
    LatticeBasis basis;        ///< of the pattern in the scan's first row and column
    Point by_row{}, by_col{};  ///< px by which the origin moves to the next row and column
    /// The points (h, k) that have disks, brightest first; empty: all that lie on the detector.
    std::vector<std::array<int, 2>> points = {};
    /// Patterns that miss it by more (chi2 per degree of freedom), or have less than this part of
    /// their counts in disks, are searched for disks as if no lattice were known.
    double most_misfit = 4, least_part = 0;
    /// Likewise those that show fewer of its disks clearly: they may be of another lattice, some of
    /// whose disks lie where its points are.
    index least_seen = 0;
};

/// What find_disks() decided, in words for people and as numbers.
struct DiskSetup {
    ProbeTemplate probe;
    DiskOptions options;       ///< with every 0 and "by ..." decided
    Array<double> background;  ///< [row][col] of the detector as loaded
    /// Empty: candidates are looked for in every pattern.
    std::optional<KnownLattice> lattice = {};
    std::vector<std::string> why = {};  ///< a sentence for each decision
};

/// Decides what is left open, from the template and a sample of patterns that it names.
Result<DiskSetup> plan_disks(Scan const& scan, ProbeTemplate const& probe,
                             DiskOptions const& options = {}, Options const& run = {});

/// Adds a lattice that the patterns of a scan share, so that their disks need not be looked for. It
/// is taken from a sample of patterns, with how the origin wanders over the scan; `basis` says
/// which vectors to take. Where less than half of the sample lies on it, the setup stays as it is;
/// `why` says so. Errors: those of find_basis().
Result<DiskSetup> know_lattice(Scan const& scan, DiskSetup setup,
                               std::optional<LatticeBasis> const& basis = {},
                               Options const& run = {});

/// The disks of one pattern [row][col]; `bad` marks pixels that weigh nothing.
Result<BraggVectors> find_disks(Array<double> const& pattern, std::span<std::uint8_t const> bad,
                                DiskSetup const& setup, Device const& device = Device::cpu());
/// The disks of all patterns of a scan, in memory or streamed.
Result<BraggVectors> find_disks(Scan const& scan, DiskSetup const& setup, Options const& run = {});

/// The same into a file, as they are found: no more than those of some hundred patterns are in
/// memory. The bytes are those of save_vectors() of what find_disks() returns. Errors: those of
/// both.
Result<WrittenVectors> find_disks_to(std::string const& path, Scan const& scan,
                                     DiskSetup const& setup, Options const& run = {});

/// The disks of a scan whose lattice is known, and the lattices of its patterns.
struct KnownDisks {
    BraggVectors vectors;
    LatticeFit fit;
};
/// find_disks() and fit_lattice() of a setup that knows a lattice. Overlapping disks are fitted at
/// once, heights and lattice: their lattices are those of these fits, `chi2` is Pearson's of the
/// pixels, and with `model_variance` the covariances are times its median where that is above 1.
/// The places in `vectors` then have covariances that give about the same errors of the lattice to
/// whoever takes them as independent. Errors: a setup without a lattice.
Result<KnownDisks> refine_lattice(Scan const& scan, DiskSetup const& setup,
                                  LatticeOptions const& options = {}, Options const& run = {});

}  // namespace sluice::stem4d
