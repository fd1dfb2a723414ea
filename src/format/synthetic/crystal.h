// "synthetic:crystal?...": a scan of a strained crystal whose lattice and disks are known.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "config/words.h"
#include "format/synthetic/options.h"

namespace sluice::synthetic {

/// How the strain goes over the scan: the same everywhere; from -1/2 in the first column to 1/2 in
/// the last; or 0 in the left half and 1 in the right one. This factor multiplies `strain`.
enum class StrainField : std::uint8_t { uniform, gradient, step };
constexpr auto words(StrainField) {
    return std::to_array<config::Word<StrainField>>({{"uniform", StrainField::uniform},
                                                     {"gradient", StrainField::gradient},
                                                     {"step", StrainField::step}});
}

/// Two numbers along (row, column).
using Vector = std::array<double, 2>;

struct CrystalOptions {
    /// Of these: scan, detector, dtype, dose, disk_radius, wobble, seed, masked, sentinel.
    SyntheticOptions common = {
        .scan = {32, 32}, .detector = {128, 128}, .dose = 20000, .disk_radius = 6};
    Vector g1{20, 3}, g2{-4, 19};  ///< the unstrained reciprocal lattice, in pixels
    StrainField field = StrainField::gradient;
    /// e_row_row, e_col_col, e_row_col, and the rotation in degrees from row to column, where the
    /// factor is 1: the lattice of atoms is deformed by F = R (1 + e).
    std::array<double, 4> strain{0.01, -0.005, 0.004, 0.5};
    index grains = 1;              ///< crystals; each but the first is turned
    double grain_turn = 20;        ///< at most so far, in degrees
    double edge = 0.8;             ///< pixels in which a disk falls from 88 to 12 %
    double decades = 2;            ///< the disks' intensities are spread over so many
    double direct = 3;             ///< the direct beam, of the strongest possible disk
    double background = 0.3;       ///< share of the electrons
    double background_width = 20;  ///< pixels; its shape is (1 + (r / width)^2)^(-3/2)
    double stop = 0;  ///< pixels: a beam stop of this radius, and its bar to the last row

    double radius() const { return common.radius(); }
};

Status validate(CrystalOptions const& options);
Result<CrystalOptions> parse_crystal(std::string_view path);

/// What is true of a pattern. Positions are in pixels, whose centres are at whole numbers.
struct CrystalTruth {
    Vector origin{};    ///< of the direct beam
    Vector g1{}, g2{};  ///< R(grain) F^-T of the unstrained ones
    double factor = 0;  ///< of `strain` here
    index grain = 0;
    double grain_degrees = 0;
};
CrystalTruth crystal_truth(CrystalOptions const& options, index row, index column);

struct CrystalDisk {
    int h = 0, k = 0;
    double row = 0, col = 0;
    double height = 0;  ///< in electrons per pixel
};
/// All whose centres are on the detector, the brightest first.
std::vector<CrystalDisk> crystal_disks(CrystalOptions const& options, index row, index column);

}  // namespace sluice::synthetic
