// Vectors as CSV: a line for each disk, with numbers that read back as the same floats.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "base/file.h"
#include "domain/crystal/vectors/files.h"

namespace sluice::crystal {

Status save_csv(std::string const& path, BraggVectors const& v) {
    SLUICE_TRY(NewFile file, NewFile::create(path));
    constexpr std::size_t piece = 1 << 20;
    std::string text = "pattern_row,pattern_col";
    for (Column const& c : columns) fmt::format_to(std::back_inserter(text), ",{}", c.name);
    text += '\n';
    for (index p = 0; p < v.patterns(); ++p) {
        std::string const place = fmt::format("{},{}", p / v.scan_shape[1], p % v.scan_shape[1]);
        auto const at = static_cast<std::size_t>(p);
        for (auto i = static_cast<std::size_t>(v.first[at]);
             i < static_cast<std::size_t>(v.first[at + 1]); ++i) {
            text += place;
            for (Column const& c : columns)
                fmt::format_to(std::back_inserter(text), ",{}", (v.*c.values)[i]);
            text += '\n';
            if (text.size() < piece) continue;
            SLUICE_CHECK(file.write(std::as_bytes(std::span(text))));
            text.clear();
        }
    }
    SLUICE_CHECK(file.write(std::as_bytes(std::span(text))));
    return file.commit();
}

}  // namespace sluice::crystal
