// How a conversion begins and ends: names that are free, an unfinished output, final names.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "base/place.h"
#include "base/version.h"
#include "domain/conversion/work.h"
#include "store/plan.h"

namespace sluice::conversion {

namespace fs = std::filesystem;

// Whoever converts into a name also takes the names beside it.
Status Work::check_free() const {
    if (options_.overwrite) return {};
    auto const taken = [](std::string const& path) {
        return Error{Code::invalid_argument,
                     "is there already (it would be replaced) give another name, or --force", path};
    };
    if (is_there(places_.path)) return taken(places_.path);
    if (is_there(places_.part) && !options_.resume)
        return Error{Code::invalid_argument,
                     "is there already, of a conversion that was not finished; go on with it by "
                     "--resume, or begin again with --force",
                     places_.part};
    return {};
}

// The source by its files, and all that shapes the output.
std::string Work::identity() const {
    std::string text = fmt::format("sluice {} {} | {}", version, commit, scan_.dataset().path);
    for (std::string const& file : scan_.dataset().files) {
        std::error_code none;
        auto const size = fs::is_directory(file, none) ? 0 : fs::file_size(file, none);
        auto const time = fs::last_write_time(file, none).time_since_epoch().count();
        text += fmt::format(" | {} {} {}", file, size, time);
    }
    store::Plan const& p = scan_.plan();
    auto const region = [](Region const& r) {
        return fmt::format("{},{},{},{}", r.row, r.col, r.rows, r.cols);
    };
    std::uint64_t left_out = p.rules.bad.size();
    for (std::uint32_t const pixel : p.rules.bad) left_out = left_out * 1099511628211U + pixel;
    return text + fmt::format(
                      " | {}x{} {} {} bin {} {} step {} mode {} edge {} bad {} stored {} "
                      "angle {} | {} {}",
                      p.scan[0], p.scan[1], region(p.scan_region), region(p.detector_region),
                      p.det_bin, p.scan_bin, p.scan_step, static_cast<int>(p.mode),
                      static_cast<int>(scan_.options().bin_edge), left_out,
                      scan_.options().as_stored, scan_.options().detector_step_mrad, report_.format,
                      target_->codec());
}

void Work::remove_part() const {
    std::error_code none;
    fs::remove_all(places_.part, none);
    fs::remove(places_.part + ".offset", none);
    fs::remove(journal_name(), none);
}

// Blocks that are on the disk as the journal says are kept.
Result<bool> Work::resume() {
    if (!is_there(places_.part)) return false;
    // Nothing tells whether an array of the caller is the one of the last time.
    if (scan_.dataset().format == "memory")
        return Error{Code::invalid_argument,
                     "was begun out of an array in memory (it cannot be told from another one) "
                     "begin again with --force",
                     places_.part};
    auto const found = read_journal(journal_name());
    if (!found)
        return Error{Code::invalid_argument,
                     "is no conversion that can be gone on with (it has no journal beside it) "
                     "choose another name, or begin again with --force",
                     places_.part};
    if (found->of != identity())
        return Error{Code::invalid_argument,
                     "belongs to another source, other options or another version of the program "
                     "(the parts may not fit together) give the same ones, or begin again with "
                     "--force",
                     places_.part};
    if (!target_->resumable()) {
        report_.notes.emplace_back("an unfinished output of this format is begun anew");
        return false;
    }
    SLUICE_CHECK(target_->begin(false));
    for (auto const& [number, stored] : found->blocks) {
        if (number < 0 || number >= target_->blocks()) continue;
        auto const again = target_->read_back(number);
        if (again && again->bytes == stored.bytes && again->hash == stored.hash)
            kept_[number] = stored;
    }
    SLUICE_TRY(journal_, Journal::append_to(journal_name()));
    return true;
}

Status Work::begin() {
    restore_name(places_.path);
    SLUICE_CHECK(check_free());
    if (options_.resume) {
        SLUICE_TRY(report_.resumed, resume());
    }
    if (report_.resumed) return {};
    remove_part();
    // The journal is there first, so that what has this name is known to be ours.
    SLUICE_TRY(journal_, Journal::create(journal_name(), identity()));
    return target_->begin(true);
}

// Files beside the output are there before it: whoever finds it finds them.
Status Work::give_names() {
    SLUICE_CHECK(check_final_names());
    fs::path const parent = fs::path(places_.path).parent_path();
    SLUICE_CHECK(flush_files(parent.empty() ? "." : parent.string()));
    std::string const main = target_->main();
    for (auto const& [from, to] : target_->others()) {
        std::error_code error;
        fs::rename(from, to, error);
        if (error)
            return Error{Code::io, fmt::format("cannot get its name ({})", error.message()), from};
        report_.files.push_back(to);
    }
    SLUICE_CHECK(take_name(main, places_.path, options_.overwrite));
    report_.files.push_back(places_.path);
    journal_.reset();
    remove_part();
    return {};
}

// Other programs may have written there meanwhile.
Status Work::check_final_names() const {
    if (options_.overwrite) return {};
    auto const names = target_->others();
    for (auto const& [from, to] : names)
        if (is_there(to))
            return Error{Code::invalid_argument,
                         "is there already (it would be replaced) give another name, or --force",
                         to};
    if (!is_there(places_.path)) return {};
    return Error{Code::invalid_argument,
                 "is there already (it would be replaced) give another name, or --force",
                 places_.path};
}

}  // namespace sluice::conversion
