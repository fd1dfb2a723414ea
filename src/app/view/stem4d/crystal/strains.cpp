// From the plan to the maps, as `sluice stem4d strain` goes.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/crystal/strains.h"

#include "app/view/stem4d/crystal/strain_answer.h"
#include "domain/crystal/strain/fields.h"

namespace sluice::app {
namespace {

std::string key_of(std::string const& data, StrainRequest const& request) {
    return data + echo(request)["disks"].dump() + echo(request)["lattice"].dump();
}

// Points of the whole scan within a shape.
Result<std::vector<std::uint8_t>> points_in(stem4d::Detector const& region,
                                            std::array<index, 2> scan) {
    auto const inside = stem4d::rasterize(region, scan, {});
    if (!inside)
        return Error{Code::invalid_argument,
                     "the region holds no scan point (strain is measured from the median over it) "
                     "make it larger, or move it inside the scan"};
    std::vector<std::uint8_t> take;
    for (float const v : inside->values) take.push_back(v != 0);
    return take;
}

}  // namespace

namespace {

// Where a sample shows one lattice, disks are fitted at its points; null where it does not.
Result<std::shared_ptr<ScanLattices const>> by_known_lattice(Source const& source,
                                                             std::shared_ptr<DiskPlan const> plan,
                                                             StrainRequest const& request,
                                                             Strains::Report const& report) {
    stem4d::Options const planning = options_for(source, "planning", report);
    auto const setup = stem4d::know_lattice(*source.scan, plan->setup, {}, planning);
    if (!setup || !setup->lattice) return std::shared_ptr<ScanLattices const>();
    SLUICE_TRY(auto found, stem4d::refine_lattice(*source.scan, *setup, request.lattice,
                                                  options_for(source, "finding disks", report)));
    ScanLattices made{
        std::make_shared<ScanDisks const>(ScanDisks{std::move(plan), std::move(found.vectors)}),
        setup->lattice->basis, std::move(found.fit), setup->why};
    return std::make_shared<ScanLattices const>(std::move(made));
}

}  // namespace

stem4d::Options options_for(Source const& source, char const* task, Strains::Report const& report) {
    stem4d::Options options;
    options.device = source.device;
    options.progress = [&report, task](std::uint64_t done, std::uint64_t total) {
        return report(task, done, total);
    };
    return options;
}

bool Strains::known(std::string const& data, StrainRequest const& request) {
    return lattices_.get(key_of(data, request)) != nullptr;
}

Result<std::shared_ptr<ScanDisks const>> Strains::disks(std::string const& data,
                                                        Source const& source, DiskWish const& wish,
                                                        Report const& report) {
    std::string const key = DiskPlans::key_of(data, wish);
    if (auto found = disks_.get(key)) return found;
    SLUICE_TRY(auto plan,
               plans_.make(data, *source.scan, wish, options_for(source, "planning", report)));
    SLUICE_TRY(auto vectors, stem4d::find_disks(*source.scan, plan->setup,
                                                options_for(source, "finding disks", report)));
    auto found = std::make_shared<ScanDisks const>(ScanDisks{std::move(plan), std::move(vectors)});
    disks_.put(key, found);
    return found;
}

Result<std::shared_ptr<ScanLattices const>> Strains::lattices(std::string const& data,
                                                              Source const& source,
                                                              StrainRequest const& request,
                                                              Report const& report) {
    std::string const key = key_of(data, request);
    if (auto found = lattices_.get(key)) return found;
    SLUICE_TRY(auto plan, plans_.make(data, *source.scan, request.disks,
                                      options_for(source, "planning", report)));
    SLUICE_TRY(auto known, by_known_lattice(source, plan, request, report));
    if (known) {
        lattices_.put(key, known);
        return known;
    }
    SLUICE_TRY(auto of, disks(data, source, request.disks, report));
    ScanLattices made{std::move(of), {}, {}, {}};
    SLUICE_TRY(made.basis, stem4d::find_basis(made.disks->vectors, &made.notes));
    SLUICE_TRY(made.fit, stem4d::fit_lattice(made.disks->vectors, made.basis, request.lattice,
                                             options_for(source, "fitting lattices", report)));
    auto found = std::make_shared<ScanLattices const>(std::move(made));
    lattices_.put(key, found);
    return found;
}

Result<Answer> Strains::answer(std::string const& data, Source const& source,
                               StrainRequest const& request, Report const& report) {
    SLUICE_TRY(auto const found, lattices(data, source, request, report));
    stem4d::StrainOptions options = request.strain;
    if (request.region) {
        SLUICE_TRY(options.region, points_in(*request.region, found->fit.scan_shape));
    }
    SLUICE_TRY(auto const maps, stem4d::strain(found->fit, options));
    return pack_strain(*found, maps);
}

}  // namespace sluice::app
