// save_metaimage and save_nrrd: images in space for the programs of medical physics.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <filesystem>

#include "base/file.h"
#include "save/provenance.h"
#include "sluice/save.h"

namespace sluice {
namespace {

static_assert(std::endian::native == std::endian::little, "the headers say so");

// Entries per axis, x first, and what holds where the volume tells none.
struct Axes {
    std::vector<index> sides;
    std::vector<double> spacing, origin;
};

Axes axes_of(Volume const& v) {
    std::size_t const n = v.image.shape.size();
    index elements = 1;
    for (index const side : v.image.shape) elements *= side;
    expects((n == 2 || n == 3) && elements == v.image.size());
    expects(v.spacing.empty() || v.spacing.size() == n);
    expects(v.origin.empty() || v.origin.size() == n);
    Axes a{{v.image.shape.rbegin(), v.image.shape.rend()}, v.spacing, v.origin};
    if (a.spacing.empty()) a.spacing.assign(n, 1);
    if (a.origin.empty()) a.origin.assign(n, 0);
    return a;
}

// A line break would end the field.
std::string one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return text;
}

Status write(std::string const& path, std::string const& header, std::vector<float> const* values) {
    SLUICE_TRY(NewFile file, NewFile::create(path));
    SLUICE_CHECK(file.write(std::as_bytes(std::span(header))));
    if (values) SLUICE_CHECK(file.write(std::as_bytes(std::span(*values))));
    return file.commit();
}

}  // namespace

Status save_metaimage(std::string const& path, Volume const& volume) {
    Axes const a = axes_of(volume);
    std::filesystem::path beside(path);
    bool const two = beside.extension() == ".mhd";
    beside.replace_extension(".raw");
    std::string header = fmt::format(
        "ObjectType = Image\nNDims = {}\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
        "CompressedData = False\nOffset = {}\nElementSpacing = {}\nDimSize = {}\n",
        a.sides.size(), fmt::join(a.origin, " "), fmt::join(a.spacing, " "),
        fmt::join(a.sides, " "));
    if (!volume.content.empty()) header += "Comment = " + one_line(volume.content) + "\n";
    header += "ElementType = MET_FLOAT\nElementDataFile = ";
    header += (two ? beside.filename().string() : "LOCAL") + "\n";
    if (!two) return write(path, header, &volume.image.values);
    // The header comes last: where it is, there are its elements.
    SLUICE_CHECK(write(beside, "", &volume.image.values));
    return write(path, header, nullptr);
}

Status save_nrrd(std::string const& path, Volume const& volume, Provenance const& provenance) {
    Axes const a = axes_of(volume);
    std::vector<std::string> directions;
    for (std::size_t i = 0; i < a.spacing.size(); ++i) {
        std::vector<double> along(a.spacing.size(), 0.0);
        along[i] = a.spacing[i];
        directions.push_back(fmt::format("({})", fmt::join(along, ",")));
    }
    std::string header = fmt::format(
        "NRRD0004\ntype: float\ndimension: {0}\nspace dimension: {0}\nsizes: {1}\n"
        "space directions: {2}\nspace origin: ({3})\nkinds: {4}\nendian: little\nencoding: raw\n",
        a.sides.size(), fmt::join(a.sides, " "), fmt::join(directions, " "),
        fmt::join(a.origin, ","),
        fmt::join(std::vector<std::string>(a.sides.size(), "domain"), " "));
    if (!volume.content.empty()) header += "content: " + one_line(volume.content) + "\n";
    for (auto const& [name, value] : save::tidy(provenance).fields)
        header += fmt::format("# {}: {}\n", one_line(name), one_line(value));
    return write(path, header + "\n", &volume.image.values);
}

}  // namespace sluice
