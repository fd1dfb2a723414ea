// Folders that may be removed, an unfinished output that may be kept, and the journal of both.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/begin.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/file.h"
#include "base/place.h"
#include "base/plural.h"
#include "domain/slide/ngff/check.h"
#include "zarr/group.h"

namespace sluice::slide::ome {
namespace {

namespace fs = std::filesystem;

// Whether a folder is a Zarr folder or the beginning of one.
bool is_ours(std::string const& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) return false;
    // An earlier version wrote its journal under the second name.
    if (zarr::is_node(folder) || fs::exists(folder + "/" + std::string(journal_name), error) ||
        fs::exists(folder + "/sluice-convert.json", error))
        return true;
    // An empty folder, or one left by a program that was killed before the journal got its name.
    bool ours = true;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error))
        ours = ours && entry->path().filename().string().starts_with(journal_name);
    return ours && !error;
}

// Only output of such a conversion may be removed.
Status check_free(Work const& work, std::string const& folder) {
    if (!is_there(folder)) return {};
    if (!work.options.overwrite)
        return Error{Code::invalid_argument,
                     folder == work.part
                         ? "an unfinished conversion is there; go on with --resume, or "
                           "begin again with --force"
                         : "exists already; choose another name, or replace it with --force",
                     folder};
    if (!is_ours(folder))
        return Error{Code::invalid_argument,
                     "is not a Zarr folder (--force would remove it) choose another name", folder};
    return {};
}

// A file's name proves nothing: all files of a step must be as they were written, or the step is
// made again.
Status keep(Work& work, std::map<index, StepRecord> steps) {
    SLUICE_TRY(Kept const kept, check_files(work.plan, work.part, std::move(steps),
                                            [&work] { return work.go_on(0); }));
    for (auto const& [number, step] : kept.steps) {
        work.count(step);
        work.kept.insert(number);
    }
    std::set<std::string> files = kept.files;
    files.emplace(journal_name);
    SLUICE_CHECK(keep_only(work.part, files));
    SLUICE_TRY(work.journal, Journal::append_to(work.part));
    work.report.resumed = true;
    work.report.files_made_again = kept.damaged;
    if (kept.damaged > 0)
        work.report.notes.push_back(
            fmt::format("{} of the unfinished output {} missing or damaged and {} made again",
                        plural(kept.damaged, "file"), kept.damaged == 1 ? "was" : "were",
                        kept.damaged == 1 ? "is" : "are"));
    return {};
}

// Damaged tiles that are filled already are filled with what is given now. Others may follow, so
// --fill-bad may come with --resume.
Status check_fill(Work const& work, JournalText const& found) {
    for (auto const& [number, step] : found.steps)
        if (!step.filled.empty() && work.options.fill_bad != step.filled_with)
            return Error{
                Code::invalid_argument,
                fmt::format("has damaged tiles that are filled with {0} (the coarser levels "
                            "contain them, too) give --fill-bad {0}, or begin again "
                            "with --force",
                            step.filled_with),
                work.part};
    return {};
}

// Whether an unfinished output can be resumed.
Result<bool> resume(Work& work) {
    auto found = read_journal(work.part);
    if (!found && (found.error().code == Code::not_found || found.error().code == Code::corrupt)) {
        if (is_ours(work.part)) {
            work.report.notes.push_back(
                "the journal of the unfinished output could not be read; all was made again");
            return false;
        }
        return Error{Code::invalid_argument,
                     "is not an unfinished conversion (it holds other files) choose another name",
                     work.part};
    }
    if (!found) return found.error();
    if (found->of != identity_of(work.slide, work.options)) {
        if (work.options.overwrite) return false;
        return Error{Code::invalid_argument,
                     "belongs to another slide, other options or another version of the program "
                     "(the parts may not fit together) give the same ones, or begin again with "
                     "--force",
                     work.part};
    }
    if (Status const fits = check_fill(work, *found); !fits) {
        if (work.options.overwrite) return false;
        return fits.error();
    }
    SLUICE_CHECK(keep(work, std::move(found->steps)));
    return true;
}

// The journal is created first and removed last, so an output can always be resumed.
Status begin_anew(Work& work) {
    SLUICE_CHECK(make_folder(work.part));
    SLUICE_TRY(work.journal, Journal::create(work.part, identity_of(work.slide, work.options)));
    return keep_only(work.part, {std::string(journal_name)});
}

}  // namespace

Status begin(Work& work) {
    restore_name(work.path);
    SLUICE_CHECK(check_free(work, work.path));
    bool going_on = false;
    if (work.options.resume && is_there(work.part)) {
        SLUICE_TRY(going_on, resume(work));
    } else {
        SLUICE_CHECK(check_free(work, work.part));
    }
    if (!going_on) SLUICE_CHECK(begin_anew(work));
    return {};
}

// Names are given to files that are on the disk: a machine that stops leaves all or nothing. Until
// they are there the journal stays, with which the work can be gone on with.
Status give_name(Work& work) {
    // Other programs may have written there during the conversion.
    SLUICE_CHECK(check_free(work, work.path));
    SLUICE_CHECK(flush_files(work.part));
    std::error_code error;
    work.journal.reset();
    fs::remove(work.part + "/" + std::string(journal_name), error);
    if (error)
        return Error{Code::io, fmt::format("cannot be removed ({})", error.message()),
                     work.part + "/" + std::string(journal_name)};
    return take_name(work.part, work.path, work.options.overwrite);
}

}  // namespace sluice::slide::ome
