// ptyd files, as PtyPy writes them: patterns in chunks, lengths in m, energies in keV.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "domain/ptychography/input/hdf5_frames.h"
#include "format/hdf5/object/value.h"
#include "sluice/optics.h"

namespace sluice::ptycho {

namespace {

using hdf5::object::Object;

// Numbered groups in the order of their numbers.
Result<std::vector<std::string>> chunk_names(Object const& root) {
    SLUICE_TRY(auto const chunks, root.find("chunks"));
    if (!chunks || !chunks->is_group())
        return wrong_file(root.file(), Code::corrupt, "its chunks are not a group");
    SLUICE_TRY(auto const links, chunks->links());
    std::vector<std::pair<long, std::string>> numbered;
    for (auto const& link : links) {
        long number = 0;
        char const* const end = link.name.data() + link.name.size();
        if (std::from_chars(link.name.data(), end, number).ptr == end)
            numbered.emplace_back(number, "chunks/" + link.name + "/");
    }
    std::ranges::sort(numbered);
    std::vector<std::string> names;
    for (auto& [number, name] : numbered) names.push_back(std::move(name));
    if (names.empty() || names.size() > 100000)
        return wrong_file(root.file(), Code::corrupt, "has no numbered chunks, or far too many");
    return names;
}

// A number, or the first of an array.
Result<std::optional<double>> meta_number(Object const& root, std::string const& name) {
    for (char const* const group : {"meta/", "common/"}) {
        SLUICE_TRY(auto const array, small_array(root, group + name));
        if (!array) continue;
        if (name == "psize" && array->values.size() == 2 &&
            std::abs(array->values[0] - array->values[1]) > 1e-3 * std::abs(array->values[0]))
            return wrong_file(root.file(), Code::unsupported,
                              "has detector pixels that are not square; bin or interpolate them");
        return std::optional(array->values.front());
    }
    return std::optional<double>{};
}

Status check_propagation(Object const& root, bool near) {
    SLUICE_TRY(auto const how, hdf5::object::read_text(root, "meta/propagation"));
    std::string_view const other = near ? "farfield" : "nearfield";
    if (!how || *how != other) return {};
    return wrong_file(
        root.file(), Code::invalid_argument,
        fmt::format("says that its patterns are those of a {} (a {} would read them in another "
                    "order) set propagation to {}",
                    other, near ? "nearfield" : "farfield", near ? "far" : "near"));
}

Status find_ptyd_geometry(Object const& root, stem4d::PatternFileOptions const& options,
                          FoundPatterns& found) {
    SLUICE_TRY(auto const energy, meta_number(root, "energy"));
    SLUICE_TRY(auto const distance, meta_number(root, "distance"));
    SLUICE_TRY(auto const pixel, meta_number(root, "psize"));
    if (energy && *energy > 0 && !options.says_wavelength()) {
        found.wavelength_nm = optics::photon_wavelength_nm(*energy);
        found.notes.push_back(
            fmt::format("the wavelength is that of photons of {:.4g} keV: {:.5g} nm", *energy,
                        found.wavelength_nm));
    }
    if (pixel && *pixel > 0) found.detector_nm = *pixel * 1e9;
    if (distance && *distance > 0) found.distance_mm = *distance * 1e3;
    if (found.detector_nm > 0 && found.distance_mm > 0)
        found.detector_rad = 1e-6 * found.detector_nm / found.distance_mm;
    bool const near = options.propagation == stem4d::Propagation::near;
    SLUICE_CHECK(check_propagation(root, near));
    if (near) return {};  // an image has no direct beam
    auto const [rows, cols] = found.frames->detector;
    index const middle[] = {rows / 2, cols / 2};
    found.center = {static_cast<double>(middle[0]), static_cast<double>(middle[1])};
    SLUICE_TRY(auto const center, small_array(root, "meta/center"));
    auto const inside = [&](double v, index n) { return v > 0 && v < static_cast<double>(n); };
    if (center && center->values.size() == 2 && inside(center->values[0], rows) &&
        inside(center->values[1], cols))
        found.center = {center->values[0], center->values[1]};
    else
        found.notes.emplace_back("the direct beam is taken to be in the middle of the frames");
    return {};
}

Status add_positions(Object const& root, std::string const& chunk, FoundPatterns& found) {
    SLUICE_TRY(auto const places, small_array(root, chunk + "positions"));
    if (!places || places->shape.size() != 2 || places->shape[1] != 2)
        return wrong_file(root.file(), Code::unsupported,
                          chunk + "positions must be an array [pattern][2]");
    for (std::size_t j = 0; j < places->shape[0]; ++j)
        found.positions.push_back({places->values[2 * j], places->values[2 * j + 1]});
    return {};
}

// Weights and masks are above 0 where a pixel counts.
Status add_mask(Object const& root, std::string const& group, FoundPatterns& found) {
    for (char const* const name : {"weights", "mask", "weight2d"}) {
        SLUICE_TRY(auto const values, small_array(root, group + name));
        if (!values) continue;
        auto const is_bad = [](double v) { return !(v > 0); };
        SLUICE_TRY(auto const bad,
                   mask_of(*values, *found.frames, is_bad, root.file(), found.notes));
        found.bad.resize(bad.size());
        for (std::size_t q = 0; q < bad.size(); ++q) found.bad[q] |= bad[q];
        if (std::string_view(name) != "mask" &&
            std::ranges::any_of(values->values, [](double v) { return v > 0 && v != 1; }))
            found.notes.emplace_back("weights between 0 and 1 are read as 1");
        return {};
    }
    return {};
}

}  // namespace

Result<FoundPatterns> read_ptyd(std::string const& path,
                                stem4d::PatternFileOptions const& options) {
    SLUICE_TRY(Object const root, Object::open_file(path));
    SLUICE_TRY(auto const chunks, chunk_names(root));
    std::vector<std::string> data;
    for (std::string const& chunk : chunks) data.push_back(chunk + "data");
    FoundPatterns found;
    found.format = "ptyd";
    SLUICE_TRY(found.frames, hdf5_frames(root, data));
    SLUICE_CHECK(find_ptyd_geometry(root, options, found));
    for (std::string const& chunk : chunks) {
        SLUICE_CHECK(add_positions(root, chunk, found));
        SLUICE_CHECK(add_mask(root, chunk, found));
    }
    for (char const* const group : {"meta/", "common/"}) SLUICE_CHECK(add_mask(root, group, found));
    found.notes.emplace_back(
        "positions are taken as the probe's, in m, rows first; if the reconstruction fails, try "
        "the "
        "exchange of rows and columns, and the other signs");
    return found;
}

}  // namespace sluice::ptycho
