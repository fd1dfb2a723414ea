// Dataset: an opened acquisition: its shape, what is known of it, and the way to its frames.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sluice/dtype.h"
#include "sluice/open_options.h"
#include "sluice/result.h"

namespace sluice {

class FrameSource;
class Feed;

/// Frames first .. first + count - 1.
struct FrameRun {
    index first = 0, count = 0;

    bool operator==(FrameRun const&) const = default;
};

/// One line of metadata, as `info` prints it.
struct MetaField {
    std::string name;   ///< e.g. "high tension"
    std::string value;  ///< e.g. "300"
    std::string unit;   ///< e.g. "kV", or empty
};

/// How the detector lies against the scan, as stem4d::Rotation has it.
struct DetectorTurn {
    double degrees = 0;
    bool transpose = false;

    bool operator==(DetectorTurn const&) const = default;
};

/// An acquisition. Frames are numbered in scan order, row by row: frame = row * scan[1] + column.
struct Dataset {
    std::string path;                     ///< what the user named
    std::string format;                   ///< e.g. "nxmx"
    std::vector<std::string> files = {};  ///< every file that belongs to it
    DType dtype = DType::u16;
    index frames = 0;             ///< frames of the scan, the missing ones included
    index missing = 0;            ///< frames that no file holds whole; see missing_runs
    index rows = 0, cols = 0;     ///< of the detector, in pixels
    std::array<index, 2> scan{};  ///< (rows, columns); scan[0] * scan[1] == frames
    std::string scan_from;        ///< who said so: "user", "STEM Metadata", ...
    /// Where frames are missing, ascending. What was never written is the file's fill value, or 0.
    std::vector<FrameRun> missing_runs = {};
    std::vector<std::uint32_t> pixel_mask = {};    ///< [row][col], NXdetector bits; empty if none
    std::optional<std::uint64_t> saturation = {};  ///< the largest valid count
    bool sentinel = false;                         ///< all-ones marks a pixel without data

    // The calibration that the files state. 0: they do not state it.
    double energy_kv = 0;           ///< of the electrons
    double semiangle_mrad = 0;      ///< of the aperture that forms the probe
    double scan_step_nm = 0;        ///< distance of two scan points, along both axes
    double detector_step_mrad = 0;  ///< angle of one detector pixel
    /// Frequency of one detector pixel, where the files state it instead of the angle: an angle
    /// over the electrons' wavelength.
    double detector_step_per_nm = 0;
    double detector_pixel_um = 0;  ///< side of one detector pixel
    double camera_length_mm = 0;   ///< nominal
    double dwell_s = 0;            ///< time per frame
    std::optional<DetectorTurn> detector_turn = {};

    /// What else the files state, as texts; the numbers above are not repeated here.
    std::vector<MetaField> metadata = {};
    std::vector<std::string> notes = {};     ///< what was assumed, converted or left out
    std::vector<std::string> warnings = {};  ///< those of the notes that may make results wrong
    std::shared_ptr<FrameSource const> source = {};
    /// Of a scan that is being measured: the source as the way to hear what has come
    /// (format/feed.h).
    std::shared_ptr<Feed> feed = {};

    index pixels() const { return rows * cols; }
    std::uint64_t bytes() const {
        return static_cast<std::uint64_t>(frames * pixels() * size_of(dtype));
    }
};

/// The calibration of a dataset as texts, and then its metadata.
std::vector<MetaField> all_fields(Dataset const& dataset);
/// "-30 degrees, transposed".
std::string text_of(DetectorTurn const& turn);

/// Opens a file of any format of the table, or "synthetic:..." (docs/guide/synthetic.md).
Result<Dataset> open(std::string const& path, OpenOptions const& options = {});

/// The members of a folder, of a list, or of one file, opened in order: a 5-D series.
struct Series {
    std::vector<Dataset> members;
    std::vector<std::string> skipped = {};  ///< "name: reason", when skipping was asked for
};
struct SeriesOptions {
    OpenOptions open = {};
    bool skip_bad = false;  ///< leave out members that are incomplete or differ, and report them
};
/// The files of a folder that open_series() would open, in its order; fails when there is none.
Result<std::vector<std::string>> list_members(std::string const& folder,
                                              OpenOptions const& options = {});
Result<Series> open_series(std::vector<std::string> const& paths,
                           SeriesOptions const& options = {});

}  // namespace sluice
