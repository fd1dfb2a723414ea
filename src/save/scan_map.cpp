// save_map: a map in any format, with its unit, its error, and why pixels have no value.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/scan_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "save/mat.h"
#include "save/provenance.h"
#include "sluice/save.h"

namespace sluice {
namespace {

Array<float> as_float(Array<double> const& from) {
    Array<float> to{from.shape, {}};
    to.values.assign(from.values.begin(), from.values.end());
    return to;
}

std::vector<double> numbers_of(std::vector<Missing> const& reasons) {
    std::vector<double> numbers;
    for (Missing const reason : reasons) numbers.push_back(static_cast<double>(reason));
    return numbers;
}

void describe(ScanMap const& map, Provenance& provenance) {
    provenance.add("map", map.name);
    if (!map.unit.empty()) provenance.add("unit", map.unit);
    if (std::string missing = describe_missing(map); !missing.empty())
        provenance.add("missing", map.name + ": " + missing);
}

std::string content_of(ScanMap const& map) {
    return map.unit.empty() ? map.name : map.name + ", " + map.unit;
}

// No whole number says that a pixel has no value.
Status save_as_npy(std::string const& path, ScanMap const& map) {
    bool const all = std::ranges::all_of(map.values, [](double v) { return v == v; });
    if (!map.counts || !all) return save_npy<double>(path, map);
    Array<std::uint64_t> whole{map.shape, {}};
    whole.values.assign(map.values.begin(), map.values.end());
    return save_npy(path, whole);
}

Status save_as_tiff(std::string const& path, ScanMap const& map, Provenance const& provenance) {
    Array<float> const values = as_float(map);
    index const rows = map.shape[map.shape.size() - 2], cols = map.shape.back();
    View<float const, 3> const pages(values.values.data(),
                                     {values.size() / std::max<index>(rows * cols, 1), rows, cols});
    return save_tiff(path, pages, provenance);
}

Status save_as_png(std::string const& path, ScanMap const& map, Provenance const& provenance) {
    if (map.shape.size() != 2)
        return Error{Code::invalid_argument,
                     fmt::format("the map '{}' is a series (a picture shows one image); save TIFF, "
                                 "which has a page for each",
                                 map.name),
                     path};
    double least = INFINITY, most = -INFINITY;
    for (double v : map.values)
        if (std::isfinite(v)) least = std::min(least, v), most = std::max(most, v);
    double const range = most > least ? most - least : 1;
    Picture picture{map.shape[0], map.shape[1]};
    for (double v : map.values) {
        bool const some = std::isfinite(v);
        auto const gray =
            static_cast<std::uint8_t>(some ? std::lround((v - least) / range * 255) : 0);
        picture.rgb.insert(picture.rgb.end(), {some ? gray : std::uint8_t{255}, gray, gray});
    }
    return save_png(path, picture, provenance);
}

// [column][row], as MATLAB has it.
save::MatValue by_columns(std::vector<double> const& values, index rows, index cols) {
    Array<double> out{{cols, rows}, {}};
    for (index c = 0; c < cols; ++c)
        for (index r = 0; r < rows; ++r)
            out.values.push_back(values[static_cast<std::size_t>(r * cols + c)]);
    return out;
}

std::string in_ascii(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return c < ' ' || c > '~'; }, '?');
    return text;
}

Status save_as_mat(std::string const& path, ScanMap const& map, Provenance const& provenance) {
    constexpr std::size_t longest_name = 31;
    if (map.shape.size() != 2 || map.name.empty() || map.name.size() > longest_name)
        return Error{Code::invalid_argument,
                     fmt::format("cannot save the map '{}' as MAT (the format takes one image with "
                                 "a name of 1 to {} letters) save HDF5 instead",
                                 map.name, longest_name),
                     path};
    auto const image = [&](std::vector<double> const& values) {
        return by_columns(values, map.shape[0], map.shape[1]);
    };
    save::MatStructure fields{{"values", image(map.values)}, {"unit", in_ascii(map.unit)}};
    if (!map.error.empty()) fields.push_back({"error", image(map.error)});
    if (!map.reason.empty()) fields.push_back({"reason", image(numbers_of(map.reason))});
    fields.push_back({"provenance", save::json_of(provenance)});
    return save::save_mat(path, {map.name, std::vector<save::MatStructure>{std::move(fields)}});
}

Status save_image(std::string const& path, std::string const& ending, ScanMap const& map,
                  Provenance const& provenance) {
    if (ending == ".npy") return save_as_npy(path, map);
    if (ending == ".tif" || ending == ".tiff") return save_as_tiff(path, map, provenance);
    if (ending == ".png") return save_as_png(path, map, provenance);
    if (ending == ".nrrd")
        return save_nrrd(path, {.image = as_float(map), .content = content_of(map)}, provenance);
    return Error{
        Code::invalid_argument,
        fmt::format("'{}' is not a format for maps (the name's ending tells it) give .npy, .tif, "
                    ".nrrd, .png, .h5 or .mat",
                    ending),
        path};
}

}  // namespace

Status save_map(std::string const& path, ScanMap const& map, Provenance const& provenance) {
    expects(map.shape.size() == 2 || map.shape.size() == 3);
    std::filesystem::path const at(path);
    std::string const ending = at.extension();
    if (ending == ".h5" || ending == ".hdf5") return save_hdf5(path, {&map, 1}, provenance);
    Provenance said = provenance;
    describe(map, said);
    if (ending == ".mat") return save_as_mat(path, map, said);
    SLUICE_CHECK(save_image(path, ending, map, said));
    if (map.error.empty()) return {};
    std::filesystem::path beside = at;
    beside.replace_filename(at.stem().string() + "_error" + ending);
    ScanMap const error{{map.shape, map.error}, map.name + "_error", map.unit};
    return save_map(beside, error, provenance);
}

Status save_hdf5(std::string const& path, std::span<ScanMap const> maps,
                 Provenance const& provenance) {
    std::vector<NamedArray> arrays;
    Provenance said = provenance;
    for (ScanMap const& map : maps) {
        arrays.push_back({map.name, map.unit, Array<double>{map.shape, map.values}});
        if (!map.error.empty())
            arrays.push_back({map.name + "_error", map.unit, Array<double>{map.shape, map.error}});
        if (map.reason.empty()) continue;
        Array<std::uint64_t> numbers{map.shape, {}};
        for (Missing const reason : map.reason)
            numbers.values.push_back(static_cast<std::uint64_t>(reason));
        arrays.push_back({map.name + "_reason", "", std::move(numbers)});
        if (std::string missing = describe_missing(map); !missing.empty())
            said.add("missing", map.name + ": " + missing);
    }
    return save_hdf5(path, arrays, said);
}

}  // namespace sluice
