// `sluice stem4d center-of-mass`.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/moment_output.h"
#include "domain/stem4d/fields.h"

namespace sluice::cli {
namespace {

struct Command {
    Stem4dJob job;
    stem4d::MomentsWish wish;
    index ricom = 0;
};

Status run(Command& c) {
    std::optional<stem4d::Detector> mask;
    if (!c.wish.within.empty()) {
        SLUICE_TRY(mask, stem4d::parse_detector(c.wish.within));
    }
    SLUICE_CHECK(stem4d::check(c.wish.phase));
    MomentOutput out(c.job, {}, c.ricom);
    SLUICE_TRY(
        JobReport report,
        for_each_scan(c.job,
                      [&](Scan const& scan, stem4d::Options const& options, index member,
                          JobReport& r) -> Status {
                          SLUICE_TRY(auto const com, stem4d::center_of_mass(scan, mask, options));
                          if (com.disk) r.add(*com.disk, member);
                          SLUICE_TRY(auto const how, stem4d::phase_options(scan, c.wish.phase));
                          std::optional<stem4d::PhaseContrast> phase;
                          if (how) {
                              SLUICE_TRY(phase, stem4d::phase_contrast(com, *how));
                          }
                          return out.add(com, phase, scan, member, r.json, r);
                      }));
    return finish(c.job, "center_of_mass", std::move(out).take(), report);
}

}  // namespace

void add_center_of_mass(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("center-of-mass", "first moments of every frame");
    auto const c = std::make_shared<Command>();
    c->job.add_single_pass(*app);
    app->add_fields(stem4d::reference_fields(), c->job.references);
    app->add_fields(stem4d::moments_fields(), c->wish);
    app->add_fields(stem4d::phase_fields(), c->wish.phase);
    app->add_option("--ricom", c->ricom, ricom_words)
        ->check(in_range(0, 100000))
        ->capture_default_str();
    app->footer(
        "Examples:\n"
        "  sluice stem4d center-of-mass scan_master.h5 --out com\n"
        "  sluice stem4d center-of-mass scan_master.h5 --rotation auto --descan plane --out com\n"
        "  sluice stem4d center-of-mass scan_master.h5 --within disk:r=40 --out com --format "
        "hdf5,png\n"
        "  sluice stem4d center-of-mass scan_master.h5 --rotation 12 --ricom 20 --out com");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
