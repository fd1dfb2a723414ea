// Which format a name means.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "domain/conversion/targets.h"

namespace sluice::conversion {
namespace {

using stem4d::ScanFormat;

std::vector<FormatRow> const& rows() {
    static std::vector<FormatRow> const table = {
        {ScanFormat::zarr, "zarr", {".zarr"}, zarr_target},
        {ScanFormat::nxmx, "nxmx", {"_master.h5"}, nxmx_target},
        {ScanFormat::emd, "emd", {".emd", ".h5", ".hdf5"}, emd_target},
        {ScanFormat::hspy, "hspy", {".hspy"}, hspy_target},
        {ScanFormat::zspy, "zspy", {".zspy"}, zspy_target},
        {ScanFormat::npy, "npy", {".npy"}, npy_target},
        {ScanFormat::mib, "mib", {".mib"}, mib_target},
        {ScanFormat::raw, "raw", {".raw", ".bin"}, raw_target}};
    return table;
}

}  // namespace

Result<FormatRow> format_row(ScanFormat format, std::string const& path) {
    std::vector<std::string> known;
    for (FormatRow const& row : rows()) {
        bool const ends =
            std::ranges::any_of(row.endings, [&](std::string_view e) { return path.ends_with(e); });
        if (format == row.format || (format == ScanFormat::automatic && ends)) return row;
        known.push_back(fmt::format("{} ({})", row.name, fmt::join(row.endings, ", ")));
    }
    return Error{Code::invalid_argument,
                 fmt::format("its ending means no format that scans are written in; use one of "
                             "these, or --format: {}",
                             fmt::join(known, ", ")),
                 path};
}

}  // namespace sluice::conversion
