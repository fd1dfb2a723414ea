// Makes plans and remembers them.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/crystal/disk_plans.h"

#include "domain/crystal/fields.h"
#include "domain/crystal/words.h"

namespace sluice::app {

std::string DiskPlans::key_of(std::string const& data, DiskWish const& wish) {
    return data + echo(wish).dump();
}

std::shared_ptr<DiskPlan const> DiskPlans::known(std::string const& data, DiskWish const& wish) {
    return plans_.get(key_of(data, wish));
}

Result<std::shared_ptr<DiskPlan const>> DiskPlans::make(std::string const& data, Scan const& scan,
                                                        DiskWish const& wish,
                                                        stem4d::Options const& run) {
    std::string const key = key_of(data, wish);
    if (auto plan = plans_.get(key)) return plan;
    auto probe = std::make_shared<stem4d::FittedTemplate const>();
    if (wish.radius) {
        SLUICE_TRY(auto given, stem4d::synthetic_template(*wish.radius, wish.edge_width));
        stem4d::FittedTemplate made;
        made.probe = std::move(given);
        probe = std::make_shared<stem4d::FittedTemplate const>(std::move(made));
    } else if (probe = templates_.get(data); !probe) {
        SLUICE_TRY(auto fitted, stem4d::fit_template(scan, {}, run));
        probe = std::make_shared<stem4d::FittedTemplate const>(std::move(fitted));
        templates_.put(data, probe);
    }
    SLUICE_TRY(auto setup, stem4d::plan_disks(scan, probe->probe, wish.options, run));
    SLUICE_TRY(auto finder, crystal::FrameFinder::make(scan, setup, run.device));
    auto plan =
        std::make_shared<DiskPlan const>(DiskPlan{*probe, std::move(setup), std::move(finder)});
    plans_.put(key, plan);
    return plan;
}

Result<std::shared_ptr<DiskPlan const>> DiskPlans::changed(std::string const& data,
                                                           Scan const& scan, DiskPlan const& plan,
                                                           DisksRequest const& by,
                                                           Device const& device) {
    std::string const key = key_of(key_of(data, *by.plan), by.disks);
    if (auto known = changed_.get(key)) return known;
    stem4d::DiskSetup setup = plan.setup;
    stem4d::DiskOptions const& o = by.disks.options;
    setup.options.least_snr = o.least_snr;
    setup.options.least_score = o.least_score;
    setup.options.most_disks = o.most_disks;
    if (o.least_distance > 0) setup.options.least_distance = o.least_distance;
    if (o.fit_radius > 0) setup.options.fit_radius = o.fit_radius;
    if (o.bin > 0) setup.options.bin = o.bin;
    SLUICE_TRY(auto finder, crystal::FrameFinder::make(scan, setup, device));
    auto made =
        std::make_shared<DiskPlan const>(DiskPlan{plan.probe, std::move(setup), std::move(finder)});
    changed_.put(key, made);
    return made;
}

Json json_of(DiskPlan const& plan) {
    auto const& [probe, options, background, lattice, why] = plan.setup;
    Json of_template = {{"radius", probe.radius},
                        {"edge_width", probe.edge_width},
                        {"source", probe.source},
                        {"fitted", plan.probe.radius_error > 0},
                        {"radius_error", plan.probe.radius_error},
                        {"edge_width_error", plan.probe.edge_width_error},
                        {"residual", plan.probe.residual}};
    return {{"template", of_template},
            {"options",
             {{"mode", config::word_of(options.mode)},
              {"least_snr", options.least_snr},
              {"least_score", options.least_score},
              {"least_distance", options.least_distance},
              {"fit_radius", options.fit_radius},
              {"most_disks", options.most_disks},
              {"bin", options.bin}}},
            {"background", background.size() > 0 ? "shape" : "plane"},
            {"why", why},
            {"notes", plan.probe.notes}};
}

}  // namespace sluice::app
