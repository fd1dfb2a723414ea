// The data files of a legacy master: found, checked against each other, opened.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "format/hdf5/object/value.h"
#include "format/nxmx/master.h"
#include "format/while_written.h"

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
Result<Member> find_member(object::Object const& master, std::string const& master_path,
                           std::string const& link) {
    SLUICE_TRY(auto const target, master.find_link(in_data_group(link)));
    if (!target || target->kind != object::LinkKind::external)
        return Member{link, master_path, in_data_group(link), master_path};
    Member m{link, find_beside(folder_of(master_path), target->file), target->target, target->file};
    std::string const prefix = prefix_of(master_path);
    if (m.file.empty() && !prefix.empty())
        m.file = find_beside(folder_of(master_path), prefix + "_" + link + ".h5");
    return m;
}

/// Refuses an acquisition without all its files. With allow_incomplete the first one is needed yet:
/// it says what the frames are, and how they are numbered.
Status check_missing(std::vector<Member> const& members, std::string const& master_path,
                     Opening& opening) {
    std::vector<std::string> missing;
    for (Member const& m : members)
        if (m.file.empty()) missing.push_back(m.wanted);
    if (missing.empty()) return {};
    bool const first = members.front().file.empty();
    std::string const text =
        fmt::format("{} of {} data files {} missing: {}", missing.size(), members.size(),
                    missing.size() == 1 ? "is" : "are", listed(missing));
    if (opening.allow_incomplete && !first) {
        opening.notes.push_back(text);
        return {};
    }
    return Error{Code::not_found,
                 text + (first ? "; copy them beside the master"
                               : "; copy them beside the master, or open what there is with "
                                 "--allow-incomplete"),
                 master_path};
}

/// What a data file holds. Without `dataset` the file is closed, and all is known.
struct FoundFile {
    Member member = {};
    DType dtype = DType::u16;
    index rows = 0, cols = 0, frames = 0;
    std::string stored_type = {}, filters = {};
    std::vector<std::byte> fill = {};
    std::optional<double> low = {};             ///< image_nr_low
    std::optional<StoredDataset> dataset = {};  ///< open, until its frames are known
    FrameParts parts = {};                      ///< frames 0 and on
    std::vector<std::string> notes = {};        ///< of its frames
};

Result<FoundFile> describe_file(Member const& m) {
    SLUICE_TRY(StoredDataset d, describe(m.file, m.path));
    SLUICE_TRY(auto const low, object::attribute_number(d.object, "image_nr_low"));
    FoundFile f{.member = m,
                .dtype = d.dtype,
                .rows = d.rows(),
                .cols = d.cols(),
                .frames = d.frames(),
                .stored_type = d.stored_type,
                .filters = filter_names(d),
                .fill = d.read_fill(),
                .low = low};
    f.dataset = std::move(d);
    return f;
}

/// Where its frames are. Nothing else is asked of the file then, unless it leads to others.
Status find_frames(FoundFile& f, Opening& opening) {
    Opening its{.pools = opening.pools,
                .allow_incomplete = opening.allow_incomplete,
                .depth = opening.depth};
    SLUICE_TRY(f.parts, frames_of(*f.dataset, {0, 1, f.frames}, its));
    f.notes = std::move(its.notes);
    if (its.files.empty()) f.dataset.reset();
    for (std::string const& file : its.files) add_note(opening.files, file);
    return {};
}

/// Of files that grow those that have not changed are not opened again.
HeldFile* held(std::string const& path) {
    WhileWritten* const written = WhileWritten::now();
    if (!written) return nullptr;
    auto const kept = written->files().open(path);
    if (!kept) return nullptr;
    (*kept)->file.reset();  // its size is what is needed
    return *kept;
}

Result<std::shared_ptr<FoundFile>> data_file(Member const& m) {
    using Known = std::shared_ptr<FoundFile>;
    HeldFile* const kept = held(m.file);
    auto const* known = kept ? std::any_cast<Known>(&kept->found) : nullptr;
    if (known && !(*known)->dataset && (*known)->member.path == m.path) return *known;
    SLUICE_TRY(FoundFile fresh, describe_file(m));
    auto const file = std::make_shared<FoundFile>(std::move(fresh));
    if (kept) kept->found = file;
    return file;
}

/// The member must hold what the first one does.
Status check_alike(LegacyFrames const& all, FoundFile const& f) {
    if (f.dtype == all.dtype && f.stored_type == all.stored_type && f.rows == all.rows &&
        f.cols == all.cols)
        return {};
    return Error{Code::corrupt,
                 fmt::format("holds frames of {}x{} {}, the files before it {}x{} {}; is it a file "
                             "of another acquisition?",
                             f.rows, f.cols, f.stored_type, all.rows, all.cols, all.stored_type),
                 f.member.file};
}

/// Where the frames of a file begin: image_nr_low counts them from 1 on, or from where the writer
/// was told. `gap`: a file before it is missing, so that the number alone knows.
Result<index> first_frame(FoundFile const& f, index frames_before, bool gap,
                          std::optional<double>& number_of_first) {
    auto const& low = f.low;
    if (gap && !(low && number_of_first))
        return Error{Code::incomplete,
                     "a data file before it is missing, and it or the first file does not say "
                     "which frames it holds (image_nr_low); copy the missing file beside the "
                     "master",
                     f.member.file};
    if (!low) return frames_before;
    if (!number_of_first) number_of_first = *low - static_cast<double>(frames_before);
    double const expected = *number_of_first + static_cast<double>(frames_before);
    double const apart = *low - expected;
    constexpr double most = 1e12;
    if (apart == 0 || (gap && apart > 0 && apart < most))
        return frames_before + static_cast<index>(apart);
    return Error{Code::corrupt,
                 fmt::format("begins with image {:.0f} (image_nr_low), but {} frames stand before "
                             "it, so {:.0f} is expected; are files renamed, swapped or cut?",
                             *low, frames_before, expected),
                 f.member.file};
}

/// Adds the frames of one file.
Status add_file(Member const& m, bool gap, LegacyFrames& all, std::optional<double>& first_number,
                Opening& opening) {
    SLUICE_TRY(auto const file, data_file(m));
    FrameParts& parts = all.parts;
    if (all.stored_type.empty()) {
        all.dtype = file->dtype;
        all.rows = file->rows;
        all.cols = file->cols;
        all.stored_type = file->stored_type;
        all.filters = file->filters;
        parts.fill = file->fill;
    }
    SLUICE_CHECK(check_alike(all, *file));
    SLUICE_TRY(index const first, first_frame(*file, parts.count, gap, first_number));
    add_note(opening.files, m.file);
    if (file->frames == 0) return {};
    if (file->dataset) SLUICE_CHECK(find_frames(*file, opening));
    for (std::string const& note : file->notes) add_note(opening.notes, note);
    add_run(parts.missing, {parts.count, first - parts.count});
    for (PlacedPart const& p : file->parts.parts)
        parts.parts.push_back({first + p.first, p.count, p.part, p.local});
    for (FrameRun const& r : file->parts.missing)
        add_run(parts.missing, {first + r.first, r.count});
    parts.count = first + file->frames;
    return {};
}

}  // namespace

Result<std::vector<std::string>> data_links(object::Object const& master) {
    std::vector<std::string> names;
    SLUICE_TRY(auto const group, master.find("/entry/data"));
    if (!group || !group->is_group()) return names;
    SLUICE_TRY(auto const links, group->links());
    for (object::Link const& link : links)
        if (number_of(link.name)) names.push_back(link.name);
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

Result<LegacyFrames> open_data_files(object::Object const& master, std::string const& master_path,
                                     Opening& opening) {
    std::vector<Member> members;
    SLUICE_TRY(auto const links, data_links(master));
    for (std::string const& link : links) {
        SLUICE_TRY(Member member, find_member(master, master_path, link));
        members.push_back(std::move(member));
    }
    SLUICE_CHECK(check_missing(members, master_path, opening));
    LegacyFrames all;
    std::optional<double> first_number;
    bool gap = false;
    for (Member const& m : members) {
        if (m.file.empty()) {
            gap = true;
            continue;
        }
        auto added = add_file(m, gap, all, first_number, opening);
        bool const damaged =
            !added && &m != &members.front() &&
            (added.error().code == Code::corrupt || added.error().code == Code::truncated) &&
            all.parts.count > 0;
        if (!added && !(damaged && opening.allow_incomplete)) return std::move(added).error();
        if (!added) opening.notes.push_back("left out as missing: " + added.error().text());
        gap = !added;
    }
    return all;
}

}  // namespace sluice::nxmx
