// A reconstruction at work as an object of Python, as long as it is looked at.
// SPDX-License-Identifier: Apache-2.0
#include "bind/ptychography_watch.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/errors.h"

namespace sluice::python {
namespace {

using stem4d::PtychographyView;
using Plane = Array<std::complex<float>>;

// The library's view, which is gone when the callable returns; the caller may have kept this.
struct Look {
    PtychographyView const* view = nullptr;

    PtychographyView const& get() const {
        if (!view)
            raise({Code::invalid_argument,
                   "this view has ended (it is good while watch is called) copy what you want to "
                   "keep inside of watch"});
        return *view;
    }
};

nb::object stacked(std::function<Plane(index)> const& plane, index count) {
    Plane all;
    for (index i = 0; i < count; ++i) {
        Plane const one = plane(i);
        all.shape = {count, one.shape[0], one.shape[1]};
        all.values.insert(all.values.end(), one.values.begin(), one.values.end());
    }
    return to_numpy(std::move(all));
}

nb::object places(std::span<stem4d::Position const> positions) {
    std::vector<double> flat;
    for (auto const& p : positions) flat.insert(flat.end(), {p.row, p.col});
    return to_numpy(std::move(flat), {std::ssize(positions), 2});
}

nb::object errors_of(PtychographyView const& view) {
    std::vector<double> r;
    for (auto const& round : view.rounds) r.push_back(round.r);
    return to_numpy(std::move(r));
}

}  // namespace

void Watcher::attach(stem4d::PtychographyOptions& options) {
    if (callable_.is_none()) return;
    options.watch = [this](PtychographyView const& view) {
        if (!view.within && !raised_) look(view);
    };
    options.progress = [this, before = options.progress](std::uint64_t done, std::uint64_t all) {
        return !raised_ && (!before || before(done, all));
    };
}

void Watcher::look(PtychographyView const& view) {
    nb::gil_scoped_acquire const on;
    try {
        nb::object const seen = nb::cast(Look{&view});
        Look& look = nb::cast<Look&>(seen);
        struct End {
            Look& look;
            ~End() { look.view = nullptr; }
        } const end{look};
        callable_(seen);
    } catch (...) {
        raised_ = std::current_exception();
    }
}

void Watcher::rethrow() {
    if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
}

void add_ptychography_view(nb::module_& m) {
    nb::class_<Look>(m, "PtychographyLook")
        .def_prop_ro("iterations", [](Look const& l) { return l.get().iterations; })
        .def_prop_ro("r", [](Look const& l) { return errors_of(l.get()); })
        .def_prop_ro("floor", [](Look const& l) { return l.get().floor(); })
        .def_prop_ro("object", [](Look const& l) { return stacked(l.get().slice, l.get().slices); })
        .def_prop_ro("probe", [](Look const& l) { return stacked(l.get().mode, l.get().modes); })
        .def_prop_ro("positions", [](Look const& l) { return places(l.get().positions); })
        .def_prop_ro("started", [](Look const& l) { return places(l.get().started); })
        .def_prop_ro("notes", [](Look const& l) {
            return std::vector<std::string>(l.get().notes.begin(), l.get().notes.end());
        });
}

}  // namespace sluice::python
