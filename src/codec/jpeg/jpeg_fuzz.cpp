// Fuzz target: any bytes as a JPEG file, into the memory that its own header asks for, up to 1 MiB.
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "codec/jpeg/jpeg.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    Bytes const file = std::as_bytes(std::span(data, size));
    auto const info = codec::jpeg_inspect(file);
    if (!info) return 0;
    expects(info->width > 0 && info->height > 0 && (info->samples == 1 || info->samples == 3));
    auto const bytes = static_cast<std::size_t>(info->width * info->height * info->samples);
    std::vector<std::byte> out(bytes <= 1 << 20 ? bytes : 1);
    (void)codec::jpeg_decode(file, out);
    return 0;
}
