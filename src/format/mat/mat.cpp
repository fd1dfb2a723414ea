// MAT files, version 5: variables, inflated where they are compressed, as trees of values.
// SPDX-License-Identifier: Apache-2.0
#include "format/mat/mat.h"

#include <fmt/format.h>

#include <algorithm>

#include "codec/deflate/deflate.h"
#include "format/mat/elements.h"

namespace sluice::mat {
namespace {

constexpr std::size_t header = 128;
// What a file may become in memory. Base data of matRad have 100 000 numbers.
constexpr std::size_t most_inflated = 256 << 20, most_numbers = 32 << 20, most_values = 1 << 20;
// zlib packs no better (deflate.h of zlib: 258 bytes of two bits).
constexpr std::size_t best_ratio = 1032;
constexpr int deepest = 16;

/// Classes of arrays.
enum Class : std::uint32_t { cell = 1, structure = 2, characters = 4, first_number = 6, last = 15 };
constexpr std::uint32_t complex_flag = 0x0800;

struct Head {
    std::uint32_t kind = 0;
    bool complex = false;
    std::vector<index> sides;
    std::string name;
};

/// Makes values of elements; counts what they take.
class Tree {
  public:
    explicit Tree(std::string const& file) : file_(file) {}

    Error wrong(std::string const& text) const {
        return {Code::corrupt, text + " (the file is damaged); save it again", file_};
    }

    Result<Head> head(Elements& in) const {
        auto const flags = in.next(), sides = in.next(), name = in.next();
        if (!flags || !sides || !name || flags->type != uint32 || flags->data.size() < 4 ||
            sides->type != int32 || size_of(name->type) != 1)
            return wrong("a variable without flags, sides and a name");
        auto const word = load<std::uint32_t>(flags->data.data(), in.big_endian());
        Head h{word & 0xff, (word & complex_flag) != 0, {}, {}};
        for (std::size_t i = 0; i + 4 <= sides->data.size(); i += 4)
            h.sides.push_back(load<std::int32_t>(sides->data.data() + i, in.big_endian()));
        bool const negative = std::ranges::any_of(h.sides, [](index s) { return s < 0; });
        if (h.sides.size() < 2 || h.sides.size() > 8 || negative)
            return wrong(fmt::format("a variable of {} sides", h.sides.size()));
        h.name = text_of(*name, in.big_endian());
        return h;
    }

    Result<Value> value(Elements in, int depth) {
        if (depth > deepest) return wrong("structures more than 16 deep");
        if (++values_ > most_values)
            return Error{Code::unsupported, "has more than a million values (no base data have)",
                         file_};
        Value v;
        // MATLAB writes nothing where a field was never set.
        if (in.ended()) return v;
        SLUICE_TRY(Head h, head(in));
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

  private:
    std::string const& file_;
    std::size_t values_ = 0, numbers_ = 0;

    // Sides are 31 bits each; the product stops where it is more than any file holds.
    static std::size_t product(Value const& v) {
        if (std::ranges::find(v.sides, 0) != v.sides.end()) return 0;
        std::size_t n = 1;
        for (index const s : v.sides) {
            n *= static_cast<std::size_t>(s);
            if (n > most_inflated) return most_inflated + 1;
        }
        return n;
    }

    Result<Value> numbers(Value v, Elements& in) {
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
            v.numbers.push_back(
                number_at(data->data.data() + i * width, data->type, in.big_endian()));
        return v;
    }

    Result<Value> text(Value v, Elements& in) {
        auto const data = in.next();
        v.kind = Kind::text;
        if (!data || size_of(data->type) == 0)
            return wrong(fmt::format("'{}' has no text", v.name));
        v.text = text_of(*data, in.big_endian());
        return v;
    }

    Status add_items(Value& v, std::size_t n, Elements& in, int depth) {
        for (std::size_t i = 0; i < n; ++i) {
            auto const e = in.next();
            if (!e || e->type != matrix)
                return wrong(fmt::format("'{}' ends at part {} of {}", v.name, i + 1, n));
            SLUICE_TRY(v.items.emplace_back(), value({e->data, in.big_endian()}, depth + 1));
        }
        return {};
    }

    Result<Value> cells(Value v, Elements& in, int depth) {
        v.kind = Kind::cells;
        SLUICE_CHECK(add_items(v, product(v), in, depth));
        return v;
    }

    Result<Value> structures(Value v, Elements& in, int depth) {
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
};

// The element inside a compressed one. Its size is checked before there is room for it.
Result<std::vector<std::byte>> inflated(Element const& e, bool big, Tree const& tree,
                                        std::string const& file) {
    std::byte tag[8];
    if (codec::inflate_begin(e.data, tag) < sizeof tag)
        return tree.wrong("a variable that cannot be inflated");
    std::size_t const size = sizeof tag + load<std::uint32_t>(tag + 4, big);
    if (size > most_inflated)
        return Error{
            Code::unsupported,
            fmt::format("a variable of {} MB (no base data have more than 256)", size >> 20), file};
    if (size / best_ratio > e.data.size() + 64)
        return tree.wrong(fmt::format("{} bytes that say they are {}", e.data.size(), size));
    std::vector<std::byte> out(size);
    auto const n = codec::inflate_zlib(e.data, out);
    if (!n || *n < size) return tree.wrong("a variable that cannot be inflated");
    return out;
}

bool is_big(Bytes bytes) {
    return bytes[126] == std::byte{'M'} && bytes[127] == std::byte{'I'};
}

bool begins_as(Bytes bytes, std::string_view text) {
    return bytes.size() >= header &&
           std::ranges::equal(bytes.first(text.size()), std::as_bytes(std::span(text)));
}

// What a variable is called. A compressed one is inflated as far as its name.
Result<std::string> name_of(Element const& e, bool big, Tree const& tree) {
    std::byte begin[512];
    std::optional<Element> inner = e;
    if (e.type == compressed) {
        std::size_t const n = codec::inflate_begin(e.data, begin);
        inner = Elements(Bytes(begin).first(n), big).next_begun();
    }
    if (!inner || inner->type != matrix) return tree.wrong("a variable without a name");
    Elements in(inner->data, big);
    SLUICE_TRY(Head const head, tree.head(in));
    return head.name;
}

}  // namespace

index Value::count() const {
    index n = 1;
    if (kind == Kind::numbers) return std::ssize(numbers);
    if (kind == Kind::cells) return std::ssize(items);
    if (kind == Kind::structures)
        return fields.empty() ? 0 : std::ssize(items) / std::ssize(fields);
    return n;
}

Value const* Value::field(std::string_view field_name, index at) const {
    auto const found = std::ranges::find(fields, field_name);
    if (kind != Kind::structures || found == fields.end() || at < 0 || at >= count())
        return nullptr;
    return &items[static_cast<std::size_t>(at * std::ssize(fields) + (found - fields.begin()))];
}

bool is_mat(Bytes head) {
    return begins_as(head, "MATLAB 5.0 MAT-file") || begins_as(head, "MATLAB 7.3 MAT-file");
}

std::optional<std::string> first_variable(Bytes head) {
    if (!begins_as(head, "MATLAB 5.0 MAT-file")) return {};
    bool const big = is_big(head);
    auto const e = Elements(head.subspan(header), big).next_begun();
    if (!e) return {};
    std::string const nowhere;
    auto name = name_of(*e, big, Tree(nowhere));
    if (!name) return {};
    return *std::move(name);
}

Result<Value> read_variable(Bytes bytes, std::string_view name, std::string const& file) {
    if (begins_as(bytes, "MATLAB 7.3 MAT-file"))
        return Error{Code::unsupported,
                     "is a MAT file of version 7.3 (HDF5), and version 5 is read; save it with "
                     "save(..., '-v7')",
                     file};
    if (!begins_as(bytes, "MATLAB 5.0 MAT-file"))
        return Error{Code::corrupt, "is no MAT file of version 5; save it with save(..., '-v7')",
                     file};
    bool const big = is_big(bytes);
    Tree tree(file);
    std::string others;
    Elements all(bytes.subspan(header), big);
    while (!all.ended()) {
        auto const e = all.next();
        if (!e) return tree.wrong("a variable that ends behind the file");
        if (e->type != matrix && e->type != compressed) continue;
        SLUICE_TRY(std::string const found, name_of(*e, big, tree));
        if (found == name) {
            if (e->type == matrix) return tree.value({e->data, big}, 0);
            SLUICE_TRY(auto const whole, inflated(*e, big, tree, file));
            return tree.value({Bytes(whole).subspan(8), big}, 0);
        }
        if (others.size() < 100) others += (others.empty() ? "" : ", ") + found;
    }
    return Error{Code::unsupported,
                 fmt::format("has no variable '{}' (it has {}); give another file", name,
                             others.empty() ? "none" : others),
                 file};
}

}  // namespace sluice::mat
