// Frames of a file of patterns, and what its format says of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include "format/stored_type.h"
#include "sluice/ptychography_file.h"

namespace sluice::ptycho {

/// Frames as floats, some at a time.
class FramesIn {
  public:
    virtual ~FramesIn() = default;
    index count = 0;
    std::array<index, 2> detector = {};  ///< rows and columns
    double rounded = 0;                  ///< values that a float does not have
    /// Frames first, first + 1, ... as [frame][row][col].
    virtual Status read(index first, index frames, std::span<float> out) = 0;

    index pixels() const { return detector[0] * detector[1]; }

  protected:
    /// Stored values as floats; counts those that were rounded.
    void convert(StoredType stored, Bytes values, std::span<float> out);

  private:
    std::vector<std::byte> converted_;
};

/// What a reader of one format finds.
struct FoundPatterns {
    std::string format;
    std::unique_ptr<FramesIn> frames;
    std::vector<std::uint8_t> bad = {};  ///< [row][col] of the detector; empty: none
    stem4d::Position center = {};        ///< of the direct beam
    bool corners = false;                ///< zero frequency is at [0][0]
    double wavelength_nm = 0;            ///< 0: not known
    double detector_rad = 0;             ///< angle of a pixel; 0: not known
    double detector_nm = 0;              ///< a pixel's side; 0: not known
    double distance_mm = 0;              ///< from object to detector; 0: not known
    double pixel_nm = 0;  ///< of the object, for windows as large as the detector; 0: not known
    std::vector<stem4d::Position> positions = {};
    bool metres = true;  ///< the positions' unit; else pixels of the object
    std::vector<std::complex<float>> probe = {};
    index probe_side = 0;
    std::vector<std::string> notes = {};
};

using PatternReader = Result<FoundPatterns>(std::string const& path,
                                            stem4d::PatternFileOptions const& options);
PatternReader read_cxi, read_ptyd, read_npz;

/// Common to two formats: the first two axes are rows and columns, in this order.
Error wrong_file(std::string const& path, Code code, std::string message);

/// Counts below 0, which become 0.
struct Negative {
    std::uint64_t count = 0;
    double sum = 0, all = 0;  ///< what they are below 0, and all counts above

    void add(float v) { ++count, sum -= static_cast<double>(v); }
};
std::string note_of_negative(Negative const& n);

/// As stem4d::keep_measured(); returns how many counts were not measured.
Result<std::uint64_t> leave_out_unmeasured(stem4d::Patterns& patterns,
                                           std::vector<std::string>* notes);

/// Counts of the smallest type that holds all of them exactly, [pattern][row][col]; `from` as
/// pixels_from() makes it. Counts below 0 become 0. If any is NaN or infinite, all are floats, for
/// keep_measured().
Status gather_counts(FoundPatterns& found, std::vector<index> const& from,
                     stem4d::PatternFileOptions const& options, std::string const& path,
                     stem4d::Patterns& patterns);

}  // namespace sluice::ptycho
