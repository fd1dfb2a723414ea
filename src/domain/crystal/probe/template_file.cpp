// Templates as JSON.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "sluice/probe_template.h"

namespace sluice::stem4d {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t most_bytes = 1 << 20;
constexpr std::size_t most_harmonics = 64, most_values = 1 << 14;
constexpr double longest = 1e5;  // pixels
constexpr std::string_view kind = "probe template";

/// Reads members of one object, and says what is wrong with them.
class Reader {
  public:
    Reader(Json const& j, std::string const& path) : j_(j), path_(path) {}

    Error wrong(std::string const& key, std::string_view why) const {
        return {Code::corrupt,
                fmt::format("'{}' {} (this is a template as save_template() writes it) mend the "
                            "file, or make the template anew",
                            key, why),
                path_};
    }
    Result<double> length(std::string const& key) const {
        if (!j_.contains(key)) return wrong(key, "is missing");
        if (!j_[key].is_number()) return wrong(key, "is no number");
        auto const v = j_[key].get<double>();
        if (!(v > 0 && v <= longest)) return wrong(key, "is no length from 0 to 100000 px");
        return v;
    }
    Result<std::vector<std::array<double, 2>>> pairs(std::string const& key) const {
        std::vector<std::array<double, 2>> all;
        if (!j_.contains(key)) return all;
        if (!j_[key].is_array() || j_[key].size() > most_harmonics)
            return wrong(key, "is no list of up to 64 pairs");
        for (Json const& p : j_[key]) {
            if (!p.is_array() || p.size() != 2 || !p[0].is_number() || !p[1].is_number())
                return wrong(key, "has an entry that is no pair of numbers");
            all.push_back({p[0].get<double>(), p[1].get<double>()});
            for (double const v : all.back())
                if (!(std::abs(v) < 1)) return wrong(key, "has a wave as large as the radius");
        }
        return all;
    }
    Result<std::vector<double>> numbers(std::string const& key) const {
        std::vector<double> all;
        if (!j_.contains(key)) return all;
        if (!j_[key].is_array() || j_[key].size() > most_values)
            return wrong(key, "is no list of up to 16384 numbers");
        for (Json const& v : j_[key]) {
            if (!v.is_number()) return wrong(key, "has an entry that is no number");
            all.push_back(v.get<double>());
            if (!(std::abs(all.back()) <= 100)) return wrong(key, "has a value beyond 100");
        }
        return all;
    }

  private:
    Json const& j_;
    std::string const& path_;
};

}  // namespace

Status save_template(std::string const& path, ProbeTemplate const& probe) {
    Json j = {{"kind", kind},
              {"radius", probe.radius},
              {"edge_width", probe.edge_width},
              {"unit", "pixels of the full detector"}};
    if (!probe.harmonics.empty()) j["harmonics"] = probe.harmonics;
    if (!probe.profile.empty()) {
        j["profile"] = probe.profile;
        j["profile_step"] = probe.profile_step;
    }
    j["source"] = probe.source;
    return save_text(path, j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<ProbeTemplate> load_template(std::string const& path) {
    SLUICE_TRY(auto const bytes, read_file(path, most_bytes));
    auto const* const text = reinterpret_cast<char const*>(bytes.data());
    Json const j = Json::parse(text, text + bytes.size(), nullptr, false);
    if (j.is_discarded() || !j.is_object() || !j.contains("kind") || j["kind"] != kind)
        return Error{Code::corrupt,
                     "is not a probe template (it is no JSON object of that kind) give a file that "
                     "save_template() wrote",
                     path};
    Reader const read(j, path);
    ProbeTemplate t;
    SLUICE_TRY(t.radius, read.length("radius"));
    SLUICE_TRY(t.edge_width, read.length("edge_width"));
    SLUICE_TRY(t.harmonics, read.pairs("harmonics"));
    SLUICE_TRY(t.profile, read.numbers("profile"));
    if (!t.profile.empty()) {
        SLUICE_TRY(t.profile_step, read.length("profile_step"));
    }
    if (j.contains("source") && j["source"].is_string()) t.source = j["source"].get<std::string>();
    return t;
}

}  // namespace sluice::stem4d
