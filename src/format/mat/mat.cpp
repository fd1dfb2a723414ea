// MAT files, version 5: variables, inflated where they are compressed, as trees of values.
// SPDX-License-Identifier: Apache-2.0
#include "format/mat/mat.h"

#include <fmt/format.h>

#include <algorithm>

#include "codec/deflate/deflate.h"
#include "format/mat/tree.h"

namespace sluice::mat {
namespace {

constexpr std::size_t header = 128;
// zlib packs no better (deflate.h of zlib: 258 bytes of two bits).
constexpr std::size_t best_ratio = 1032;

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
    SLUICE_TRY(ArrayHead const head, tree.head(in));
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
