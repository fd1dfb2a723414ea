// Checks every field of a request about the doctor; nothing of it is trusted.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/doctor/request.h"

#include <fmt/format.h>

namespace sluice::app {

Result<DoctorRequest> parse_doctor_request(std::string const& op, Fields const& fields) {
    DoctorRequest request;
    if (op == "stop") return request;
    if (op != "examine") return wrong_field("op", fmt::format("'{}' is not known", op));
    request.what = DoctorRequest::What::examine;
    auto const quick = fields.find("quick");
    if (quick == fields.end() || !quick->is_boolean())
        return wrong_field("quick", "must be true or false");
    request.quick = quick->get<bool>();
    return request;
}

Json echo(DoctorRequest const& request) {
    if (request.what == DoctorRequest::What::stop) return {{"op", "stop"}};
    return {{"op", "examine"}, {"quick", request.quick}};
}

}  // namespace sluice::app
