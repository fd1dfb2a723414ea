// The header of a MetaImage file: lines of "Key = Value", the last one names the data.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "format/volume/header.h"
#include "format/volume/text.h"

namespace sluice::volume {
namespace {

using Kind = StoredType::Kind;

struct TypeName {
    std::string_view name;
    Kind kind;
    int bytes;
};
constexpr TypeName types[] = {
    {"MET_CHAR", Kind::signed_int, 1},  {"MET_UCHAR", Kind::unsigned_int, 1},
    {"MET_SHORT", Kind::signed_int, 2}, {"MET_USHORT", Kind::unsigned_int, 2},
    {"MET_INT", Kind::signed_int, 4},   {"MET_UINT", Kind::unsigned_int, 4},
    {"MET_FLOAT", Kind::floating, 4},   {"MET_DOUBLE", Kind::floating, 8},
};

/// What is collected on the way to the last line.
struct Reading {
    Header header;
    std::size_t axes = 0;
    bool has_type = false;
    std::vector<double> size, matrix;  ///< ElementSize stands in for a missing ElementSpacing
};

bool is_one_of(std::string_view key, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), key) != names.end();
}

Status read_flag(Lines const& lines, std::string_view key, std::string_view value, bool& out) {
    std::string const word = lower(value);
    if (!is_one_of(word, {"true", "t", "1", "false", "f", "0"}))
        return lines.wrong(fmt::format("{} is neither True nor False", key));
    out = is_one_of(word, {"true", "t", "1"});
    return {};
}

Status read_numbers(Lines const& lines, std::string_view key, std::string_view value,
                    std::size_t count, std::vector<double>& out) {
    auto const parsed = numbers(value);
    if (!parsed || parsed->size() != count)
        return lines.wrong(fmt::format("{} has to be {} numbers (NDims comes first)", key, count));
    out = *parsed;
    return {};
}

Status read_type(Lines const& lines, std::string_view value, Reading& r) {
    std::string names;
    for (TypeName const& t : types) {
        names += (names.empty() ? "" : ", ") + std::string(t.name);
        if (t.name != value) continue;
        r.header.type.kind = t.kind;
        r.header.type.bytes = t.bytes;
        r.has_type = true;
        return {};
    }
    return lines.wrong(fmt::format("an ElementType of '{}'; read are {}", value, names),
                       Code::unsupported);
}

Status read_sizes(Lines const& lines, std::string_view key, std::string_view value, Reading& r) {
    if (key == "NDims") {
        if (r.axes != 0) return lines.wrong("NDims stands here again");
        if (value != "2" && value != "3")
            return lines.wrong(fmt::format("NDims is '{}'; images of 2 or 3 are read", value),
                               Code::unsupported);
        r.axes = value == "2" ? 2 : 3;
        return {};
    }
    auto const sides = integers(value);
    if (!sides || sides->size() != r.axes)
        return lines.wrong(fmt::format("DimSize has to be {} sizes (NDims comes first)", r.axes));
    r.header.sides = *sides;
    if (Status const s = check_sides(*sides); !s) return lines.wrong(s.error().message);
    return {};
}

Status read_layout(Lines const& lines, std::string_view key, std::string_view value, Reading& r) {
    Header& h = r.header;
    if (is_one_of(key, {"BinaryDataByteOrderMSB", "ElementByteOrderMSB"}))
        return read_flag(lines, key, value, h.type.big_endian);
    if (key == "CompressedData") return read_flag(lines, key, value, h.packed);
    if (key == "BinaryData") {
        bool binary = true;
        SLUICE_CHECK(read_flag(lines, key, value, binary));
        if (!binary)
            return lines.wrong("the elements are text; write them as binary", Code::unsupported);
    }
    if (key == "ElementNumberOfChannels" && value != "1")
        return lines.wrong(fmt::format("{} channels; images of one are read", value),
                           Code::unsupported);
    // "?" is MetaIO's word for a unit that is not known.
    if (key == "DistanceUnits" && !is_one_of(lower(value), {"mm", "?"}))
        return lines.wrong(fmt::format("lengths in '{}'; write them in mm", value),
                           Code::unsupported);
    if (key == "ObjectType" && value != "Image")
        return lines.wrong(fmt::format("an object of type '{}'; images are read", value),
                           Code::unsupported);
    if (key == "HeaderSize") {
        auto const n = integers(value);
        if (!n || n->size() != 1 || n->front() < -1)
            return lines.wrong("HeaderSize has to be a number of bytes, or -1");
        h.data_at.reset();
        if (n->front() >= 0) h.data_at = static_cast<std::uint64_t>(n->front());
    }
    if (key == "CompressedDataSize") {
        auto const n = integers(value);
        if (!n || n->size() != 1 || n->front() < 0)
            return lines.wrong("CompressedDataSize has to be a number of bytes");
        h.packed_bytes = static_cast<std::uint64_t>(n->front());
    }
    return {};
}

Status read_key(Lines const& lines, std::string_view key, std::string_view value, Reading& r) {
    if (is_one_of(key, {"NDims", "DimSize"})) return read_sizes(lines, key, value, r);
    if (key == "ElementType") return read_type(lines, value, r);
    if (key == "ElementSpacing") return read_numbers(lines, key, value, r.axes, r.header.spacing);
    if (key == "ElementSize") return read_numbers(lines, key, value, r.axes, r.size);
    if (is_one_of(key, {"Offset", "Position", "Origin"}))
        return read_numbers(lines, key, value, r.axes, r.header.origin);
    if (is_one_of(key, {"TransformMatrix", "Rotation", "Orientation"}))
        return read_numbers(lines, key, value, r.axes * r.axes, r.matrix);
    if (is_one_of(key, {"Comment", "Name"})) r.header.content = value;
    return read_layout(lines, key, value, r);
}

// The direction of one axis after the other.
Result<AxisDirections> read_matrix(Lines const& lines, Reading const& r) {
    constexpr double rounding = 0.01;
    std::vector<std::vector<double>> vectors;
    for (auto at = r.matrix.begin(); at != r.matrix.end(); at += static_cast<index>(r.axes)) {
        vectors.emplace_back(at, at + static_cast<index>(r.axes));
        double square = 0;
        for (double const v : vectors.back()) square += v * v;
        if (!(std::abs(square - 1) <= 2 * rounding))
            return lines.wrong(fmt::format(
                "TransformMatrix holds ({}), whose length is not 1 (it is the direction of an "
                "axis); write the lengths as ElementSpacing",
                fmt::join(vectors.back(), ", ")));
    }
    return directions_along(vectors);
}

Result<Header> finish(Lines const& lines, std::string_view data, Reading r) {
    Header& h = r.header;
    if (h.sides.empty()) return lines.wrong("the header ends without NDims and DimSize");
    if (!r.has_type) return lines.wrong("the header ends without ElementType");
    if (h.spacing.empty()) h.spacing = r.size;
    for (double const s : h.spacing)
        if (!(s > 0))
            return Error{Code::corrupt,
                         fmt::format("an ElementSpacing of {} mm; it is above 0", s)};
    if (!r.matrix.empty()) {
        SLUICE_TRY(h.direction, read_matrix(lines, r));
    }
    if (data.empty()) return lines.wrong("ElementDataFile is empty; give LOCAL or a file");
    if (data.starts_with("LIST") || data.find('%') != std::string_view::npos)
        return lines.wrong("the elements lie in several files; write them into one",
                           Code::unsupported);
    bool const here = lower(data) == "local";
    if (!here) h.data_file = data;
    if (!here || !h.data_at) return h;
    if (*h.data_at != 0 && *h.data_at < lines.at())
        return lines.wrong(
            fmt::format("HeaderSize is {}, and the header has {} bytes; leave it "
                        "out where the elements follow",
                        *h.data_at, lines.at()));
    h.data_at = std::max<std::uint64_t>(*h.data_at, lines.at());
    return h;
}

}  // namespace

Result<Header> parse_metaimage(std::string_view text) {
    Lines lines(text);
    Reading reading;
    while (auto const line = lines.next()) {
        if (trimmed(*line).empty()) continue;
        auto const equals = line->find('=');
        if (equals == std::string_view::npos)
            return lines.wrong(
                "is not a 'Key = Value' line of a MetaImage; give an .mhd or .mha file");
        std::string_view const key = trimmed(line->substr(0, equals));
        std::string_view const value = trimmed(line->substr(equals + 1));
        if (key == "ElementDataFile") return finish(lines, value, std::move(reading));
        SLUICE_CHECK(read_key(lines, key, value, reading));
    }
    return lines.wrong("the header ends without ElementDataFile", Code::truncated);
}

}  // namespace sluice::volume
