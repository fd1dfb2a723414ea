// What can be told of a plan before its scan is there.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/analyze/check_plan.h"

#include <fmt/format.h>

#include <set>

#include "domain/stem4d/words.h"

namespace sluice::crystal {
namespace {

using namespace stem4d;

/// Remembers the names of all results.
class Names {
  public:
    Status add(std::string name) {
        // Those without a name are told apart by their numbers.
        if (name.empty() || names_.insert(name).second) return {};
        return Error{Code::invalid_argument,
                     fmt::format("two results are called '{}' (each is found by its name); give "
                                 "the parts other names",
                                 name)};
    }

  private:
    std::set<std::string> names_;
};

Status add_moments(MomentsPart const& part, Names& names) {
    for (char const* const what : {"com_row", "com_col", "com_magnitude", "com_sum"})
        SLUICE_CHECK(names.add(name_in(part.name, what)));
    if (part.rotation != "none")  // a file may say one
        for (char const* const what :
             {"com_row_rotated", "com_col_rotated", "divergence", "curl", "icom"})
            SLUICE_CHECK(names.add(name_in(part.name, what)));
    return check(wish_of(part));
}

Status add_disks(DisksPart const& part, Names& names) {
    bool const given = part.probe.has_value();
    if (given && !part.vacuum.empty())
        return Error{Code::invalid_argument,
                     "disks have a template and a scan in vacuum (a template is fitted to the "
                     "latter) give one"};
    if (given && (part.fit.harmonics > 0 || part.fit.profile))
        return Error{Code::invalid_argument,
                     fmt::format("{} has no effect (it is about a template that is fitted, and one "
                                 "is given) leave one of both out",
                                 part.fit.profile ? "profile" : "harmonics")};
    return names.add(name_in(part.name, "disks"));
}

}  // namespace

PhaseWish wish_of(MomentsPart const& part) {
    return {part.rotation, part.periodic, part.descan};
}

Status check_plan(AnalysisPlan const& plan) {
    Names names;
    for (ImagesPart const& part : plan.images) {
        if (part.detectors.empty())
            return Error{Code::invalid_argument,
                         "virtual images without a detector; give one, as in bf"};
        for (Detector const& d : part.detectors) SLUICE_CHECK(names.add(d.name));
    }
    for (PatternsPart const& part : plan.patterns) {
        if (part.kinds.empty())
            return Error{Code::invalid_argument, "patterns without a kind; give one, as in mean"};
        for (Pattern const kind : part.kinds)
            SLUICE_CHECK(
                names.add(name_in(part.name, fmt::format("pattern_{}", config::word_of(kind)))));
    }
    for (MomentsPart const& part : plan.moments) SLUICE_CHECK(add_moments(part, names));
    for (DisksPart const& part : plan.disks) SLUICE_CHECK(add_disks(part, names));
    return {};
}

}  // namespace sluice::crystal
