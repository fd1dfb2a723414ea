// Checks every field of a request about a reconstruction; nothing of it is trusted.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/ptychography/request.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::app {
namespace {

using What = MonitorRequest::What;

struct MonitorOp {
    What what;
    char const* op;
    char const* number;  // the field; null: there is none
    std::int64_t most;
};
constexpr MonitorOp monitor_ops[] = {
    {What::object, "object", "slice", 999},     {What::probe, "probe", "mode", 63},
    {What::positions, "positions", nullptr, 0}, {What::curve, "curve", "from", 1'000'000'000},
    {What::shown, "shown", nullptr, 0},
};

}  // namespace

Result<MonitorRequest> parse_monitor_request(std::string const& op, Fields const& fields) {
    auto const* const known =
        std::ranges::find_if(monitor_ops, [&](MonitorOp const& o) { return o.op == op; });
    if (known == std::end(monitor_ops))
        return wrong_field("op", fmt::format("'{}' is not known", op));
    MonitorRequest request{.what = known->what};
    if (known->number) {
        SLUICE_TRY(request.number, whole_field(fields, known->number, known->most));
    }
    if (fields.contains("job")) {
        SLUICE_TRY(request.job, whole_field(fields, "job", 1'000'000));
    }
    return request;
}

Json echo(MonitorRequest const& request) {
    MonitorOp const& known = *std::ranges::find_if(
        monitor_ops, [&](MonitorOp const& o) { return o.what == request.what; });
    Json j{{"op", known.op}};
    if (known.number) j[known.number] = request.number;
    if (request.job > 0) j["job"] = request.job;
    return j;
}

}  // namespace sluice::app
