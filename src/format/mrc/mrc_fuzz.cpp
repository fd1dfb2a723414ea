// Fuzzes the header of MRC files, packed sections, and the text beside them.
// SPDX-License-Identifier: Apache-2.0
#include "format/mrc/info_file.h"
#include "format/mrc/packed.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const bytes = std::as_bytes(std::span(data, size));
    mrc::recognises("a.mrc", bytes);
    if (auto const h = mrc::parse_header(bytes)) {
        expects(h->rows > 0 && h->cols > 0 && h->sections > 0 && h->data_at >= 1024);
        if (h->packed && h->rows < 256 && h->cols < 256) {
            auto const file = memory_source("fuzz", {bytes.begin(), bytes.end()});
            auto places = mrc::find_sections(*file, *h);
            if (places && places->sections() > 0) {
                std::vector<EncodedFrame> out(
                    static_cast<std::size_t>(std::min<sluice::index>(places->sections(), 3)));
                FetchScratch scratch;
                (void)mrc::packed_frames(file, *std::move(places), *h)->fetch(0, out, scratch);
            }
        }
    }
    auto const info = mrc::parse_info({reinterpret_cast<char const*>(data), size});
    if (info.scan) expects((*info.scan)[0] > 0 && (*info.scan)[1] > 0);
    return 0;
}
