// Members of a zip file as arrays.
// SPDX-License-Identifier: Apache-2.0
#include "format/npy/npz.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/with_type.h"
#include "codec/zip/quoted.h"
#include "format/boxes/box.h"

namespace sluice::npy {

std::uint64_t NpzArray::count() const {
    std::uint64_t n = 1;
    for (index side : header.shape) n *= static_cast<std::uint64_t>(side);
    return n;
}

namespace {

// The elements with the last axis running fastest, without a header.
std::vector<std::byte> in_c_order(NpzArray const& array, std::size_t element) {
    auto const& shape = array.header.shape;
    std::vector<index> place(shape.size()), step(shape.size(), 1);
    for (std::size_t d = 1; d < shape.size(); ++d) step[d] = step[d - 1] * shape[d - 1];
    Bytes const from = array.elements();
    std::vector<std::byte> to(from.size());
    std::size_t at = 0;
    for (std::size_t next = 0; next < to.size(); next += element) {
        std::memcpy(to.data() + next, from.data() + at * element, element);
        for (std::size_t d = shape.size(); d-- > 0;) {
            at += static_cast<std::size_t>(step[d]);
            if (++place[d] < shape[d]) break;
            at -= static_cast<std::size_t>(step[d] * shape[d]);
            place[d] = 0;
        }
    }
    return to;
}

}  // namespace

Result<Npz> Npz::open(std::shared_ptr<Source const> file) {
    Npz npz;
    SLUICE_TRY(npz.members_, zip::zip_members(*file, zip::Packing::deflated_too));
    npz.file_ = std::move(file);
    return npz;
}

std::vector<std::string> Npz::names() const {
    std::vector<std::string> names;
    for (auto const& m : members_)
        if (m.name.ends_with(".npy")) names.push_back(m.name.substr(0, m.name.size() - 4));
    return names;
}

Result<std::optional<NpzArray>> Npz::read(std::string const& name, std::uint64_t most) const {
    for (auto const& member : members_) {
        if (member.name != name + ".npy") continue;
        auto const placed = [&](Error e) {
            e.message = fmt::format("the array {}: {}", zip::in_quotes(name), e.message);
            e.file = file_->name();
            e.at = member.at;
            return e;
        };
        NpzArray array;
        SLUICE_TRY(array.bytes, zip::read_member(*file_, member, most));
        if (!is_npy(array.bytes)) return placed({Code::corrupt, "it is not an NPY array"});
        auto header = parse_header(array.bytes, true);
        if (!header) return placed(std::move(header).error());
        array.header = *header;
        auto const element =
            static_cast<std::uint64_t>(array.header.type.bytes) * (array.header.complex ? 2 : 1);
        std::uint64_t const held = array.bytes.size() - array.header.data_at;
        std::vector<std::uint64_t> const sides(array.header.shape.begin(),
                                               array.header.shape.end());
        auto const count = boxes::product_of(sides, held);
        if (!count || *count * element != held)
            return placed({Code::truncated, "its elements are not as many as its shape needs"});
        if (array.header.fortran_order) {
            // The copy doubles what the array takes for a while.
            if (most < held || most - held < held)
                return placed({Code::out_of_memory,
                               "it is in Fortran's order, and turning it takes as much memory "
                               "again; save numpy.ascontiguousarray of it"});
            array.bytes = in_c_order(array, element);
            array.header.fortran_order = false;
            array.header.data_at = 0;
        }
        return std::optional(std::move(array));
    }
    return std::optional<NpzArray>{};
}

std::vector<double> numbers_of(NpzArray const& array) {
    std::vector<double> out;
    StoredType const stored = array.header.type;
    Bytes const in = array.elements();
    auto const element = static_cast<std::size_t>(stored.bytes);
    std::size_t const count = in.size() / element;
    out.reserve(count);
    // Doubles would lose digits as float32.
    if (stored.kind == StoredType::Kind::floating && stored.bytes == 8) {
        for (std::size_t i = 0; i < count; ++i) {
            std::byte b[8];
            std::memcpy(b, in.data() + i * 8, 8);
            if (stored.big_endian) std::reverse(b, b + 8);
            double value;
            std::memcpy(&value, b, 8);
            out.push_back(value);
        }
        return out;
    }
    DType const type = read_as(stored);
    std::vector<std::byte> converted(count * static_cast<std::size_t>(size_of(type)));
    (void)convert_values(stored, in, converted.data());
    with_detector_type(type, [&]<class T>(T) {
        for (std::size_t i = 0; i < count; ++i) {
            T value;
            std::memcpy(&value, converted.data() + i * sizeof(T), sizeof(T));
            out.push_back(static_cast<double>(value));
        }
    });
    return out;
}

}  // namespace sluice::npy
