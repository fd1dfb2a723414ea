// Resolving virtual datasets.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/virtual.h"

#include <fmt/format.h>

#include <filesystem>

namespace sluice::hdf5 {
namespace {

/// A selection that is a box; without any sides it is all of a dataset whose shape libhdf5 does not
/// know, because nobody has opened it yet.
struct Box {
    std::vector<std::uint64_t> start, count;
};

struct Mapping {
    std::string file, path;
    Box here, there;
};

/// Frames first, first + step, ... of a dataset.
struct Progression {
    index first = 0, step = 1, count = 0;
};

std::optional<Box> box_of(Handle const& space) {
    int const rank = H5Sget_simple_extent_ndims(space.id());
    bool const all = H5Sget_select_type(space.id()) == H5S_SEL_ALL;
    if (rank == 0 && all) return Box{};
    if (rank < 3) return {};
    std::vector<hsize_t> low(static_cast<std::size_t>(rank)), high(low), extent(low);
    H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr);
    Box box;
    if (all) {
        box.start.assign(low.size(), 0);
        box.count.assign(extent.begin(), extent.end());
        return box;
    }
    if (H5Sget_select_bounds(space.id(), low.data(), high.data()) < 0) return {};
    std::uint64_t volume = 1;
    for (std::size_t d = 0; d < low.size(); ++d) {
        box.start.push_back(low[d]);
        box.count.push_back(high[d] - low[d] + 1);
        if (box.count[d] == 0 || volume > (std::uint64_t{1} << 62) / box.count[d]) return {};
        volume *= box.count[d];
    }
    hssize_t const points = H5Sget_select_npoints(space.id());
    if (points < 0 || static_cast<std::uint64_t>(points) != volume) return {};
    return box;
}

template <class Get>
std::string name_by(hid_t create, std::size_t i, Get get) {
    ssize_t const n = get(create, i, nullptr, 0);
    std::string name(static_cast<std::size_t>(std::max<ssize_t>(n, 0)), '\0');
    if (n > 0) get(create, i, name.data(), name.size() + 1);
    return name;
}

/// Nothing if a mapping is not a box in one named file.
std::optional<std::vector<Mapping>> mappings_of(StoredDataset const& d) {
    Handle const create(H5Dget_create_plist(d.handle.id()), H5Pclose);
    std::size_t n = 0;
    if (H5Pget_virtual_count(create.id(), &n) < 0) return {};
    std::vector<Mapping> out;
    for (std::size_t i = 0; i < n; ++i) {
        Handle const here(H5Pget_virtual_vspace(create.id(), i), H5Sclose);
        Handle const there(H5Pget_virtual_srcspace(create.id(), i), H5Sclose);
        auto a = box_of(here), b = box_of(there);
        Mapping m{name_by(create.id(), i, H5Pget_virtual_filename),
                  name_by(create.id(), i, H5Pget_virtual_dsetname),
                  {},
                  {}};
        // "%b" numbers files or datasets by block.
        bool const pattern = (m.file + m.path).find('%') != std::string::npos;
        if (!a || !b || pattern) return {};
        m.here = std::move(*a);
        m.there = std::move(*b);
        out.push_back(std::move(m));
    }
    return out;
}

/// The frames of a box that takes whole frames, if they are evenly spaced.
std::optional<Progression> frames_in(Box const& box, StoredDataset const& d) {
    std::size_t const rank = d.rank();
    if (box.count.size() != rank || rank > 4) return {};
    for (std::size_t i = rank - 2; i < rank; ++i)
        if (box.start[i] != 0 || box.count[i] != d.extent[i]) return {};
    auto const at = [](std::uint64_t v) { return static_cast<index>(v); };
    if (rank == 3) return Progression{at(box.start[0]), 1, at(box.count[0])};
    std::uint64_t const most = std::uint64_t{1} << 40;
    if (d.extent[1] == 0 || box.start[1] + box.count[1] > d.extent[1] ||
        box.start[0] > most / d.extent[1] || box.count[0] > most / d.extent[1])
        return {};
    index const line = at(d.extent[1]), first = at(box.start[0]) * line + at(box.start[1]);
    if (box.count[1] == d.extent[1] || box.count[0] == 1)
        return Progression{first, 1, at(box.count[0] * box.count[1])};
    if (box.count[1] == 1) return Progression{first, line, at(box.count[0])};
    return {};
}

index ceil_div(index a, index b) {
    return a > 0 ? (a + b - 1) / b : a / b;
}

/// The wanted frames among those of a mapping; count 0 if there are none.
std::optional<VirtualRun> run_of(Selection wanted, Progression here, Progression there) {
    if (here.count != there.count) return {};
    VirtualRun run;
    index skipped = 0;  // frames of the mapping before the first wanted one
    if (here.step == 1) {
        run.first = std::max<index>(0, ceil_div(here.first - wanted.first, wanted.stride));
        skipped = wanted.first + run.first * wanted.stride - here.first;
        run.selection.stride = wanted.stride * there.step;
        run.selection.count = ceil_div(here.count - skipped, wanted.stride);
    } else if (here.step == wanted.stride) {
        index const apart = here.first - wanted.first;
        if (apart % here.step != 0) return run;
        run.first = std::max<index>(0, apart / here.step);
        skipped = run.first - apart / here.step;
        run.selection.stride = there.step;
        run.selection.count = here.count - skipped;
    } else {
        return {};
    }
    run.selection.first = there.first + skipped * there.step;
    run.selection.count =
        std::max<index>(0, std::min(run.selection.count, wanted.count - run.first));
    return run;
}

bool joins(VirtualRun const& a, VirtualRun const& b) {
    return a.file == b.file && a.path == b.path && a.first + a.selection.count == b.first &&
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

/// Puts the places of the source files into the mappings; leaves out those of missing ones.
Status find_files(StoredDataset const& d, std::vector<Mapping>& mappings, Opening& opening) {
    std::vector<std::string> missing;
    std::string last_name = ".", last_place = d.file;
    for (Mapping& m : mappings) {
        if (m.file != last_name) {
            last_name = m.file;
            last_place = m.file == "." ? d.file : find_beside(folder_of(d.file), m.file);
            if (last_place.empty()) add_note(missing, m.file);
        }
        m.file = last_place;
    }
    if (missing.empty()) return {};
    std::string const text = fmt::format("{} data file{} missing: {}", missing.size(),
                                         missing.size() == 1 ? " is" : "s are", listed(missing));
    if (!opening.allow_incomplete)
        return Error{Code::incomplete,
                     text +
                         " (the virtual dataset is made of them); copy them beside the master, "
                         "or open it with --allow-incomplete",
                     d.file};
    add_note(opening.notes, text + "; their frames read as zeros");
    std::erase_if(mappings, [](Mapping const& m) { return m.file.empty(); });
    return {};
}

}  // namespace

Result<std::optional<std::vector<VirtualRun>>> virtual_runs(StoredDataset const& d,
                                                            Selection wanted, Opening& opening) {
    using Runs = std::optional<std::vector<VirtualRun>>;
    LibraryLock lock;
    auto mappings = mappings_of(d);
    if (!mappings) return Runs{};
    SLUICE_CHECK(find_files(d, *mappings, opening));
    std::vector<VirtualRun> runs;
    StoredDataset source;
    for (Mapping& m : *mappings) {
        if (source.file != m.file || source.path != m.path) {
            SLUICE_TRY(source, describe(m.file, m.path));
            source.file = m.file;
            source.path = m.path;
        }
        bool const alike =
            source.dtype == d.dtype && source.exact == d.exact && source.storage != Storage::mapped;
        if (m.there.count.empty()) {
            m.there.start.assign(source.extent.size(), 0);
            m.there.count.assign(source.extent.begin(), source.extent.end());
        }
        auto const here = frames_in(m.here, d), there = frames_in(m.there, source);
        if (!alike || !here || !there) return Runs{};
        auto run = run_of(wanted, *here, *there);
        if (!run) return Runs{};
        run->file = m.file;
        run->path = m.path;
        if (run->selection.count > 0) runs.push_back(std::move(*run));
    }
    return in_order(std::move(runs));
}

}  // namespace sluice::hdf5
