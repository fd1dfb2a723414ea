// Fuzz target: any bytes as a zip file that is used as a folder.
// SPDX-License-Identifier: Apache-2.0
#include "zarr/zip_folder.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const bytes = std::as_bytes(std::span(data, size));
    auto const zip = zarr::ZipFolder::open(memory_source("fuzz", {bytes.begin(), bytes.end()}));
    if (!zip) return 0;
    for (zarr::Below const& file : zip->list_files("")) {
        expects(zip->has(file.name));
        auto const member = zip->open_file(file.name);
        if (!member || (*member)->size() > size) continue;
        std::vector<std::byte> all((*member)->size());
        (void)(*member)->read(0, all);
    }
    for (zarr::Below const& below : zip->list_folder("")) expects(zip->has(below.name));
    return 0;
}
