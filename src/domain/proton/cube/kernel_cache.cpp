// Depth kernels: marched once for each energy, and kept.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/kernel_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <numeric>
#include <span>

#include "base/file.h"
#include "base/hash.h"
#include "base/version.h"
#include "device/share_out.h"
#include "domain/proton/base_data/water.h"
#include "domain/proton/words.h"

namespace sluice::proton::cube {
namespace {

// Of the format. Marches may change with any commit.
constexpr std::string_view mark = "sluice depth kernel 2";
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 24;

std::array<std::vector<double> BaseEnergy::*, 6> curves() {
    return {&BaseEnergy::depth,      &BaseEnergy::dose,        &BaseEnergy::sigma,
            &BaseEnergy::halo_sigma, &BaseEnergy::halo_weight, &BaseEnergy::let};
}

void put(std::string& to, double v) {
    to.append(reinterpret_cast<char const*>(&v), sizeof v);  // NOLINT: bytes of a number
}

double take(std::string_view& from) {
    double v = 0;
    std::memcpy(&v, from.data(), sizeof v);
    from.remove_prefix(sizeof v);
    return v;
}

std::string head_of(KernelKey const& key) {
    std::string head = fmt::format("{}, {} {}\n", mark, version, commit);
    put(head, key.energy);
    put(head, key.spread);
    put(head, static_cast<double>(key.water));
    put(head, key.shifter);
    put(head, key.gap);
    return head;
}

std::uint64_t digest_of(std::string_view bytes) {
    Xxh64 hash;
    hash.update(std::as_bytes(std::span(bytes)));
    return hash.digest();
}

std::string path_of(std::string const& folder, KernelKey const& key) {
    return fmt::format("{}/{:016x}.kernel", folder, digest_of(head_of(key)));
}

double step_for(Physics const& physics, double energy) {
    return std::clamp(physics.range(energy) / 300, 0.1, 0.5);
}

BaseDataOptions options_of(Physics const& physics, KernelKey const& key) {
    BaseDataOptions o{.step = step_for(physics, key.energy), .energy_spread = key.spread};
    o.gap_after = key.shifter;
    o.gap = key.gap;
    o.threads = 1;
    return o;
}

Result<BaseEnergy> marched(Physics const& physics, KernelKey const& key, Run& run) {
    BaseDataOptions o = options_of(physics, key);
    o.progress = [&run](std::uint64_t, std::uint64_t) { return run.wanted(); };
    return base_energy(physics, key.energy, o);
}

std::optional<BaseEnergy> kept(std::string const& folder, KernelKey const& key) {
    if (folder.empty()) return {};
    auto bytes = read_file(path_of(folder, key), most_bytes);
    if (!bytes) return {};
    std::string_view const text(
        reinterpret_cast<char const*>(bytes->data()),  // NOLINT: the file's bytes
        bytes->size());
    return unpacked_kernel(key, text);
}

// What cannot be kept is marched again another day.
void keep(std::string const& folder, KernelKey const& key, BaseEnergy const& kernel) {
    if (folder.empty()) return;
    (void)save_text(path_of(folder, key), packed_kernel(key, kernel));
}

}  // namespace

std::string packed_kernel(KernelKey const& key, BaseEnergy const& k) {
    std::string bytes = head_of(key);
    put(bytes, k.peak);
    put(bytes, k.range);
    put(bytes, static_cast<double>(k.depth.size()));
    for (auto const curve : curves())
        for (double const v : k.*curve) put(bytes, v);
    auto const digest = digest_of(bytes);
    bytes.append(reinterpret_cast<char const*>(&digest), sizeof digest);  // NOLINT: as put()
    return bytes;
}

std::optional<BaseEnergy> unpacked_kernel(KernelKey const& key, std::string_view bytes) {
    std::string const head = head_of(key);
    constexpr std::size_t numbers = 3 * sizeof(double), tail = sizeof(std::uint64_t);
    if (!bytes.starts_with(head) || bytes.size() < head.size() + numbers + tail) return {};
    std::uint64_t digest = 0;
    std::memcpy(&digest, bytes.data() + bytes.size() - tail, tail);
    if (digest != digest_of(bytes.substr(0, bytes.size() - tail))) return {};
    bytes.remove_prefix(head.size());
    bytes.remove_suffix(tail);
    BaseEnergy k;
    k.energy = key.energy;
    k.energy_spread = key.spread;
    k.peak = take(bytes);
    k.range = take(bytes);
    double const points = take(bytes);
    if (!(points >= 2 && points < 1e6) ||
        bytes.size() != static_cast<std::size_t>(points) * curves().size() * sizeof(double))
        return {};
    for (auto const curve : curves())
        for (int i = 0; i < static_cast<int>(points); ++i) (k.*curve).push_back(take(bytes));
    return k;
}

std::string usual_kernel_folder() {
    char const* const cache = std::getenv("XDG_CACHE_HOME");  // NOLINT: nobody sets it meanwhile
    char const* const home = std::getenv("HOME");             // NOLINT: the same
    if (cache && *cache) return std::string(cache) + "/sluice/kernels";
    if (home && *home) return std::string(home) + "/.cache/sluice/kernels";
    return {};
}

bool has_kernel(std::string const& folder, KernelKey const& key) {
    std::error_code ignored;
    return !folder.empty() && std::filesystem::exists(path_of(folder, key), ignored);
}

double march_bytes(std::vector<KernelKey> const& keys, int threads) {
    // Of marches of 70 to 230 MeV: for a column of a plane of the protons' rows, whose number is
    // that of steps to the range and some; and what the allocator keeps of earlier ones.
    constexpr double cell_bytes = 455, less_bytes = 3e6, rows_behind = 64, holes = 1.15;
    std::vector<double> each;
    for (KernelKey const& key : keys) {
        Physics const physics(key.water);
        BaseDataOptions const o = options_of(physics, key);
        double const rows = physics.range(key.energy) / o.step + rows_behind;
        auto const columns = static_cast<double>(base_columns(physics, key.energy, o));
        each.push_back(cell_bytes * rows * columns - less_bytes);
    }
    std::ranges::sort(each, std::greater());
    auto const at_once = std::min<index>(std::ssize(each), threads);
    double const all = std::accumulate(each.begin(), each.begin() + at_once, 0.0);
    return std::ssize(each) > threads ? holes * all : all;
}

Result<std::vector<BaseEnergy>> kernels(std::vector<KernelKey> const& keys,
                                        std::string const& folder, int threads, Run& run) {
    std::vector<BaseEnergy> all(keys.size());
    std::string where = folder;
    if (!where.empty()) {
        std::error_code failed;
        std::filesystem::create_directories(where, failed);
        if (failed) where.clear();
    }
    share_out(std::ssize(keys), threads, &run, [&](index i, int) -> Status {
        KernelKey const& key = keys[static_cast<std::size_t>(i)];
        BaseEnergy& to = all[static_cast<std::size_t>(i)];
        if (auto old = kept(where, key)) {
            to = *std::move(old);
        } else {
            Physics const physics(key.water);
            SLUICE_TRY(to, marched(physics, key, run));
            to.guards.clear();
            keep(where, key, to);
        }
        run.done();
        return {};
    });
    SLUICE_CHECK(run.status());
    return all;
}

}  // namespace sluice::proton::cube
