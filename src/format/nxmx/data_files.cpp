// The data files of a legacy master: found, checked against each other, opened.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "format/nxmx/master.h"

namespace sluice::nxmx {
namespace {

namespace fs = std::filesystem;
using namespace hdf5;

constexpr std::string_view link_prefix = "data_";

std::optional<std::uint64_t> number_of(std::string_view link) {
    if (!link.starts_with(link_prefix)) return {};
    std::string_view const digits = link.substr(link_prefix.size());
    std::uint64_t n = 0;
    auto const [end, e] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    if (digits.empty() || e != std::errc{} || end != digits.data() + digits.size()) return {};
    return n;
}

std::string in_data_group(std::string const& link) {
    return "/entry/data/" + link;
}

struct Member {
    std::string link, file, path;  ///< an empty file: it is missing
    std::string wanted;            ///< the file the master names
};

/// The link's own target, else the name the writer would have given.
Member find_member(hid_t master, std::string const& master_path, std::string const& link) {
    auto const target = external_target(master, in_data_group(link));
    if (!target) return {link, master_path, in_data_group(link), master_path};
    Member m{link, find_beside(folder_of(master_path), target->file), target->path, target->file};
    std::string const prefix = prefix_of(master_path);
    if (m.file.empty() && !prefix.empty())
        m.file = find_beside(folder_of(master_path), prefix + "_" + link + ".h5");
    return m;
}

/// Refuses an acquisition without all its files. With allow_incomplete, files may be missing at
/// the end: elsewhere the frames after them would be out of place.
Status check_missing(std::vector<Member>& members, std::string const& master_path,
                     Opening& opening) {
    std::vector<std::string> missing;
    for (Member const& m : members)
        if (m.file.empty()) missing.push_back(m.wanted);
    if (missing.empty()) return {};
    auto const first = std::find_if(members.begin(), members.end(),
                                    [](Member const& m) { return m.file.empty(); });
    auto const at_end =
        std::all_of(first, members.end(), [](Member const& m) { return m.file.empty(); });
    std::string const text =
        fmt::format("{} of {} data files {} missing: {}", missing.size(), members.size(),
                    missing.size() == 1 ? "is" : "are", listed(missing));
    if (opening.allow_incomplete && at_end && first != members.begin()) {
        opening.notes.push_back(text);
        members.erase(first, members.end());
        return {};
    }
    return Error{Code::not_found,
                 text + (at_end && first != members.begin()
                             ? "; copy them beside the master, or open what there is with "
                               "--allow-incomplete"
                             : "; copy them beside the master"),
                 master_path};
}

/// The member must hold what the first one does.
Status check_alike(LegacyFrames const& all, StoredDataset const& d) {
    if (d.dtype == all.dtype && d.stored_type == all.stored_type && d.rows() == all.rows &&
        d.cols() == all.cols)
        return {};
    return Error{
        Code::corrupt,
        fmt::format("holds frames of {}x{} {}, the files before it {}x{} {}; is it a file "
                    "of another acquisition?",
                    d.rows(), d.cols(), d.stored_type, all.rows, all.cols, all.stored_type),
        d.file};
}

/// image_nr_low counts the frames of the acquisition from 1 on, or from where the writer was told.
Status check_order(StoredDataset const& d, index frames_before,
                   std::optional<double>& number_of_first) {
    auto const low = attribute_number(d.handle.id(), "image_nr_low");
    if (!low) return {};
    if (!number_of_first) number_of_first = *low - static_cast<double>(frames_before);
    double const expected = *number_of_first + static_cast<double>(frames_before);
    if (*low == expected) return {};
    return Error{Code::corrupt,
                 fmt::format("begins with image {:.0f} (image_nr_low), but {} frames stand before "
                             "it, so {:.0f} is expected; are files renamed, swapped or cut?",
                             *low, frames_before, expected),
                 d.file};
}

}  // namespace

std::vector<std::string> data_links(hid_t master) {
    auto names = link_names(master, "/entry/data");
    std::erase_if(names, [](std::string const& n) { return !number_of(n); });
    std::sort(names.begin(), names.end(), [](std::string const& a, std::string const& b) {
        auto const x = number_of(a), y = number_of(b);
        return x != y ? x < y : a < b;
    });
    return names;
}

std::string prefix_of(std::string const& master_path) {
    constexpr std::string_view end = "_master.h5";
    std::string const name = fs::path(master_path).filename().string();
    return name.size() > end.size() && name.ends_with(end)
               ? name.substr(0, name.size() - end.size())
               : std::string{};
}

Result<LegacyFrames> open_data_files(hid_t master, std::string const& master_path,
                                     Opening& opening) {
    LibraryLock lock;
    std::vector<Member> members;
    for (std::string const& link : data_links(master))
        members.push_back(find_member(master, master_path, link));
    SLUICE_CHECK(check_missing(members, master_path, opening));
    LegacyFrames all;
    std::optional<double> first_number;
    for (Member const& m : members) {
        SLUICE_TRY(StoredDataset const d, describe(m.file, m.path));
        if (&m == &members.front()) {
            all.dtype = d.dtype;
            all.rows = d.rows();
            all.cols = d.cols();
            all.stored_type = d.stored_type;
            all.filters = filter_names(d);
        }
        SLUICE_CHECK(check_alike(all, d));
        SLUICE_CHECK(check_order(d, all.parts.present, first_number));
        add_note(opening.files, m.file);
        if (d.frames() == 0) continue;
        Selection const everything{0, 1, d.frames()};
        SLUICE_TRY(auto part, make_part(d, everything, opening.pools, opening.notes));
        all.parts.parts.push_back({all.parts.present, d.frames(), std::move(part)});
        all.parts.present += d.frames();
    }
    return all;
}

}  // namespace sluice::nxmx
