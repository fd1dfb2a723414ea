// Files of ptychography: patterns out of CXI, ptyd and npz, and results as HDF5.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/provenance.h"
#include "sluice/ptychography_settings.h"

namespace sluice::stem4d {

/// How the frames of such a file become patterns.
struct PatternFileOptions {
    /// Side of the patterns; 0: the probe's, if the file has one, else as in PatternsOptions.
    index size = 0;
    /// Where the direct beam is, in pixels of the detector; empty: what the file says, else the
    /// middle.
    std::optional<Position> center = {};
    /// Of electrons; 0: the file's wavelength, or that of photons of the file's energy.
    double kilovolts = 0;
    double wavelength_nm = 0;       ///< instead of kilovolts, as of X-rays
    double detector_step_mrad = 0;  ///< 0: what the file says
    /// As in PatternsOptions.
    Propagation propagation = Propagation::far;
    double detector_pixel_um = 0;  ///< of near fields; 0: what the file says
    /// What is done to the positions after all that the file says, in this order.
    bool transpose = false, flip_rows = false, flip_cols = false;
    std::uint64_t memory_limit = 0;  ///< bytes; 0: what the machine has
    Progress progress = {};
    Trace* trace = nullptr;  ///< made for one worker

    bool says_wavelength() const { return kilovolts > 0 || wavelength_nm > 0; }
};

/// What such a file holds.
struct PatternFile {
    Patterns patterns;
    /// [mode][row][col] of windows, their middle at [size / 2][size / 2], 64 modes at most; empty:
    /// the file has none that fits.
    std::vector<std::complex<float>> probe = {};
    std::string format = {};  ///< "CXI", "ptyd" or "npz"
};

/// Whether a file is of one of these formats, by what it holds.
bool holds_patterns(std::string const& path);

/// Reads a file:
/// - CXI (cxidb.org), HDF5: entry_1/data_1/data, the detector's distance, pixel sizes, basis
/// vectors
///   and mask, the source's energy in J or wavelength, the sample's translations in m;
/// - ptyd, HDF5: meta/{energy in keV, distance, psize, center}, chunks/N/{data, positions in m,
///   weights or mask}, meta/propagation, which must not be another one than that of the options;
/// - npz: data and scan (in pixels of the object), and if there are: probe, bad, wavelength_nm,
///   pixel_nm.
/// Counts become the smallest type that holds them exactly. The notes say what was assumed of
/// units, axes and signs, and what was set to 0. Fails where the geometry is not known.
Result<PatternFile> read_patterns(std::string const& path, PatternFileOptions const& options = {},
                                  std::vector<std::string>* notes = nullptr);

/// Makes float counts fit for reconstruction, by the one rule of all inputs (read_patterns(),
/// patterns_of(), arrays): NaN and infinite counts were not measured, and take no part; counts
/// below 0, as the noise of detectors that do not count makes them, are measured and become 0.
/// Patterns of which nothing was measured are left out with their positions. Pixels that lack in
/// more than a tenth of the others are marked bad. Patterns that still lack a pixel are left out;
/// if these were more than half, their pixels are bad instead. `notes` receives how many of
/// each. Fails where less than half of the pixels remain, and where ranks share the patterns and
/// any would be left out.
Status keep_measured(Patterns& patterns, std::vector<std::string>* notes = nullptr);

/// Writes all of a result as HDF5: object and probe as complex64, positions, mode_powers, shift,
/// rounds/r and so on, each with a digest below digests/, with the settings and notes in the root's
/// attributes. The names of CXI lead to the same arrays (entry_1/image_1/data is the object), so
/// that the file is one of CXI, too. A `pixel_nm` of 0 stands for that of the result.
Status save_ptychography(std::string const& path, PtychographyResult const& result, double pixel_nm,
                         double wavelength_nm, SettingTexts const& settings = {},
                         Provenance const& provenance = {});
/// The settings of options and of all stages ("stage 1 solver"), for save_ptychography(). With what
/// a result says that its stages minimised, no likelihood is "auto".
SettingTexts all_settings(PtychographyOptions const& options,
                          std::vector<Likelihood> const& likelihoods = {});

/// Fails where arrays of a result do not fit to each other, as it may be with those of a program.
Status check_result(PtychographyResult const& result);

/// What save_ptychography() wrote.
struct SavedPtychography {
    PtychographyResult result;
    double wavelength_nm = 0;  ///< 0: not known
    SettingTexts settings = {};
    Provenance provenance = {};  ///< but notes, which are the result's
};

/// Whether a file is a result or a checkpoint of ptychography, by what it says of itself. It may
/// still be damaged, and checkpoints are not loaded.
bool holds_ptychography(std::string const& path);

/// Reads a result with the bits that were saved; a line break within a note begins another one.
/// Arrays that h5repack has compressed are read, too. Fails where an array is missing, has another
/// digest than when it was written, is of another type, or has a shape that does not fit the
/// others. A file of older versions has no digests, and a note says so. Fails before it takes more
/// memory than `most_bytes`, 0: than the machine has.
Result<SavedPtychography> load_ptychography(std::string const& path, std::uint64_t most_bytes = 0);

}  // namespace sluice::stem4d
