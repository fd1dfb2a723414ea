// Writes requests about volumes back as JSON, in the words of docs/protocol.md.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/proton/echo.h"

namespace sluice::app {
namespace {

std::string word(SpaceAxis const& axis) {
    std::string const letter(1, static_cast<char>('x' + axis.number));
    return axis.back ? "-" + letter : letter;
}

void add(Json& j, PlaneRequest const& r) {
    j["volume"] = r.volume;
    j["onto"] = r.onto;
    j["across"] = word(r.across);
    j["down"] = word(r.down);
    j["at"] = r.at;
}
void add(Json& j, ProfileRequest const& r) {
    j["volumes"] = r.volumes;
    j["along"] = word({r.along, false});
    j["through"] = r.through;
}
void add(Json& j, DifferenceRequest const& r) {
    j["volume"] = r.volume;
    j["minus"] = r.minus;
}

void add(Json& j, OutlinesRequest const& r) {
    j["structures"] = r.structures;
    j["onto"] = r.onto;
    j["across"] = word({r.across, false});
    j["down"] = word({r.down, false});
    j["at"] = r.at;
}
void add(Json& j, HistogramRequest const& r) {
    j["volume"] = r.volume;
    j["structure"] = r.structure;
    j["to"] = r.to;
}

}  // namespace

Json echo(VolumeRequest const& request) {
    Json j{{"op", request.op}};
    std::visit([&](auto const& what) { add(j, what); }, request.what);
    return j;
}

}  // namespace sluice::app
