// Fuzz target: any text as a list of spots, which is read again as it was written.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/proton_plan.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const plan = proton::parse_plan_list(text, "f");
    if (!plan) return 0;
    auto const again = proton::parse_plan_list(proton::plan_list(*plan), "f");
    expects(again.has_value() && again->spots() == plan->spots());
    return 0;
}
