// The header of an NRRD file: lines of "field: value" up to an empty one.
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
using Vector = std::vector<double>;

struct TypeNames {
    std::string_view names;  ///< with commas around each
    Kind kind;
    int bytes;
};
constexpr TypeNames types[] = {
    {",signed char,int8,int8_t,", Kind::signed_int, 1},
    {",uchar,unsigned char,uint8,uint8_t,", Kind::unsigned_int, 1},
    {",short,short int,signed short,signed short int,int16,int16_t,", Kind::signed_int, 2},
    {",ushort,unsigned short,unsigned short int,uint16,uint16_t,", Kind::unsigned_int, 2},
    {",int,signed int,int32,int32_t,", Kind::signed_int, 4},
    {",uint,unsigned int,uint32,uint32_t,", Kind::unsigned_int, 4},
    {",float,", Kind::floating, 4},
    {",double,", Kind::floating, 8},
};

struct Reading {
    Header header;
    std::size_t axes = 0;
    bool has_type = false, has_encoding = false, has_endian = false;
    std::vector<Vector> directions;
    /// Of the components of places: -1 where they are counted to the right or to the front.
    std::array<double, 3> signs = {1, 1, 1};
    index skip = 0;
};

bool contains(std::string_view list, std::string_view word) {
    return list.find(fmt::format(",{},", word)) != std::string_view::npos;
}

// "(1,0,0)": without spaces inside, or with them.
Result<std::vector<Vector>> read_vectors(Lines const& lines, std::string_view value) {
    std::vector<Vector> out;
    for (value = trimmed(value); !value.empty(); value = trimmed(value)) {
        auto const end = value.find(')');
        if (value[0] != '(' || end == std::string_view::npos)
            return lines.wrong(value.starts_with("none")
                                   ? "an axis without a direction; images in space are read"
                                   : "has to be vectors, as in (1,0,0)",
                               Code::unsupported);
        std::string inside(value.substr(1, end - 1));
        std::replace(inside.begin(), inside.end(), ',', ' ');
        auto const parsed = numbers(inside);
        if (!parsed || parsed->empty()) return lines.wrong("a vector that is not made of numbers");
        out.push_back(*parsed);
        value.remove_prefix(end + 1);
    }
    return out;
}

Status read_type(Lines const& lines, std::string_view value, Reading& r) {
    for (TypeNames const& t : types) {
        if (!contains(t.names, lower(value))) continue;
        r.header.type.kind = t.kind;
        r.header.type.bytes = t.bytes;
        r.has_type = true;
        return {};
    }
    return lines.wrong(fmt::format("a type of '{}'; read are int8 to int32, uint8 to uint32, float "
                                   "and double",
                                   value),
                       Code::unsupported);
}

Status read_encoding(Lines const& lines, std::string_view value, Reading& r) {
    std::string const word = lower(value);
    if (word != "raw" && word != "gzip" && word != "gz")
        return lines.wrong(fmt::format("an encoding of '{}'; raw and gzip are read", value),
                           Code::unsupported);
    r.header.packed = word != "raw";
    r.has_encoding = true;
    return {};
}

Status read_sizes(Lines const& lines, std::string_view field, std::string_view value, Reading& r) {
    if (field == "dimension") {
        if (r.axes != 0) return lines.wrong("dimension stands here again");
        if (value != "2" && value != "3")
            return lines.wrong(fmt::format("a dimension of '{}'; images of 2 or 3 are read", value),
                               Code::unsupported);
        r.axes = value == "2" ? 2 : 3;
        return {};
    }
    auto const sides = integers(value);
    if (!sides || sides->size() != r.axes)
        return lines.wrong(fmt::format("sizes has to be {} sizes (dimension comes first)", r.axes));
    r.header.sides = *sides;
    if (Status const s = check_sides(*sides); !s) return lines.wrong(s.error().message);
    return {};
}

// Axes that are not in space, as the three colours, and lengths in other units than mm.
Status read_axes(Lines const& lines, std::string_view field, std::string_view value) {
    if (field == "kinds") {
        for (std::string_view const kind : words(value))
            if (!contains(",domain,space,none,???,", lower(kind)))
                return lines.wrong(
                    fmt::format("an axis of kind '{}'; images in space are read", kind),
                    Code::unsupported);
        return {};
    }
    std::string text(value);
    std::replace(text.begin(), text.end(), '"', ' ');
    for (std::string_view const unit : words(text))
        if (unit != "mm")
            return lines.wrong(fmt::format("lengths in '{}'; write them in mm", unit),
                               Code::unsupported);
    return {};
}

Status read_skip(Lines const& lines, std::string_view field, std::string_view value, Reading& r) {
    auto const n = integers(value);
    if (!n || n->size() != 1 || n->front() < -1)
        return lines.wrong(fmt::format("{} has to be a number", field));
    if (field.starts_with("line") && n->front() != 0)
        return lines.wrong("lines to skip; write the elements without them", Code::unsupported);
    if (field.starts_with("byte")) r.skip = n->front();
    return {};
}

Status read_spacings(Lines const& lines, std::string_view value, Reading& r) {
    if (contains(fmt::format(",{},", fmt::join(words(lower(value)), ",")), "nan")) return {};
    auto const parsed = numbers(value);
    if (!parsed || parsed->size() != r.axes)
        return lines.wrong(
            fmt::format("spacings has to be {} numbers (dimension comes first)", r.axes));
    r.header.spacing = *parsed;
    return {};
}

// Others count to the left, the back and the head, as DICOM and MetaImage do.
void read_space(std::string_view value, Reading& r) {
    std::string const space = lower(value);
    r.signs = {1, 1, 1};
    if (contains(",right-anterior-superior,ras,right-anterior-superior-time,rast,", space))
        r.signs = {-1, -1, 1};
    if (contains(",left-anterior-superior,las,left-anterior-superior-time,last,", space))
        r.signs = {1, -1, 1};
}

Status read_field(Lines const& lines, std::string_view field, std::string_view value, Reading& r) {
    if (field == "dimension" || field == "sizes") return read_sizes(lines, field, value, r);
    if (field == "type") return read_type(lines, value, r);
    if (field == "encoding") return read_encoding(lines, value, r);
    if (field == "spacings") return read_spacings(lines, value, r);
    if (field == "kinds" || field == "units" || field == "space units")
        return read_axes(lines, field, value);
    if (contains(",byte skip,byteskip,line skip,lineskip,", field))
        return read_skip(lines, field, value, r);
    if (field == "content") r.header.content = value;
    if (field == "space") read_space(value, r);
    if (field == "endian") {
        std::string const word = lower(value);
        if (word != "little" && word != "big")
            return lines.wrong("endian is neither little nor big");
        r.header.type.big_endian = word == "big";
        r.has_endian = true;
    }
    if (field == "space directions") {
        SLUICE_TRY(r.directions, read_vectors(lines, value));
    }
    if (field == "space origin") {
        SLUICE_TRY(std::vector<Vector> const origin, read_vectors(lines, value));
        if (origin.size() != 1) return lines.wrong("space origin has to be a vector");
        r.header.origin = origin[0];
    }
    if (field == "data file" || field == "datafile") {
        if (value.empty() || value.starts_with("LIST") || value.find('%') != value.npos)
            return lines.wrong("the elements lie in several files; write them into one",
                               Code::unsupported);
        r.header.data_file = value;
    }
    return {};
}

// A direction is as long as the step along it.
double length_of(Vector const& v) {
    double sum = 0;
    for (double const c : v) sum += c * c;
    return std::sqrt(sum);
}

// Places and directions, counted to the left, the back and the head.
Status read_directions(Reading& r) {
    if (!r.directions.empty() && r.directions.size() != r.axes)
        return Error{Code::corrupt,
                     fmt::format("{} space directions for {} axes", r.directions.size(), r.axes)};
    if (!r.directions.empty()) r.header.spacing.clear();
    for (std::size_t a = 0; a < r.directions.size(); ++a) {
        Vector& v = r.directions[a];
        double const length = length_of(v);
        r.header.spacing.push_back(length);
        // What rounding leaves beside an axis is nothing.
        if (a < v.size() && v[a] > length * (1 - 1e-9))
            for (std::size_t c = 0; c < v.size(); ++c) v[c] = c == a ? length : 0;
    }
    for (double const s : r.header.spacing)
        if (!(s > 0 && std::isfinite(s)))
            return Error{Code::corrupt, fmt::format("a spacing of {} mm; it is above 0", s)};
    if (!r.directions.empty()) {
        SLUICE_TRY(r.header.direction, directions_along(r.directions));
    }
    for (std::size_t c = 0; c < 3; ++c)
        for (auto& axis : r.header.direction) axis[c] *= r.signs[c];
    for (std::size_t c = 0; c < std::min<std::size_t>(r.header.origin.size(), 3); ++c)
        r.header.origin[c] *= r.signs[c];
    return {};
}

Result<Header> finish(Lines const& lines, Reading r) {
    Header& h = r.header;
    if (h.sides.empty()) return lines.wrong("the header ends without dimension and sizes");
    if (!r.has_type) return lines.wrong("the header ends without type");
    if (!r.has_encoding) return lines.wrong("the header ends without encoding");
    if (h.type.bytes > 1 && !r.has_endian) return lines.wrong("the header ends without endian");
    SLUICE_CHECK(read_directions(r));
    // A plane in space has an origin of three numbers.
    if (h.origin.size() != r.axes) h.origin.clear();
    if (h.packed && r.skip != 0)
        return Error{Code::unsupported, "bytes to skip in packed elements; write them without"};
    std::uint64_t const begin = h.data_file.empty() ? lines.at() : 0;
    h.data_at.reset();
    if (r.skip >= 0) h.data_at = begin + static_cast<std::uint64_t>(r.skip);
    return h;
}

}  // namespace

Result<Header> parse_nrrd(std::string_view text) {
    Lines lines(text);
    auto const magic = lines.next();
    if (!magic || !magic->starts_with("NRRD000"))
        return Error{Code::corrupt, "does not begin with NRRD0001 to NRRD0005; give an NRRD file"};
    Reading reading;
    while (auto const line = lines.next()) {
        if (line->empty()) return finish(lines, std::move(reading));
        if (line->starts_with('#')) continue;
        auto const colon = line->find(':');
        if (colon == std::string_view::npos)
            return lines.wrong("is not a 'field: value' line of an NRRD");
        if (line->substr(colon).starts_with(":=")) continue;
        SLUICE_CHECK(read_field(lines, lower(trimmed(line->substr(0, colon))),
                                trimmed(line->substr(colon + 1)), reading));
    }
    // A header whose elements lie elsewhere needs no empty line.
    if (!reading.header.data_file.empty()) return finish(lines, std::move(reading));
    return lines.wrong("the header does not end (with an empty line)", Code::truncated);
}

}  // namespace sluice::volume
