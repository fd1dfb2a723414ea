// The control port of a detector, and what a scan is armed with.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bind/choices.h"
#include "bind/live.h"
#include "bind/work.h"
#include "net/words.h"

namespace sluice::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// What Python's hook hears, and asks whether it is still wanted.
struct ArmedNow {
    ArmedScan scan;
    GoOn go_on;
    bool over = false;
    bool wanted() const { return !over && go_on(); }
};

// An object of Python that threads without the interpreter's lock may copy and let go of.
std::shared_ptr<nb::object> shared(nb::object object) {
    return {new nb::object(std::move(object)), [](nb::object* its) {
                nb::gil_scoped_acquire const on;
                delete its;
            }};
}

Status call(nb::object const& hook, ArmedScan const& scan, GoOn const& go_on) {
    nb::gil_scoped_acquire const on;
    auto const now = std::make_shared<ArmedNow>(ArmedNow{scan, go_on});
    Status status;
    try {
        hook(nb::cast(now));
    } catch (std::exception const& error) {
        status = Error{Code::io,
                       std::string("on_armed raised; the scan was cancelled: ") + error.what()};
    }
    now->over = true;
    return status;
}

DetectorControl connect(std::string const& address, std::string const& kind) {
    ControlKind const its = choice<ControlKind>("kind", kind);
    return work(nb::none(), [&](Telling&) { return DetectorControl::connect(address, its); });
}

nb::tuple status_of(DetectorControl& d) {
    DetectorStatus const s = work(nb::none(), [&](Telling&) { return d.status(); });
    return nb::make_tuple(config::value_text(s.kind), s.software, config::value_text(s.state),
                          s.word);
}

nb::list set(DetectorControl& d, std::string const& name, std::string const& value) {
    return changes_of(work(nb::none(), [&](Telling&) { return d.set(name, value); }));
}

}  // namespace

nb::list changes_of(std::vector<DetectorChange> const& changes) {
    nb::list out;
    for (DetectorChange const& c : changes) out.append(nb::make_tuple(c.name, c.before, c.after));
    return out;
}

std::optional<ArmOptions> arm_options(std::optional<nb::dict> const& words) {
    if (!words) return {};
    ArmOptions o;
    nb::dict const& w = *words;
    o.control = nb::cast<std::string>(w["control"]);
    o.trigger = choice<DetectorTrigger>("trigger", nb::cast<std::string>(w["trigger"]));
    o.dwell_s = nb::cast<std::optional<double>>(w["dwell_s"]);
    o.exposure_s = nb::cast<std::optional<double>>(w["exposure_s"]);
    o.set = nb::cast<std::vector<std::string>>(w["set"]);
    o.take_over = nb::cast<bool>(w["take_over"]);
    nb::object hook = w["on_armed"];
    if (!hook.is_none())
        o.on_armed = [held = shared(std::move(hook))](ArmedScan const& scan, GoOn const& go_on) {
            return call(*held, scan, go_on);
        };
    return o;
}

void add_detector_control(nb::module_& m) {
    nb::class_<ArmedNow>(m, "ArmedScan")
        .def_prop_ro("series", [](ArmedNow const& s) { return s.scan.series; })
        .def_prop_ro("scan_shape",
                     [](ArmedNow const& s) {
                         return std::pair<index, index>(s.scan.scan[0], s.scan.scan[1]);
                     })
        .def_prop_ro("images", [](ArmedNow const& s) { return s.scan.images; })
        .def("wanted", [](ArmedNow const& s) { return s.wanted(); });
    nb::class_<DetectorControl>(m, "DetectorControl")
        .def_prop_ro("address", &DetectorControl::address)
        .def("status", status_of)
        .def(
            "get",
            [](DetectorControl& d, std::string const& name) {
                return work(nb::none(), [&](Telling&) { return d.get(name); });
            },
            "name"_a)
        .def("set", set, "name"_a, "value"_a)
        .def("arm",
             [](DetectorControl& d) { return work(nb::none(), [&](Telling&) { return d.arm(); }); })
        .def("trigger",
             [](DetectorControl& d) {
                 work(nb::none(), [&](Telling& telling) {
                     return d.trigger([&] { return telling.wanted(); });
                 });
             })
        .def("disarm",
             [](DetectorControl& d) { work(nb::none(), [&](Telling&) { return d.disarm(); }); })
        .def("cancel",
             [](DetectorControl& d) { work(nb::none(), [&](Telling&) { return d.cancel(); }); })
        .def("initialize", [](DetectorControl& d) {
            work(nb::none(), [&](Telling&) { return d.initialize(); });
        });
    m.def("detector_control", connect, "address"_a, "kind"_a);
}

}  // namespace sluice::python
