// sluice proton converge: how fine the grid of a configuration has to be.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "app/cli/proton/command.h"
#include "app/cli/proton/converge_report.h"
#include "app/cli/proton/picture_option.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/terminal.h"
#include "base/file.h"
#include "config/quantity.h"
#include "domain/proton/words.h"
#include "sluice/proton_run.h"

namespace sluice::cli {
namespace {

struct Command {
    std::string config, out, accuracy = "0.1 mm", r80, fall_off, sigma;
    proton::Precision precision = proton::Precision::f32;
    double dose = 1;
    int levels = 4;
    CommonOptions common;
    PictureOption pictures;
};

Result<proton::PerQuantity<double>> wanted(Command const& c) {
    proton::PerQuantity<double> out = {};
    std::array<std::string const*, 4> const texts = {&c.r80, &c.fall_off, &c.sigma, &c.sigma};
    for (std::size_t q = 0; q < texts.size(); ++q) {
        std::string const& text = texts[q]->empty() ? c.accuracy : *texts[q];
        SLUICE_TRY(out[q], config::parse_quantity(text, config::Dimension::length));
        if (!(out[q] > 0))
            return Error{
                Code::invalid_argument,
                fmt::format("an accuracy of {} (no grid reaches it); give more than 0 mm", text)};
    }
    out[4] = c.dose / 100;
    return out;
}

// As large as the phantom, in whole steps of the coarsest grid.
proton::Regrid regrid(proton::Phantom const& p, proton::Steps const& steps) {
    double const z = 2 * p.dz, x = 2 * p.dx;
    return {steps, z * std::ceil(p.depth() / z - 1e-9), x * std::ceil(p.width() / x - 1e-9)};
}

/// Marches grids of one configuration.
class Grids {
  public:
    Grids(Command const& c, proton::Config base)
        : command_(c), base_(std::move(base)), physics_(base_.water), progress_("marching grids") {}

    Result<proton::MarchResult> march_all(proton::Steps const& steps) {
        SLUICE_TRY(proton::Config c, read_config(command_.config, regrid(base_.phantom, steps)));
        c.options.precision = command_.precision;
        c.options.threads = command_.common.threads;
        auto const beams = static_cast<index>(base_.beams.size());
        proton::MarchResult sum;
        for (index b = 0; b < beams; ++b) {
            c.options.progress = [&](std::uint64_t done, std::uint64_t total) {
                return tell(static_cast<double>(static_cast<std::uint64_t>(b) * total + done) /
                            static_cast<double>(static_cast<std::uint64_t>(beams) * total));
            };
            // Those of the file: nothing that was made for a grid is made again.
            SLUICE_TRY(
                proton::MarchResult r,
                march(physics_, c.phantom, base_.beams[static_cast<std::size_t>(b)], c.options));
            if (b == 0) {
                sum = std::move(r);
                continue;
            }
            proton::add(sum, r);
        }
        return sum;
    }

    Result<proton::GridRun> operator()(proton::Steps const& steps) {
        double const start = now();
        SLUICE_TRY(proton::MarchResult const r, march_all(steps));
        double const seconds = now() - start;
        // The first grid is the configuration's: its depths are those of all.
        if (!at_) {
            SLUICE_TRY(at_, sigma_depths(r));
        }
        ++done_;
        SLUICE_TRY(proton::GridRun run, measure(steps, r, *at_));
        run.seconds = seconds;
        return run;
    }

  private:
    Command const& command_;
    proton::Config base_;
    proton::Physics physics_;
    ProgressBar progress_;
    std::optional<proton::SigmaDepths> at_;
    int done_ = 0;

    bool tell(double part) {
        // The recommended one is marched last.
        index const all = 1000 * (index{proton::grids_of(command_.levels)} + 1);
        auto const now_done = static_cast<std::uint64_t>(1000 * (done_ + part));
        return progress_(now_done, static_cast<std::uint64_t>(all));
    }
};

Status run(Command const& c) {
    ConvergeReport r;
    r.config = c.config;
    SLUICE_TRY(r.wanted, wanted(c));
    SLUICE_TRY(proton::Config const config, proton::read_config(c.config));
    if (config.sweep || config.dense)
        return Error{
            Code::unsupported,
            "has a [sweep] or [dense] (the steps of one march are looked for); leave it out",
            c.config};
    // Rows of range are as far apart as planes are along each beam.
    bool const turned = std::any_of(config.beams.begin(), config.beams.end(), [&](auto const& b) {
        return std::abs(b.angle) != std::abs(config.beams[0].angle);
    });
    if (turned && config.options.range_step == 0)
        return Error{Code::invalid_argument,
                     "has beams at different angles, each with its own rows of range; give "
                     "grid.range_step, one for all",
                     c.config};
    r.base = steps_of(config);
    SLUICE_CHECK(make_folder(c.out));
    {
        Grids grids(c, config);
        SLUICE_TRY(r.study, proton::converge(r.base, c.levels, r.wanted, std::ref(grids)));
        SLUICE_TRY(r.checked, grids(r.study.advice.steps));
    }
    SLUICE_CHECK(save_table(c.out + "/converge.csv", r));
    Provenance const provenance = provenance_of({c.config});
    SLUICE_CHECK(c.pictures.save(c.out + "/converge", converge_picture(r), provenance));
    std::string const text = text_of(to_json(r)) + "\n";
    SLUICE_CHECK(save_text(c.out + "/converge.json", text));
    for (std::string const& w : warnings(r)) say(stderr, "sluice: warning: {}\n", w);
    if (c.common.json) {
        say("{}", text);
        return {};
    }
    print(r);
    say("\n{}/converge.csv, {}, {}/converge.json\n", c.out,
        fmt::join(c.pictures.names(c.out + "/converge"), ", "), c.out);
    return {};
}

}  // namespace

void add_proton_converge(Verb const& parent, int& exit_code) {
    Verb const app =
        parent.add_subcommand("converge", "how fine the grid has to be for a wanted accuracy");
    auto const c = std::make_shared<Command>();
    app->add_option("config", c->config, "a TOML file")->required();
    app->add_option("--out", c->out, "a folder for the results")->required();
    c->pictures.add(*app);
    app->add_option("--accuracy", c->accuracy, "wanted of all lengths")->capture_default_str();
    app->add_option("--r80", c->r80, "wanted of R80 [--accuracy]");
    app->add_option("--fall-off", c->fall_off,
                    "wanted of the fall-off from 80 to 20 % [--accuracy]");
    app->add_option("--sigma", c->sigma,
                    "wanted of sigma at half of R80 and at the peak [--accuracy]");
    app->add_option("--dose", c->dose, "wanted of the dose in %: L2 of its error over its own")
        ->check(in_range(1e-6, 100.0))
        ->capture_default_str();
    app->add_option("--levels", c->levels,
                    "grids of each family: steps doubled, as they are, halved and so on")
        ->check(in_range(3, 6))
        ->capture_default_str();
    app->add_word("--precision", c->precision, "of the state");
    c->common.add(*app,
                  {.threads = applies(),
                   .json = applies(),
                   .memory_limit = refused("takes what its grids take; coarser grids take less"),
                   .trace = refused("notes no steps; `sluice proton run` does")});
    app->footer(
        "Marches grids around the configuration's own, tells how much each step costs in accuracy, "
        "and\nrecommends the cheapest grid, as lines to paste. With 4 levels that takes about 60 "
        "times as long\nas the configuration itself, with 3 about 15 times.\n\n"
        "Examples:\n"
        "  sluice proton converge beam.toml --out study\n"
        "  sluice proton converge beam.toml --accuracy \"0.05 mm\" --dose 0.5 --out study\n"
        "  sluice proton converge beam.toml --sigma \"0.02 mm\" --levels 3 --out study --json");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
