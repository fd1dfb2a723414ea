// The viewer's engine in this process: requests go in, messages come out on a thread of its own.
// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "app/view/proton/volumes.h"
#include "app/view/ptychography/results.h"
#include "app/view/session.h"
#include "app/view/slide/slides.h"
#include "app/view/stem4d/scans.h"
#include "bind/arrays.h"
#include "bind/choices.h"
#include "bind/core.h"
#include "bind/device.h"
#include "bind/keep.h"
#include "bind/ptychography.h"
#include "bind/work.h"
#include "format/kinds/kinds.h"
#include "store/arena.h"
#include "store/words.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using app::ClientId;

// The header as text, and the arrays behind it as bytes that the message owns.
nb::tuple parts_of(server::SharedMessage const& message) {
    std::string const& all = message->bytes;
    if (!message->binary) return nb::make_tuple(nb::str(all.data(), all.size()), nb::none());
    std::uint32_t length = 0;
    std::memcpy(&length, all.data(), sizeof length);
    auto const [held, owner] = kept(message);
    auto const* const bytes = reinterpret_cast<std::uint8_t const*>((*held)->bytes.data());
    std::size_t const begin = sizeof length + length;
    return nb::make_tuple(
        nb::str(all.data() + sizeof length, length),
        shared_array(bytes + begin, {static_cast<index>(all.size() - begin)}, owner));
}

void call(PyObject* callback, ClientId client, server::SharedMessage const& message) {
    if (!Py_IsInitialized()) return;
    nb::gil_scoped_acquire const on;
    try {
        nb::tuple const parts = parts_of(message);
        nb::borrow<nb::object>(callback)(client, parts[0], parts[1]);
    } catch (nb::python_error& raised) {
        raised.discard_as_unraisable("the viewer's messages");
    } catch (std::exception const& thrown) {
        PyErr_SetString(PyExc_RuntimeError, thrown.what());
        PyErr_WriteUnraisable(callback);
    }
}

// The thread that lets go of it last may be the one that it would wait for.
void end(app::Session* session) {
    if (session->delivers_here())
        std::thread([session] { delete session; }).detach();
    else
        delete session;
}

class View {
    // The call's own reference: another thread may close meanwhile.
    template <class F>
    auto with(F&& f) {
        if (!session_) raise({Code::invalid_argument, "the viewer is closed; show the data again"});
        std::shared_ptr<app::Session> session = session_;
        nb::gil_scoped_release const off;
        // The last reference ends without the GIL.
        std::shared_ptr<app::Session> const here = std::move(session);
        return f(*here);
    }

  public:
    View(std::unique_ptr<app::Domain> domain, nb::object callback) {
        PyObject* const callable = callback.ptr();
        auto const held = keep(std::move(callback), callable);
        nb::gil_scoped_release const off;
        session_ = {new app::Session(std::move(domain),
                                     [held](ClientId client, server::SharedMessage const& message) {
                                         call(held.get(), client, message);
                                     }),
                    end};
    }
    View(View&&) = default;
    View& operator=(View&&) = delete;
    ~View() { close(); }

    ClientId open(bool page) {
        return with([&](app::Session& session) { return session.open(page); });
    }
    bool submit(ClientId client, std::string const& request) {
        return with([&](app::Session& session) { return session.submit(client, request); });
    }
    void leave(ClientId client) {
        with([&](app::Session& session) {
            session.close(client);
            return true;
        });
    }
    std::vector<std::string> notes() {
        return with([](app::Session& session) { return session.notes(); });
    }
    void close() {
        auto session = std::move(session_);
        if (!session) return;
        nb::gil_scoped_release const off;
        session.reset();
        // Memory that is kept for the next scan, or was freed in small pieces, goes back as well.
        store::Arena::drop_kept();
        ::malloc_trim(0);
    }
    bool closed() const { return !session_; }

  private:
    std::shared_ptr<app::Session> session_;
};

// Opens the domain without the GIL, then begins.
template <class F>
std::unique_ptr<View> begin(nb::object callback, F&& open) {
    auto domain = work(nb::none(), [&](Telling&) { return open(); });
    return std::make_unique<View>(std::move(domain), std::move(callback));
}

using Given = std::vector<std::pair<nb::object, nb::object>>;

std::unique_ptr<View> view_scans(std::vector<std::string> paths, Given const& given, index det_bin,
                                 index scan_bin, index scan_step, std::string const& bin_mode,
                                 std::uint64_t memory, std::string const& device, int threads,
                                 std::vector<std::string> loading, nb::object callback) {
    app::ScansOptions options;
    options.paths = std::move(paths);
    for (auto const& [dataset, scan] : given) {
        app::GivenScan one{nb::cast<Dataset>(dataset)};
        if (!scan.is_none()) one.scan = keep<Scan const>(scan, nb::cast<Scan const*>(scan));
        options.given.push_back(std::move(one));
    }
    options.device = device_named(device, threads);
    options.load = {.det_bin = det_bin,
                    .scan_bin = scan_bin,
                    .scan_step = scan_step,
                    .bin_mode = choice<BinMode>("bin_mode", bin_mode),
                    .memory = memory,
                    .device = options.device.host(threads)};
    options.loading = std::move(loading);
    return begin(std::move(callback), [&] { return app::Scans::open(std::move(options)); });
}

std::unique_ptr<View> view_slides(std::vector<std::string> const& paths, nb::object callback) {
    return begin(std::move(callback), [&] { return app::Slides::open(paths); });
}

std::unique_ptr<View> view_volumes(std::vector<std::string> const& paths, std::uint64_t memory,
                                   nb::object callback) {
    return begin(std::move(callback), [&] { return app::Volumes::open(paths, memory); });
}

// `given` are names, and fields of results.
std::unique_ptr<View> view_results(std::vector<std::string> const& paths,
                                   std::vector<std::pair<std::string, nb::dict>> const& given,
                                   nb::object callback) {
    std::vector<app::ShownResult> shown;
    for (auto const& [name, fields] : given)
        shown.push_back({.name = name, .saved = saved_ptychography(fields)});
    return begin(std::move(callback),
                 [&] { return app::Results::open(paths, 0, std::move(shown)); });
}

}  // namespace

void add_view(nb::module_& m) {
    nb::class_<View>(m, "View")
        .def("open", &View::open, "page"_a)
        .def("submit", &View::submit, "client"_a, "request"_a)
        .def("leave", &View::leave, "client"_a)
        .def("close", &View::close)
        .def_prop_ro("closed", &View::closed)
        .def_prop_ro("notes", &View::notes);
    m.def("view_scans", view_scans, "paths"_a, "given"_a, "det_bin"_a, "scan_bin"_a, "scan_step"_a,
          "bin_mode"_a, "memory"_a, "device"_a, "threads"_a, "loading"_a, "callback"_a);
    m.def("view_slides", view_slides, "paths"_a, "callback"_a);
    m.def("view_results", view_results, "paths"_a, "given"_a, "callback"_a);
    m.def(
        "kind_of",
        [](std::string const& path) {
            ContentKind const* const kind = kind_of(path);
            return std::string(kind ? kind->name : "");
        },
        "path"_a);
    m.def("view_volumes", view_volumes, "paths"_a, "memory"_a, "callback"_a);
}

}  // namespace sluice::python
