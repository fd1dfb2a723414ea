// sluice::open_series: the members of a 5-D series, and which of them do not belong.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/unfinished.h"
#include "format/beside.h"
#include "format/kinds/kinds.h"
#include "format/table.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

/// "a2" before "a10": runs of digits are compared as numbers.
bool natural_less(std::string_view a, std::string_view b) {
    auto const digit = [](std::string_view s) { return !s.empty() && s[0] >= '0' && s[0] <= '9'; };
    auto const number = [&](std::string_view& s) {
        std::size_t n = 0;
        while (digit(s.substr(n))) ++n;
        std::string_view digits = s.substr(0, n);
        s.remove_prefix(n);
        digits.remove_prefix(std::min(digits.find_first_not_of('0'), n));
        return digits;
    };
    std::string_view x = a, y = b;
    while (!x.empty() && !y.empty()) {
        if (digit(x) && digit(y)) {
            std::string_view const m = number(x), n = number(y);
            if (m.size() != n.size()) return m.size() < n.size();
            if (m != n) return m < n;
        } else {
            if (x[0] != y[0]) return x[0] < y[0];
            x.remove_prefix(1);
            y.remove_prefix(1);
        }
    }
    if (x.empty() && y.empty()) return a < b;
    return x.empty();
}

/// "x_data_000001.h5": a part of an acquisition whose master may not be written yet.
bool is_data_file(std::string_view name) {
    constexpr std::string_view middle = "_data_", end = ".h5";
    constexpr std::size_t digits = 6, length = middle.size() + digits + end.size();
    if (name.size() <= length || !name.ends_with(end)) return false;
    std::string_view const tail = name.substr(name.size() - length);
    return tail.starts_with(middle) &&
           std::ranges::all_of(tail.substr(middle.size(), digits),
                               [](char c) { return c >= '0' && c <= '9'; });
}

bool opens_by_itself(std::string const& path, OpenOptions const& options) {
    if (chosen_format(options)) return true;
    Look const look(path);
    if (!look.readable()) return false;
    return std::ranges::any_of(formats(), [&](Format const& f) {
        // What options choose knows a file by its name alone.
        return !f.chosen && f.recognises(path, look.head());
    });
}

std::string shape_of(Dataset const& d) {
    return fmt::format("{}x{} points of {}x{} {}", d.scan[0], d.scan[1], d.rows, d.cols,
                       name_of(d.dtype));
}

/// The shape that most members have; of the most frequent the one that comes first.
std::string common_shape(std::vector<Dataset> const& members) {
    std::map<std::string, index> counts;
    for (Dataset const& d : members) ++counts[shape_of(d)];
    std::string best;
    for (Dataset const& d : members)
        if (best.empty() || counts[shape_of(d)] > counts[best]) best = shape_of(d);
    return best;
}

/// Whether a folder is one scan, as Zarr's are.
bool is_one_scan(std::string const& folder) {
    return std::ranges::any_of(
        formats(), [&](Format const& f) { return f.folders && f.recognises(folder, {}); });
}

}  // namespace

Result<std::vector<std::string>> list_members(std::string const& folder,
                                              OpenOptions const& options) {
    if (is_one_scan(folder)) return std::vector{folder};
    std::vector<std::string> masters, files, folders;
    std::error_code failed;
    fs::directory_iterator entry(folder, failed);
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
        std::error_code ignored;
        std::string const name = entry->path().filename().string();
        if (name.starts_with('.') || is_unfinished(name) || name.ends_with(tables_ending)) continue;
        if (entry->is_directory(ignored) && is_one_scan(entry->path().string()))
            folders.push_back(entry->path().string());
        if (!entry->is_regular_file(ignored) || is_data_file(name)) continue;
        if (is_part(entry->path().string())) continue;
        files.push_back(entry->path().string());
        if (name.ends_with("_master.h5")) masters.push_back(files.back());
    }
    if (failed)
        return Error{Code::io, fmt::format("cannot list the folder ({})", failed.message()),
                     folder};
    if (!masters.empty())
        files = std::move(masters);
    else
        std::erase_if(files, [&](auto const& f) { return !opens_by_itself(f, options); });
    files.insert(files.end(), folders.begin(), folders.end());
    if (files.empty())
        return Error{Code::not_found,
                     "the folder holds neither a *_master.h5 nor another file that can be "
                     "opened; check the folder",
                     folder};
    std::ranges::sort(files, natural_less);
    return files;
}

Result<Series> open_series(std::vector<std::string> const& paths, SeriesOptions const& options) {
    std::vector<std::string> names;
    for (std::string const& path : paths) {
        std::error_code ignored;
        if (!fs::is_directory(path, ignored)) {
            names.push_back(path);
            continue;
        }
        SLUICE_TRY(auto const files, list_members(path, options.open));
        names.insert(names.end(), files.begin(), files.end());
    }
    if (names.empty())
        return Error{Code::invalid_argument,
                     "a series without members; name a folder or some files"};

    Series series;
    std::vector<std::string> bad;
    for (std::string const& name : names) {
        Result<Dataset> d = open(name, options.open);
        if (d) {
            series.members.push_back(std::move(*d));
            continue;
        }
        if (names.size() == 1) return std::move(d).error();
        std::string const reason = d.error().text();
        bool const named = reason.starts_with(name);
        bad.push_back(named ? reason : fmt::format("{}: {}", name, reason));
    }
    std::string const common = common_shape(series.members);
    std::erase_if(series.members, [&](Dataset const& d) {
        if (shape_of(d) == common) return false;
        bad.push_back(
            fmt::format("{}: has {} (most members have {})", d.path, shape_of(d), common));
        return true;
    });
    if (series.members.empty() || (!bad.empty() && !options.skip_bad))
        return Error{Code::invalid_argument,
                     fmt::format("{} of the {} members of the series cannot be used{}:\n  {}",
                                 bad.size(), names.size(),
                                 series.members.empty() ? "" : "; leave them out with --skip-bad",
                                 fmt::join(bad, "\n  "))};
    series.skipped = std::move(bad);
    return series;
}

}  // namespace sluice
