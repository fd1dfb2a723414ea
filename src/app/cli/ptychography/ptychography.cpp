// `sluice stem4d ptychography`.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ptychography/command.h"
#include "app/cli/ptychography/input.h"
#include "app/cli/ptychography/options.h"
#include "app/cli/ptychography/report.h"

namespace sluice::cli {
namespace {

Status run_watched(PtychographyCommand& c, Ranks& ranks) {
    if (ranks.count() > 1) {
        // A rank keeps its patterns only, and has its part of the processors.
        c.job.data.load.residency = Residency::stream;
        int& threads = c.job.data.common.threads;
        if (threads == 0) threads = threads_of_rank();
        c.job.warns = ranks.speaks();
    }
    SLUICE_CHECK(c.prepare());
    std::vector<ResultImage> images;
    SLUICE_TRY(JobReport report, reconstruct_all(c, ranks, images));
    if (!ranks.speaks()) return {};
    if (c.plan) return print_plan(report.json["plan"], c.job.data.common.json);
    return finish(c.job, "ptychography", images, report);
}

Status run(PtychographyCommand& c, Ranks& ranks) {
    // A plan is done before anybody could look at it, and one rank has all that is to be seen.
    if (c.plan || !ranks.speaks()) c.monitor.port = MonitorOptions::none;
    auto monitor = JobMonitor::start(c.monitor);
    SLUICE_CHECK(ranks.agree(monitor ? Status{} : monitor.error()));
    c.watched = std::make_shared<JobMonitor>(*std::move(monitor));
    Status done = run_watched(c, ranks);
    c.watched->conclude(done);
    return done;
}

}  // namespace

void add_ptychography(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("ptychography", "object and probe out of all patterns");
    auto const c = std::make_shared<PtychographyCommand>();
    c->add(app);
    app->footer(
        std::string(
            "Examples:\n"
            "  sluice stem4d ptychography scan_master.h5 --energy 300 --semiangle 21 --defocus 10 "
            "--out "
            "ptychography\n"
            "  sluice stem4d ptychography scan_master.h5 --energy 80 --modes 4 --iterations 50 "
            "--refine-positions --out ptychography\n"
            "  sluice stem4d ptychography scan.npy --energy 300 --detector-step-mrad 0.8 "
            "--scan-step-nm 0.04 "
            "--solver epie --group 1 --out ptychography --json\n"
            "  sluice stem4d ptychography scan_master.h5 --energy 300 --config stages.toml --set "
            "momentum=0.9 --out ptychography\n"
            "  sluice stem4d ptychography scan.cxi --checkpoint state.h5 --out ptychography "
            "--format hdf5,png\n"
            "  sluice stem4d ptychography scan.cxi --start ptychography/ptychography.h5 --modes 4 "
            "--iterations 50 --out modes") +
        settings_help());
    app->callback([c, app, &exit_code] {
        c->all_given = app->given();
        exit_code = run_on_ranks([c](Ranks& ranks) { return run(*c, ranks); });
    });
}

}  // namespace sluice::cli
