// Calibration: where the direct beam lies in each pattern, what distorts the patterns, and what a
// detector pixel is in 1/ångström, each with its error.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sluice/lattice.h"
#include "sluice/strain.h"
#include "sluice/unit_cell.h"

namespace sluice::stem4d {

/// Why a pattern has no origin of its own.
enum class OriginReason : std::uint8_t {
    measured,
    no_disks,      ///< BraggVectors::reason says why
    not_near,      ///< no disk lies near where the direct beam is expected
    no_pairs,      ///< too few disks have a partner on the other side
    no_counts,     ///< of a scan: no counts in the window
    not_measured,  ///< of a scan: no file holds its frame
    not_settled,   ///< of a scan: the window did not come to rest
    off_detector   ///< the beam lies on the edge of the detector or beyond
};
/// As in "no disk near the expected origin".
std::string_view name_of(OriginReason reason);

/// `direct`: the brightest disk near the expected place. `friedel`: the middle of pairs of disks on
/// opposite sides, for patterns whose direct beam is hidden. `automatic`: direct, where the
/// brightest disks of most patterns lie on one smooth surface over the scan. `mass`: of a scan, the
/// centre of mass in a window about itself.
enum class OriginMethod : std::uint8_t { automatic, direct, friedel, mass };

struct OriginOptions {
    OriginMethod method = OriginMethod::automatic;
    std::optional<Point> guess = {};  ///< px, about where the direct beam lies; empty: it is found
    /// px, how far from the expected place it is looked for; 0: half the usual distance of
    /// neighbouring disks. Of a scan the radius of the window: 0: 1.5 radii of the disk.
    double radius = 0;
};

struct Origins {
    std::array<index, 2> scan_shape{};
    Array<double> values;      ///< [pattern][row, col] in px; NaN where `reason` says why
    Array<double> covariance;  ///< [pattern][row, col, both] in px^2; NaN where it is not known
    std::vector<OriginReason> reason;  ///< [pattern]
    OriginMethod method = OriginMethod::direct;
    double radius = 0;  ///< px, that was used
    std::vector<std::string> notes = {};
};
Result<Origins> measure_origins(BraggVectors const& vectors, OriginOptions const& options = {});
/// By the centre of mass in a round window about itself, iterated until it rests. The variances are
/// those of Poisson counts, carried through the iteration. `method` is automatic or mass.
Result<Origins> measure_origins(Scan const& scan, OriginOptions const& options = {},
                                Options const& run = {});

/// Polynomials of the scan position; `bezier`: Bernstein's of `order` in each direction.
enum class OriginSurface : std::uint8_t { mean, plane, parabola, bezier };
struct OriginFitOptions {
    OriginSurface surface = OriginSurface::plane;
    int order = 2;  ///< of bezier: 1 to 6
    /// Tukey's biweight: robust standard deviations from which on a pattern has no say.
    double cut = 5;
};
struct OriginFit {
    std::array<index, 2> scan_shape{};
    OriginSurface surface = OriginSurface::plane;
    int order = 2;
    std::vector<double> row, col;  ///< coefficients of the surface's functions
    /// [coefficient][coefficient], of each component: all share it but for sigma_row^2,
    /// sigma_col^2.
    std::vector<double> covariance;
    double sigma_row = 0, sigma_col = 0;  ///< px, robust, of what the surface leaves
    index used = 0, left_out = 0;         ///< patterns
    std::vector<std::string> notes = {};

    Point at(index scan_row, index scan_col) const;
    /// One standard error of the surface there, px.
    Point error_at(index scan_row, index scan_col) const;
    /// At the middle of the scan.
    Point center() const;
};
/// Errors: fewer origins than the surface has unknowns.
Result<OriginFit> fit_origins(Origins const& origins, OriginFitOptions const& options = {});

/// What makes a ring an ellipse: a symmetric matrix C of determinant 1 takes a place about the
/// origin to where an undistorted detector has it, C = exp((along, across), (across, -along)).
struct Distortion {
    double along = 0, across = 0;
    std::array<double, 3> covariance{};  ///< along, across, both

    /// rr, rc, cc of C, and of its inverse.
    std::array<double, 3> correction() const;
    std::array<double, 3> inverse() const;
    double ratio() const;          ///< the long axis of a ring over its short one
    double angle_degrees() const;  ///< of the long axis, from the row axis to the column axis
    double ratio_error() const;
    double angle_error_degrees() const;  ///< 90 where the ring is round within its error
};
/// `rectangular`: detector pixels whose sides differ, and nothing else.
enum class DistortionModel : std::uint8_t { none, rectangular, ellipse };

/// A ring of disks: what lies between two radii about the fitted origins.
struct Ring {
    double inner = 0, outer = 0;  ///< px
};
struct FoundRings {
    std::vector<Ring> rings;  ///< the inner first; radii are those after `rough` is corrected
    Distortion rough;         ///< to about 0.002, without errors
};
/// Rings that stand out of the histogram of all disks' distances from the origin. Since an ellipse
/// smears rings, the distortion is the one that makes the histogram the sharpest.
FoundRings find_rings(BraggVectors const& vectors, OriginFit const& origins);

struct EllipseFit {
    Distortion distortion;
    std::vector<double> radii = {},
                        radii_errors = {};  ///< px, of rings that are made round; NaN: it is none
    index used = 0, left_out = 0;           ///< disks
    double sigma_sys = 0;  ///< px, what disks miss their rings by beyond their errors
    std::vector<std::string> notes = {};
};
/// Geometric: distances from the origin, not squares of places. Errors: no ring, too few disks,
/// disks in too few directions.
Result<EllipseFit> fit_ellipse(BraggVectors const& vectors, OriginFit const& origins,
                               FoundRings const& rings,
                               DistortionModel model = DistortionModel::ellipse);

/// A ring of theory.
struct KnownRing {
    double frequency = 0;  ///< in 1/ångström
    std::string name;      ///< "(111)", or "2.338 Å"
};
std::vector<KnownRing> known_rings(std::span<double const> spacings);
Result<std::vector<KnownRing>> known_rings(UnitCell const& cell, double most_frequency);

struct SizeOptions {
    DistortionModel distortion = DistortionModel::ellipse;
    double stated = 0;  ///< pixel size that the files or the user state, in 1/ångström; 0: none
    /// Of distortion and strain together: a lattice or rings that miss theory by more do not match.
    double tolerance = 0.05;
    std::optional<Indices> zone = {};  ///< [u, v, w] along the beam; empty: it is found
    int most_zone = 3;                 ///< largest index of the zones that are tried
};
/// What decided a pixel size.
struct SizeFit {
    double pixel_size = 0, error = 0;  ///< 1/ångström; of rectangular pixels their geometric mean
    Distortion distortion;
    struct Match {
        double radius = 0;     ///< px, undistorted
        double frequency = 0;  ///< of theory, 1/ångström
        std::string name;
        index disks = 0;
        double off = 0;  ///< measured over theory - 1
    };
    std::vector<Match> rings;                          ///< that took part; of lattices both vectors
    std::vector<std::string> unmatched;                ///< rings that no ring of theory explains
    std::optional<Indices> zone = {}, a = {}, b = {};  ///< of a lattice
    /// Of a lattice: its shape in theory.
    std::optional<LatticeSpacings> lattice = {};
    struct Alternative {
        std::string name;
        double pixel_size = 0;
    };
    std::vector<Alternative> alternatives;  ///< that fit as well
    std::vector<std::string> notes = {};

    std::array<double, 2> pixel_sizes() const;  ///< of rows and of columns
};
/// From rings of disks. Which ring is which follows from all of them together. Errors: no rings, or
/// none that fit together.
Result<SizeFit> match_rings(BraggVectors const& vectors, OriginFit const& origins,
                            std::span<KnownRing const> known, SizeOptions const& options = {});
/// The same from the lattice of one crystal, whose disks make no rings.
Result<SizeFit> match_rings(LatticeFit const& lattice, BraggVectors const& vectors,
                            std::span<KnownRing const> known, SizeOptions const& options = {});
/// From the lattice of one crystal along a zone axis: lengths and angle together decide which
/// reflections its vectors are. Errors: no zone has a lattice of this shape.
Result<SizeFit> match_lattice(LatticeFit const& lattice, UnitCell const& cell,
                              SizeOptions const& options = {});

/// All of it. What was not determined does nothing.
struct Calibration {
    std::array<index, 2> scan_shape{}, detector_shape{};
    std::optional<OriginFit> origins = {};
    std::optional<Distortion> distortion = {};
    double pixel_size = 0, pixel_size_error = 0;  ///< 1/ångström; 0: not known
    std::optional<LatticeSpacings> lattice = {};  ///< of theory, on the undistorted detector
    std::optional<Rotation> rotation = {};        ///< as it was given
    std::string crystal;                          ///< what it was measured with
    Provenance provenance;
    std::vector<std::string> notes = {};

    /// Where apply_calibration() puts the origin of every pattern, px.
    Point center() const;
};

/// What calibrate() looks at: the lattice of one crystal, or rings of many. `automatic`: a lattice
/// where one is found that fits half of the patterns.
enum class CrystalPattern : std::uint8_t { automatic, lattice, rings };

struct CalibrateOptions {
    OriginOptions origins = {};
    OriginFitOptions surface = {};
    SizeOptions size = {};
    CrystalPattern pattern = CrystalPattern::automatic;
    std::optional<UnitCell> cell = {};     ///< the crystal that is known
    std::vector<double> spacings = {};     ///< of planes in ångström, instead of a cell
    std::vector<Ring> rings = {};          ///< instead of finding them; for the distortion alone
    std::optional<Origins> measured = {};  ///< instead of measuring them on the disks
};
/// What a calibration was made of.
struct Calibrated {
    Calibration calibration;
    Origins origins;
    std::optional<SizeFit> size = {};
    std::optional<EllipseFit> ellipse = {};  ///< where no crystal is known
};
/// Measures all that the disks and the crystal determine, and says what they do not.
Result<Calibrated> calibrate(BraggVectors const& vectors, CalibrateOptions const& options = {},
                             Options const& run = {});

/// How many disks lie so far from the origin on the undistorted detector, in bins of `bin` px.
Result<std::vector<double>> radial_histogram(BraggVectors const& vectors,
                                             Calibration const& calibration, double bin = 0.25);

/// Vectors with a calibration applied, and what is needed to take it off again.
struct CalibratedVectors {
    /// Places, and their covariances, on a detector without descan and distortion, about
    /// `calibration.center()`; all else as it was.
    BraggVectors vectors;
    Calibration calibration;
    /// The columns that were replaced: row, col, var_row, var_col, cov_row_col.
    std::array<std::vector<float>, 5> raw;
};
/// Errors: another scan or detector than that of the calibration.
Result<CalibratedVectors> apply_calibration(BraggVectors vectors, Calibration const& calibration);
/// The vectors as they were, bit by bit: their columns were kept.
BraggVectors remove_calibration(CalibratedVectors calibrated);

/// The lattice of theory as a reference of strain, on calibrated vectors: the same vectors as
/// `like`. Errors: a calibration without a lattice.
Result<LatticeBasis> theory_of(Calibration const& calibration, LatticeBasis const& like);

/// As JSON; numbers are kept to their last bit.
Status save_calibration(std::string const& path, Calibration const& calibration);
Result<Calibration> load_calibration(std::string const& path);

}  // namespace sluice::stem4d
