// Files of an unfinished output by their lengths and hashes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/file.h"
#include "base/hash.h"
#include "device/per_worker.h"
#include "device/share_out.h"

namespace sluice::slide::ome {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

// A file that cannot be read counts as missing: it is made again.
bool is_as_written(std::string const& path, zarr::Written const& written,
                   std::vector<std::byte>& memory) {
    auto const file = File::open(path);
    if (!file || file->size() != static_cast<std::uint64_t>(written.length)) return false;
    memory.resize(piece_bytes);
    Xxh64 hash;
    for (std::uint64_t at = 0; at < file->size();) {
        std::size_t const n = std::min<std::uint64_t>(memory.size(), file->size() - at);
        std::span<std::byte> const part(memory.data(), n);
        if (!file->read(at, part)) return false;
        hash.update(part);
        at += n;
    }
    return hash.digest() == written.hash;
}

bool fits(Plan const& plan, StepRecord const& s) {
    if (s.step < 0 || s.image < 0 || s.image >= std::ssize(plan.images)) return false;
    ImagePlan const& image = plan.images[static_cast<std::size_t>(s.image)];
    auto const components = std::ssize(image.components);
    return std::ranges::all_of(
               s.ranges, [&](auto const& r) { return r.first >= 0 && r.first < components; }) &&
           std::all_of(s.files.begin(), s.files.end(), [&](FileRecord const& f) {
               return f.level >= 0 && f.level < std::ssize(image.levels);
           });
}

}  // namespace

std::string file_of(Plan const& plan, index image, FileRecord const& file) {
    return fmt::format("{}/{}/{}{}", plan.images[static_cast<std::size_t>(image)].group, file.level,
                       plan.zarr == 3 ? "c/" : "", fmt::join(file.at, "/"));
}

Result<Kept> check_files(Plan const& plan, std::string const& folder,
                         std::map<index, StepRecord> steps, std::function<bool()> const& go_on) {
    struct Task {
        index step;
        std::string path;
        zarr::Written written;
    };
    std::erase_if(steps, [&](auto const& s) { return !fits(plan, s.second); });
    std::vector<Task> tasks;
    for (auto const& [number, s] : steps)
        for (FileRecord const& f : s.files)
            tasks.push_back({number, file_of(plan, s.image, f), f.written});
    std::vector<char> good(tasks.size());
    PerWorker<std::vector<std::byte>> memory(plan.threads);
    Run run([&](index) { return go_on(); });
    share_out(std::ssize(tasks), plan.threads, &run, [&](index i, int worker) {
        auto const k = static_cast<std::size_t>(i);
        good[k] = is_as_written(folder + "/" + tasks[k].path, tasks[k].written, memory[worker]);
    });
    SLUICE_CHECK(run.status());
    Kept kept;
    for (std::size_t k = 0; k < tasks.size(); ++k)
        if (!good[k]) {
            ++kept.damaged;
            steps.erase(tasks[k].step);
        }
    for (Task& t : tasks)
        if (steps.contains(t.step)) kept.files.insert(std::move(t.path));
    kept.steps = std::move(steps);
    return kept;
}

}  // namespace sluice::slide::ome
