// SyntheticOptions: what a simulated acquisition looks like, and how it is written in a path.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "config/field.h"
#include "sluice/dataset.h"

namespace sluice {

struct SyntheticOptions {
    std::array<index, 2> scan{64, 64};      ///< (rows, columns)
    std::array<index, 2> detector{96, 96};  ///< (rows, columns)
    DType dtype = DType::u16;               ///< u8, u16 or u32; counts stop at its largest - 1
    double dose = 2000;             ///< mean electrons per frame; all of them land on the detector
    double disk_radius = 0;         ///< of the direct beam, in pixels; 0: 0.104 of the smaller side
    double bragg = 0.25;            ///< share of the electrons in Bragg disks
    double diffuse = 0.175;         ///< share of the electrons in the diffuse and flat background
    double wobble = 1.5;            ///< descan error: how far the pattern wanders, in pixels
    double lattice = 12;            ///< lattice period in scan points; 0: an empty, even specimen
    std::array<double, 2> drift{};  ///< how far the specimen has moved, in scan points
    std::uint64_t seed = 1;
    std::optional<std::uint64_t> mask_seed = {};  ///< of the bad pixels; none: `seed`
    index masked = 4;                             ///< bad pixels, set in the pixel mask
    bool sentinel = true;                         ///< bad pixels hold all-ones; false: they hold 0

    index frames() const { return scan[0] * scan[1]; }
    index pixels() const { return detector[0] * detector[1]; }
    /// The largest count a pixel can hold.
    std::uint32_t saturation() const;
    double radius() const;  ///< disk_radius, or its default, in pixels
};

namespace synthetic {

/// Says what is wrong with the options, if anything is.
Status validate(SyntheticOptions const& options);

/// "256x192" as (rows, columns), and back.
Status read_shape(config::Shown const& shown, std::string_view text, std::array<index, 2>& out);
std::string shape_text(std::array<index, 2> const& shape);

/// What paths and `sluice synth` give. A drift is that of a series, and so is the mask's seed.
config::Fields<SyntheticOptions> fields();

/// Reads "synthetic:stem4d?scan=64x64&dose=2000"; an unknown key is an error that lists the keys.
Result<SyntheticOptions> parse_path(std::string_view path);

}  // namespace synthetic
}  // namespace sluice
