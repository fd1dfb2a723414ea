// stem4d: virtual detectors, centre of mass and diffraction patterns of 4D-STEM scans.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sluice/scan.h"

namespace sluice::stem4d {

/// Coordinates are (row, column), 0-based, of pixel centres; row grows downwards. Lengths are in
/// detector pixels of the scan as loaded (after binning).
struct Point {
    double row = 0, col = 0;
};

/// The bright-field disk.
struct Disk {
    Point center;
    double radius = 0;
};

/// A virtual detector. A pixel belongs to it when its centre is inside or exactly on an edge.
struct Detector {
    enum class Shape : std::uint8_t {
        point,
        disk,
        annulus,
        square,
        rectangle,
        polygon,
        mask,
        weights
    };
    /// What radii are multiples of: pixels, or the radius of the measured bright-field disk.
    enum class Unit : std::uint8_t { pixels, disk_radii };

    std::string name;
    Shape shape = Shape::disk;
    Unit unit = Unit::pixels;
    std::optional<Point> center =
        {};                           ///< of point, disk, annulus, square; empty: the disk's centre
    double inner = 0, outer = 0;      ///< radii; half the side of a square is outer
    Point from = {}, to = {};         ///< opposite corners of a rectangle, both inside
    std::vector<Point> corners = {};  ///< of a polygon, in order
    std::vector<float> pixels = {};   ///< of mask (not 0: inside) and weights: [row][col]
};

/// Reads "bf", "abf", "adf", "haadf", "disk:r=20", "annulus:r=40..90",
/// "disk:r=12,center=80.5:96", "point:row=96,col=95", "square:half=10", "rectangle:rows=10..20,
/// cols=0..191", "polygon:10:10/10:90/60:50", "mask:FILE.npy" and "weights:FILE.npy"; each may
/// begin with "NAME=". bf is 0..R, abf R/2..R, adf R..2R, haadf 2R..4R with R the measured disk's
/// radius.
Result<Detector> parse_detector(std::string const& text);

/// A detector on a grid of pixels: weights[row][col], 1 and 0 except for Shape::weights.
Result<Array<float>> rasterize(Detector const& detector, std::array<index, 2> shape,
                               Disk const& disk);

/// Centre and radius of the brightest disk of a mean pattern [row][col], to a fraction of a pixel.
/// `bad` marks pixels to ignore. Fails where there is no disk to be seen.
Result<Disk> find_disk(Array<double> const& pattern, std::span<std::uint8_t const> bad = {});
/// The same on the mean pattern of up to 4096 frames spread over the scan.
Result<Disk> find_disk(Scan const& scan, Device const& device = Device::cpu());

struct Options {
    Device device = Device::cpu();
    std::optional<Disk> disk = {};  ///< instead of measuring it
    bool mean = false;              ///< divide by the number of valid pixels of the detector
    std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
};

struct VirtualImages {
    std::vector<std::string> names;
    Array<double> values;              ///< [detector][row][col]; sums of counts are exact
    std::vector<double> valid_pixels;  ///< [detector], or the sum of weights
    std::optional<Disk> disk;          ///< where one was needed
    std::vector<std::string> notes;
};

/// One image per detector, all in one pass over the data.
Result<VirtualImages> virtual_image(Scan const& scan, std::span<Detector const> detectors,
                                    Options const& options = {});

struct CenterOfMass {
    Array<double> sum;        ///< [row][col] counts inside the mask
    Array<double> row, col;   ///< [row][col] in pixels; NaN where there are no counts
    Point reference;          ///< what magnitude is measured from: the mean over the scan
    Array<double> magnitude;  ///< [row][col] distance from the reference, in pixels
    std::vector<std::string> notes;
};

/// First moments of the whole detector, or of `mask`.
Result<CenterOfMass> center_of_mass(Scan const& scan, std::optional<Detector> const& mask = {},
                                    Options const& options = {});

enum class Pattern : std::uint8_t { sum, mean, max, variance };
Result<Pattern> parse_pattern(std::string const& name);

struct DiffractionPattern {
    Array<double> values;  ///< [row][col] of the detector
    index frames = 0;      ///< that took part
    std::vector<std::string> notes;
};

/// Over the whole scan, or where take[row][col] is not 0.
Result<DiffractionPattern> diffraction_pattern(Scan const& scan, Pattern kind,
                                               std::span<std::uint8_t const> take = {},
                                               Options const& options = {});

/// One frame of the scan: [row][col] of the detector.
Result<Array<double>> frame(Scan const& scan, index row, index col);

/// All annuli about one centre, ready: an annulus of whole radii is a difference of two images.
class RadialCache {
  public:
    static Result<RadialCache> build(Scan const& scan, Point center, Options const& options = {});

    /// Sum over pixels with inner <= r <= outer, exact: [row][col] of the scan.
    Array<double> annulus(int inner, int outer) const;
    int largest_radius() const { return largest_; }

  private:
    std::array<index, 2> scan_{};
    int largest_ = 0;
    /// [2k]: pixels with r < k, [2k + 1]: with r <= k; each [frame].
    std::vector<std::vector<double>> below_;
};

}  // namespace sluice::stem4d
