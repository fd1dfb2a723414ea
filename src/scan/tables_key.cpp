// What a file of tables was made of.
// SPDX-License-Identifier: Apache-2.0
#include "scan/tables_key.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "base/hash.h"
#include "format/beside.h"
#include "format/indexed.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

template <class T>
std::string digest_of(std::span<T const> values) {
    return fmt::format("{:016x}", xxh64(std::as_bytes(values)));
}

std::string text_of(Region const& r) {
    return fmt::format("{}+{},{}+{}", r.row, r.rows, r.col, r.cols);
}

Error unknown_state(std::string const& file, std::error_code const& why) {
    return {Code::io, fmt::format("has no size or time ({}); copy it again", why.message()), file};
}

// Size and time tell nearly every change, and cost no look into the file.
Result<std::string> state_of_file(std::string const& file) {
    std::error_code failed;
    auto const size = fs::file_size(file, failed);
    if (failed) return unknown_state(file, failed);
    auto const time = fs::last_write_time(file, failed);
    if (failed) return unknown_state(file, failed);
    return fmt::format("{} bytes, {}", size, time.time_since_epoch().count());
}

// Of a folder, as Zarr has them, all files count.
Result<std::string> state_of(std::string const& path) {
    std::error_code failed;
    if (!fs::is_directory(path, failed)) return state_of_file(path);
    std::vector<std::string> states;
    fs::recursive_directory_iterator entry(path, failed);
    for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
        std::error_code ignored;
        if (entry->is_directory(ignored)) continue;
        std::string const its = entry->path().string();
        SLUICE_TRY(std::string const state, state_of_file(its));
        states.push_back(its.substr(path.size()) + " " + state);
    }
    if (failed) return unknown_state(path, failed);
    std::ranges::sort(states);
    Xxh64 all;
    for (std::string const& state : states) all.update(std::as_bytes(std::span(state)));
    return fmt::format("{} files, {:016x}", states.size(), all.digest());
}

}  // namespace

Result<TablesKey> tables_key(Dataset const& dataset, store::Plan const& plan,
                             LoadOptions const& options) {
    TablesKey key;
    auto const add = [&](std::string_view name, std::string value) {
        auto& [its_name, its_value] = key.parts.emplace_back();
        its_name = name;
        its_value = std::move(value);
    };
    fs::path const folder = fs::path(without_slashes(dataset.path)).parent_path();
    for (std::string const& file : dataset.files) {
        fs::path const its = without_slashes(file);
        SLUICE_TRY(std::string state, state_of(its.string()));
        add("file " + its.lexically_proximate(folder).string(), std::move(state));
    }
    add("chunk index", fmt::format("{:016x}", index_digest(*dataset.source)));
    add("format", dataset.format);
    // A file may have several arrays of one shape; their names, and where raw frames begin, are
    // among the metadata.
    Xxh64 described;
    auto const describe = [&](std::string const& text) {
        described.update(std::as_bytes(std::span(text)));
        described.update(std::as_bytes(std::span("\n")));
    };
    for (MetaField const& field : all_fields(dataset)) {
        describe(field.name);
        describe(field.value);
    }
    for (std::string const& note : dataset.notes) describe(note);
    add("description", fmt::format("{:016x}", described.digest()));
    add("shape of the scan", fmt::format("{}x{}", dataset.scan[0], dataset.scan[1]));
    add("shape of the detector",
        fmt::format("{}x{} {}", dataset.rows, dataset.cols, name_of(dataset.dtype)));
    add("scan region", text_of(plan.scan_region));
    add("detector region", text_of(plan.detector_region));
    add("binning",
        fmt::format("{} {} {} {}x{} {}", plan.det_bin, plan.scan_bin, static_cast<int>(plan.mode),
                    plan.rows, plan.cols, name_of(plan.dtype)));
    add("scan step", fmt::format("{}", plan.scan_step));
    add("search for hot pixels", options.hot_pixels ? "yes" : "no");
    add("mask", digest_of(std::span(plan.rules.bad)) + digest_of(std::span(plan.valid)));
    add("rule for pixels without data",
        fmt::format("{} {} {}", plan.rules.sentinel, plan.rules.keep_not_finite,
                    plan.rules.saturation ? fmt::format("{}", *plan.rules.saturation) : "none"));
    add("list of missing frames", digest_of(std::span(plan.lost)));
    return key;
}

std::string changed_since(Dataset const& dataset, std::int64_t moment) {
    std::string found;
    auto const look = [&](std::string const& file) {
        struct stat its = {};
        if (stat(file.c_str(), &its) != 0) return;
        constexpr std::int64_t second = 1'000'000'000;
        if (its.st_ctim.tv_sec * second + its.st_ctim.tv_nsec > moment) found = file;
    };
    for (std::string const& file : dataset.files) {
        std::error_code failed;
        look(file);
        if (!fs::is_directory(file, failed)) continue;
        fs::recursive_directory_iterator entry(file, failed);
        for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed))
            look(entry->path().string());
    }
    return found;
}

std::string difference(TablesKey const& kept, TablesKey const& now) {
    auto const find = [](TablesKey const& in, std::string const& name) {
        return std::ranges::find(in.parts, name, [](auto const& part) { return part.first; });
    };
    auto const is_file = [](std::string const& name) { return name.starts_with("file "); };
    for (auto const& [name, value] : now.parts) {
        auto const its = find(kept, name);
        if (its != kept.parts.end() && its->second == value) continue;
        if (!is_file(name)) return fmt::format("the {} differs", name);
        return fmt::format("the {} {}", name,
                           its == kept.parts.end() ? "is new" : "has another size or time");
    }
    for (auto const& [name, value] : kept.parts)
        if (find(now, name) == now.parts.end()) return fmt::format("the {} is gone", name);
    if (kept != now) return "the order of the files differs";
    return {};
}

}  // namespace sluice
