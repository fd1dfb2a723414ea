// What a batch of beams has done, so that it can go on later.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/run/batch_state.h"

#include <fmt/format.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/version.h"

namespace sluice::proton {
namespace {

class Fingerprint {
  public:
    void add(Bytes bytes) { hash_.update(bytes); }
    void add(std::string const& text) {
        add(std::as_bytes(std::span(text)));
        add(double(text.size()));
    }
    void add(double number) { add(std::as_bytes(std::span(&number, 1))); }
    std::string text() const { return fmt::format("{:016x}", hash_.digest()); }

  private:
    Fnv1a hash_;
};

std::string this_version() {
    return fmt::format("{} ({})", version, commit);
}

std::string text_of(BatchState::Json const& j) {
    return j.dump(2, ' ', false, BatchState::Json::error_handler_t::replace);
}

}  // namespace

std::string fingerprint(std::string const& config_path, Config const& config,
                        std::string const& options) {
    Fingerprint h;
    h.add(options);
    // Only the text has the keys that concern neither phantom nor beams; it lacks the content of
    // other files.
    if (auto const text = read_file(config_path, 1 << 20)) h.add(*text);
    Phantom const& p = config.phantom;
    for (Material const& m : p.materials) {
        h.add(m.name);
        for (double const v :
             {m.density, m.electron_density, m.excitation_energy, m.scattering, m.nuclear})
            h.add(v);
    }
    for (double const v : {double(p.planes), double(p.columns), p.dz, p.dx, p.x0}) h.add(v);
    h.add(std::as_bytes(std::span(p.map)));
    for (Beam const& b : config.beams)
        for (double const v : {b.energy, b.energy_spread, b.x, b.sigma_x, b.angle, b.divergence,
                               b.covariance, b.weight})
            h.add(v);
    return h.text();
}

Result<BatchState> BatchState::open(std::string const& folder, std::string const& fingerprint,
                                    bool force) {
    std::string const path = folder + "/state.json";
    SLUICE_TRY(FileLock lock, lock_output(path, "marches beams into this folder"));
    BatchState s(std::move(lock), path, fingerprint);
    if (!force) SLUICE_CHECK(s.read());
    return s;
}

Status BatchState::read() {
    auto const bytes = read_file(path_, 1U << 30);
    if (!bytes && bytes.error().code == Code::not_found) return {};
    if (!bytes) return bytes.error();
    auto const bad = [&](Code code, std::string_view text) {
        return Error{code,
                     fmt::format("{}; choose another folder with --out, or begin anew in this one "
                                 "with --force",
                                 text),
                     path_};
    };
    auto const* const text = reinterpret_cast<char const*>(bytes->data());
    Json const j = Json::parse(text, text + bytes->size(), nullptr, false);
    if (j.is_discarded() || !j.is_object() || !j.contains("version") || !j.contains("done") ||
        !j.contains("configuration") || !j["done"].is_array())
        return bad(Code::corrupt, "is not the state of a batch");
    if (j["version"] != this_version())
        return bad(Code::invalid_argument, fmt::format("was begun by sluice {}, and this is {}",
                                                       text_of(j["version"]), this_version()));
    if (j["configuration"] != fingerprint_)
        return bad(Code::invalid_argument,
                   "was begun with another configuration, list of beams or option");
    for (Json const& entry : j["done"]) {
        bool const good = entry.is_object() && entry.contains("beam") &&
                          entry["beam"].is_number_unsigned() && entry.contains("warnings") &&
                          entry["warnings"].is_array();
        if (!good) return bad(Code::corrupt, "has a beam without a number or warnings");
        done_[entry["beam"].get<std::uint64_t>()] = entry;
    }
    return {};
}

BatchState::Json const* BatchState::find(std::uint64_t beam) const {
    auto const at = done_.find(beam);
    return at == done_.end() ? nullptr : &at->second;
}

Status BatchState::add(std::uint64_t beam, Json entry) {
    done_[beam] = std::move(entry);
    // Of many short beams writing all of them each time would be most of the work.
    if (std::chrono::steady_clock::now() - saved_ < std::chrono::milliseconds(500)) return {};
    return save();
}

Status BatchState::save() {
    Json all = Json::array();
    for (auto const& [beam, entry] : done_) all.push_back(entry);
    Json const j = {
        {"version", this_version()}, {"configuration", fingerprint_}, {"done", std::move(all)}};
    SLUICE_CHECK(save_text(path_, text_of(j) + "\n"));
    saved_ = std::chrono::steady_clock::now();
    return {};
}

namespace {

// As CSV has them inside of quotes.
std::string doubled_quotes(std::string const& text) {
    std::string out;
    for (char const c : text) out += c == '"' ? "\"\"" : std::string(1, c);
    return out;
}

}  // namespace

Status BatchState::save_library(std::string const& path) const {
    std::string text;
    for (auto const& [beam, entry] : done_) {
        std::string head, line;
        for (auto const& [key, value] : entry.items()) {
            if (key == "guards") continue;  // they have fields of their own; the state has them
            std::string cell = value.is_null() ? "nan" : value.dump();
            if (value.is_number_float()) cell = fmt::format("{:.7g}", value.get<double>());
            if (value.is_string()) cell = value.get<std::string>();
            if (value.is_array()) {
                cell.clear();
                for (Json const& one : value)
                    cell += (cell.empty() ? "" : "; ") +
                            (one.is_string() ? one.get<std::string>() : one.dump());
                cell = "\"" + doubled_quotes(cell) + "\"";
            }
            head += (head.empty() ? "" : ",") + key;
            line += (line.empty() ? "" : ",") + cell;
        }
        if (text.empty()) text = head + "\n";
        text += line + "\n";
    }
    return save_text(path, text);
}

}  // namespace sluice::proton
