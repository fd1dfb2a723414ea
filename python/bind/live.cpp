// Scans from the detector while they are measured, and a simulated detector.
// SPDX-License-Identifier: Apache-2.0
#include "bind/live.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <thread>

#include "bind/arrays.h"
#include "bind/choices.h"
#include "bind/core.h"
#include "bind/device.h"
#include "bind/work.h"
#include "net/words.h"
#include "sluice/stem4d_live.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using stem4d::LiveOptions;
using stem4d::LiveStream;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_looks{5};

/// It ends without the interpreter's lock, which a hook of Python may still wait for. It is made
/// and moved with it.
struct LiveScan : stem4d::LiveScan {
    explicit LiveScan(stem4d::LiveScan&& scan) : stem4d::LiveScan(std::move(scan)) {}
    LiveScan(LiveScan&&) = default;
    ~LiveScan() {
        nb::gil_scoped_release const off;
        stem4d::LiveScan const gone(static_cast<stem4d::LiveScan&&>(*this));
    }
};

/// Until when somebody waits; for ever without seconds.
class Deadline {
  public:
    explicit Deadline(std::optional<double> seconds)
        : until_(seconds
                     ? std::optional(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                        std::chrono::duration<double>(*seconds)))
                     : std::nullopt) {}
    bool passed() const { return until_ && Clock::now() >= *until_; }

  private:
    std::optional<Clock::time_point> until_;
};

LiveStream connect(std::string const& address, std::string const& protocol,
                   std::string const& channel, std::optional<index> first_image, double patience_s,
                   bool verify, std::optional<std::array<index, 2>> scan, std::string const& order,
                   index flyback, std::optional<Dense<float, 2>> const& positions, index reorder,
                   double reorder_s, std::uint64_t memory, std::string const& record, bool numbered,
                   index images_per_file, std::string const& raw_dtype,
                   std::optional<std::array<index, 2>> raw_frame, std::uint64_t raw_offset,
                   std::string const& dataset, bool existing, std::string const& line_edge,
                   bool one_edge, double point_s, double window_s, std::string const& chip_layout,
                   std::optional<nb::dict> const& arm) {
    LiveOptions o;
    o.arm = arm_options(arm);
    o.stream = {
        .protocol = choice<StreamProtocol>("protocol", protocol),
        .channel = channel,
        .first_image = first_image,
        .patience_s = patience_s,
        .verify = verify,
        .open = {.format = {RawOptions{raw_dtype, raw_frame, raw_offset}, Hdf5Options{dataset},
                            Tpx3Options{.line_edge = choice<TdcEdge>("line_edge", line_edge),
                                        .one_edge = one_edge,
                                        .point_s = point_s,
                                        .window_s = window_s,
                                        .chip_layout = chip_layout}}},
        .existing = existing};
    o.scan = scan;
    o.order = choice<ScanOrder>("order", order);
    o.flyback = flyback;
    if (positions) o.positions = to_array<float, 2>(*positions);
    o.reorder = reorder;
    o.reorder_s = reorder_s;
    o.memory = memory;
    o.record = {.prefix = record, .numbered = numbered, .images_per_file = images_per_file};
    return work(nb::none(), [&](Telling&) { return LiveStream::connect(address, std::move(o)); });
}

// None: the time has passed.
nb::object next_scan(LiveStream& stream, std::optional<double> seconds) {
    Deadline const until(seconds);
    auto scan = work(nb::none(), [&](Telling& telling) {
        return stream.next([&] { return telling.wanted() && !until.passed(); });
    });
    return scan ? nb::cast(LiveScan(*std::move(scan))) : nb::none();
}

void keep(LiveScan& scan, bool pixel_mask, bool as_stored,
          std::optional<Dense<std::uint8_t, 2>> const& user_mask, index det_bin,
          std::uint64_t memory, int threads) {
    LoadOptions options{.det_bin = det_bin,
                        .pixel_mask = pixel_mask,
                        .as_stored = as_stored,
                        .memory = memory,
                        .device = device_named("cpu", threads)};
    if (user_mask) options.user_mask = to_array<std::uint8_t, 2>(*user_mask);
    work(nb::none(), [&](Telling&) { return scan.keep(options); });
}

nb::dict state_of(LiveScan const& scan) {
    FeedState const s = scan.state();
    nb::dict out;
    out["received"] = s.received;
    out["lost"] = s.gaps;
    out["ready"] = scan.kept() ? scan.kept()->ready() : 0;
    out["waiting"] = s.waiting();
    out["lag_s"] = s.lag_s;
    out["ended"] = s.ended;
    return out;
}

nb::list gaps_of(LiveScan const& scan) {
    nb::list out;
    for (FrameRun const& run : scan.gaps()) out.append(nb::make_tuple(run.first, run.count));
    return out;
}

nb::list list_of(std::vector<StreamProblem> const& problems) {
    nb::list out;
    for (StreamProblem const& p : problems) out.append(nb::make_tuple(p.what, p.count, p.first));
    return out;
}

// Whether the scan has ended by then.
bool wait_for_end(LiveScan const& scan, std::optional<double> seconds) {
    Deadline const until(seconds);
    return work(nb::none(), [&](Telling& telling) -> Result<bool> {
        while (!scan.state().ended && telling.wanted() && !until.passed())
            std::this_thread::sleep_for(between_looks);
        return scan.state().ended;
    });
}

// What cannot be asked whether to go on ends with the scan.
void finish(LiveScan& scan) {
    work(nb::none(), [&](Telling& telling) -> Status {
        std::atomic<bool> done = false;
        Status status;
        std::jthread const waits([&] {
            scan.wait();
            status = scan.finish();
            if (!status && status.error().code == Code::out_of_memory) {
                Error why = status.error();
                why.message += "; what came is kept: so_far() has it. Give a larger --det-bin";
                status = std::move(why);
            }
            done = true;
        });
        while (!done) {
            if (!telling.wanted()) scan.end("the scan was stopped by the user");
            std::this_thread::sleep_for(between_looks);
        }
        return status;
    });
}

nb::object record_of(LiveScan const& scan) {
    auto const r = scan.record();
    if (!r) return nb::none();
    nb::dict out;
    out["recorded"] = r->recorded;
    out["damaged"] = r->damaged;
    out["not_recorded"] = r->not_recorded;
    out["outside"] = r->outside;
    out["bytes"] = r->bytes;
    out["waited_s"] = r->waited_s;
    out["error"] = r->error;
    out["files"] = r->files;
    return out;
}

nb::object control_of(LiveScan const& scan) {
    auto const r = scan.control();
    if (!r) return nb::none();
    return nb::make_tuple(r->address, r->software, r->series, changes_of(r->changes), r->notes,
                          r->ended, r->error);
}

Scan so_far(LiveScan const& scan) {
    nb::gil_scoped_release const off;
    return scan.kept()->so_far();
}

}  // namespace

void add_live(nb::module_& m) {
    nb::class_<LiveScan>(m, "LiveScan")
        .def_prop_ro("series", [](LiveScan const& s) { return s.series(); })
        .def_prop_ro("dataset", [](LiveScan const& s) { return Dataset(s.dataset()); })
        .def_prop_ro("state", state_of)
        .def_prop_ro("gaps", gaps_of)
        .def_prop_ro("problems", [](LiveScan const& s) { return list_of(s.problems()); })
        .def_prop_ro("why_ended", [](LiveScan const& s) { return s.why_ended(); })
        .def_prop_ro("control", control_of)
        .def_prop_ro("record", record_of)
        .def("keep", keep, "pixel_mask"_a, "as_stored"_a, "user_mask"_a.none(), "det_bin"_a,
             "memory"_a, "threads"_a)
        .def("so_far", so_far)
        .def("wait_for_end", wait_for_end, "seconds"_a.none())
        .def("finish", finish)
        .def(
            "end", [](LiveScan& s, std::string const& why) { s.end(why); }, "why"_a);
    nb::class_<LiveStream>(m, "LiveStream")
        .def("next", next_scan, "seconds"_a.none())
        .def_prop_ro("problems", [](LiveStream const& s) { return list_of(s.problems()); });
    m.def("live", connect, "address"_a, "protocol"_a, "channel"_a, "first_image"_a.none(),
          "patience_s"_a, "verify"_a, "scan"_a.none(), "order"_a, "flyback"_a, "positions"_a.none(),
          "reorder"_a, "reorder_s"_a, "memory"_a, "record"_a, "numbered"_a, "images_per_file"_a,
          "raw_dtype"_a, "raw_frame"_a.none(), "raw_offset"_a, "dataset"_a, "existing"_a,
          "line_edge"_a, "one_edge"_a, "point_s"_a, "window_s"_a, "chip_layout"_a, "arm"_a.none());
    add_detector_control(m);
    add_simulated_detector(m);
}

}  // namespace sluice::python
