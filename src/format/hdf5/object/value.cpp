// Numbers and texts of small datasets and attributes.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "format/hdf5/object/heaps.h"
#include "format/hdf5/object/raw.h"

namespace sluice::hdf5::object {
namespace {

// What a person may have written as metadata; a file that says more is not asked for it.
constexpr std::uint64_t most_values = 64;
constexpr std::uint64_t longest_text = 1 << 16;
constexpr std::uint64_t largest_image = std::uint64_t{1} << 30;

/// Between one and most_values of them, and as many bytes as they need.
bool few(Elements const& e) {
    auto const n = e.space.count();
    return n && *n >= 1 && *n <= most_values && e.count() >= *n;
}

/// The elements of a small dataset; empty if there is none or it is large.
Result<std::optional<Elements>> small(Object const& at, std::string_view path, bool text) {
    using Found = std::optional<Elements>;
    SLUICE_TRY(auto const o, at.find(path));
    if (!o || !o->is_dataset()) return Found{};
    SLUICE_TRY(DatasetInfo const d, dataset_info(*o));
    auto const n = d.space.count();
    bool const fits = n && *n >= 1 && *n <= most_values && d.type.size <= longest_text;
    if (!fits || (text ? !d.type.is_text() : !d.type.check_number())) return Found{};
    SLUICE_TRY(auto e, read_elements(*o, most_values * longest_text));
    return Found(std::move(e));
}

std::string trimmed(std::string s) {
    s.erase(s.find_last_not_of(' ') + 1);
    return s;
}

/// What an element of a list or text of any length leads to: how many entries, and their bytes.
struct Listed {
    std::uint64_t entries = 0;
    Bytes bytes;
};
Result<Listed> listed_at(GlobalHeap& heap, Source const& source, Bytes element) {
    Cursor c(element);
    std::uint64_t const entries = c.number(4), at = take_address(c, source), number = c.number(4);
    if (!c.ok()) return source.corrupt("a text or list is cut off", 0);
    if (entries == 0 || !source.defined(at) || at == 0) return Listed{};
    SLUICE_TRY(Bytes const bytes, heap.object(at, number));
    if (entries > bytes.size())
        return source.corrupt("a text or list is longer than where it is stored", at);
    return Listed{entries, bytes};
}

/// A whole number as 32 bits, which writers without unsigned types have as negative ones, too.
std::optional<std::uint32_t> bits_of(Datatype const& type, std::byte const* p) {
    double const v = number_of(type, p);
    bool const whole = v >= -2147483648.0 && v <= 4294967295.0 && v == std::floor(v);
    return whole ? std::optional(static_cast<std::uint32_t>(static_cast<std::int64_t>(v)))
                 : std::nullopt;
}

template <class T>
std::optional<T> only(std::vector<T>&& v) {
    return v.size() == 1 ? std::optional(std::move(v[0])) : std::nullopt;
}

}  // namespace

std::vector<double> numbers_of(Elements const& e) {
    std::vector<double> out;
    if (!e.type.check_number() || !few(e)) return out;
    for (std::size_t i = 0; i < *e.space.count(); ++i)
        out.push_back(number_of(e.type, e.bytes.data() + i * e.type.size));
    return out;
}

Result<std::vector<std::string>> texts_of(Source const& source, Elements const& e) {
    std::vector<std::string> out;
    if (!e.type.is_text() || !few(e) || e.type.size > longest_text) return out;
    GlobalHeap heap(source);
    for (std::size_t i = 0; i < *e.space.count(); ++i) {
        Bytes const bytes = Bytes(e.bytes).subspan(i * e.type.size, e.type.size);
        if (!e.type.variable_text) {
            out.push_back(trimmed(until_zero(bytes)));
            continue;
        }
        SLUICE_TRY(Listed const text, listed_at(heap, source, bytes));
        auto const length = static_cast<std::size_t>(text.entries);
        out.push_back(trimmed(until_zero(text.bytes.first(length))));
    }
    return out;
}

Result<std::optional<double>> read_number(Object const& at, std::string_view path) {
    SLUICE_TRY(auto const e, small(at, path, false));
    return e ? only(numbers_of(*e)) : std::nullopt;
}

Result<std::optional<std::uint64_t>> read_count(Object const& at, std::string_view path) {
    SLUICE_TRY(auto const e, small(at, path, false));
    if (!e || e->space.count() != 1 || !few(*e)) return std::optional<std::uint64_t>{};
    return count_of(e->type, e->bytes.data());
}

Result<std::vector<std::string>> read_texts(Object const& at, std::string_view path) {
    SLUICE_TRY(auto const o, at.find(path));
    if (!o) return std::vector<std::string>{};
    SLUICE_TRY(auto const e, small(*o, "", true));
    return e ? texts_of(o->source(), *e) : std::vector<std::string>{};
}

Result<std::optional<std::string>> read_text(Object const& at, std::string_view path) {
    SLUICE_TRY(auto texts, read_texts(at, path));
    return texts.empty() ? std::nullopt : std::optional(std::move(texts.front()));
}

std::vector<std::uint64_t> plane_of(std::vector<std::uint64_t> extent) {
    while (extent.size() > 2) {
        auto const single = std::ranges::find(extent, 1u);
        if (single == extent.end()) break;
        extent.erase(single);
    }
    return extent;
}

Result<std::optional<std::vector<std::uint32_t>>> read_image(Object const& dataset, index rows,
                                                             index cols) {
    using Image = std::optional<std::vector<std::uint32_t>>;
    if (!dataset.is_dataset() || rows <= 0 || cols <= 0) return Image{};
    SLUICE_TRY(DatasetInfo const d, dataset_info(dataset));
    std::vector<std::uint64_t> const want{static_cast<std::uint64_t>(rows),
                                          static_cast<std::uint64_t>(cols)};
    if (plane_of(d.space.extent) != want || d.space.null || !d.type.check_number()) return Image{};
    SLUICE_TRY(Elements const e, read_elements(dataset, largest_image));
    std::vector<std::uint32_t> v(static_cast<std::size_t>(rows * cols));
    for (std::size_t i = 0; i < v.size(); ++i) {
        auto const bits = bits_of(e.type, e.bytes.data() + i * e.type.size);
        if (!bits)
            return Error{
                Code::unsupported,
                fmt::format("{} holds {} (whole numbers of 32 bits are expected)", dataset.path(),
                            number_of(e.type, e.bytes.data() + i * e.type.size)),
                dataset.file()};
        v[i] = *bits;
    }
    return Image(std::move(v));
}

Result<std::vector<double>> attribute_numbers(Object const& object, std::string_view name) {
    SLUICE_TRY(auto const a, attribute_named(object, name));
    return a ? numbers_of(a->value) : std::vector<double>{};
}

Result<std::optional<double>> attribute_number(Object const& object, std::string_view name) {
    SLUICE_TRY(auto v, attribute_numbers(object, name));
    return only(std::move(v));
}

Result<std::vector<std::string>> attribute_texts(Object const& object, std::string_view name) {
    SLUICE_TRY(auto const a, attribute_named(object, name));
    return a ? texts_of(object.source(), a->value) : std::vector<std::string>{};
}

Result<std::vector<Object>> attribute_objects(Object const& object, std::string_view name) {
    std::vector<Object> out;
    SLUICE_TRY(auto const a, attribute_named(object, name));
    if (!a || a->value.type.kind != TypeClass::variable || !few(a->value)) return out;
    Source const& source = object.source();
    GlobalHeap heap(source);
    for (std::size_t i = 0; i < *a->value.space.count(); ++i) {
        Bytes const element =
            Bytes(a->value.bytes).subspan(i * a->value.type.size, a->value.type.size);
        SLUICE_TRY(Listed const list, listed_at(heap, source, element));
        Cursor c(list.bytes);
        std::uint64_t const address = c.number(source.address_bytes());
        if (!c.ok()) return std::vector<Object>{};
        SLUICE_TRY(Object o, Object::at(object.shared_source(), address, "a dimension scale"));
        out.push_back(std::move(o));
    }
    return out;
}

Result<std::optional<std::string>> attribute_text(Object const& object, std::string_view name) {
    SLUICE_TRY(auto texts, attribute_texts(object, name));
    return only(std::move(texts));
}

}  // namespace sluice::hdf5::object
