// Fuzz target: any text as the settings of a reconstruction; what is read gives itself again.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/ptychography_settings.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const options =
        stem4d::parse_ptychography({reinterpret_cast<char const*>(data), size}, "fuzz.toml");
    if (!options) return 0;
    expects(!options->stages.empty());
    for (auto const& stage : options->stages) {
        stem4d::PtychographyStage again;
        for (auto const& [name, value] : stem4d::settings_of(stage))
            expects(static_cast<bool>(stem4d::set(again, name, value)));
        expects(stem4d::settings_of(again) == stem4d::settings_of(stage));
    }
    return 0;
}
