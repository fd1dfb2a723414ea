// Fuzzes the headers of FRMS6 files and the text beside them.
// SPDX-License-Identifier: Apache-2.0
#include "format/frms6/frames.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const bytes = std::as_bytes(std::span(data, size));
    auto const info = frms6::parse_info({reinterpret_cast<char const*>(data), size});
    expects(info.binning >= 1 && info.signal_frames >= 0 && info.dwell_s >= 0);
    if (info.scan) expects((*info.scan)[0] > 0 && (*info.scan)[1] > 0);
    auto const h = frms6::parse_header(bytes);
    if (!h) return 0;
    expects(h->rows > 0 && h->cols > 1 && h->cols % 2 == 0);
    auto const frame = bytes.subspan(frms6::file_header_bytes);
    if (frame.size() < h->frame_bytes()) return 0;
    std::vector<std::byte> image(static_cast<std::size_t>(h->frame_bytes()));
    frms6::unfold(*h, frame.first(image.size()), image);
    return 0;
}
