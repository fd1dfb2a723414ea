// An element is its tag, four bytes of the kind, eight of the length, and so many bytes.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/packed.h"

#include <algorithm>
#include <cstring>

namespace sluice::dicom {
namespace {

enum class Kind : std::uint32_t { none, text, numbers, items };
constexpr std::size_t head_bytes = 16;

void put(std::vector<std::byte>& out, void const* data, std::size_t bytes) {
    auto const* const from = static_cast<std::byte const*>(data);
    out.insert(out.end(), from, from + bytes);
}

template <class T>
void put_value(std::vector<std::byte>& out, T value) {
    put(out, &value, sizeof value);
}

void pack_into(std::vector<std::byte>& out, Dataset const& dataset);

// The length stands before what is only known when it is written.
template <class Write>
void put_counted(std::vector<std::byte>& out, Write&& write) {
    std::size_t const at = out.size();
    put_value(out, std::uint64_t{0});
    write();
    std::uint64_t const length = out.size() - at - sizeof(std::uint64_t);
    std::memcpy(out.data() + at, &length, sizeof length);
}

void pack_into(std::vector<std::byte>& out, Dataset const& dataset) {
    for (Element const& e : dataset.elements) {
        put_value(out, e.tag);
        Kind const kind = !e.items.empty()     ? Kind::items
                          : !e.numbers.empty() ? Kind::numbers
                          : !e.text.empty()    ? Kind::text
                                               : Kind::none;
        put_value(out, kind);
        put_counted(out, [&] {
            if (kind == Kind::text) put(out, e.text.data(), e.text.size());
            if (kind == Kind::numbers)
                put(out, e.numbers.data(), e.numbers.size() * sizeof(double));
            for (Dataset const& item : e.items) put_counted(out, [&] { pack_into(out, item); });
        });
    }
}

Error strange() {
    return {Code::corrupt, "cannot be read (its content makes no sense) write it again"};
}

template <class T>
T take(Bytes& bytes) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes = bytes.subspan(sizeof value);
    return value;
}

Result<Bytes> take_counted(Bytes& bytes) {
    if (bytes.size() < sizeof(std::uint64_t)) return strange();
    auto const length = take<std::uint64_t>(bytes);
    if (length > bytes.size()) return strange();
    Bytes const part = bytes.first(static_cast<std::size_t>(length));
    bytes = bytes.subspan(part.size());
    return part;
}

Result<Dataset> unpack_level(Bytes bytes, int depth) {
    if (depth > deepest) return strange();
    Dataset out;
    while (!bytes.empty()) {
        if (bytes.size() < head_bytes) return strange();
        Element e{take<Tag>(bytes)};
        auto const kind = static_cast<Kind>(take<std::uint32_t>(bytes));
        SLUICE_TRY(Bytes part, take_counted(bytes));
        if (kind == Kind::text)
            e.text.assign(reinterpret_cast<char const*>(part.data()), part.size());
        if (kind == Kind::numbers) {
            if (part.size() % sizeof(double) != 0) return strange();
            e.numbers.resize(part.size() / sizeof(double));
            if (!part.empty()) std::memcpy(e.numbers.data(), part.data(), part.size());
        }
        while (kind == Kind::items && !part.empty()) {
            SLUICE_TRY(Bytes const item, take_counted(part));
            SLUICE_TRY(Dataset inner, unpack_level(item, depth + 1));
            e.items.push_back(std::move(inner));
        }
        if (!out.elements.empty() && out.elements.back().tag >= e.tag) return strange();
        out.elements.push_back(std::move(e));
    }
    return out;
}

}  // namespace

Element const* Dataset::find(Tag tag) const {
    auto const at = std::ranges::lower_bound(elements, tag, {}, &Element::tag);
    return at == elements.end() || at->tag != tag ? nullptr : &*at;
}

std::vector<std::byte> pack(Dataset const& dataset) {
    std::vector<std::byte> out;
    pack_into(out, dataset);
    return out;
}

Result<Dataset> unpack(Bytes bytes) {
    return unpack_level(bytes, 0);
}

}  // namespace sluice::dicom
