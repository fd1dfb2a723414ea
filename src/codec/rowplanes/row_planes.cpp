// A frame as bit planes of eight rows each.
// SPDX-License-Identifier: Apache-2.0
#include "codec/rowplanes/row_planes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "codec/bitshuffle/has_bits.h"

namespace sluice::codec {
namespace {

index pixels_from(RowPlanesForm const& form, index first) {
    return std::min(8 * form.cols, form.pixels() - first);
}

Error bad_planes(std::string_view what) {
    return Error{Code::corrupt, fmt::format("bit planes of a frame {}", what), {}, 0};
}

}  // namespace

std::size_t pack_row_planes(Plain values, RowPlanesForm form, Isa isa, std::byte* out) {
    expects(form.can_be() && values.bytes == form.bytes);
    std::byte* to = out + form.block_rows() * 4;
    int expected = 0;
    for (index r = 0; r < form.block_rows(); ++r) {
        index const first = 8 * r * form.cols, n = pixels_from(form, first);
        Plain rows = values;
        rows.data += first * form.bytes;
        std::uint32_t const bits = pack_needed(isa, rows, n, expected, to, n / 8);
        auto const count = static_cast<int>(std::bit_width(bits));
        std::memcpy(out + 4 * r, &bits, 4);
        to += count * (n / 8);
    }
    return static_cast<std::size_t>(to - out);
}

std::size_t pack_row_planes(std::byte const* planes, index stride, int count, RowPlanesForm form,
                            std::byte* out) {
    expects(form.can_be() && count <= 8 * form.bytes);
    std::byte* to = out + form.block_rows() * 4;
    for (index r = 0; r < form.block_rows(); ++r) {
        index const first = 8 * r * form.cols;
        auto const bytes = static_cast<std::size_t>(pixels_from(form, first) / 8);
        std::byte const* const from = planes + first / 8;
        std::uint32_t bits = 0;
        for (int p = 0; p < count; ++p)
            bits |= static_cast<std::uint32_t>(has_bits(from + p * stride, bytes)) << p;
        for (int p = 0; p < static_cast<int>(std::bit_width(bits)); ++p, to += bytes)
            std::memcpy(to, from + p * stride, bytes);
        std::memcpy(out + 4 * r, &bits, 4);
    }
    return static_cast<std::size_t>(to - out);
}

Result<RowPlanesWalk> RowPlanesWalk::begin(Bytes packed, RowPlanesForm form) {
    if (!form.can_be())
        return bad_planes(
            fmt::format("of {}x{} pixels of {} bytes", form.rows, form.cols, form.bytes));
    RowPlanesWalk walk;
    walk.packed_ = packed, walk.form_ = form;
    walk.at_ = static_cast<std::size_t>(4 * form.block_rows());
    if (packed.size() < walk.at_) return bad_planes("that end before they begin");
    return walk;
}

Result<EightRows> RowPlanesWalk::next() {
    EightRows rows{.first = 8 * row_ * form_.cols};
    std::memcpy(&rows.bits, packed_.data() + 4 * row_, 4);
    rows.count = static_cast<int>(std::bit_width(rows.bits));
    if (rows.count > 8 * form_.bytes)
        return bad_planes(fmt::format("that has {} of them for {} bytes", rows.count, form_.bytes));
    auto const size = static_cast<std::size_t>(rows.count * (pixels_from(form_, rows.first) / 8));
    if (size > packed_.size() - at_) return bad_planes("that is too short");
    rows.planes = packed_.subspan(at_, size);
    at_ += size;
    ++row_;
    return rows;
}

Status unpack_row_planes(Bytes packed, RowPlanesForm form, Isa isa, std::span<std::byte> values) {
    SLUICE_TRY(RowPlanesWalk walk, RowPlanesWalk::begin(packed, form));
    expects(values.size() == static_cast<std::size_t>(form.pixels() * form.bytes));
    for (index r = 0; r < form.block_rows(); ++r) {
        SLUICE_TRY(EightRows const rows, walk.next());
        transpose(isa).unpack(rows.planes.data(), rows.plane_bytes(), rows.count, form.bytes,
                              pixels_from(form, rows.first),
                              values.data() + rows.first * form.bytes);
    }
    return {};
}

}  // namespace sluice::codec
