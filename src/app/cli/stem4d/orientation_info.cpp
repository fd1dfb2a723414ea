// The phases of an orientation map and how much of it is indexed, as lines and as JSON.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/orientation_info.h"

#include <fmt/format.h>

#include "app/cli/shell/terminal.h"
#include "sluice/orientation_file.h"

namespace sluice::cli {

Status orientation_info(std::string const& path, Json* json) {
    SLUICE_TRY(stem4d::OrientationInfo const info, stem4d::inspect_orientations(path));
    index const all = info.scan_shape[0] * info.scan_shape[1];
    if (json) {
        Json phases = Json::array();
        for (std::size_t i = 0; i < info.phases.size(); ++i)
            phases.push_back({{"name", info.phases[i]}, {"indexed", info.indexed_of_phase[i]}});
        *json = Json{{"path", path},
                     {"format", "orientation map"},
                     {"scan", info.scan_shape},
                     {"step_nm", info.step_nm > 0 ? Json(info.step_nm) : Json()},
                     {"kilovolts", info.kilovolts > 0 ? Json(info.kilovolts) : Json()},
                     {"indexed", info.indexed},
                     {"phases", phases}};
        return {};
    }
    say("{}\n", path);
    print_line("format", "orientation map");
    print_line("scan", fmt::format("{} x {}", info.scan_shape[0], info.scan_shape[1]));
    print_line("step", info.step_nm > 0 ? fmt::format("{:g} nm", info.step_nm) : "not known");
    if (info.kilovolts > 0) print_line("electrons", fmt::format("{:g} kV", info.kilovolts));
    print_line("indexed", fmt::format("{} of {} patterns", info.indexed, all));
    for (std::size_t i = 0; i < info.phases.size(); ++i)
        print_line("phase",
                   fmt::format("{}, {} patterns", info.phases[i], info.indexed_of_phase[i]));
    return {};
}

}  // namespace sluice::cli
