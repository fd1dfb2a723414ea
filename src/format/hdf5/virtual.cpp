// Resolving virtual datasets whose mappings are whole frames.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/virtual.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/plural.h"

namespace sluice::hdf5 {
namespace {

constexpr int deepest = 8;
// Frames that do not follow each other in their source are runs of their own.
constexpr std::uint64_t most_single_frames = std::uint64_t{1} << 22;
constexpr std::uint64_t unlimited = ~std::uint64_t{0};

std::shared_ptr<StoredDataset const> open_source(StoredDataset const& d, VirtualMapping const& m,
                                                 std::vector<std::string>& missing) {
    std::string const file = m.file == "." ? d.file : find_beside(folder_of(d.file), m.file);
    if (file.empty()) {
        add_note(missing, m.file);
        return nullptr;
    }
    auto found = describe(file, m.path, 1);
    if (!found) {
        add_note(missing, fmt::format("{} ({})", m.file, found.error().message));
        return nullptr;
    }
    return std::make_shared<StoredDataset const>(std::move(*found));
}

/// The frames that a slab takes, if it takes whole ones: a line in each dimension of the scan. A
/// source may be shorter than its mapping says.
std::optional<std::vector<Line>> whole_frames(Slab const& slab, StoredDataset const& d,
                                              bool source) {
    auto lines = lines_of(slab, d.extent);
    std::size_t const rank = d.rank();
    if (!lines || rank < 3 || rank > 4) return {};
    for (std::size_t i = rank - 2; i < rank; ++i) {
        Line const& l = (*lines)[i];
        bool const all =
            l.start == 0 && l.size() == d.extent[i] && l.at(l.size() - 1) == l.size() - 1;
        if (!all) return {};
    }
    lines->resize(rank - 2);
    for (std::size_t i = source ? 1 : 0; i < lines->size(); ++i)
        if ((*lines)[i].at((*lines)[i].size() - 1) >= d.extent[i]) return {};
    return lines;
}

std::uint64_t frames_of_lines(std::vector<Line> const& lines) {
    std::vector<std::uint64_t> sizes;
    for (Line const& l : lines) sizes.push_back(l.size());
    return boxes::product_of(sizes, std::uint64_t{1} << 40).value_or(0);
}

/// Frame number k of those that the lines take.
index frame_at(std::vector<Line> const& lines, std::vector<std::uint64_t> const& extent,
               std::uint64_t k) {
    std::uint64_t frame = 0, step = 1;
    for (std::size_t d = lines.size(); d-- > 0;) {
        std::uint64_t const n = lines[d].size();
        frame += lines[d].at(k % n) * step;
        step *= extent[d];
        k /= n;
    }
    return static_cast<index>(frame);
}

/// How many frames from k on follow each other one by one.
std::uint64_t together(std::vector<Line> const& lines, std::vector<std::uint64_t> const& extent,
                       std::uint64_t k) {
    std::uint64_t run = 1, all = 1;
    for (std::size_t d = lines.size(); d-- > 0;) {
        Line const& l = lines[d];
        bool const joined = l.count == 1 || l.stride == l.block;
        std::uint64_t const piece = joined ? l.size() : l.block;
        std::uint64_t const left = piece - k / all % l.size() % piece;
        run = d + 1 == lines.size() ? left : run + (left - 1) * all;
        // The next dimension goes on only where this one takes all of the extent.
        if (!joined || l.size() != extent[d]) break;
        all *= l.size();
    }
    return run;
}

/// Cuts the frames of a mapping into runs of the wanted ones.
bool cut(Source const& s, std::vector<Line> const& here, std::vector<Line> const& there,
         StoredDataset const& d, Selection wanted, std::vector<VirtualRun>& runs,
         std::uint64_t& pieces) {
    std::uint64_t const n = frames_of_lines(here);
    for (std::uint64_t k = 0; k < n;) {
        std::uint64_t const run =
            std::min({together(here, d.extent, k), together(there, s.dataset->extent, k), n - k});
        index const at = frame_at(here, d.extent, k) - wanted.first;
        index const skip = at < 0 ? -at : (wanted.stride - at % wanted.stride) % wanted.stride;
        auto const first = (at + skip) / wanted.stride;
        index const room = static_cast<index>(run) - skip;
        if (++pieces > most_single_frames) return false;
        if (room > 0 && first < wanted.count) {
            index const count = std::min((room - 1) / wanted.stride + 1, wanted.count - first);
            runs.push_back({s.dataset,
                            first,
                            {frame_at(there, s.dataset->extent, k) + skip, wanted.stride, count}});
        }
        k += run;
    }
    return true;
}

bool joins(VirtualRun const& a, VirtualRun const& b) {
    return a.source == b.source && a.first + a.selection.count == b.first &&
           a.selection.stride == b.selection.stride &&
           a.selection.first + a.selection.count * a.selection.stride == b.selection.first;
}

/// Ascending, neighbours joined; nothing if two mappings overlap.
std::optional<std::vector<VirtualRun>> in_order(std::vector<VirtualRun> runs) {
    std::stable_sort(runs.begin(), runs.end(),
                     [](VirtualRun const& a, VirtualRun const& b) { return a.first < b.first; });
    std::vector<VirtualRun> out;
    for (VirtualRun& run : runs) {
        if (!out.empty() && out.back().first + out.back().selection.count > run.first) return {};
        if (!out.empty() && joins(out.back(), run))
            out.back().selection.count += run.selection.count;
        else
            out.push_back(std::move(run));
    }
    return out;
}

}  // namespace

std::uint64_t Line::before(std::uint64_t position) const {
    if (position <= start) return 0;
    std::uint64_t const past = position - start, blocks = past / stride;
    return std::min(size(), blocks * block + std::min(past % stride, block));
}

std::optional<std::vector<Line>> lines_of(Slab const& slab,
                                          std::vector<std::uint64_t> const& extent) {
    std::vector<Line> lines;
    if (slab.all()) {
        for (std::uint64_t n : extent) lines.push_back({0, n, 1, n});
        return lines;
    }
    if (slab.start.size() != extent.size()) return {};
    for (std::size_t d = 0; d < extent.size(); ++d) {
        Line l{slab.start[d], slab.stride[d], slab.count[d], slab.block[d]};
        std::uint64_t const room = l.start < extent[d] ? extent[d] - l.start : 0;
        if (l.block == unlimited) l.block = l.stride = room;
        if (l.count == 1) l.stride = std::max(l.stride, l.block);
        if (l.block == 0 || l.stride < l.block || l.block > unlimited / 4) return {};
        if (l.count == unlimited) l.count = (room + l.stride - 1) / l.stride;
        if (l.count == 0 || l.count > (unlimited / 4) / l.stride || l.start > unlimited / 4)
            return {};
        lines.push_back(l);
    }
    return lines;
}

Error odd_source(StoredDataset const& d, StoredDataset const& source, std::string const& why) {
    return {Code::unsupported,
            fmt::format("the virtual dataset {} maps {} of {} ({}); copy it into a plain dataset "
                        "with h5repack",
                        d.path, source.path, source.file, why),
            d.file};
}

Error other_type(StoredDataset const& d, StoredDataset const& source) {
    return odd_source(d, source,
                      fmt::format("which holds {} and not {}", source.stored_type, d.stored_type));
}

Result<std::vector<Source>> open_sources(StoredDataset const& d, Opening& opening) {
    if (!d.odd_mapping.empty())
        return Error{Code::unsupported,
                     fmt::format("the virtual dataset {} cannot be read ({}); copy it into a plain "
                                 "one with h5repack",
                                 d.path, d.odd_mapping),
                     d.file};
    if (opening.depth >= deepest)
        return Error{Code::corrupt,
                     fmt::format("the virtual dataset {} is made of virtual datasets, {} deep; is "
                                 "it made of itself?",
                                 d.path, deepest),
                     d.file};
    std::vector<Source> sources;
    std::vector<std::string> missing;
    std::map<std::pair<std::string, std::string>, std::shared_ptr<StoredDataset const>> known;
    for (VirtualMapping const& m : d.mappings) {
        auto const [at, fresh] = known.try_emplace({m.file, m.path});
        if (fresh) at->second = open_source(d, m, missing);
        sources.push_back({m, at->second});
    }
    if (missing.empty()) return sources;
    std::string const text =
        fmt::format("{} missing or unreadable: {}",
                    plural(missing.size(), "data file is", "data files are"), listed(missing));
    if (!opening.allow_incomplete)
        return Error{Code::incomplete,
                     text +
                         " (the virtual dataset is made of them); copy them beside the master, "
                         "or open it with --allow-incomplete",
                     d.file};
    add_note(opening.notes, text);
    return sources;
}

Result<std::optional<std::vector<VirtualRun>>> virtual_runs(StoredDataset const& d,
                                                            Selection wanted, Opening& opening) {
    using Runs = std::optional<std::vector<VirtualRun>>;
    SLUICE_TRY(auto sources, open_sources(d, opening));
    std::vector<VirtualRun> runs;
    std::uint64_t pieces = 0;
    for (Source const& s : sources) {
        if (!s.dataset) continue;
        auto const here = whole_frames(s.mapping.here, d, false);
        auto const there = whole_frames(s.mapping.there, *s.dataset, true);
        if (!here || !there || frames_of_lines(*here) != frames_of_lines(*there)) return Runs{};
        if (!cut(s, *here, *there, d, wanted, runs, pieces)) return Runs{};
    }
    return in_order(std::move(runs));
}

}  // namespace sluice::hdf5
