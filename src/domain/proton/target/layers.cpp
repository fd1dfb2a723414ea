// The energy of a range is found by halving: machines tell ranges of energies only.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/target/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/cube/kernel_cache.h"
#include "domain/proton/cube/spot_sheets.h"
#include "domain/proton/machine/kernel.h"

namespace sluice::proton::target {
namespace {

class Ranges {
  public:
    Ranges(Machine const& machine, WaterTable water, double top)
        : machine_(machine), water_(water), physics_(water), top_(top) {}

    Result<Layer> layer(double nominal) const {
        SLUICE_TRY(MachineSetting const setting, setting_of(machine_, nominal));
        MachineEnergy const& e = setting.energy;
        cube::WayIn way{.from = machine_.plane,
                        .to = std::min(top_, machine_.plane > 0 ? machine_.plane : top_),
                        .air = !machine_.air_included};
        if (!e.kernel.depth.empty()) way.kernel_air = machine_.kernel_air;
        cube::Sheet sheet;
        SLUICE_CHECK(cube::enter(physics_, e.mean, {}, way, sheet));
        double const whole = e.kernel.depth.empty() ? physics_.range(e.mean)
                                                    : range_of(e.kernel).value_or(e.kernel.range);
        return Layer{.nominal = nominal, .range = whole - sheet.water, .before = sheet.water};
    }

    double lowest() const { return machine_.energies.front().nominal; }
    double highest() const { return machine_.energies.back().nominal; }

    /// The energy of a range between those of the lowest and the highest, to 0.01 MeV.
    Result<Layer> reaching(double range) const {
        double low = lowest(), high = highest();
        while (high - low > 0.005) {
            double const middle = (low + high) / 2;
            SLUICE_TRY(Layer const l, layer(middle));
            (l.range < range ? low : high) = middle;
        }
        double const round = std::round(high * 100) / 100;
        return layer(std::clamp(round, lowest(), highest()));
    }

    Result<BaseEnergy> own(double nominal, cube::KernelKey& key) const {
        SLUICE_TRY(MachineSetting setting, setting_of(machine_, nominal));
        key = {setting.energy.mean, setting.energy.spread, water_};
        return std::move(setting.energy.kernel);
    }

  private:
    Machine const& machine_;
    WaterTable water_;
    Physics physics_;
    double top_;
};

Status give_kernels(Ranges const& ranges, WaterTable water, TargetOptions const& o,
                    std::vector<Layer>& layers, Run& run) {
    std::vector<BaseEnergy> bases(layers.size());
    std::vector<cube::KernelKey> keys;
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        cube::KernelKey key;
        SLUICE_TRY(bases[i], ranges.own(layers[i].nominal, key));
        if (!bases[i].depth.empty()) {
            run.done();
            continue;
        }
        keys.push_back(key);
        missing.push_back(i);
    }
    std::string folder = o.kernels;
    if (folder.empty()) folder = cube::usual_kernel_folder();
    if (!o.keep_kernels) folder.clear();
    SLUICE_TRY(std::vector<BaseEnergy> marched, cube::kernels(keys, folder, o.threads, run));
    for (std::size_t k = 0; k < missing.size(); ++k) bases[missing[k]] = std::move(marched[k]);
    Physics const physics(water);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        SLUICE_CHECK(cube::DepthKernel::check(bases[i]));
        layers[i].kernel.emplace_back(physics, bases[i]);
    }
    return {};
}

}  // namespace

Result<std::vector<Layer>> layers_for(Machine const& machine, WaterTable water, double top,
                                      double shallowest, double deepest, TargetOptions const& o,
                                      Run& run) {
    Ranges const ranges(machine, water, top);
    SLUICE_TRY(Layer const highest, ranges.layer(ranges.highest()));
    SLUICE_TRY(Layer const lowest, ranges.layer(ranges.lowest()));
    if (deepest > highest.range)
        return Error{Code::invalid_argument,
                     fmt::format("the target with its margin is {:.0f} mm of water deep, and the "
                                 "machine's {:g} MeV reach {:.0f} mm; give another direction, or a "
                                 "smaller margin",
                                 deepest, highest.nominal, highest.range)};
    std::vector<Layer> layers;
    for (double range = deepest;; range -= o.layer_spacing) {
        // The last one is not deeper than what the target needs least.
        double const wanted = std::max(range, lowest.range);
        SLUICE_TRY(Layer l, ranges.reaching(wanted));
        if (layers.empty() || l.nominal < layers.back().nominal) layers.push_back(std::move(l));
        if (range <= shallowest || wanted > range) break;
    }
    SLUICE_CHECK(give_kernels(ranges, water, o, layers, run));
    return layers;
}

}  // namespace sluice::proton::target
