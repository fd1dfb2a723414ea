// Fuzz target: any bytes as a JPEG XR file, at any reduction.
// SPDX-License-Identifier: Apache-2.0
#include "codec/jxr/jxr.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    using sluice::index;  // and not what strings.h calls so
    if (size < 1) return 0;
    int const reduction = data[0] % 3 == 0 ? 1 : data[0] % 3 == 1 ? 4 : 16;
    Bytes const file(reinterpret_cast<std::byte const*>(data + 1), size - 1);
    auto const info = codec::jxr_inspect(file);
    if (!info) return 0;
    index const width = (info->width + reduction - 1) / reduction;
    index const height = (info->height + reduction - 1) / reduction;
    // Larger images only take longer.
    if (info->width > 2048 || info->height > 2048 || info->width * info->height > 1 << 18) return 0;
    std::vector<std::byte> out(
        static_cast<std::size_t>(width * height * info->samples * size_of(info->sample)));
    (void)codec::jxr_decode(file, {reduction, data[0] % 2 == 0}, out);
    return 0;
}
