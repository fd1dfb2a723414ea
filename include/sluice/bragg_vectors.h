// BraggVectors: the disks of every pattern of a scan, of different number in each, in columns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "sluice/provenance.h"
#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::stem4d {

/// Why a pattern has no disks, or fewer than were looked for.
enum class DiskReason : std::uint8_t {
    found,          ///< it has disks
    not_measured,   ///< no file holds its frame
    no_counts,      ///< its frame has no counts
    no_candidate,   ///< no maximum of the correlation is above the noise
    hot_pixels,     ///< every candidate was a hot pixel
    below_score,    ///< every candidate's score was below the least
    not_converged,  ///< no fit ended near its candidate
    off_detector    ///< every candidate's disk lies for more than half off the measured pixels
};
/// How many of them there are.
inline constexpr std::size_t disk_reasons = 8;
/// As in "below the least score".
std::string_view name_of(DiskReason reason);

/// Positions are in pixels of the full detector, as everywhere; nothing is calibrated.
struct BraggVectors {
    std::array<index, 2> scan_shape{}, detector_shape{};
    /// [pattern + 1] where the disks of a pattern begin; patterns are [row][col] of the scan.
    std::vector<index> first;
    std::vector<DiskReason> reason;  ///< [pattern]
    /// [disk] each, brightest first within a pattern.
    std::vector<float> row, col;
    std::vector<float> intensity;   ///< height of the template, in counts per pixel
    std::vector<float> background;  ///< beneath the disk's centre, in counts per pixel
    /// Covariance of the position, in square pixels; NaN where a file says none.
    std::vector<float> var_row, var_col, cov_row_col;
    std::vector<float> intensity_error;  ///< one standard deviation
    /// Twice the gain in log-likelihood over no disk; NaN where a file says none.
    std::vector<float> score;

    index patterns() const { return scan_shape[0] * scan_shape[1]; }
    index size() const { return static_cast<index>(row.size()); }
    index count(index pattern) const {
        auto const p = static_cast<std::size_t>(pattern);
        return first[p + 1] - first[p];
    }
};

/// Whether columns and offsets agree: what functions check that take vectors from a caller.
Status check_vectors(BraggVectors const& vectors);

/// All disks of all patterns on one detector: bilinear histogram of `intensity` (or of 1 each),
/// `sampling` bins a pixel. [row][col] of shape detector_shape * sampling; a bin of index b has its
/// centre at the pixel (b + 0.5) / sampling - 0.5. What falls off the detector is lost.
Result<Array<double>> vector_map(BraggVectors const& vectors, int sampling = 1,
                                 bool weighted = true);

/// Files: ".npy" (records, of which numpy.load() makes a structured array), ".csv" (a line for each
/// disk, without reasons), ".h5", ".hdf5" or ".emd" (EMD 1.0: py4DSTEM's BraggVectors; only these
/// have room for the provenance). The whole file appears or none of it.
Status save_vectors(std::string const& path, BraggVectors const& vectors,
                    Provenance const& provenance = {});
/// What went into a file.
struct WrittenVectors {
    std::array<index, 2> scan_shape{}, detector_shape{};
    index disks = 0;
    std::array<index, disk_reasons> reasons{};  ///< how many patterns have each

    index patterns() const { return scan_shape[0] * scan_shape[1]; }
};
/// save_vectors() of vectors that come in runs and are never all in memory: the same bytes. They
/// wait in a file without a name beside `path`, where there is room for twice the vectors; finish()
/// writes `path`, whole or not at all. Memory: 9 bytes a pattern and some megabytes.
class VectorWriter {
  public:
    /// Errors: those of save_vectors() that are known before the disks are.
    static Result<VectorWriter> create(std::string const& path, std::array<index, 2> scan_shape,
                                       std::array<index, 2> detector_shape,
                                       Provenance const& provenance = {});
    VectorWriter(VectorWriter&&) noexcept;
    VectorWriter& operator=(VectorWriter&&) noexcept;
    ~VectorWriter();

    /// The disks of the next patterns, row by row of the scan. Of their `scan_shape` the number of
    /// patterns counts. Errors: more patterns than the scan has, another detector, a full disk.
    Status add(BraggVectors const& next);
    /// Errors: patterns are missing; those of save_vectors().
    Result<WrittenVectors> finish() &&;

  private:
    struct State;
    explicit VectorWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// Reads EMD files of ours and of py4DSTEM, and ".npy" of ours. `node` is the path of a
/// BraggVectors in an EMD file; empty: the only one. Of py4DSTEM's files the columns that they lack
/// are NaN, disks are put in order, and patterns without disks are `no_candidate`; its numbers
/// become float32.
Result<BraggVectors> load_vectors(std::string const& path, std::string const& node = {});

/// What a file of vectors holds. Of EMD files no disk is read.
struct VectorsInfo {
    std::array<index, 2> scan_shape{}, detector_shape{};
    index disks = 0, empty_patterns = 0;
    bool errors = false;  ///< it has columns of variances and scores, and reasons
};
Result<VectorsInfo> inspect_vectors(std::string const& path, std::string const& node = {});

}  // namespace sluice::stem4d
