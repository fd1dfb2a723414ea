// Stems out of files and folders.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/music/stem_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "base/unfinished.h"

namespace sluice::cli {
namespace {

namespace fs = std::filesystem;

Error refused(std::string message, std::string const& file) {
    return {Code::invalid_argument, std::move(message), file};
}

/// The sound files of a folder by their names without ending.
Result<std::map<std::string, std::string>> sounds_in(std::string const& folder) {
    std::map<std::string, std::string> found;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
        if (!audio::has_ending_of_sound(at->path().string()) ||
            is_unfinished(at->path().filename().string()))
            continue;
        std::string const path = at->path().string();
        auto const [other, added] = found.emplace(at->path().stem().string(), path);
        if (!added)
            return refused(fmt::format("has the name of {} (stems are told apart by their names) "
                                       "move one of them away",
                                       other->second),
                           path);
    }
    if (failed) return Error{Code::io, failed.message(), folder};
    if (found.empty())
        return Error{Code::not_found,
                     "has no sound files (names that end in .wav, .flac, .ogg, .mp3, .m4a and "
                     "the like count) give another folder",
                     folder};
    return found;
}

/// "44100 Hz, 2 channels, 441000 frames"
std::string words(audio::Sound const& s) {
    return fmt::format("{} Hz, {}, {}", s.rate, plural(s.channels, "channel"),
                       plural(s.frames.value_or(0), "frame"));
}

/// Reads one file; it must be as the first was.
Result<audio::Samples> read_like(std::string const& path, audio::Sound const* first,
                                 std::string const& first_path) {
    ProgressBar bar("reading", ProgressBar::Counts::steps);
    SLUICE_TRY(audio::Samples samples, audio::read_all(path, bar.callback()));
    if (first && words(samples.sound) != words(*first))
        return refused(fmt::format("has {}, and {} has {} (sample is compared with sample) convert "
                                   "one of them",
                                   words(samples.sound), first_path, words(*first)),
                       path);
    return samples;
}

}  // namespace

Result<std::vector<StemFiles>> pair_stems(std::string const& estimate,
                                          std::string const& reference) {
    // A path that cannot be looked at counts as a file; opening it says why.
    std::error_code ignored;
    bool const folder = fs::is_directory(estimate, ignored);
    auto const kind = [](bool of) { return of ? "a folder" : "not a folder"; };
    if (folder != fs::is_directory(reference, ignored))
        return refused(
            fmt::format("is {}, and {} is {} (like is compared with like) give two files or "
                        "two folders",
                        kind(folder), reference, kind(!folder)),
            estimate);
    if (!folder) return std::vector<StemFiles>{{fs::path(reference).stem(), estimate, reference}};
    SLUICE_TRY(auto const estimates, sounds_in(estimate));
    SLUICE_TRY(auto const references, sounds_in(reference));
    std::vector<StemFiles> pairs;
    for (auto const& [name, path] : references) {
        auto const found = estimates.find(name);
        if (found == estimates.end())
            return Error{Code::not_found,
                         fmt::format("has no stem '{}' as {} has (each stem is compared) give it, "
                                     "or take the other away",
                                     name, path),
                         estimate};
        pairs.push_back({name, found->second, path});
    }
    for (auto const& [name, path] : estimates)
        if (!references.contains(name))
            return Error{Code::not_found,
                         fmt::format("has no stem '{}' as {} has (each stem is compared) give it, "
                                     "or take the other away",
                                     name, path),
                         reference};
    return pairs;
}

Result<std::vector<StemSamples>> read_stems(std::vector<StemFiles> const& files) {
    std::vector<StemSamples> all;
    all.reserve(files.size());
    for (StemFiles const& f : files) {
        audio::Sound const* const first = all.empty() ? nullptr : &all[0].reference.sound;
        SLUICE_TRY(audio::Samples reference, read_like(f.reference, first, files[0].reference));
        SLUICE_TRY(audio::Samples estimate,
                   read_like(f.estimate, first ? first : &reference.sound, files[0].reference));
        all.push_back({std::move(estimate), std::move(reference)});
    }
    return all;
}

}  // namespace sluice::cli
