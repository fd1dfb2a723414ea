// sluice proton batch: each beam of a list or sweep on its own.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/cli/proton/command.h"
#include "app/cli/proton/report.h"
#include "app/cli/proton/tables.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/terminal.h"
#include "base/file.h"
#include "base/pause.h"
#include "base/run.h"
#include "domain/proton/run/batch_state.h"
#include "domain/proton/words.h"

namespace sluice::cli {
namespace {

struct Command {
    std::string config, out;
    proton::Precision precision = proton::Precision::f32;
    bool force = false, dose = false, anyway = false;
    CommonOptions common;
};

/// The marches of a batch, one after the other.
class Batch {
  public:
    Batch(Command const& command, proton::Config const& config, proton::BatchState& state)
        : command_(command), config_(config), state_(state), physics_(config.water) {
        one_.water = config.water;
        one_.phantom = config.phantom;
        one_.options = config.options;
        one_.dense = config.dense;
        one_.guards = config.guards;
        one_.options.threads = command.common.threads;
        one_.options.let_map = true;
        digits_ = std::max<std::size_t>(3, std::to_string(config.beams.size()).size());
    }

    std::uint64_t before() const { return before_; }
    std::uint64_t marched() const { return marched_; }

    Status run() {
        auto const beams = static_cast<std::uint64_t>(config_.beams.size());
        ProgressBar progress("marching", ProgressBar::Counts::steps);
        for (std::uint64_t b = 1; b <= beams; ++b) {
            if (is_done(b)) {
                ++before_;
                continue;
            }
            one_.options.progress = [&](std::uint64_t done, std::uint64_t planes) {
                // The check of the one beam counts that, and not planes.
                std::uint64_t const before = (b - 1) * planes;
                return progress(planes > 1 ? before + done : before, beams * planes);
            };
            SLUICE_CHECK(do_beam(b));
            ++marched_;
            pause_at("beam");
        }
        return {};
    }

  private:
    Command const& command_;
    proton::Config const& config_;
    proton::BatchState& state_;
    proton::Physics physics_;
    proton::Config one_;  ///< with a single beam
    std::size_t digits_;
    std::uint64_t before_ = 0, marched_ = 0;

    std::string file_of(std::uint64_t beam, std::string_view suffix) const {
        return fmt::format("{:0{}}{}", beam, digits_, suffix);
    }
    std::string path_of(std::uint64_t beam, std::string_view suffix) const {
        return command_.out + "/" + file_of(beam, suffix);
    }

    // What --anyway computed is done for that alone; what says nothing of guards is older than
    // they.
    bool is_wanted(Json const& entry) const {
        if (command_.anyway) return true;
        auto const guards = entry.find("guards");
        return guards != entry.end() && guards->is_array() &&
               std::ranges::all_of(*guards, [](Json const& g) {
                   return g.is_object() &&
                          g.value("severity", Json()) != name_of(proton::Severity::refusal);
               });
    }

    // A file that somebody took away is made again.
    bool is_done(std::uint64_t beam) const {
        auto const there = [&](std::string_view suffix) {
            std::error_code error;
            return std::filesystem::is_regular_file(path_of(beam, suffix), error);
        };
        Json const* const entry = state_.find(beam);
        return entry && is_wanted(*entry) && there(".csv") && (!command_.dose || there(".npy"));
    }

    Status do_beam(std::uint64_t beam) {
        proton::Beam const& b = config_.beams[beam - 1];
        one_.beams = {b};
        double const start = now();
        SLUICE_TRY(std::vector<proton::Guard> guards, guards_before(one_));
        if (auto refused = refuse(guards, command_.config, command_.anyway); !refused)
            return Error{refused.error().code,
                         fmt::format("beam {}: {}", beam, refused.error().message),
                         command_.config};
        auto r = march_beam(one_, physics_, b, one_.options);
        if (!r && r.error().code == Code::cancelled) return r.error();
        auto metrics = r ? bragg_metrics(depth_dose(*r)) : r.error();
        if (!metrics)
            return Error{metrics.error().code,
                         fmt::format("beam {}: {}", beam, metrics.error().message),
                         command_.config};
        double const ms = 1e3 * (now() - start);
        Json entry = entry_of(beam, b, *r, *metrics);
        entry["ms"] = std::round(10 * ms) / 10;
        auto const after = guards_after(one_, r->ledger);
        guards.insert(guards.end(), after.begin(), after.end());
        entry["warnings"] = warnings(guards);
        entry["guards"] = to_json(guards);
        SLUICE_CHECK(save_text(path_of(beam, ".csv"), curves_table(*r)));
        if (command_.dose)
            SLUICE_CHECK(save_npy(path_of(beam, ".npy"), dose_of(one_, *r, b.weight)));
        return state_.add(beam, std::move(entry));
    }

    Json entry_of(std::uint64_t number, proton::Beam const& b, proton::MarchResult const& r,
                  proton::BraggMetrics const& m) const {
        constexpr double degree = 0.017453292519943295;
        double const spread = b.sigma_x * b.divergence;
        auto const sigma = proton::lateral_sigma(r);
        auto const peak =
            std::clamp<index>(static_cast<index>(m.peak_depth / r.dz), 0, std::ssize(sigma) - 1);
        return {{"beam", number},
                {"file", file_of(number, ".csv")},
                {"energy_MeV", b.energy},
                {"energy_spread_MeV", b.energy_spread},
                {"x_mm", b.x},
                {"sigma_x_mm", b.sigma_x},
                {"angle_deg", b.angle / degree},
                {"divergence_mrad", 1e3 * b.divergence},
                {"correlation", spread > 0 ? b.covariance / spread : 0.0},
                {"weight", b.weight},
                {"R90_mm", m.r90},
                {"R80_mm", m.r80},
                {"fall_off_80_20_mm", m.fall_off},
                {"peak_mm", m.peak_depth},
                {"sigma_x_at_peak_mm", sigma[static_cast<std::size_t>(peak)]},
                {"peak_to_entrance", m.peak_to_entrance},
                {"integral_MeV", m.integral / b.weight}};
    }
};

Json summary(Command const& c, proton::Config const& config, Batch const& batch,
             proton::BatchState const& state, double seconds) {
    Json all = Json::array();
    for (auto const& [beam, entry] : state.done()) all.push_back(entry);
    return {{"config", c.config},
            {"assumed", assumptions(config)},
            {"beams", config.beams.size()},
            {"marched", batch.marched()},
            {"done_before", batch.before()},
            {"seconds", seconds},
            {"library", std::move(all)}};
}

Status run(Command const& c) {
    SLUICE_TRY(proton::Config config, proton::read_config(c.config));
    config.options.precision = c.precision;
    std::string const print =
        proton::fingerprint(c.config, config, std::string(config::word_of(c.precision)));
    SLUICE_TRY(auto state, proton::BatchState::open(c.out, print, c.force));
    Batch batch(c, config, state);
    double const start = now();
    Status const marched = batch.run();
    SLUICE_CHECK(state.save());
    SLUICE_CHECK(state.save_library(c.out + "/library.csv"));
    if (!marched && marched.error().code == Code::cancelled)
        return cancelled(fmt::format("{} of {} beams are done, and the same command goes on",
                                     batch.before() + batch.marched(), config.beams.size()));
    SLUICE_CHECK(marched);
    double const seconds = now() - start;
    if (c.common.json) {
        fmt::print("{}\n", text_of(summary(c, config, batch, state, seconds)));
        return {};
    }
    fmt::print("{}: {} beams, {} marched in {:.1f} s, {} were done before\n", c.config,
               config.beams.size(), batch.marched(), seconds, batch.before());
    std::size_t warned = 0;
    for (auto const& [beam, entry] : state.done()) warned += entry["warnings"].empty() ? 0 : 1;
    if (warned > 0)
        fmt::print(stderr, "sluice: warning: {} beams have warnings; see {}/library.csv\n", warned,
                   c.out);
    fmt::print("{0}/library.csv has a line for each, {0}/NNN.csv its depth dose\n", c.out);
    return {};
}

}  // namespace

void add_proton_batch(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("batch", "each beam of a list or sweep on its own");
    auto const c = std::make_shared<Command>();
    app->add_option("config", c->config, "a TOML file")->required();
    app->add_option("--out", c->out, "a folder for the results; what is done there is kept")
        ->required();
    app->add_flag("--dose", c->dose,
                  "also write each beam's dose, [plane][column], Gy mm a proton");
    app->add_flag("--anyway", c->anyway,
                  "march beams that are refused because their dose would be wrong");
    app->add_flag("--force", c->force, "begin anew, whatever the folder has");
    app->add_word("--precision", c->precision, "of the state");
    c->common.add(*app,
                  {.threads = applies(),
                   .json = applies("print the library as JSON"),
                   .memory_limit = refused("takes what its grid takes; a coarser grid takes less"),
                   .trace = refused("notes no steps; `sluice proton run` does")});
    app->footer(
        "A configuration (or [beams] with file = \"beams.csv\"):\n"
        "  [grid]\n"
        "  depth = \"280 mm\"\n"
        "  width = \"60 mm\"\n"
        "  [sweep]\n"
        "  energy = {from = \"70 MeV\", to = \"200 MeV\", count = 14}\n"
        "  sigma_x = [\"3 mm\", \"5 mm\"]\n\n"
        "Examples:\n"
        "  sluice proton batch sweep.toml --out library\n"
        "  sluice proton batch sweep.toml --out library     after Ctrl-C: goes on\n"
        "  sluice proton batch sweep.toml --out library --force --json");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
