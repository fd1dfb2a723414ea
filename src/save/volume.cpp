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
    bool straight = true;
    bool in_plane = true;  ///< the directions of two axes have no third component
};

Axes axes_of(Volume const& v) {
    std::size_t const n = v.image.shape.size();
    index elements = 1;
    for (index const side : v.image.shape) elements *= side;
    expects((n == 2 || n == 3) && elements == v.image.size());
    expects(v.spacing.empty() || v.spacing.size() == n);
    expects(v.origin.empty() || v.origin.size() == n);
    Axes a{{v.image.shape.rbegin(), v.image.shape.rend()}, v.spacing, v.origin};
    a.straight = is_straight(v.direction);
    for (std::size_t axis = 0; axis < n; ++axis) a.in_plane &= n == 3 || v.direction[axis][2] == 0;
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

// The directions of axes that are not straight, one after the other.
std::string matrix_of(Axes const& a, AxisDirections const& direction) {
    if (a.straight) return {};
    std::string text = "TransformMatrix =";
    for (std::size_t axis = 0; axis < a.sides.size(); ++axis)
        for (std::size_t c = 0; c < a.sides.size(); ++c)
            text += fmt::format(" {}", direction[axis][c] + 0.0);  // 0 has no sign
    return text + "\n";
}

// The steps along the axes as vectors of `components`.
std::vector<std::string> steps_of(Axes const& a, AxisDirections const& direction,
                                  std::size_t components) {
    std::vector<std::string> out;
    for (std::size_t axis = 0; axis < a.spacing.size(); ++axis) {
        std::vector<double> step;
        for (std::size_t c = 0; c < components; ++c)
            step.push_back(a.spacing[axis] * (a.straight ? straight_axes : direction)[axis][c] +
                           0.0);
        out.push_back(fmt::format("({})", fmt::join(step, ",")));
    }
    return out;
}

}  // namespace

Status save_metaimage(std::string const& path, Volume const& volume) {
    Axes const a = axes_of(volume);
    if (!a.in_plane)
        return Error{Code::invalid_argument,
                     fmt::format("cannot save a plane that lies obliquely in space as MetaImage "
                                 "({}; the format has two components for an image of two axes) "
                                 "save NRRD instead",
                                 describe(volume.direction, 2)),
                     path};
    std::filesystem::path beside(path);
    bool const two = beside.extension() == ".mhd";
    beside.replace_extension(".raw");
    std::string header = fmt::format(
        "ObjectType = Image\nNDims = {}\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
        "CompressedData = False\n{}Offset = {}\nElementSpacing = {}\nDimSize = {}\n",
        a.sides.size(), matrix_of(a, volume.direction), fmt::join(a.origin, " "),
        fmt::join(a.spacing, " "), fmt::join(a.sides, " "));
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
    // Places in space are those of DICOM: 3D Slicer puts an image without that name elsewhere.
    std::size_t const n = a.sides.size(), components = a.in_plane ? n : 3;
    std::string const space = components < 3 ? fmt::format("space dimension: {}", components)
                                             : "space: left-posterior-superior";
    std::vector<double> origin = a.origin;
    origin.resize(components);
    std::string header = fmt::format(
        "NRRD0004\ntype: float\ndimension: {}\n{}\nsizes: {}\n"
        "space directions: {}\nspace origin: ({})\nkinds: {}\nendian: little\nencoding: raw\n",
        n, space, fmt::join(a.sides, " "),
        fmt::join(steps_of(a, volume.direction, components), " "), fmt::join(origin, ","),
        fmt::join(std::vector<std::string>(n, "domain"), " "));
    if (!volume.content.empty()) header += "content: " + one_line(volume.content) + "\n";
    for (auto const& [name, value] : save::tidy(provenance).fields)
        header += fmt::format("# {}: {}\n", one_line(name), one_line(value));
    return write(path, header + "\n", &volume.image.values);
}

}  // namespace sluice
