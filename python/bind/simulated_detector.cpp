// A simulated detector that sends on a thread of its own.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <atomic>
#include <memory>
#include <thread>

#include "bind/choices.h"
#include "bind/live.h"
#include "bind/work.h"
#include "net/control/simulated.h"
#include "net/dectris/wires.h"
#include "net/words.h"

namespace sluice::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// Sends from the start on, until all is sent or it ends.
class SimulatedDetector {
  public:
    SimulatedDetector(Dataset dataset, std::string const& address, std::string const& control,
                      net::SimulatorOptions options)
        : dataset_(std::move(dataset)), options_(options) {
        wire_ = unwrap(net::dectris::stream2_wire(address, dataset_, options_, how_));
        address_ = wire_->address();
        if (!control.empty()) {
            control_ = unwrap(net::simulated_simplon(
                control, {.images = dataset_.frames,
                          .rate = options.rate,
                          .rows = dataset_.rows,
                          .cols = dataset_.cols,
                          .bits = static_cast<int>(8 * size_of(dataset_.dtype))}));
            options_.control = &control_->state();
        }
        thread_ = std::jthread([this] {
            sent_ =
                net::simulate(dataset_, *wire_, options_, [this](index, index) { return !stop_; });
            wire_.reset();
            done_ = true;
        });
    }
    ~SimulatedDetector() { stop_ = true; }

    std::string const& address() const { return address_; }
    std::string control() const { return control_ ? control_->address() : std::string(); }

    /// What was sent, when all was.
    nb::object wait() {
        net::SimulatorReport const r = work(nb::none(), [&](Telling& telling) {
            while (!done_) {
                if (!telling.wanted()) stop_ = true;
                std::this_thread::sleep_for(std::chrono::milliseconds{5});
            }
            return Result<net::SimulatorReport>(sent_);
        });
        nb::dict out;
        out["series"] = r.series;
        out["images"] = r.images;
        out["sent"] = r.sent;
        out["no_room"] = r.no_room;
        out["seconds"] = r.seconds;
        out["bytes"] = r.bytes;
        return out;
    }
    void stop() { stop_ = true; }

  private:
    Dataset dataset_;
    net::SimulatorOptions options_;
    net::dectris::WireOptions how_ = {};
    std::unique_ptr<net::Wire> wire_;
    std::string address_;
    std::unique_ptr<net::SimulatedControl> control_ = {};
    Result<net::SimulatorReport> sent_ = net::SimulatorReport{};
    std::atomic<bool> stop_ = false, done_ = false;
    std::jthread thread_;
};

std::unique_ptr<SimulatedDetector> simulate(Dataset const& dataset, std::string const& address,
                                            std::string const& control, double rate, index buffer,
                                            index repeat, std::string const& order, index flyback,
                                            double drop, double duplicate, double reorder,
                                            double corrupt, std::optional<index> stop_at,
                                            std::uint64_t seed, double wait_s) {
    net::SimulatorOptions const options{.rate = rate,
                                        .buffer = buffer,
                                        .repeat = repeat,
                                        .order = choice<ScanOrder>("order", order),
                                        .flyback = flyback,
                                        .drop = drop,
                                        .duplicate = duplicate,
                                        .reorder = reorder,
                                        .corrupt = corrupt,
                                        .stop_at = stop_at,
                                        .seed = seed,
                                        .wait_s = wait_s};
    return std::make_unique<SimulatedDetector>(dataset, address, control, options);
}

}  // namespace

void add_simulated_detector(nb::module_& m) {
    nb::class_<SimulatedDetector>(m, "SimulatedDetector")
        .def_prop_ro("address", &SimulatedDetector::address)
        .def_prop_ro("control", &SimulatedDetector::control)
        .def("wait", &SimulatedDetector::wait)
        .def("stop", &SimulatedDetector::stop);
    m.def("simulate_detector", simulate, "dataset"_a, "address"_a, "control"_a, "rate"_a,
          "buffer"_a, "repeat"_a, "order"_a, "flyback"_a, "drop"_a, "duplicate"_a, "reorder"_a,
          "corrupt"_a, "stop_at"_a.none(), "seed"_a, "wait_s"_a);
}

}  // namespace sluice::python
