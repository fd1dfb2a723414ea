// Calibrations of crystals: JSON that says so in its first key.
// SPDX-License-Identifier: Apache-2.0
#include "format/kinds/kinds.h"

namespace sluice {
namespace {

bool is_calibration(Look const& look) {
    auto const* const text = reinterpret_cast<char const*>(look.head().data());
    std::string_view const head(text, look.head().size());
    return look.begins("{") &&
           head.substr(0, 100).find("\"kind\": \"crystal calibration\"") != std::string_view::npos;
}

}  // namespace

constinit ContentKind const kinds::crystal_calibration{
    "calibration", "calibration of a crystal", "JSON",
    "`sluice info` and `sluice stem4d strain --calibration` read it, and load_calibration() in "
    "Python and C++",
    is_calibration};

}  // namespace sluice
