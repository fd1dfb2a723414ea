// stem4d: virtual detectors, centre of mass and diffraction patterns of 4D-STEM scans.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sluice/scan.h"
#include "sluice/scan_map.h"
#include "sluice/stem4d_references.h"

namespace sluice::stem4d {

/// Coordinates are (row, column), 0-based, of pixel centres; row grows downwards. Whatever takes a
/// Scan takes and gives coordinates and lengths in pixels of its full, unbinned detector, however
/// the scan was cut and binned when it was loaded; arrays [row][col] alone have indices of their
/// own, and PixelGrid says where they lie.
struct Point {
    double row = 0, col = 0;
};

/// The bright-field disk.
struct Disk {
    Point center;
    double radius = 0;
    /// Of a measured one: the part of its edge that is seen and is its own, 0 to 1. Empty: given.
    std::optional<double> quality = {};
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
    /// What radii are multiples of: pixels, the radius of the measured bright-field disk, or mrad.
    /// A rectangle in mrad lies about the disk's centre.
    enum class Unit : std::uint8_t { pixels, disk_radii, mrad };

    std::string name;
    Shape shape = Shape::disk;
    Unit unit = Unit::pixels;
    std::optional<Point> center =
        {};                       ///< of point, disk, annulus, square; empty: the disk's centre
    double inner = 0, outer = 0;  ///< radii; half the side of a square is outer
    /// Opposite corners of a rectangle, both inside; of mask and weights `from` is (rows, cols).
    Point from = {}, to = {};
    std::vector<Point> corners = {};  ///< of a polygon, in order
    std::vector<float> pixels = {};   ///< of mask (not 0: inside) and weights: [row][col]
};

/// Where the pixels of an array lie on the detector: pixel (i, j) is a square of bin x bin detector
/// pixels about origin + bin * (i, j).
struct PixelGrid {
    Point origin = {};
    double bin = 1;

    Point to_detector(Point p) const {
        return {origin.row + bin * p.row, origin.col + bin * p.col};
    }
    Point to_array(Point p) const {
        return {(p.row - origin.row) / bin, (p.col - origin.col) / bin};
    }
};
PixelGrid pixel_grid(Scan const& scan);

/// Units of a pixel's value in one frame, and of a sum of such values over pixels: "counts", but a
/// bin that is a mean holds counts per pixel.
std::string pixel_unit(Scan const& scan);
std::string sum_unit(Scan const& scan);

/// The same place in the other coordinates. Masks and weights, which are arrays, stay as they are.
Detector to_detector(Detector detector, PixelGrid const& grid);
Detector to_array(Detector detector, PixelGrid const& grid);
Disk to_detector(Disk disk, PixelGrid const& grid);
Disk to_array(Disk disk, PixelGrid const& grid);

/// Reads "bf", "abf", "adf", "haadf", "adf:60..200mrad", "disk:r=20", "annulus:r=40..90",
/// "disk:r=12,center=80.5:96", "point:row=96,col=95", "square:half=10", "rectangle:rows=10..20,
/// cols=0..191", "polygon:10:10/10:90/60:50", "mask:FILE.npy" and "weights:FILE.npy"; each may
/// begin with "NAME=". bf is 0..R, abf R/2..R, adf R..2R, haadf 2R..4R with R the measured disk's
/// radius, unless radii follow. Radii, halves and a rectangle's rows and columns may end with
/// "mrad"; they are pixels else.
Result<Detector> parse_detector(std::string const& text);

/// Whether the detector's place or size depends on the measured disk.
bool needs_disk(Detector const& detector);
/// The detector with its radii, and the corners of a rectangle, in pixels of the full detector.
/// Fails where they are in mrad and the scan does not know the angle of a pixel.
Result<Detector> in_pixels(Detector detector, Scan const& scan, Disk const& disk);

/// A detector on a grid of pixels, in the grid's own coordinates: weights[row][col], 1 and 0 except
/// for Shape::weights. Fails where it covers no pixel, and where it is in mrad.
Result<Array<float>> rasterize(Detector const& detector, std::array<index, 2> shape,
                               Disk const& disk);
/// A detector on the pixels of a scan as loaded. A mask or weights may have the shape of the full
/// detector too: they are cut, and binned to the majority and to the mean, which `notes` tells.
Result<Array<float>> rasterize(Scan const& scan, Detector const& detector, Disk const& disk,
                               std::vector<std::string>* notes = nullptr);

/// Centre and radius of the direct beam's disk in a mean pattern [row][col], to a fraction of a
/// pixel and in the pattern's own coordinates: the round edge about which the pattern is symmetric.
/// `bad` marks pixels to ignore. Fails where none can be told.
Result<Disk> find_disk(Array<double> const& pattern, std::span<std::uint8_t const> bad = {});
/// The same for a scan, on the mean pattern of every disk_sample_step()-th scan point of both
/// directions, rounded to thousandths of a detector pixel: one disk for all who measure a scan.
Result<Disk> find_disk(Scan const& scan, Device const& device = Device::cpu());
/// The same on all points of a scan that was loaded with that step.
Result<Disk> find_disk_of_sample(Scan const& sample, Device const& device = Device::cpu());
/// 1 for scans of up to 4096 points.
index disk_sample_step(std::array<index, 2> scan_shape);
/// A sentence about a disk, for notes and reports.
std::string describe(Disk const& disk);

struct Options {
    Device device = Device::cpu();
    std::optional<Disk> disk = {};  ///< instead of measuring it
    /// Divide by valid_pixels: of weights, those that are not 0.
    bool mean = false;
    Progress progress = {};
    Trace* trace = nullptr;  ///< made for at least the device's threads
    /// The values are corrected by. Images, centres of mass and patterns take them; what does not
    /// is refused.
    References references = {};
};

struct VirtualImages {
    std::vector<std::string> names;
    Array<double> values;  ///< [detector][row][col]; sums of counts are exact
    /// [detector] pixels of the full detector inside that hold counts; where bins are means, bins.
    std::vector<double> valid_pixels;
    std::optional<Disk> disk;  ///< where one was needed
    std::vector<std::string> notes;
    bool corrected = false;  ///< by references: the values are no whole counts
};

/// One image per detector, all in one pass over the data.
Result<VirtualImages> virtual_image(Scan const& scan, std::span<Detector const> detectors,
                                    Options const& options = {});

struct CenterOfMass {
    ScanMap sum;                    ///< counts inside the mask
    ScanMap row, col;               ///< on the detector, in its pixels
    Point reference;                ///< what magnitude is measured from: the mean over the scan
    ScanMap magnitude;              ///< distance from the reference, in detector pixels
    std::optional<Disk> disk = {};  ///< where the mask needed one
    std::vector<std::string> notes;

    /// In the order of files.
    std::array<ScanMap const*, 4> maps() const { return {&row, &col, &magnitude, &sum}; }
};

/// First moments of the whole detector, or of `mask`.
Result<CenterOfMass> center_of_mass(Scan const& scan, std::optional<Detector> const& mask = {},
                                    Options const& options = {});

/// How the detector lies against the scan: the components (row, col) of a vector on the detector
/// are exchanged where `transpose` says so, and then turned from the row axis towards the column
/// axis, which is counter-clockwise on the screen.
struct Rotation {
    double degrees = 0;
    bool transpose = false;
    double curl_over_divergence = 0;  ///< rms over rms after the turn: 0 is perfect, noise has 1
    /// Of a rotation that was found: one standard error of the angle, from how parts of the scan
    /// differ. Empty: it was given, or the scan is too small to tell.
    std::optional<double> error_degrees = {};
    /// Probability that noise without any rotation makes as much of a difference between angles.
    double by_chance = 0;
    bool angle_known = true;      ///< else no angle is better than the others by more than noise
    bool transpose_known = true;  ///< else the field fits as well with its components exchanged
    bool sign_known = true;       ///< else the opposite angle, 180 degrees on, is as likely

    bool determined() const { return angle_known && transpose_known; }
};

/// A vector at every scan position, each [row][col].
struct VectorField {
    Array<double> row, col;
};

/// The rotation, within (-180, 180] degrees, that leaves the least curl in a field [row][col] of
/// centres of mass. Of the two opposite answers it is the one whose divergence has its sharp
/// extremes below zero, because atoms attract the beam; a field without such extremes decides
/// nothing about the sign. A field linear in the position, as descan makes it, does not count. What
/// the field does not determine is said in the result, which is then only the least bad.
Result<Rotation> find_rotation(Array<double> const& row, Array<double> const& col);

/// A field [row][col] less its mean, turned onto the axes of the scan; NaN stays NaN.
Result<VectorField> rotate(Array<double> const& row, Array<double> const& col,
                           Rotation const& rotation);

/// d row / d row + d col / d col, [row][col] in pixels per scan step: negative at atoms. Central
/// differences, one-sided at the edges; NaN beside a position that is NaN.
Result<Array<double>> divergence(Array<double> const& row, Array<double> const& col);
/// d col / d row - d row / d col, likewise: what no phase can explain.
Result<Array<double>> curl(Array<double> const& row, Array<double> const& col);

/// The integrated centre of mass, [row][col] in pixels times scan steps with mean 0, bright at
/// atoms: its gradient is the field less its mean (NaN counts as the mean), in the sense of least
/// squares. Exact for a field that repeats at the edges (`periodic`); else nothing is assumed
/// beyond them. The mean of the field, which is a ramp of the phase, cannot be told from a beam
/// that is not where it is thought to be, and is left out. Rows at both ends of which less than
/// half is known, as of a scan that is still measured, are not integrated: they are NaN.
Result<Array<double>> icom(Array<double> const& row, Array<double> const& col,
                           bool periodic = false);

/// A field [row][col] less the plane that fits it best, component by component (least squares over
/// what is known): the descan that is linear in the scan position, and the mean.
Result<VectorField> remove_descan(Array<double> const& row, Array<double> const& col);

/// What is subtracted from a field before anything is made of it.
enum class Descan : std::uint8_t {
    mean,   ///< its mean over the scan
    plane,  ///< the plane of remove_descan()
};

struct PhaseOptions {
    std::optional<Rotation> rotation = {};  ///< instead of finding it
    bool periodic = false;                  ///< the scan repeats at its edges
    Descan descan = Descan::mean;
};

/// What a field of centres of mass says of the phase; all maps are on the axes of the scan.
struct PhaseContrast {
    Rotation rotation;   ///< its curl_over_divergence is measured, or NaN under 3x3
    ScanMap row, col;    ///< the turned field less its mean or plane, in pixels
    ScanMap magnitude;   ///< of the field, in pixels
    ScanMap divergence;  ///< in pixels per scan step
    ScanMap curl;        ///< in pixels per scan step
    ScanMap icom;        ///< in pixels times scan steps; NaN in end rows that are not there
    std::vector<std::string> notes;

    /// All but the magnitude, in the order of files.
    std::array<ScanMap const*, 5> maps() const { return {&row, &col, &divergence, &curl, &icom}; }
};
Result<PhaseContrast> phase_contrast(CenterOfMass const& com, PhaseOptions const& options = {});

enum class Pattern : std::uint8_t { sum, mean, max, variance };
Result<Pattern> parse_pattern(std::string const& name);

struct DiffractionPattern {
    Array<double> values;  ///< [row][col] of the detector
    index frames = 0;      ///< that took part
    std::vector<std::string> notes;
    bool corrected = false;  ///< by references: the values are no whole counts
};

/// Over the whole scan, or where take[row][col] is not 0.
Result<DiffractionPattern> diffraction_pattern(Scan const& scan, Pattern kind,
                                               std::span<std::uint8_t const> take = {},
                                               Options const& options = {});

/// What products() finds in one pass over the data.
struct Wanted {
    std::span<Detector const> detectors = {};  ///< a virtual image of each
    bool center_of_mass = false;
    std::optional<Detector> within = {};  ///< the mask of the centre of mass
    std::span<Pattern const> patterns = {};
    std::span<std::uint8_t const> take = {};  ///< the patterns' points, as diffraction_pattern()
};

/// Each as its own function gives it, bit by bit; empty where it was not asked for.
struct Products {
    VirtualImages images;
    CenterOfMass center_of_mass;
    std::vector<DiffractionPattern> patterns;
};

/// Several products of a scan. A scan that is streamed is read and decoded once for all of them.
Result<Products> products(Scan const& scan, Wanted const& wanted, Options const& options = {});

/// One frame of the scan: [row][col] of the detector.
Result<Array<double>> frame(Scan const& scan, index row, index col);

/// All annuli about one centre, ready: an annulus of whole radii is a difference of two images.
/// Centre and radii are in pixels of the full detector, as everywhere.
class RadialCache {
  public:
    static Result<RadialCache> build(Scan const& scan, Point center, Options const& options = {});

    /// Sum over pixels with inner <= r <= outer, exact: [row][col] of the scan. NaN where none of
    /// them was measured, as in virtual_image().
    Array<double> annulus(int inner, int outer) const;
    int largest_radius() const { return largest_; }

  private:
    std::array<index, 2> scan_{};
    int largest_ = 0;
    /// [2k]: pixels with r < k, [2k + 1]: with r <= k; each [frame].
    std::vector<std::vector<double>> below_;
    /// The same of rings: how many were measured and how many were not; empty: all were.
    std::vector<std::vector<std::array<std::uint16_t, 2>>> rings_;
};

}  // namespace sluice::stem4d
