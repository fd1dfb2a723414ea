// What guards say, as JSON, and as the error of a dose that would be wrong.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/run/guard_report.h"

namespace sluice::proton {

nlohmann::ordered_json to_json(std::vector<Guard> const& guards) {
    using Json = nlohmann::ordered_json;
    Json all = Json::array();
    for (Guard const& g : guards) {
        Json one = {{"name", g.name},
                    {"value", g.value},
                    {"limit", g.limit},
                    {"unit", g.unit},
                    {"severity", name_of(g.severity)},
                    {"text", g.text}};
        if (!g.key.empty()) one["key"] = g.key;
        if (!g.wanted.empty()) one["wanted"] = g.wanted;
        all.push_back(std::move(one));
    }
    return all;
}

Status refuse(std::vector<Guard> const& guards, std::string const& path, bool anyway) {
    Status const s = refuse(guards);
    if (s || anyway) return {};
    return Error{s.error().code,
                 s.error().message + "\n  the dose would be wrong; --anyway computes it", path};
}

}  // namespace sluice::proton
