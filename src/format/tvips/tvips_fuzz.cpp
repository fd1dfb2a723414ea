// Fuzzes the headers of TVIPS' recordings: the input is a file.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>

#include "format/tvips/header.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const h = tvips::parse_series_header(std::as_bytes(std::span(data, size)));
    if (!h) return 0;
    expects(h->rows > 0 && h->cols > 0 && h->frame_header_bytes >= 12);
    static std::string const path = "/tmp/sluice_tvips_fuzz_" + std::to_string(::getpid());
    if (std::FILE* const f = std::fopen(path.c_str(), "wb")) {
        std::fwrite(data, 1, size, f);
        std::fclose(f);
    }
    auto const file = File::open(path);
    ::unlink(path.c_str());
    if (!file) return 0;
    auto const frames =
        static_cast<sluice::index>((size - tvips::series_header_bytes) / h->stride());
    auto const found = tvips::find_scan(*file, *h, frames);
    if (found && *found)
        expects((*found)->start >= 0 && (*found)->cols >= 0 && (*found)->start < frames);
    return 0;
}
