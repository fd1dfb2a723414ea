// Fuzz target: any bytes as a CZI file, read by its directory and by walking it.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sluice/czi.h"

namespace {

using namespace sluice;

/// All places must be inside of the file.
void look_at(czi::File const& file) {
    std::uint64_t const size = file.source().size();
    auto const inside = [&](std::uint64_t at, std::uint64_t bytes) {
        return at <= size && bytes <= size - at;
    };
    auto const& entries = file.entries();
    // An entry has two dimensions at least.
    expects(entries.size() <= size / 72);
    for (std::size_t i = 0; i < std::min<std::size_t>(entries.size(), 64); ++i) {
        czi::Entry const& e = entries[i];
        expects(!e.rect.empty() && e.stored_width > 0 && e.stored_height > 0);
        for (std::int32_t const n : e.size) expects(n > 0);
        auto const parts = file.locate(e);
        if (!parts) continue;
        expects(inside(parts->metadata, parts->metadata_size));
        expects(inside(parts->data, parts->data_size));
        expects(inside(parts->attachment, parts->attachment_size));
    }
    if (auto const attachments = file.attachments())
        for (std::size_t i = 0; i < std::min<std::size_t>(attachments->size(), 8); ++i) {
            czi::Attachment const& a = (*attachments)[i];
            expects(inside(a.data, a.data_size));
            auto const data = file.read(a);
            expects(data ? data->size() == a.data_size : !a.problem.empty());
            if (data) (void)czi::parse_time_stamps(*data);
        }
    if (auto const xml = file.xml()) expects(xml->size() <= size);
    (void)czi::check(file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    auto const* const bytes = reinterpret_cast<std::byte const*>(data);
    auto const source = memory_source("fuzz.czi", {bytes, bytes + size});
    for (bool const recover : {false, true})
        if (auto const file = czi::File::open(source, {recover})) look_at(*file);
    return 0;
}
