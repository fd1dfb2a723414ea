// Header, directory and time stamps of a CZI file.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/czi/facts.h"

namespace sluice::slide {

SlideFacts facts_of(czi::File const& file) {
    czi::Header const& h = file.header();
    SlideFacts f;
    f.version = {h.major, h.minor};
    f.guid = h.guid;
    f.primary_guid = h.primary_guid;
    f.file_part = h.file_part;
    f.update_pending = h.update_pending;
    f.entries = std::ssize(file.entries());
    for (czi::Entry const& e : file.entries()) {
        ++f.pixel_types[named(e.pixel_type)];
        ++f.compressions[named(e.compression)];
    }
    return f;
}

Result<std::vector<double>> time_stamps_of(czi::File const& file,
                                           std::span<Attachment const> attachments) {
    for (Attachment const& a : attachments) {
        if (a.name != "TimeStamps") continue;
        SLUICE_TRY(auto const bytes, file.read(a));
        return czi::parse_time_stamps(bytes);
    }
    return std::vector<double>{};
}

}  // namespace sluice::slide
