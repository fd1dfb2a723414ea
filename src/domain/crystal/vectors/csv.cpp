// Vectors as CSV: a line for each disk, with numbers that read back as the same floats.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "base/file.h"
#include "domain/crystal/vectors/files.h"

namespace sluice::crystal {

Status save_csv(std::string const& path, ColumnSource& v) {
    SLUICE_TRY(NewFile file, NewFile::create(path));
    constexpr std::size_t piece = 1 << 20;
    std::string text = "pattern_row,pattern_col";
    for (Column const& c : columns) fmt::format_to(std::back_inserter(text), ",{}", c.name);
    text += '\n';
    SLUICE_CHECK(each_disk(v, [&](index p, DiskValues const& disk) -> Status {
        auto const end = std::back_inserter(text);
        fmt::format_to(end, "{},{}", p / v.scan_shape[1], p % v.scan_shape[1]);
        for (float const value : disk) fmt::format_to(end, ",{}", value);
        text += '\n';
        if (text.size() < piece) return {};
        SLUICE_CHECK(file.write(std::as_bytes(std::span(text))));
        text.clear();
        return {};
    }));
    SLUICE_CHECK(file.write(std::as_bytes(std::span(text))));
    return file.commit();
}

}  // namespace sluice::crystal
