// What each damage changes.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/writer_damage.h"

#include <algorithm>

#include "base/bytes.h"

namespace sluice::nxmx {

Status check_damage(Acquisition const& a) {
    bool const in_chunk = a.damage == Damage::lz4_garbage || a.damage == Damage::zero_block ||
                          a.damage == Damage::wrong_total;
    bool const header = a.compression == Compression::bslz4 ||
                        a.compression == Compression::bszstd || a.compression == Compression::lz4;
    if (in_chunk && !header)
        return Error{Code::invalid_argument,
                     "this damage breaks a frame's header (which this "
                     "compression has not); use bslz4, bszstd or lz4"};
    if (a.damage == Damage::wrong_shape && a.rows < 2)
        return Error{Code::invalid_argument, "frames of one row cannot be halved; use more rows"};
    return {};
}

void damage_chunk(Damage damage, std::vector<std::byte>& chunk) {
    constexpr std::size_t block_bytes_at = 8, payload_at = 16;
    if (chunk.size() <= payload_at) return;
    if (damage == Damage::zero_block) store_be<std::uint32_t>(chunk.data() + block_bytes_at, 0);
    if (damage == Damage::wrong_total)
        store_be(chunk.data(), 2 * load_be<std::uint64_t>(chunk.data()));
    if (damage == Damage::lz4_garbage)
        std::fill(chunk.begin() + payload_at, chunk.end(), std::byte{0xff});
}

LastFile damage_last_file(Acquisition const& a, index frames) {
    LastFile last{frames, a.rows, a.dtype};
    if (a.damage == Damage::missing_frames) last.frames -= std::max<index>(1, frames / 3);
    if (a.damage == Damage::wrong_shape) last.rows = a.rows / 2;
    if (a.damage == Damage::wrong_dtype)
        last.dtype = a.dtype == DType::u16 ? DType::u32 : DType::u16;
    return last;
}

std::vector<std::byte> convert_values(Bytes values, DType from, DType to) {
    auto const wide = static_cast<std::size_t>(size_of(to));
    auto const narrow = static_cast<std::size_t>(size_of(from));
    std::vector<std::byte> out(values.size() / narrow * wide);
    for (std::size_t i = 0; i * narrow < values.size(); ++i)
        std::copy_n(values.begin() + static_cast<index>(i * narrow), std::min(narrow, wide),
                    out.begin() + static_cast<index>(i * wide));
    return out;
}

}  // namespace sluice::nxmx
