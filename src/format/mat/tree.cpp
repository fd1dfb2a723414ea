// Values out of the elements of MAT files: numbers, texts, cells and structures.
// SPDX-License-Identifier: Apache-2.0
#include "format/mat/tree.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::mat {
namespace {

// Base data of matRad have 100 000 numbers.
constexpr std::size_t most_numbers = 32 << 20, most_values = 1 << 20;
constexpr int deepest = 16;

/// Classes of arrays.
enum Class : std::uint32_t { cell = 1, structure = 2, characters = 4, first_number = 6, last = 15 };
constexpr std::uint32_t complex_flag = 0x0800;

// Sides are 31 bits each; the product stops where it is more than any file holds.
std::size_t product(Value const& v) {
    if (std::ranges::find(v.sides, 0) != v.sides.end()) return 0;
    std::size_t n = 1;
    for (index const s : v.sides) {
        n *= static_cast<std::size_t>(s);
        if (n > most_inflated) return most_inflated + 1;
    }
    return n;
}

}  // namespace

Error Tree::wrong(std::string const& text) const {
    return {Code::corrupt, text + " (the file is damaged); save it again", file_};
}

Result<ArrayHead> Tree::head(Elements& in) const {
    auto const flags = in.next(), sides = in.next(), name = in.next();
    if (!flags || !sides || !name || flags->type != uint32 || flags->data.size() < 4 ||
        sides->type != int32 || size_of(name->type) != 1)
        return wrong("a variable without flags, sides and a name");
    auto const word = load<std::uint32_t>(flags->data.data(), in.big_endian());
    ArrayHead h{word & 0xff, (word & complex_flag) != 0, {}, {}};
    for (std::size_t i = 0; i + 4 <= sides->data.size(); i += 4)
        h.sides.push_back(load<std::int32_t>(sides->data.data() + i, in.big_endian()));
    bool const negative = std::ranges::any_of(h.sides, [](index s) { return s < 0; });
    if (h.sides.size() < 2 || h.sides.size() > 8 || negative)
        return wrong(fmt::format("a variable of {} sides", h.sides.size()));
    h.name = text_of(*name, in.big_endian());
    return h;
}

Result<Value> Tree::value(Elements in, int depth) {
    if (depth > deepest) return wrong("structures more than 16 deep");
    if (++values_ > most_values)
        return Error{Code::unsupported, "has more than a million values (no base data have)",
                     file_};
    Value v;
    // MATLAB writes nothing where a field was never set.
    if (in.ended()) return v;
    SLUICE_TRY(ArrayHead h, head(in));
    v.name = std::move(h.name);
    v.sides = std::move(h.sides);
    v.kind = Kind::other;
    if (h.complex) return v;
    if (h.kind == characters) return text(std::move(v), in);
    if (h.kind == cell) return cells(std::move(v), in, depth);
    if (h.kind == structure) return structures(std::move(v), in, depth);
    if (h.kind >= first_number && h.kind <= last) return numbers(std::move(v), in);
    return v;
}

Result<Value> Tree::numbers(Value v, Elements& in) {
    auto const data = in.next();
    std::size_t const n = product(v), width = data ? size_of(data->type) : 0;
    v.kind = Kind::numbers;
    if (width == 0 || data->data.size() / width != n)
        return wrong(fmt::format("'{}' has other sides than numbers", v.name));
    numbers_ += n;
    if (numbers_ > most_numbers)
        return Error{Code::unsupported, "has more than 32 million numbers (no base data have)",
                     file_};
    v.numbers.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
        v.numbers.push_back(number_at(data->data.data() + i * width, data->type, in.big_endian()));
    return v;
}

Result<Value> Tree::text(Value v, Elements& in) const {
    auto const data = in.next();
    v.kind = Kind::text;
    if (!data || size_of(data->type) == 0) return wrong(fmt::format("'{}' has no text", v.name));
    v.text = text_of(*data, in.big_endian());
    return v;
}

Status Tree::add_items(Value& v, std::size_t n, Elements& in, int depth) {
    for (std::size_t i = 0; i < n; ++i) {
        auto const e = in.next();
        if (!e || e->type != matrix)
            return wrong(fmt::format("'{}' ends at part {} of {}", v.name, i + 1, n));
        SLUICE_TRY(v.items.emplace_back(), value({e->data, in.big_endian()}, depth + 1));
    }
    return {};
}

Result<Value> Tree::cells(Value v, Elements& in, int depth) {
    v.kind = Kind::cells;
    SLUICE_CHECK(add_items(v, product(v), in, depth));
    return v;
}

Result<Value> Tree::structures(Value v, Elements& in, int depth) {
    v.kind = Kind::structures;
    auto const room = in.next(), names = in.next();
    if (!room || room->data.size() < 4 || !names)
        return wrong(fmt::format("the structure '{}' has no fields", v.name));
    auto const width = load<std::uint32_t>(room->data.data(), in.big_endian());
    if (width == 0 || names->data.size() % width != 0)
        return wrong(fmt::format("the structure '{}' has names of {} letters", v.name, width));
    auto const* const letters = reinterpret_cast<char const*>(names->data.data());
    for (std::size_t at = 0; at < names->data.size(); at += width) {
        std::string_view const one(letters + at, width);
        v.fields.emplace_back(one.substr(0, one.find('\0')));
        if (v.fields.size() > most_values) return wrong("a structure of too many fields");
    }
    std::size_t const n = product(v);
    if (v.fields.empty()) return v;
    if (n > most_inflated / v.fields.size())
        return wrong(fmt::format("'{}' has too many structures", v.name));
    SLUICE_CHECK(add_items(v, n * v.fields.size(), in, depth));
    return v;
}

}  // namespace sluice::mat
