// LoadOptions: what of an acquisition is read, and what is done to it on the way.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sluice/dataset.h"
#include "sluice/device.h"
#include "sluice/progress.h"
#include "sluice/trace.h"

namespace sluice {

/// A rectangle, in scan points or in detector pixels.
struct Region {
    index row = 0, col = 0, rows = 0, cols = 0;
};

enum class BinMode : std::uint8_t {
    sum,   ///< exact integer sums of the valid pixels (floats: float32)
    mean,  ///< float32, divided by the number of valid pixels, so that masked ones cost no
           ///< intensity
};
enum class BinEdge : std::uint8_t {
    floor,    ///< pixels that do not fill a bin at the far edges are left out
    partial,  ///< the last bins are smaller
};
enum class Layout : std::uint8_t {
    automatic,  ///< by the content: planes where they take less memory
    planes,     ///< lossless bit planes, integers only
    dense,      ///< plain values
    lines,      ///< bit planes that are turned, so that frames are the bits: masks are counted
                ///< several times as fast, what looks at single frames is slower; only in memory
};
enum class Residency : std::uint8_t {
    automatic,  ///< in memory if it fits
    memory,     ///< in memory, or an error that says what would fit
    stream,     ///< never: every analysis reads the files again
};

/// Sums beside the bit planes of a scan in memory, from which some answers come at once. Answers
/// are the same without them, bit by bit.
enum class Tables : std::uint8_t {
    automatic,  ///< moments of each frame when it is loaded, the others when they are asked for
                ///< twice
    all,        ///< and patterns of parts of the scan when it is loaded
    none,
};

/// Done in this order: mask, detector region, detector binning, scan region, scan binning or
/// scan step.
struct LoadOptions {
    std::optional<Region> scan_region = {};
    std::optional<Region> detector_region = {};
    index det_bin = 1;   ///< 0: the smallest of 1, 2, 4, 8 that fits into memory
    index scan_bin = 1;  ///< squares of scan points; incomplete ones at the edges are left out
    /// Every how many-th scan point of the region is read, in both directions, from its first one
    /// on: an overview of a large scan at 1 / scan_step^2 of the cost. Not together with scan_bin.
    index scan_step = 1;
    BinMode bin_mode = BinMode::sum;
    BinEdge bin_edge = BinEdge::floor;
    bool pixel_mask = true;  ///< use the file's mask: pixels with any of bits 0-15 set
    /// Keep what the files hold, to look at it: masked pixels, marks for no data, and floats that
    /// are not finite. The masks are not used then.
    bool as_stored = false;
    Array<std::uint8_t> user_mask = {};  ///< [row][col], not 0: leave this pixel out as well
    /// Angle of a detector pixel as loaded, bins included, instead of what the dataset states; 0:
    /// as it states.
    double detector_step_mrad = 0;
    bool hot_pixels = false;  ///< look for single pixels that outshine all their neighbours
    Layout layout = Layout::automatic;
    Residency residency = Residency::automatic;
    Tables tables = Tables::automatic;
    /// Made by stem4d::tables(): a scan that is streamed takes answers from it. Empty: the one that
    /// lies beside the scan, if any.
    std::string tables_file = {};
    /// All that is asked of the scan takes one pass: where a file of tables is its own, it is not
    /// loaded, unless residency asks for memory.
    bool single_pass = false;
    /// Many images will be asked of the scan: with Layout::automatic, planes of a scan in memory
    /// are turned by frames (lines) where it has enough of them.
    bool many_images = false;
    std::uint64_t memory = 0;  ///< bytes this may take; 0: 60 % of what is available now
    index share = 1;           ///< how many scans like this one share that memory (a series)
    Device device = Device::cpu();
    /// Called now and then by one thread at a time with work done and in all, in bytes of the
    /// files. Returning false cancels: after the units of 16 frames that are being made.
    Progress progress = {};
    Trace* trace = nullptr;  ///< made for at least the device's threads; must outlive the scan
};

}  // namespace sluice
