// Rows, scaling and findings of an examination as JSON.
// SPDX-License-Identifier: Apache-2.0
#include "doctor/report.h"

#include "bench/machine.h"

namespace sluice::doctor {
namespace {

using bench::Json;

Json number_or_null(std::optional<double> const& value) {
    return value ? Json(*value) : Json();
}

Json to_json(MachineRow const& row) {
    Json j{{"part", row.part},
           {"name", row.name},
           {"text", row.text},
           {"value", number_or_null(row.value)},
           {"unit", row.unit},
           {"expected", number_or_null(row.expected)},
           {"least", row.least},
           {"rule", row.rule},
           {"not_taken", row.not_taken},
           {"topic", row.topic},
           {"waited", number_or_null(row.waited)}};
    if (row.spread.max > 0)
        j["spread"] = {{"min", row.spread.min},
                       {"lower_quartile", row.spread.lower_quartile},
                       {"median", row.spread.median},
                       {"upper_quartile", row.spread.upper_quartile},
                       {"max", row.spread.max}};
    return j;
}

Json to_json(CoreScaling const& one) {
    return {{"work", one.work},
            {"threads", one.threads},
            {"factor", number_or_null(one.factor)},
            {"expected", number_or_null(one.expected)},
            {"not_taken", one.not_taken}};
}

Json to_json(Finding const& found) {
    return {{"rule", found.rule},
            {"text", found.text},
            {"advice", found.advice},
            {"evidence", found.evidence}};
}

template <class T>
Json list_of(std::vector<T> const& all) {
    Json list = Json::array();
    for (T const& one : all) list.push_back(to_json(one));
    return list;
}

}  // namespace

Json report_of(Examination const& found) {
    return {{"machine", bench::machine(found.facts.folder)},
            {"quick", found.quick},
            {"seconds", found.seconds},
            {"rows", list_of(found.rows)},
            {"scaling", list_of(scaling_of(found.facts))},
            {"findings", list_of(found.findings)}};
}

}  // namespace sluice::doctor
