// The numbers of patterns and disks, as lines and as JSON.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/vectors_info.h"

#include <fmt/format.h>

#include "app/cli/shell/terminal.h"
#include "sluice/bragg_vectors.h"

namespace sluice::cli {

Status vectors_info(std::string const& path, Json* json) {
    SLUICE_TRY(stem4d::VectorsInfo const v, stem4d::inspect_vectors(path));
    if (json) {
        *json = Json{{"path", path},         {"format", "Bragg vectors"},
                     {"scan", v.scan_shape}, {"detector", v.detector_shape},
                     {"disks", v.disks},     {"empty_patterns", v.empty_patterns},
                     {"errors", v.errors}};
        return {};
    }
    say("{}\n", path);
    print_line("format", "Bragg vectors");
    print_line("scan", fmt::format("{} x {}", v.scan_shape[0], v.scan_shape[1]));
    print_line("detector", fmt::format("{} x {}", v.detector_shape[0], v.detector_shape[1]));
    print_line("disks", fmt::format("{}, in {} of {} patterns", v.disks,
                                    v.scan_shape[0] * v.scan_shape[1] - v.empty_patterns,
                                    v.scan_shape[0] * v.scan_shape[1]));
    print_line("errors", v.errors ? "there are columns of variances and scores"
                                  : "the file has none (another program wrote it)");
    return {};
}

}  // namespace sluice::cli
