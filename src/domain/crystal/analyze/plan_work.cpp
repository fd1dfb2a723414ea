// The products of a plan, and which part of the plan each serves.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/analyze/plan_work.h"

#include <algorithm>

#include "domain/crystal/analyze/disks_product.h"
#include "domain/stem4d/chosen_points.h"

namespace sluice::crystal {
namespace {

using namespace stem4d;

// The images of some detectors of many.
VirtualImages cut(VirtualImages const& all, std::size_t first, ImagesPart const& part) {
    auto const count = part.detectors.size();
    auto const pixels = static_cast<std::size_t>(all.values.shape[1]) *
                        static_cast<std::size_t>(all.values.shape[2]);
    auto const of = [](auto const& list, std::size_t from, std::size_t n) {
        auto const begin = list.begin() + static_cast<std::ptrdiff_t>(from);
        return std::decay_t<decltype(list)>(begin, begin + static_cast<std::ptrdiff_t>(n));
    };
    VirtualImages own;
    own.names = of(all.names, first, count);
    own.valid_pixels = of(all.valid_pixels, first, count);
    own.values = {{static_cast<index>(count), all.values.shape[1], all.values.shape[2]},
                  of(all.values.values, first * pixels, count * pixels)};
    if (std::ranges::any_of(part.detectors, [](Detector const& d) { return needs_disk(d); }))
        own.disk = all.disk;
    own.notes = all.notes;
    own.corrected = all.corrected;
    return own;
}

Result<std::vector<std::uint8_t>> points_for(Scan const& scan, PatternsPart const& part) {
    if (part.at && part.where.size() > 0)
        return Error{Code::invalid_argument,
                     "a pattern has at and where (each says which points take part) give one"};
    if (part.at) return only_point(scan, *part.at);
    if (part.where.size() > 0) return points_of(part.where, scan, part.where_file);
    return std::vector<std::uint8_t>{};
}

}  // namespace

Status PlanWork::add_images(Scan const& scan, AnalysisPlan const& plan, bool mean,
                            Options const& options) {
    std::vector<Detector> detectors;
    std::vector<std::pair<std::size_t, std::size_t>> firsts;  // part, its first detector
    for (std::size_t p = 0; p < plan.images.size(); ++p) {
        ImagesPart const& part = plan.images[p];
        if (part.mean != mean) continue;
        firsts.emplace_back(p, detectors.size());
        detectors.insert(detectors.end(), part.detectors.begin(), part.detectors.end());
    }
    if (detectors.empty()) return {};
    Options its = options;
    its.mean = mean;
    SLUICE_CHECK(stem4d::add_images(scan, {.detectors = detectors}, its, work.list));
    served_.push_back({its, [firsts, parts = plan.images](Products&& from, Analyzed& to) {
                           for (auto const& [p, first] : firsts)
                               to.images[p] = cut(from.images, first, parts[p]);
                       }});
    return {};
}

Status PlanWork::add_patterns(Scan const& scan, AnalysisPlan const& plan, Options const& options) {
    struct Group {
        std::vector<std::uint8_t> take;
        std::vector<Pattern> kinds;
        std::vector<std::size_t> parts;
    };
    std::vector<Group> groups;
    for (std::size_t p = 0; p < plan.patterns.size(); ++p) {
        SLUICE_TRY(std::vector<std::uint8_t> take, points_for(scan, plan.patterns[p]));
        auto group = std::ranges::find(groups, take, &Group::take);
        if (group == groups.end()) group = groups.insert(groups.end(), {std::move(take), {}, {}});
        group->parts.push_back(p);
        for (Pattern const kind : plan.patterns[p].kinds)
            if (std::ranges::find(group->kinds, kind) == group->kinds.end())
                group->kinds.push_back(kind);
    }
    for (Group const& group : groups) {
        SLUICE_CHECK(stem4d::add_patterns(scan, {.patterns = group.kinds, .take = group.take},
                                          options, work.list));
        served_.push_back({options, [kinds = group.kinds, of = group.parts, parts = plan.patterns](
                                        Products&& from, Analyzed& to) {
                               for (std::size_t const p : of)
                                   for (Pattern const kind : parts[p].kinds)
                                       to.patterns[p].push_back(
                                           from.patterns[static_cast<std::size_t>(
                                               std::ranges::find(kinds, kind) - kinds.begin())]);
                           }});
    }
    return {};
}

Status PlanWork::add_moments(Scan const& scan, AnalysisPlan const& plan, Options const& options) {
    for (std::size_t p = 0; p < plan.moments.size(); ++p) {
        MomentsPart const& part = plan.moments[p];
        SLUICE_CHECK(stem4d::add_moments(scan, {.center_of_mass = true, .within = part.within},
                                         options, work.list));
        served_.push_back({options, [p](Products&& from, Analyzed& to) {
                               to.moments[p].com = std::move(from.center_of_mass);
                           }});
    }
    return {};
}

Status PlanWork::add_disks(Scan const& scan, Decided const& decided, Options const& options) {
    for (std::size_t p = 0; p < decided.disks.size(); ++p) {
        SLUICE_TRY(std::unique_ptr<DisksProduct> product,
                   DisksProduct::make(scan, decided.disks[p].setup, options));
        served_.push_back({options, [p, own = product.get()](Products&&, Analyzed& to) {
                               to.disks[p] = own->take();
                           }});
        work.list.push_back(std::move(product));
    }
    return {};
}

Result<PlanWork> PlanWork::begin(Scan const& scan, AnalysisPlan const& plan, Decided const& decided,
                                 Options const& given) {
    if (decided.disks.size() != plan.disks.size())
        return Error{Code::invalid_argument,
                     "the decisions are of another plan; give what decide_analysis() made of it"};
    SLUICE_CHECK(check_references(scan, given.references));
    if (!plan.disks.empty())
        SLUICE_CHECK(refuse_references(given.references, "disks of a plan are"));
    Options options = given;
    options.mean = false;
    options.disk = decided.disk;
    PlanWork made;
    for (bool const mean : {false, true}) SLUICE_CHECK(made.add_images(scan, plan, mean, options));
    SLUICE_CHECK(made.add_patterns(scan, plan, options));
    SLUICE_CHECK(made.add_moments(scan, plan, options));
    SLUICE_CHECK(made.add_disks(scan, decided, options));
    if (made.work.list.empty())
        return Error{Code::invalid_argument,
                     "the plan asks for nothing; ask for virtual images, patterns, centres of mass "
                     "or disks"};
    made.empty_.images.resize(plan.images.size());
    made.empty_.patterns.resize(plan.patterns.size());
    made.empty_.moments.resize(plan.moments.size());
    made.empty_.disks.resize(plan.disks.size());
    return made;
}

Analyzed PlanWork::finish(ProductWork& all, AllProducts::Result&& found, Scan const& scan) {
    Analyzed out = std::move(empty_);
    for (std::size_t i = 0; i < all.list.size(); ++i) {
        Products its;
        all.list[i]->finish(std::move(found[i]), scan, all.tally, served_[i].options, its);
        served_[i].hand_out(std::move(its), out);
    }
    return out;
}

}  // namespace sluice::crystal
