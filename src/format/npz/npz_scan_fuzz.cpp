// Fuzzes NumPy's archives as scans: the zip's directory, headers of arrays, and some frames.
// SPDX-License-Identifier: Apache-2.0
#include "format/frame_source.h"
#include "format/npz/npz_scan.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const bytes = std::as_bytes(std::span(data, size));
    auto const file = memory_source("fuzz", {bytes.begin(), bytes.end()});
    auto const d = npz_scan::open_source_of(file, {}, 1 << 26);
    if (!d || d->pixels() > 1 << 20) return 0;
    std::vector<EncodedFrame> out(static_cast<std::size_t>(std::min<sluice::index>(d->frames, 4)));
    FetchScratch scratch;
    expects(d->source->fetch(0, out, scratch).has_value());
    return 0;
}
