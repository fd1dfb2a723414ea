// Ptychography: an object and a probe out of diffraction patterns of overlapping places.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sluice/communicator.h"
#include "sluice/device.h"
#include "sluice/progress.h"
#include "sluice/result.h"
#include "sluice/scan.h"
#include "sluice/trace.h"
#include "sluice/view.h"

namespace sluice::stem4d {

/// A place in pixels of the object; row grows downwards.
struct Position {
    double row = 0, col = 0;
};

/// How the wave behind the object becomes the one at the detector.
enum class Propagation : std::uint8_t {
    far,   ///< by a Fourier transform
    near,  ///< over distance_mm, by the angular spectrum; patterns are images
};

/// Square diffraction patterns and where the probe was for each.
struct Patterns {
    index size = 0;  ///< pixels of a side
    /// [pattern][row][col]: of far fields with zero frequency at [0][0], of near fields the image
    /// as the detector has it.
    std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<float>> counts =
        {};
    /// The probe's places, in pixels of the object. Any origin will do.
    std::vector<Position> positions = {};
    std::vector<std::uint8_t> bad = {};  ///< [row][col], 1: holds no counts; empty: all do
    double wavelength_nm = 0;            ///< 0: not known
    /// Of the object, and what positions are in; of near fields a pixel of the detector. 0: not
    /// known.
    double pixel_nm = 0;
    /// What propagation the counts are laid out for; options with another one are refused. Empty:
    /// any.
    std::optional<Propagation> propagation = {};
    double distance_mm = 0;  ///< of near fields, from object to detector; 0: not known

    /// Where ranks share the patterns: the one that the counts here begin with. Positions are those
    /// of all.
    index first = 0;

    index count() const { return static_cast<index>(positions.size()); }
    /// How many of them have their counts here.
    index held() const;
};

/// How the frames of a scan become patterns.
struct PatternsOptions {
    /// Side of the patterns; 0: the smallest of 64, 128, 192 and 256 that holds the detector, else
    /// the detector's own side. Pixels beyond are cut, missing pixels count as not measured.
    index size = 0;
    /// Where the direct beam is, in pixels of the detector as loaded, rounded to whole ones; empty:
    /// the middle of the detector.
    std::optional<Position> center = {};
    double kilovolts = 0;           ///< of electrons; 0: what the scan's file states
    double wavelength_nm = 0;       ///< instead of kilovolts, as of X-rays
    double detector_step_mrad = 0;  ///< 0: what the scan says
    /// Near fields are images: they are cut or padded about the detector's middle, and their pixel
    /// is the detector's own: detector_pixel_um as loaded, 0: what the scan says. They have no
    /// center and no detector_step_mrad.
    Propagation propagation = Propagation::far;
    double detector_pixel_um = 0;
    double scan_step_nm = 0;  ///< 0: what the scan says
    /// How the detector lies against the scan, as in stem4d::Rotation. Both empty: as the file says
    /// it (py4DSTEM's QR_rotation and QR_flip), else 0 and false. Where one is given, what the file
    /// says is not used.
    std::optional<double> rotation_degrees = {};
    std::optional<bool> transpose = {};
    /// One for each frame, in pixels of the object along the detector's axes: instead of the
    /// raster.
    std::vector<Position> positions = {};
    /// Where ranks share the patterns: only the frames of one of so many parts are read, which
    /// follow each other.
    index part = 0, parts = 1;
    Progress progress = {};
    Trace* trace = nullptr;  ///< made for one worker
};

/// Patterns of all frames of a scan, in the smallest type that holds their counts. Fails where the
/// geometry is not known, and says which option gives it.
Result<Patterns> patterns_of(Scan const& scan, PatternsOptions const& options,
                             std::vector<std::string>* notes = nullptr);

/// What is minimised over the valid pixels, I counted and M modelled.
enum class Likelihood : std::uint8_t {
    /// As the patterns are: poisson where values are counts (whole numbers, or whole multiples of
    /// one value), else amplitude, with a note. PtychographyResult::likelihoods has what it was.
    automatic,
    amplitude,  ///< sum (sqrt M - sqrt I)^2: phases come out too low where counts are few
    /// sum M - I log M, of both and 1e-4 counts more; where I is beyond 9 M + 4, as of
    /// amplitudes.
    poisson,
    gaussian,  ///< sum (M - I)^2 / (I + 1)
};

/// One stage of a reconstruction; the next one goes on from where it ends. Sources are in
/// docs/guide/ptychography.md.
struct PtychographyStage {
    enum class Solver : std::uint8_t {
        epie,
        rpie,
        mpie,
        ap,
        dm,
        raar,
        rrr,
        sdr,
        lsqml,
        sgd,
        adam,
        mlcg
    };
    Solver solver = Solver::lsqml;
    index iterations = 20;
    /// Patterns that see the same object and probe, in random order; 1: one after the other; 0: as
    /// suits the solver (patterns / 50 for PIE, / 5 for SGD and Adam; for LSQML / 5 up to 100, and
    /// / 100 of many, fewer with slices). Conjugate gradients (mlcg) add all groups up.
    index group = 0;
    /// Which patterns a group has: any, or only such whose probes lie apart (their squares with 99
    /// % of the power share no pixel), at most `group`. Coloured groups change the object as one
    /// pattern after the other does. All are used once in an iteration, and drawn anew for each.
    enum class Grouping : std::uint8_t { random, coloured };
    Grouping grouping = Grouping::random;
    /// Of LSQML, SGD, Adam and CG; the others know amplitudes only. In texts "auto".
    Likelihood likelihood = Likelihood::automatic;
    /// Lengths of steps; 0: the solver's own (1 for PIE and CG, 0.9 for LSQML, 0.02 and 0.005 for
    /// Adam).
    double object_step = 0, probe_step = 0;
    /// rPIE and mPIE: how much of the largest illumination replaces the local one.
    double object_regularisation = 0.05, probe_regularisation = 1;
    /// Of mPIE. LSQML with modes has momentum of its own, which grows as far as R falls; where
    /// `momentum` is 0 it has none.
    double momentum = 0.7, momentum_gain = 0.3, momentum_chance = 0.05;
    double relaxation = 0;  ///< of dm (1), raar (0.75), rrr (0.5) and sdr (1); 0: those
    /// Of the projections: errors below this part of a pattern's power are noise (0: none is).
    double power_bound = 0.05;
    index probe_from = 2;     ///< the first iteration that changes the probe
    bool fix_object = false;  ///< it keeps its bits
    bool fix_probe = false;   ///< it keeps its bits
    /// Positions move against their gradients. Where half of them have moved by more than 2 pixels
    /// they are put back, with a note: most often the pixel's size is wrong.
    bool refine_positions = false;
    double position_step = 1;  ///< of Gauss and Newton's
    /// The probe of each pattern (of lsqml, epie, rpie and mpie, in groups): the first mode plus so
    /// many orthogonal modes with weights of its own, and all modes times a factor of its own.
    index opr_modes = 0;
    bool opr_intensity = false;
    enum class PositionModel : std::uint8_t {
        each,    ///< every position moves on its own
        affine,  ///< all move by one affine map: scales, rotation and shear of the scan
    };
    PositionModel position_model = PositionModel::each;
    /// Places that each position also tries in an iteration, at most 8; the one with the least
    /// error stays. They are drawn within position_search_radius pixels, which goes down to nothing
    /// over the stage (A. M. Maiden et al., 10.1016/j.ultramic.2012.06.001).
    index position_search = 0;
    double position_search_radius = 2;
    bool refine_descan = false;      ///< how far each pattern is shifted on the detector
    bool refine_background = false;  ///< counts that all patterns share, pixel by pixel
    bool refine_slice_distance = false;
    bool refine_tilt = false;  ///< of the specimen, by what slices shift against each other
    bool probe_power = true;   ///< the probe's power stays that of the mean pattern

    // Constraints, after each iteration. 0: none.
    /// Weight of the object's total variation, where moduli are near 1: some 0.001 to 0.01.
    double tv_weight = 0;
    index tv_every = 1;     ///< iterations from one time to the next
    index tv_steps = 10;    ///< each time; they go on from where the last ones ended
    double tikhonov = 0;    ///< how far each pixel moves towards its four neighbours, 0 to 0.125
    double slice_blur = 0;  ///< standard deviation of a blur across slices, in slices
    double object_support = 0;  ///< the object is 1 where it is lit less than this part of the most
    enum class Moduli : std::uint8_t { any, at_most_one, one };
    Moduli moduli = Moduli::any;  ///< of the object; one: it changes phases only
    /// Phases below this quantile of all that are lit are raised to it, and it becomes phase 0.
    double positive_phase = 0;
    /// The probe is kept within this part of the window from the middle: it is 0 a tenth of the
    /// window further out, with a soft edge. 0: with PIE and LSQML what lies beyond 0.45 fades by a
    /// tenth in an iteration, unless the probe fills its window or the field is near. 1: it is
    /// free.
    double probe_support = 0;
    double probe_aperture_mrad = 0;  ///< the probe's spectrum is 0 beyond
};

/// R of an iteration, before its updates.
struct PtychographyRound {
    index stage = 0;
    double r = 0;            ///< sqrt(sum (sqrt M - sqrt I)^2 / sum I)
    double r_intensity = 0;  ///< sqrt(sum (M - I)^2 / sum I^2)
    double loss = 0;         ///< of the stage's likelihood, for each pixel
    double seconds = 0;
};

/// A reconstruction at work, for a watcher; it is good until the watcher returns. Nothing of the
/// result depends on what is looked at. The functions compute when they are called.
struct PtychographyView {
    bool within = false;                             ///< an iteration has begun and is not done
    index iterations = 0;                            ///< of all stages
    std::uint64_t done = 0, all = 0;                 ///< patterns, over all iterations
    std::span<PtychographyRound const> rounds = {};  ///< one for each iteration that is done
    std::span<Position const> positions = {};        ///< as in PtychographyResult
    std::span<Position const> started = {};          ///< the same places as they were at first
    std::span<std::string const> notes = {};         ///< so far
    index slices = 0, modes = 0;
    std::function<Array<std::complex<float>>(index)> slice = {};  ///< a copy, [row][col]
    std::function<Array<std::complex<float>>(index)> mode = {};   ///< a copy, [row][col]
    /// PtychographyResult::floor as of now; it costs the time of 200 patterns and more.
    std::function<double()> floor = {};
};

/// What the object begins as.
enum class ObjectStart : std::uint8_t {
    ones,
    random,  ///< moduli of 1, and phases drawn evenly within 0.1 rad
    /// A weak phase by the single side band, with the aberrations of the probe to begin with: for
    /// dense scans with a direct beam (J. M. Rodenburg et al., 10.1016/0304-3991(93)90105-7).
    ssb,
};

struct PtychographyOptions {
    std::vector<PtychographyStage> stages = {PtychographyStage{}};
    index modes = 1;
    /// [slice][row][col] of the canvas, as PtychographyResult::object of the same positions and
    /// margin: what the object begins with; empty: object_start. A probe that is given with it is
    /// not scaled to the patterns.
    std::vector<std::complex<float>> object = {};
    ObjectStart object_start = ObjectStart::ones;
    /// [row][col] of a window, or [mode][row][col] of as many modes at most: what the first modes
    /// begin with; empty: from the mean pattern.
    std::vector<std::complex<float>> probe = {};
    /// As PtychographyResult::positions of the same patterns and margin: where positions begin;
    /// empty: where the patterns have them. The canvas is that of the patterns' own positions.
    std::vector<Position> positions = {};
    /// Pixels around the outermost windows, for positions that move.
    index margin = 8;
    bool sub_pixel = true;
    index slices = 1;
    double slice_nm = 0;
    double tilt_row_mrad = 0, tilt_col_mrad = 0;  ///< of the specimen; of slices
    /// From the object to the detector.
    Propagation propagation = Propagation::far;
    double distance_mm = 0;  ///< of the near field; 0: what the patterns say
    /// Of a near field in a cone beam, from the beam's focus to the object; 0: the beam is
    /// parallel. The object is magnified by M = 1 + distance_mm / focus_distance_mm: its pixel is
    /// that of the patterns / M, and the wave spreads over distance_mm / M (Fresnel's scaling).
    double focus_distance_mm = 0;
    /// Pixels of the computed wave that a pixel of the patterns adds up, in each direction: a
    /// window is that many times as wide as the patterns' own, for probes that fill theirs.
    index detector_bin = 1;
    /// Standard deviation of the detector's response, in pixels of the patterns.
    double detector_blur = 0;
    /// Side of the window that waves are computed on; 0: detector_bin times the patterns' side.
    /// What a larger one adds was not measured. In the far field it makes the object's pixels
    /// finer.
    index window = 0;
    std::uint64_t seed = 0;
    /// Stops when R has fallen by less than 0.001 in ten iterations.
    bool stop_early = false;
    /// Where R rises three times in a row, to half more than the best, or values become NaN or
    /// infinite: a stage goes back to its best state with half the steps, and ends there the second
    /// time. Projections and mPIE are left alone: their R swings by nature.
    bool restore_best = true;
    std::uint64_t memory_limit = 0;  ///< 0: what the machine has
    /// A file that always has the newest state, to go on from where work was stopped; empty: none.
    std::string checkpoint = {};
    /// Iterations from one checkpoint to the next; 0: so many that writing takes less than a tenth
    /// of the time.
    index checkpoint_every = 0;
    /// A checkpoint to go on from, with the same bits as without interruption; empty: begin anew.
    /// The iterations of its stage, and the stages after it, may be others.
    std::string resume = {};
    Device device = Device::cpu();  ///< Device::reference(): plain loops in double
    /// Ranks that reconstruct together; null: one. Each gives the same options and positions, and
    /// all counts or its part of them (PatternsOptions::part), and gets the whole result: that of
    /// one rank but for rounding (1e-5), with bits that depend on the number of ranks alone. An
    /// error of one is returned by all.
    Communicator* communicator = nullptr;
    /// Called after every group with the patterns done and all of them, over all iterations.
    Progress progress = {};
    /// Called after every iteration; within one, between groups and five times a second at most.
    std::function<void(PtychographyView const&)> watch = {};
    /// Made for one worker: the steps of the thread that hands out the work.
    Trace* trace = nullptr;
};

/// A setting that a misfit may come from, tried on a part of the patterns.
struct TriedCause {
    std::string name = {};    ///< as in "rotation"
    std::string advice = {};  ///< what to give instead
    double r = 0;             ///< R of patterns that the trial did not see
    /// Row by row, what it multiplies positions (row, col) by.
    std::array<double, 4> turn = {1, 0, 0, 1};
};

/// One thing that a reconstruction is looked at for.
struct Judgement {
    std::string name = {};  ///< as in "scan grid"
    double value = 0;
    double threshold = 0;
    bool found = false;       ///< the value is beyond the threshold
    std::string advice = {};  ///< what was seen, why, and what to do
    /// Of a misfit whose causes were tried: the name of the one that mends it, "still falling" or
    /// "unexplained"; empty: none was tried.
    std::string cause = {};
    double tried_r = 0;                  ///< R of the same trial with the settings as they were
    std::vector<TriedCause> tried = {};  ///< least R first
};

struct PtychographyResult {
    Array<std::complex<float>> object;  ///< [slice][row][col]
    Array<std::complex<float>> probe;  ///< [mode][row][col], zero frequency's wave about its middle
    std::vector<double> mode_powers;   ///< of the whole; their sum is 1
    /// [mode][row][col]: what patterns add to the first mode, as bright as a mean pattern.
    Array<std::complex<float>> opr_modes;
    /// [pattern][1 + opr_modes]: the factor of all modes, and how much of each of opr_modes; empty:
    /// the probe does not vary.
    Array<double> opr_weights;
    /// The windows' first pixels on the object: (row, col).
    std::vector<Position> positions;
    std::vector<Position> started;  ///< the same places as they were at first; empty: not known
    /// What was added to the positions given, after they were multiplied by PtychographyGrid's
    /// position_scale.
    Position shift;
    double pixel_nm = 0;  ///< of the object; 0: not known
    Propagation propagation = Propagation::far;
    /// For each pattern, in its pixels, how far it is shifted; empty: it was not refined.
    std::vector<Position> descan;
    /// [row][col] of a pattern, counts of the background; empty: it was not refined.
    Array<float> background;
    double slice_nm = 0;
    double tilt_row_mrad = 0, tilt_col_mrad = 0;
    Position probe_moved;    ///< the centre of the probe's power since the start, in pixels
    double probe_power = 0;  ///< of all modes, over the counts of the mean pattern; 0: not known
    std::vector<PtychographyRound> rounds;
    std::vector<Likelihood> likelihoods = {};  ///< what each stage minimised; empty: not known
    /// The R that is left where only Poisson's noise is: what counting alone does to patterns like
    /// the modelled ones.
    double floor = 0;
    std::uint64_t memory = 0;  ///< bytes planned
    std::vector<std::string> notes;
    /// What judge() says of it; what it found is in the notes too. Empty: it was not looked at.
    std::vector<Judgement> findings;
};

/// What an object and probe are computed on.
struct PtychographyGrid {
    index window = 0;           ///< side of a probe
    double pixel_nm = 0;        ///< of the object; 0: not known
    double position_scale = 1;  ///< pixels of the object in one of Patterns::positions
};
Result<PtychographyGrid> ptychography_grid(Patterns const& patterns,
                                           PtychographyOptions const& options = {});

/// The options begin where an earlier result ended: with its object (cut or widened to the margin),
/// its positions and its probe. Where there are more modes now, others are added; where there are
/// fewer, the strongest stay and take the others' power. What else was refined begins anew, and
/// notes say so. Margin, modes, slices and window are set before. Fails where the result is of
/// other positions, pixels, windows or slices.
Status start_with(PtychographyResult const& earlier, Patterns const& patterns,
                  PtychographyOptions& options, std::vector<std::string>* notes = nullptr);

/// The same where patterns were added since, as of a scan that is measured: `numbers` has the
/// number that each pattern of the earlier result has now. The object is 1 where only new ones
/// reach.
Status grow_from(PtychographyResult const& earlier, std::span<index const> numbers,
                 Patterns const& patterns, PtychographyOptions& options);

/// Reconstructs. Fails before it begins where there are fewer than 4 patterns, positions lie on one
/// spot or do not overlap, counts are not finite, or memory is too short. Patterns that are moved
/// in are not copied.
Result<PtychographyResult> ptychography(Patterns patterns, PtychographyOptions const& options = {});

/// The phase of a weak object in rad, [row][col] of the canvas that ptychography() has with the
/// same margin: least squares over all patterns, whose interferences of the direct beam with
/// diffracted ones tell it (J. M. Rodenburg, B. C. McCallum and P. D. Nellist,
/// 10.1016/0304-3991(93)90105-7). `probe` is [row][col] of the patterns' grid, as
/// optics::probe_of() makes it; its power does not matter. Wants far fields of a dense scan.
Result<Array<double>> single_side_band(Patterns patterns,
                                       std::vector<std::complex<float>> const& probe,
                                       index margin = 8, Device const& device = Device::cpu());

/// Bytes that ptychography() takes beyond the patterns.
Result<std::uint64_t> ptychography_memory(Patterns const& patterns,
                                          PtychographyOptions const& options = {});

}  // namespace sluice::stem4d
