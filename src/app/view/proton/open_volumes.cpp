// Loads volumes, and takes what an NPY file cannot tell out of the report beside it.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/proton/open_volumes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/view/fields.h"
#include "app/view/proton/request.h"
#include "base/file.h"
#include "format/kinds/kinds.h"
#include "sluice/dicom.h"
#include "sluice/load_volume.h"
#include "store/plan.h"

namespace sluice::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_report = 16 << 20;
constexpr std::size_t most_volumes = 8;
// A plane travels whole: 64 MB. No browser has a wider canvas.
constexpr index longest_side = 32767, largest_plane = 1 << 24;
// mm; below it pixels of a plane have no height.
constexpr double smallest_spacing = 1e-6;

/// An array of a run, where its report says that it lies.
Result<ShownVolume> load_of_run(std::string const& folder, std::string const& file,
                                std::string const& content, std::uint64_t most_bytes) {
    std::string const path = folder + "/" + file;
    SLUICE_TRY(RunGrid const grid, read_run_grid(folder));
    SLUICE_TRY(Volume v, load_volume(path, most_bytes));
    if (v.image.shape != std::vector<index>{grid.planes, grid.columns})
        return Error{Code::corrupt,
                     fmt::format("does not have the {} planes and {} columns of report.json (the "
                                 "folder has files of several runs); run it again",
                                 grid.planes, grid.columns),
                     path};
    if (v.spacing.empty()) {
        v.spacing = {grid.dx, grid.dz};
        v.origin = {grid.x0 + grid.dx / 2, grid.dz / 2};
        v.content = content;
    }
    fs::path const inside(fs::path(folder) / "");
    ShownVolume s =
        shown(path, inside.parent_path().filename().string() + "/" + file, std::move(v));
    s.of_a_run = true;
    return s;
}

Result<ShownVolume> load_shown(std::string const& path, std::string name,
                               std::uint64_t most_bytes) {
    SLUICE_TRY(Volume v, load_volume(path, most_bytes));
    return shown(path, std::move(name), std::move(v));
}

/// A file of a run, and what it has.
struct RunFile {
    char const *name, *content;
};

bool is_there(std::string const& path, std::vector<std::string>& notes) {
    std::error_code problem;
    bool const there = fs::exists(path, problem);
    if (problem)
        notes.push_back(Error{
            Code::io, fmt::format("cannot be looked for ({}); check the folder", problem.message()),
            path}
                            .text());
    return there;
}

/// The dose of a run in whichever format is there, and its LET.
std::vector<RunFile> files_of_run(std::string const& folder, std::vector<std::string>& notes) {
    std::vector<RunFile> all;
    for (char const* const file : {"dose.npy", "dose.mha", "dose.nrrd", "dose.mhd"})
        if (all.empty() && is_there(folder + "/" + file, notes))
            all.push_back({file, "dose, Gy mm a proton"});
    if (all.empty())
        notes.push_back(Error{Code::not_found, "has no dose; run it again", folder}.text());
    for (RunFile const& other : {RunFile{"let.npy", "LETd of primary protons, keV/um"},
                                 RunFile{"let_all_protons.npy", "LETd of all protons, keV/um"}})
        if (is_there(folder + "/" + other.name, notes)) all.push_back(other);
    return all;
}

Status check_size(Volume const& v) {
    proton::Lattice const l = proton::lattice_of(v);
    std::array<index, 3> sides = l.sides;
    std::ranges::sort(sides);
    if (sides[2] > longest_side || sides[1] * sides[2] > largest_plane)
        return Error{Code::unsupported,
                     fmt::format("a plane of {} x {} elements is too large to show; at most {} "
                                 "along a side and {} in all",
                                 sides[1], sides[2], longest_side, largest_plane)};
    return {};
}

// A place further away can be neither asked for nor told as JSON.
Status check_places(Volume const& v) {
    proton::Lattice const l = proton::lattice_of(v);
    for (int axis = 0; axis < l.axes; ++axis) {
        auto const a = static_cast<std::size_t>(axis);
        double const first = l.middle(axis, 0), last = l.middle(axis, l.sides[a] - 1);
        auto const near = [](double mm) { return std::abs(mm) <= max_coordinate; };
        if (!(l.spacing[a] >= smallest_spacing && near(l.spacing[a]) && near(first) && near(last)))
            return Error{
                Code::unsupported,
                fmt::format("elements from {} to {} mm, {} mm apart (they are shown within "
                            "{} mm of 0, {} mm apart at least); mend the header",
                            first, last, l.spacing[a], max_coordinate, smallest_spacing)};
    }
    return {};
}

/// A set of structures, and the coordinates that it lies in; empty: not told.
struct SetFrame {
    std::string path, frame;
};

void take_structures(std::string const& path, std::vector<ShownStructure>& all,
                     std::vector<SetFrame>& frames, std::vector<std::string>& notes) {
    auto set = load_structures(path);
    Status fits = set ? Status() : Status(set.error());
    if (fits && all.size() + set->structures.size() > max_structures)
        fits = Error{Code::unsupported,
                     fmt::format("more than {} structures are not shown together", max_structures),
                     path};
    if (!fits) {
        notes.push_back(fits.error().text());
        return;
    }
    frames.push_back({path, set->frame_of_reference});
    add_structures(*std::move(set), all);
}

/// Contours of another CT lie anywhere.
void compare_frames(std::vector<SetFrame> const& sets, std::vector<ShownVolume> const& volumes,
                    std::vector<std::string>& notes) {
    for (SetFrame const& s : sets)
        for (ShownVolume const& v : volumes) {
            auto const frame = frame_of_reference(v.path);
            if (s.frame.empty() || !frame || frame->empty() || *frame == s.frame) continue;
            notes.push_back(
                fmt::format("{}: its coordinates ({}) are not those of {} ({}), so that "
                            "contours may lie anywhere; give the structures of this CT",
                            s.path, s.frame, v.name, *frame));
        }
}

}  // namespace

Result<RunGrid> read_run_grid(std::string const& folder) {
    std::string const path = folder + "/report.json";
    SLUICE_TRY(auto const bytes, read_file(path, largest_report));
    auto const* const text = reinterpret_cast<char const*>(bytes.data());
    Json const j = Json::parse(text, text + bytes.size(), nullptr, false);
    Error const strange{Code::corrupt, "is not a report of `sluice proton run`; run it again",
                        path};
    if (!j.is_object() || !j.contains("grid") || !j["grid"].is_object()) return strange;
    Json const& g = j["grid"];
    for (char const* const name : {"dz_mm", "dx_mm", "x0_mm"})
        if (!g.contains(name) || !g[name].is_number()) return strange;
    auto const planes = whole_field(g, "planes", longest_side);
    auto const columns = whole_field(g, "columns", longest_side);
    if (!planes || !columns) return strange;
    RunGrid grid{*planes, *columns, g["dz_mm"].get<double>(), g["dx_mm"].get<double>(),
                 g["x0_mm"].get<double>()};
    if (!(grid.dz > 0 && grid.dx > 0)) return strange;
    return grid;
}

std::vector<std::string> files_of_plan_dose(std::string const& folder) {
    std::vector<std::string> all;
    auto const bytes = read_file(folder + "/dose.json", largest_report);
    if (!bytes) return all;
    auto const* const text = reinterpret_cast<char const*>(bytes->data());
    Json const j = Json::parse(text, text + bytes->size(), nullptr, false);
    if (!j.is_object() || !j.contains("files") || !j["files"].is_array()) return all;
    std::vector<std::string> told;
    for (Json const& file : j["files"])
        if (file.is_string()) told.push_back(file.get<std::string>());
    for (std::string const& first : told) {
        // One of the formats of each; an NPY file does not say where it lies.
        std::string const stem = fs::path(first).stem();
        for (char const* const ending : {".nrrd", ".mha", ".dcm", ".npy"}) {
            std::string const name = stem + ending, path = folder + "/" + name;
            if (fs::path(first).extension() == ".png" ||
                std::ranges::find(told, name) == told.end())
                continue;
            if (std::ranges::find(all, path) == all.end()) all.push_back(path);
            break;
        }
    }
    return all;
}

Opened open_volumes(std::vector<std::string> const& paths, std::uint64_t most_bytes,
                    std::vector<std::string>& notes) {
    Opened opened;
    std::vector<SetFrame> sets;
    std::vector<ShownVolume>& volumes = opened.volumes;
    std::uint64_t left = most_bytes > 0 ? most_bytes : store::memory_to_spare();
    auto const take = [&](Result<ShownVolume> one) {
        Status fits = one ? check_size(one->volume) : Status(one.error());
        if (fits) fits = check_places(one->volume);
        if (fits && volumes.size() == most_volumes)
            fits = Error{Code::unsupported,
                         fmt::format("more than {} volumes are not shown together", most_volumes)};
        if (!fits) {
            Error error = fits.error();
            if (error.file.empty() && one) error.file = one->path;
            notes.push_back(error.text());
            return;
        }
        left -= std::min(left, one->volume.image.values.size() * sizeof(float));
        one->id = fmt::format("v{}", volumes.size() + 1);
        volumes.push_back(*std::move(one));
    };
    for (std::string const& path : paths) {
        if (kinds::dose.recognises(Look(path))) {
            for (RunFile const& file : files_of_run(path, notes))
                take(load_of_run(path, file.name, file.content, left));
            continue;
        }
        if (kinds::plan_dose.recognises(Look(path))) {
            std::vector<std::string> const files = files_of_plan_dose(path);
            if (files.empty())
                notes.push_back(
                    Error{Code::not_found, "has no dose; compute it again", path}.text());
            fs::path const inside(fs::path(path) / "");
            for (std::string const& file : files)
                take(load_shown(file, inside.parent_path().filename() / fs::path(file).filename(),
                                left));
            continue;
        }
        if (kinds::structures.recognises(Look(path))) {
            take_structures(path, opened.structures, sets, notes);
            continue;
        }
        // The folder of a CT series may end with a slash.
        fs::path const whole(path);
        fs::path const name =
            whole.has_filename() ? whole.filename() : whole.parent_path().filename();
        take(load_shown(path, name, left));
    }
    compare_frames(sets, volumes, notes);
    return opened;
}

}  // namespace sluice::app
