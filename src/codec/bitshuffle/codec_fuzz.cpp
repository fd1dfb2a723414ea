// Fuzz target: any bytes as a chunk of any filter, element size and frame size.
// SPDX-License-Identifier: Apache-2.0
#include "codec/bitshuffle/bitshuffle.h"
#include "codec/rowplanes/row_planes.h"
#include "device/isa.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    if (size < 3) return 0;
    constexpr int sizes[] = {1, 2, 4, 8, 3, 16, 5};
    int const bytes = sizes[data[0] % std::size(sizes)];
    std::size_t const elements = std::size_t{data[1]} * 37;
    Bytes const chunk(reinterpret_cast<std::byte const*>(data + 3), size - 3);
    std::vector<std::byte> out(elements * static_cast<std::size_t>(bytes));
    switch (data[2] % 5) {
        case 0:
            (void)codec::decode_bitshuffle(chunk, codec::Compression::lz4, bytes, out);
            break;
        case 1:
            (void)codec::decode_bitshuffle(chunk, codec::Compression::zstd, bytes, out);
            break;
        case 2:
            (void)codec::decode_bitshuffle(chunk, codec::Compression::none, bytes, out, data[1]);
            break;
        case 3:
            (void)codec::decode_lz4(chunk, out);
            break;
        case 4: {
            codec::RowPlanesForm const form{data[1], 37, bytes};
            if (form.can_be()) (void)codec::unpack_row_planes(chunk, form, chosen_isa(), out);
            break;
        }
    }
    return 0;
}
