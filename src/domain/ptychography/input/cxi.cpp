// CXI files (F. Maia, 10.1038/nmeth.2110; cxidb.org): patterns and translations in m.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "domain/ptychography/input/hdf5_frames.h"
#include "sluice/optics.h"

namespace sluice::ptycho {

namespace {

using hdf5::object::Object;
using stem4d::Position;

constexpr char const* detector_path = "entry_1/instrument_1/detector_1/";

Result<std::string> frames_path(Object const& root) {
    for (std::string const& name :
         {std::string("entry_1/data_1/data"), std::string(detector_path) + "data"}) {
        SLUICE_TRY(auto const found, root.find(name));
        if (found && found->is_dataset()) return name;
    }
    return wrong_file(
        root.file(), Code::unsupported,
        "has no entry_1/data_1/data (CXI keeps patterns there) add a link to the patterns");
}

// The file says the wavelength itself, or the photons' energy in J.
Status find_wavelength(Object const& root, FoundPatterns& found) {
    SLUICE_TRY(auto const metres,
               first_number(root, {"entry_1/instrument_1/source_1/wavelength",
                                   "entry_1/instrument_1/beam_1/incident_wavelength",
                                   "entry_1/instrument_1/source_1/incident_wavelength"}));
    if (metres && *metres > 0 && *metres < 1e-3) {
        found.wavelength_nm = *metres * 1e9;
        return {};
    }
    SLUICE_TRY(auto const joules, first_number(root, {"entry_1/instrument_1/source_1/energy",
                                                      "entry_1/instrument_1/beam_1/energy"}));
    if (!joules) return {};
    if (!(*joules > 1e-20 && *joules < 1e-12))
        return wrong_file(root.file(), Code::corrupt,
                          fmt::format("states an energy of {:g} J (photons that diffract have "
                                      "1e-20 to 1e-12: is it in eV?) correct the file, or give the "
                                      "electrons' kV",
                                      *joules));
    found.wavelength_nm = optics::photon_wavelength_nm(*joules / 1.602176634e-16);
    found.notes.push_back(fmt::format("the wavelength is that of photons of {:.4g} keV: {:.5g} nm",
                                      *joules / 1.602176634e-16, found.wavelength_nm));
    return {};
}

Status find_angle(Object const& root, FoundPatterns& found) {
    std::string const d = detector_path;
    SLUICE_TRY(auto const distance, first_number(root, {d + "distance"}));
    SLUICE_TRY(auto const x, first_number(root, {d + "x_pixel_size"}));
    SLUICE_TRY(auto const y, first_number(root, {d + "y_pixel_size"}));
    if (distance && *distance > 0) found.distance_mm = *distance * 1e3;
    if (!x && !y) return {};
    double const width = x.value_or(y.value_or(0)), height = y.value_or(width);
    if (!(width > 0) || std::abs(width - height) > 1e-3 * width)
        return wrong_file(root.file(), Code::unsupported,
                          fmt::format("has detector pixels of {:g} by {:g} m (only square ones are "
                                      "read); bin or interpolate them",
                                      height, width));
    found.detector_nm = width * 1e9;
    if (found.distance_mm > 0) found.detector_rad = 1e3 * width / found.distance_mm;
    return {};
}

// Unit vectors of the detector's rows and columns in the laboratory (x, y, z).
using Axes = std::array<std::array<double, 3>, 2>;

// [2][3] as the definition has it, or its transpose; of one for each frame, the first if all are
// alike. Empty: it has another shape, or no directions.
std::optional<Axes> axes_of(SmallArray const& basis) {
    using Shape = std::vector<std::uint64_t>;
    auto const& shape = basis.shape;
    bool const each = shape.size() == 3 && shape[0] > 0 && shape[1] == 2 && shape[2] == 3;
    bool const turned = shape == Shape{3, 2};
    if (!each && !turned && shape != Shape{2, 3}) return {};
    Axes axes;
    for (std::size_t a = 0; a < 2; ++a) {
        for (std::size_t i = 0; i < 3; ++i)
            axes[a][i] = basis.values[turned ? 2 * i + a : 3 * a + i];
        double const length = std::hypot(axes[a][0], axes[a][1], axes[a][2]);
        if (!(length > 0 && std::isfinite(length))) return {};
        for (std::size_t at = 3 * a; each && at < basis.values.size(); at += 6)
            for (std::size_t i = 0; i < 3; ++i)
                if (!(std::abs(basis.values[at + i] - axes[a][i]) <= 1e-3 * length)) return {};
        for (double& v : axes[a]) v /= length;
    }
    return axes;
}

Result<Axes> detector_axes(Object const& root, FoundPatterns& found) {
    SLUICE_TRY(auto const basis, small_array(root, std::string(detector_path) + "basis_vectors"));
    auto const axes = basis ? axes_of(*basis) : std::nullopt;
    found.notes.push_back(
        axes
            ? "the detector's rows and columns lie as the file's basis vectors say"
            : fmt::format("the detector's rows are taken to go down and its columns as seen from "
                          "the source (the file has {})",
                          basis ? "basis vectors that are not two directions [2][3], or that change"
                                : "no basis vectors"));
    // CXI's y goes up and its x, seen along the beam, to the left.
    return axes.value_or(Axes{{{0, -1, 0}, {-1, 0, 0}}});
}

Status find_positions(Object const& root, FoundPatterns& found) {
    std::optional<SmallArray> moved;
    for (char const* const name :
         {"entry_1/sample_1/geometry_1/translation", "entry_1/data_1/translation",
          "entry_1/instrument_1/detector_1/translation"}) {
        if (moved) break;
        SLUICE_TRY(moved, small_array(root, name));
    }
    if (!moved || moved->shape.size() != 2 || moved->shape[1] < 2 || moved->shape[1] > 3)
        return wrong_file(root.file(), Code::unsupported,
                          "has no translations [pattern][x, y, z] of the sample");
    SLUICE_TRY(Axes const axes, detector_axes(root, found));
    std::size_t const wide = moved->shape[1];
    for (std::size_t j = 0; j < moved->shape[0]; ++j) {
        double along[2] = {0, 0};
        // Where the sample moves to, the probe comes from.
        for (std::size_t a = 0; a < 2; ++a)
            for (std::size_t i = 0; i < wide; ++i)
                along[a] -= axes[a][i] * moved->values[j * wide + i];
        found.positions.push_back({along[0], along[1]});
    }
    found.notes.emplace_back(
        "translations are taken as the sample's, in m; the probe moves the other way; if the "
        "reconstruction fails, try the exchange of rows and columns, and the other signs");
    return {};
}

}  // namespace

Result<FoundPatterns> read_cxi(std::string const& path, stem4d::PatternFileOptions const& options) {
    SLUICE_TRY(Object const root, Object::open_file(path));
    FoundPatterns found;
    found.format = "CXI";
    SLUICE_TRY(std::string const name, frames_path(root));
    SLUICE_TRY(found.frames, hdf5_frames(root, {name}));
    auto const [rows, cols] = found.frames->detector;
    index const middle[] = {rows / 2, cols / 2};
    found.center = {static_cast<double>(middle[0]), static_cast<double>(middle[1])};
    if (!options.says_wavelength()) SLUICE_CHECK(find_wavelength(root, found));
    SLUICE_CHECK(find_angle(root, found));
    SLUICE_CHECK(find_positions(root, found));
    for (char const* const mask : {"mask", "pixel_mask"}) {
        SLUICE_TRY(auto const values, small_array(root, std::string(detector_path) + mask));
        if (!values) continue;
        // Bits of what is wrong; 0x1000 says that a pixel has signal.
        auto const is_bad = [](double v) {
            return !(v >= 0 && v < 4294967296.0) || (static_cast<std::uint32_t>(v) & ~0x1000U) != 0;
        };
        SLUICE_TRY(found.bad, mask_of(*values, *found.frames, is_bad, path, found.notes));
        break;
    }
    return found;
}

}  // namespace sluice::ptycho
