// The marches of a batch, one after the other.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "base/file.h"
#include "base/pause.h"
#include "base/plural.h"
#include "base/run.h"
#include "domain/proton/run/batch_state.h"
#include "domain/proton/run/guard_report.h"
#include "domain/proton/run/tables.h"
#include "domain/proton/words.h"
#include "sluice/proton_batch.h"
#include "sluice/proton_run.h"
#include "sluice/save.h"

namespace sluice::proton {
namespace {

using Json = BatchState::Json;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What state.json and library.csv say of a beam, but for its guards and the time it took.
Json entry_of(index number, std::string const& file, Beam const& b, MarchResult const& r,
              BraggMetrics const& m) {
    constexpr double degree = 0.017453292519943295;
    double const spread = b.sigma_x * b.divergence;
    auto const sigma = lateral_sigma(r);
    auto const peak =
        std::clamp<index>(static_cast<index>(m.peak_depth / r.dz), 0, std::ssize(sigma) - 1);
    return {{"beam", static_cast<std::uint64_t>(number)},
            {"file", file},
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

// What --anyway computed is done for that alone; what says nothing of guards is older than they.
bool is_wanted(Json const& entry, bool anyway) {
    if (anyway) return true;
    auto const guards = entry.find("guards");
    return guards != entry.end() && guards->is_array() &&
           std::ranges::all_of(*guards, [](Json const& g) {
               return g.is_object() && g.value("severity", Json()) != name_of(Severity::refusal);
           });
}

/// A configuration whose beams are marched into a folder. Beams have numbers from 1 on.
class Batch {
  public:
    Batch(std::string const& config_path, std::string const& folder, BatchOptions const& options,
          Config config, BatchState& state)
        : config_path_(config_path),
          folder_(folder),
          options_(options),
          one_(std::move(config)),
          beams_(std::move(one_.beams)),
          state_(state),
          physics_(one_.water),
          digits_(std::max<std::size_t>(3, std::to_string(beams_.size()).size())) {
        one_.options.threads = options.threads;
        one_.options.let_map = true;
    }

    /// Counts in the report.
    Status run(BatchReport& report) {
        for (index b = 1; b <= std::ssize(beams_); ++b) {
            if (is_done(b)) {
                ++report.before;
                continue;
            }
            SLUICE_CHECK(do_beam(b));
            ++report.marched;
            pause_at("beam");
            auto const done = static_cast<std::uint64_t>(b) * planes_;
            Status const on = tell_progress(options_.progress, done, beams_.size() * planes_);
            // After the last beam there is nothing left to stop.
            if (b < std::ssize(beams_)) SLUICE_CHECK(on);
        }
        return {};
    }

  private:
    std::string const& config_path_;
    std::string const& folder_;
    BatchOptions const& options_;
    Config one_;  ///< with a single beam
    std::vector<Beam> beams_;
    BatchState& state_;
    Physics physics_;
    std::size_t digits_;
    std::uint64_t planes_ = 0;  ///< of a beam, once one was marched

    std::string file_of(index beam, std::string_view suffix) const {
        return fmt::format("{:0{}}{}", beam, digits_, suffix);
    }
    std::string path_of(index beam, std::string_view suffix) const {
        return folder_ + "/" + file_of(beam, suffix);
    }

    // A file that somebody took away is made again.
    bool is_done(index beam) const {
        auto const there = [&](std::string_view suffix) {
            std::error_code error;
            return std::filesystem::is_regular_file(path_of(beam, suffix), error);
        };
        Json const* const entry = state_.find(static_cast<std::uint64_t>(beam));
        return entry && is_wanted(*entry, options_.anyway) && there(".csv") &&
               (!options_.dose || there(".npy"));
    }

    Error of_beam(index beam, Error const& error) const {
        return {error.code, fmt::format("beam {}: {}", beam, error.message), config_path_};
    }

    Result<MarchResult> march(index beam) {
        auto const before = static_cast<std::uint64_t>(beam - 1);
        auto const beams = static_cast<std::uint64_t>(beams_.size());
        one_.options.progress = [&](std::uint64_t done, std::uint64_t planes) {
            planes_ = planes;
            return !options_.progress || options_.progress(before * planes + done, beams * planes);
        };
        auto found = march_beam(one_, physics_, one_.beams.front(), one_.options);
        one_.options.progress = {};
        return found;
    }

    Status do_beam(index beam) {
        Beam const& b = beams_[static_cast<std::size_t>(beam - 1)];
        one_.beams = {b};
        auto const start = Clock::now();
        SLUICE_TRY(std::vector<Guard> guards, guards_before(one_));
        if (Status const s = refuse(guards, config_path_, options_.anyway); !s)
            return of_beam(beam, s.error());
        auto const r = march(beam);
        if (!r) return r.error().code == Code::cancelled ? r.error() : of_beam(beam, r.error());
        auto const metrics = bragg_metrics(depth_dose(*r));
        if (!metrics) return of_beam(beam, metrics.error());
        double const ms = 1e3 * seconds_since(start);
        Json entry = entry_of(beam, file_of(beam, ".csv"), b, *r, *metrics);
        entry["ms"] = std::round(10 * ms) / 10;
        auto const after = guards_after(one_, *r);
        guards.insert(guards.end(), after.begin(), after.end());
        entry["warnings"] = warnings(guards);
        entry["guards"] = to_json(guards);
        SLUICE_CHECK(save_text(path_of(beam, ".csv"), curves_table(*r)));
        if (options_.dose)
            SLUICE_CHECK(save_npy(path_of(beam, ".npy"), dose_of(one_, *r, b.weight)));
        return state_.add(static_cast<std::uint64_t>(beam), std::move(entry));
    }
};

void add_library(BatchReport& report, BatchState const& state) {
    Json all = Json::array();
    for (auto const& [beam, entry] : state.done()) {
        all.push_back(entry);
        report.warned += entry["warnings"].empty() ? 0 : 1;
    }
    report.library = all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Result<BatchReport> batch(std::string const& config_path, std::string const& folder,
                          BatchOptions const& options) {
    SLUICE_TRY(Config config, read_config(config_path));
    config.options.precision = options.precision;
    std::string const print =
        fingerprint(config_path, config, std::string(config::word_of(options.precision)));
    SLUICE_TRY(auto state, BatchState::open(folder, print, options.force));
    BatchReport report;
    report.beams = std::ssize(config.beams);
    report.assumed = assumptions(config);
    auto const start = Clock::now();
    Status const marched =
        Batch(config_path, folder, options, std::move(config), state).run(report);
    report.seconds = seconds_since(start);
    SLUICE_CHECK(state.save());
    SLUICE_CHECK(state.save_library(folder + "/library.csv"));
    if (!marched && marched.error().code == Code::cancelled)
        return cancelled(fmt::format("{} of {} done, and the same command goes on",
                                     report.before + report.marched,
                                     plural(report.beams, "beam is", "beams are")));
    SLUICE_CHECK(marched);
    add_library(report, state);
    return report;
}

}  // namespace sluice::proton
