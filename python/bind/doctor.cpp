// sluice/doctor.h: this machine, measured.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/doctor.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bind/core.h"
#include "bind/work.h"

namespace sluice::python {

namespace nb = nanobind;
using namespace nb::literals;

namespace {

nb::dict dict_of(MachineRow const& row) {
    nb::dict out;
    out["part"] = row.part;
    out["name"] = row.name;
    out["text"] = row.text;
    out["value"] = row.value;
    out["unit"] = row.unit;
    out["expected"] = row.expected;
    out["least"] = row.least;
    out["rule"] = row.rule;
    out["not_taken"] = row.not_taken;
    out["topic"] = row.topic;
    out["waited"] = row.waited;
    return out;
}

nb::dict dict_of(CoreScaling const& one) {
    nb::dict out;
    out["work"] = one.work;
    out["threads"] = one.threads;
    out["factor"] = one.factor;
    out["expected"] = one.expected;
    out["not_taken"] = one.not_taken;
    return out;
}

nb::dict dict_of(Finding const& finding) {
    nb::dict out;
    out["rule"] = finding.rule;
    out["text"] = finding.text;
    out["advice"] = finding.advice;
    out["evidence"] = finding.evidence;
    return out;
}

nb::dict doctor(bool quick, std::string const& folder, nb::object progress) {
    ExamineOptions options{quick, folder, {}};
    Examination const found = work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return examine(options);
    });
    nb::list rows, scaling, findings;
    for (MachineRow const& row : found.rows) rows.append(dict_of(row));
    for (CoreScaling const& one : scaling_of(found.facts)) scaling.append(dict_of(one));
    for (Finding const& finding : found.findings) findings.append(dict_of(finding));
    nb::dict out;
    out["rows"] = rows;
    out["scaling"] = scaling;
    out["findings"] = findings;
    out["seconds"] = found.seconds;
    out["quick"] = found.quick;
    return out;
}

}  // namespace

void add_doctor(nb::module_& m) {
    m.def("doctor", doctor, "quick"_a, "folder"_a, "progress"_a.none());
}

}  // namespace sluice::python
