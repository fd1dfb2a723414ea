// Beam models of MCsquare: distances, range shifters and a table of energies, as text.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "base/nearest.h"
#include "base/utf8.h"
#include "domain/proton/machine/bdl_lines.h"
#include "domain/proton/machine/energy.h"
#include "domain/proton/machine/files.h"

namespace sluice::proton {
namespace {

constexpr std::string_view nozzle_words = "Nozzle exit to Isocenter distance",
                           x_words = "SMX to Isocenter distance",
                           y_words = "SMY to Isocenter distance",
                           shifter_words = "Range Shifter parameters";

constexpr std::string_view first_columns[] = {
    "NominalEnergy", "MeanEnergy",    "EnergySpread", "ProtonsMU",    "Weight1",      "SpotSize1x",
    "Divergence1x",  "Correlation1x", "SpotSize1y",   "Divergence1y", "Correlation1y"};
constexpr std::string_view second_columns[] = {"Weight2",       "SpotSize2x", "Divergence2x",
                                               "Correlation2x", "SpotSize2y", "Divergence2y",
                                               "Correlation2y"};

bool has_words(std::string_view line, std::string_view words) {
    return line.find(words) != std::string_view::npos;
}

/// A beam model, line by line.
class Bdl {
  public:
    Bdl(std::string_view text, std::string const& name) : lines_(text, name), name_(name) {}

    Result<Machine> read() {
        while (lines_.next()) {
            std::string_view const line = lines_.line();
            if (line.starts_with(nozzle_words)) {
                SLUICE_CHECK(read_length(nozzle_words, plane_));
            } else if (line.starts_with(x_words)) {
                SLUICE_CHECK(read_length(x_words, source_x_));
            } else if (line.starts_with(y_words)) {
                SLUICE_CHECK(read_length(y_words, source_y_));
            } else if (line.starts_with(shifter_words)) {
                SLUICE_CHECK(read_shifters());
            } else if (has_words(line, "energies")) {
                SLUICE_CHECK(read_count());
            } else if (line.starts_with(first_columns[0])) {
                SLUICE_CHECK(read_table());
            }
        }
        SLUICE_CHECK(complete());
        return std::move(m_);
    }

  private:
    BdlLines lines_;
    std::string const& name_;
    Machine m_;
    std::optional<double> plane_, source_x_, source_y_, count_;
    std::vector<std::string_view> columns_;
    bool scaled_ = false;

    // On the line behind its words.
    Status read_length(std::string_view words, std::optional<double>& into) {
        if (into) return lines_.wrong(fmt::format("'{}' is there twice; leave one out", words));
        if (!lines_.next()) return lines_.wrong(fmt::format("'{}' has no number", words));
        SLUICE_TRY(into, lines_.number(lines_.words().front(), words));
        return {};
    }

    Status read_count() {
        double count = 0;
        std::string_view const first = lines_.words().front();
        auto const [end, failed] =
            std::from_chars(first.data(), first.data() + first.size(), count);
        if (failed == std::errc() && end == first.data() + first.size()) count_ = count;
        return {};
    }

    // "RS_NAME = value", several in a block; a block for each shifter, or one for all.
    Status read_shifters() {
        std::map<std::string, std::string, std::less<>> one;
        while (lines_.next()) {
            std::string_view const line = lines_.line();
            std::size_t const equals = line.find('=');
            if (!line.starts_with("RS_") || equals == line.npos) {
                lines_.hold();
                break;
            }
            std::string const key(bdl_trimmed(line.substr(0, equals)));
            if (key == "RS_ID" && !one.empty()) {
                SLUICE_CHECK(add_shifter(one));
                one.clear();
            }
            if (one.contains(key))
                return lines_.wrong(fmt::format("{} is there twice; leave one out", key));
            one[key] = bdl_trimmed(line.substr(equals + 1));
        }
        return one.empty() ? Status() : add_shifter(one);
    }

    Status add_shifter(std::map<std::string, std::string, std::less<>> const& one) {
        auto const id = one.find("RS_ID"), water = one.find("RS_WET");
        if (id == one.end()) return lines_.wrong("a range shifter without RS_ID; add it");
        if (std::ranges::find(m_.shifters, id->second, &MachineShifter::name) != m_.shifters.end())
            return lines_.wrong(fmt::format("range shifter '{}' is there twice", id->second));
        if (m_.shifters.size() >= 1000) return lines_.wrong("more than 1000 range shifters");
        if (water == one.end()) {
            m_.notes.push_back(
                fmt::format("The range shifter '{}' is left out: the file has no RS_WET of it, so "
                            "plans have to "
                            "say how much water it is.",
                            id->second));
            return {};
        }
        SLUICE_TRY(double const wet, lines_.number(water->second, "RS_WET"));
        if (!(wet > 0 && wet < 1e4))
            return lines_.wrong(fmt::format("RS_WET of {} mm; give more than 0", wet));
        m_.shifters.push_back({id->second, wet});
        return {};
    }

    Status read_table() {
        if (!columns_.empty()) return lines_.wrong("a second table of energies; leave one out");
        columns_ = lines_.words();
        std::vector<std::string> known(std::begin(first_columns), std::end(first_columns));
        known.insert(known.end(), std::begin(second_columns), std::end(second_columns));
        for (auto c = columns_.begin(); c != columns_.end(); ++c) {
            if (std::ranges::find(known, *c) == known.end())
                return lines_.wrong(fmt::format("there is no column '{}'; did you mean '{}'?",
                                                c->substr(0, 60), nearest(std::string(*c), known)));
            if (std::find(columns_.begin(), c, *c) != c)
                return lines_.wrong(fmt::format("two columns {}; leave one out", *c));
        }
        SLUICE_CHECK(need(first_columns));
        if (std::ranges::find(columns_, "Weight2") != columns_.end())
            SLUICE_CHECK(need(second_columns));
        while (lines_.next()) SLUICE_CHECK(read_line());
        return {};
    }

    Status need(std::span<std::string_view const> names) const {
        for (std::string_view const name : names)
            if (std::ranges::find(columns_, name) == columns_.end())
                return lines_.wrong(fmt::format("column {} is missing; add it", name));
        return {};
    }

    Status read_line() {
        auto const words = lines_.words();
        if (words.size() != columns_.size())
            return lines_.wrong(
                fmt::format("{} numbers for {} columns", words.size(), columns_.size()));
        std::map<std::string_view, double> v;
        for (std::size_t i = 0; i < words.size(); ++i) {
            SLUICE_TRY(v[columns_[i]], lines_.number(words[i], columns_[i]));
        }
        MachineEnergy e{.nominal = v["NominalEnergy"],
                        .mean = v["MeanEnergy"],
                        // MCsquare has it in percent of the nominal energy.
                        .spread = v["EnergySpread"] / 100 * v["NominalEnergy"],
                        .protons_per_mu = v["ProtonsMU"]};
        double const first = v["Weight1"], second = v["Weight2"], sum = first + second;
        if (!(first >= 0 && second >= 0 && sum > 0 && sum < 1e9))
            return lines_.wrong(fmt::format(
                "weights of {} and {}; they are at least 0, and one is above", first, second));
        scaled_ = scaled_ || std::abs(sum - 1) > 1e-6;
        for (auto const& [weight, which] : {std::pair{first, '1'}, std::pair{second, '2'}}) {
            if (weight == 0) continue;
            auto g = gaussian(v, which, weight / sum);
            if (!g) return lines_.wrong(g.error().message);
            e.spots.push_back(*g);
        }
        if (auto s = check_energy(e); !s) return lines_.wrong(s.error().message);
        if (auto s = check_order(m_.energies, e); !s) return lines_.wrong(s.error().message);
        m_.energies.push_back(std::move(e));
        return {};
    }

    static Result<SpotGaussian> gaussian(std::map<std::string_view, double> const& v, char which,
                                         double weight) {
        SpotGaussian g{.weight = weight};
        for (std::size_t i = 0; i < 2; ++i) {
            auto const of = [&](char const* name) {
                auto const found = v.find(fmt::format("{}{}{}", name, which, "xy"[i]));
                return found == v.end() ? 0 : found->second;
            };
            g.sigma[i] = of("SpotSize");
            g.divergence[i] = of("Divergence");
            // Its protons fly to x + theta z: above 0 they leave each other.
            SLUICE_TRY(g.covariance[i],
                       covariance_of(g.sigma[i], g.divergence[i], of("Correlation")));
        }
        return g;
    }

    Status complete() {
        auto const missing = [&](std::string_view words) {
            return Error{Code::invalid_argument,
                         fmt::format("'{}' is missing; add it, and the number below", words),
                         name_};
        };
        if (!plane_) return missing(nozzle_words);
        if (!source_x_) return missing(x_words);
        if (!source_y_) return missing(y_words);
        if (columns_.empty())
            return Error{Code::unsupported,
                         "has no table of energies that begins with NominalEnergy (older beam "
                         "models have polynomials, which are not read); export a table",
                         name_};
        if (count_ && *count_ != static_cast<double>(m_.energies.size()))
            return Error{Code::truncated,
                         fmt::format("says that it has {} energies, and has {}; export it again",
                                     *count_, m_.energies.size()),
                         name_};
        m_.plane = *plane_;
        m_.source = {*source_x_, *source_y_};
        if (scaled_)
            m_.notes.emplace_back(
                "Weights that do not sum to 1 are divided by their sum, as "
                "MCsquare does.");
        m_.notes.emplace_back(
            "Energy spreads are percent of the nominal energy, and a correlation above 0 is a beam "
            "that widens on its way, as MCsquare has it.");
        return check_machine(m_, name_);
    }
};

std::string stem_of(std::string const& path) {
    std::string_view s = path;
    if (auto const slash = s.rfind('/'); slash != s.npos) s.remove_prefix(slash + 1);
    return std::string(s.substr(0, s.rfind('.')));
}

}  // namespace

Result<Machine> machine_of_bdl(std::string_view text, std::string const& name) {
    std::string const words = as_utf8(text);
    SLUICE_TRY(Machine m, Bdl(words, name).read());
    m.name = as_utf8(stem_of(name));
    return m;
}

}  // namespace sluice::proton
