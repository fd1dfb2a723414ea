// Analyses of the caller's own, and products in parts for several processes.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>

#include "bind/array_pool.h"
#include "bind/arrays.h"
#include "bind/core.h"
#include "bind/device.h"
#include "bind/stem4d.h"
#include "bind/work.h"
#include "fold/fold_part.h"
#include "scan/describe.h"
#include "scan/value_blocks.h"
#include "sluice/stem4d_parts.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using fold::Range;
using fold::ValueBlock;
using fold::ValueBlocks;

// A reference of Python's that any thread may let go of.
using Held = std::shared_ptr<PyObject>;

Held hold(nb::object object) {
    return {object.release().ptr(), [](PyObject* p) {
                nb::gil_scoped_acquire const on;
                Py_DECREF(p);
            }};
}

// The exception that was raised first; later calls do nothing any more.
class Raised {
  public:
    template <class F>
    void guard(F&& f) {
        if (stop_) return;
        nb::gil_scoped_acquire const on;
        try {
            f();
        } catch (...) {
            if (!stop_.exchange(true)) what_ = std::current_exception();
        }
    }
    bool stopped() const { return stop_; }
    void rethrow() {
        if (what_) std::rethrow_exception(std::exchange(what_, nullptr));
    }

  private:
    std::atomic<bool> stop_ = false;
    std::exception_ptr what_ = {};
};

// The caller's functions as an analysis. Groups are merged in Python, by who takes them.
struct OwnAnalysis {
    using Item = ValueBlock;
    using Partial = Held;
    using Result = Held;

    nb::handle begin_function, add_function;
    Scan const& scan;
    Raised& raised;

    Partial begin(Range frames) const {
        Held made;
        raised.guard([&] { made = hold(begin_function(frames.first, frames.last)); });
        return made;
    }
    void add(Partial& partial, std::span<ValueBlock const> blocks) const {
        for (ValueBlock const& block : blocks) raised.guard([&] { add_one(partial, block); });
    }
    void merge(Partial&, Partial const&) const {}
    Result finish(Partial p) const { return p; }

  private:
    // The array is a copy that Python owns: the caller may keep it, and the block's memory is used
    // again.
    void add_one(Partial& partial, ValueBlock const& block) const {
        auto const shape = scan.detector_shape();
        PoolForArrays const pool;
        std::vector<index> const tile{block.frames.count(), shape[0], shape[1]};
        auto const bytes =
            static_cast<std::size_t>(tile[0] * tile[1] * tile[2] * size_of(scan.dtype()));
        auto* const copy = static_cast<std::byte*>(ArrayPool::take(bytes));
        if (!copy) throw std::bad_alloc();
        nb::capsule const owner(copy, [](void* p) noexcept { ArrayPool::give(p); });
        std::memcpy(copy, block.data, bytes);
        nb::object const array = loose_array(copy, tile, scan.dtype(), owner);
        array.attr("setflags")("write"_a = false);
        partial = hold(add_function(nb::handle(partial.get()), block.frames.first, array));
    }
};

std::vector<std::string> fold_blocks(Scan const& scan, index first_group, index last_group,
                                     nb::object begin, nb::object add, nb::object take, int threads,
                                     nb::object progress) {
    Raised raised;
    ArrayPool const pool;
    store::Tally tally;
    ValueBlocks const blocks(scan, &tally);
    OwnAnalysis const analysis{begin, add, scan, raised};
    index const frames = fold::items_of(blocks);
    int const workers = device_named("cpu", threads).threads();
    Telling telling(progress);
    Status const status = [&]() -> Status {
        Interrupts const interrupts;
        nb::gil_scoped_release const off;
        Progress const tell = telling.progress();
        fold::RunOptions const run{.threads = workers, .progress = [&](index done) {
                                       return !raised.stopped() &&
                                              tell(static_cast<std::uint64_t>(done),
                                                   static_cast<std::uint64_t>(frames));
                                   }};
        return fold::fold_groups(blocks, analysis, {first_group, last_group}, run,
                                 [&](index group, Held partial) -> Status {
                                     raised.guard([&] { take(group, nb::handle(partial.get())); });
                                     return {};
                                 });
    }();
    raised.rethrow();
    telling.rethrow();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    unwrap(status);
    std::vector<std::string> notes;
    fold::describe(tally, scan.dataset(), notes);
    return notes;
}

// What a part of a fold needs, with the arrays it refers to.
class Parts {
  public:
    Parts(Scan const& scan, std::vector<stem4d::Detector> detectors, bool center_of_mass,
          std::optional<stem4d::Detector> within, std::vector<std::string> const& patterns,
          std::optional<Dense<std::uint8_t, 2>> const& take, int threads,
          std::optional<DiskNumbers> disk, bool mean, stem4d::References const& references) {
        images_ = !detectors.empty();
        center_of_mass_ = center_of_mass;
        std::vector<stem4d::Pattern> kinds;
        for (std::string const& p : patterns) kinds.push_back(unwrap(stem4d::parse_pattern(p)));
        stem4d::Wanted const wanted{.detectors = detectors,
                                    .center_of_mass = center_of_mass,
                                    .within = std::move(within),
                                    .patterns = kinds,
                                    .take = taken(scan, take)};
        // Progress is asked for by every part anew, so the options hold one that asks `telling_`.
        stem4d::Options const options{
            .device = device_named("cpu", threads),
            .disk = disk_of(disk),
            .mean = mean,
            .progress = [this](std::uint64_t done,
                               std::uint64_t total) { return !telling_ || telling_(done, total); },
            .references = references};
        parts_.emplace(work(nb::none(), [&](Telling&) {
            return stem4d::ProductParts::begin(scan, wanted, options);
        }));
    }
    Parts(Parts const&) = delete;

    index groups() const { return parts_->groups(); }
    nb::bytes part(index first, index count, nb::object progress) {
        if (busy_.exchange(true))
            raise({Code::invalid_argument,
                   "these products compute another part now (they compute one at a time); wait for "
                   "that call"});
        struct Free {
            std::atomic<bool>& busy;
            ~Free() { busy = false; }
        } const free{busy_};
        std::vector<std::byte> const made = work(progress, [&](Telling& telling) {
            telling_ = telling.progress();
            auto found = parts_->part(first, count);
            telling_ = {};
            return found;
        });
        return nb::bytes(reinterpret_cast<char const*>(made.data()), made.size());
    }
    void add(nb::bytes part) {
        unwrap(parts_->add(std::as_bytes(std::span(part.c_str(), part.size()))));
    }
    nb::dict finish() {
        stem4d::Products found = unwrap(std::move(*parts_).finish());
        return dict_of(std::move(found), images_, center_of_mass_);
    }

  private:
    bool images_ = false, center_of_mass_ = false;
    std::atomic<bool> busy_ = false;
    Progress telling_ = {};
    std::optional<stem4d::ProductParts> parts_;
};

}  // namespace

void add_fold(nb::module_& m) {
    m.def(
        "value_groups",
        [](Scan const& scan) {
            ValueBlocks const blocks(scan);
            std::vector<std::pair<index, index>> all;
            for (index g = 0; g < blocks.groups(); ++g)
                all.emplace_back(blocks.group(g).first, blocks.group(g).last);
            return all;
        },
        "scan"_a);
    m.def("fold_blocks", fold_blocks, "scan"_a, "first_group"_a, "last_group"_a, "begin"_a, "add"_a,
          "take"_a, "threads"_a, "progress"_a.none());
    nb::class_<Parts>(m, "ProductParts")
        .def(nb::init<Scan const&, std::vector<stem4d::Detector>, bool,
                      std::optional<stem4d::Detector>, std::vector<std::string> const&,
                      std::optional<Dense<std::uint8_t, 2>> const&, int, std::optional<DiskNumbers>,
                      bool, stem4d::References const&>(),
             nb::keep_alive<1, 2>(), "scan"_a, "detectors"_a, "center_of_mass"_a, "within"_a.none(),
             "patterns"_a, "take"_a.none(), "threads"_a, "disk"_a.none(), "mean"_a, "references"_a)
        .def_prop_ro("groups", &Parts::groups)
        .def("part", &Parts::part, "first"_a, "count"_a, "progress"_a.none())
        .def("add", &Parts::add, "part"_a)
        .def("finish", &Parts::finish);
}

}  // namespace sluice::python
