// Songs out of files and folders.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/music/song_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "audio/format.h"
#include "base/unfinished.h"

namespace sluice::cli {
namespace {

namespace fs = std::filesystem;

// In folders the name tells what is a song; a file that is named itself may have any name.
bool sounds(fs::path const& file) {
    return audio::has_ending_of_sound(file.string()) && !is_unfinished(file.filename().string());
}

Result<std::vector<fs::path>> songs_below(std::string const& folder) {
    std::vector<fs::path> found;
    std::error_code failed;
    fs::recursive_directory_iterator at(folder, failed);
    for (fs::recursive_directory_iterator const end; !failed && at != end; at.increment(failed)) {
        std::error_code ignored;
        if (at->is_regular_file(ignored) && sounds(at->path())) found.push_back(at->path());
    }
    if (failed) return Error{Code::io, failed.message(), folder};
    if (found.empty())
        return Error{Code::not_found,
                     "has no sound files (the endings of their names tell) give files, or another "
                     "folder",
                     folder};
    std::ranges::sort(found);
    return found;
}

}  // namespace

Result<std::vector<SongFile>> song_files(std::vector<std::string> const& songs,
                                         std::string const& out) {
    std::vector<SongFile> all;
    auto const add = [&](fs::path const& song, fs::path const& below) {
        all.push_back({song.string(), (fs::path(out) / below / song.stem()).string()});
    };
    for (std::string const& song : songs) {
        if (!fs::is_directory(song)) {
            add(song, {});
            continue;
        }
        SLUICE_TRY(auto const found, songs_below(song));
        for (fs::path const& f : found) add(f, f.parent_path().lexically_relative(song));
    }
    std::map<std::string, std::string> seen;
    for (SongFile& s : all) {
        s.folder = fs::path(s.folder).lexically_normal().string();
        auto const [other, added] = seen.emplace(s.folder, s.path);
        if (!added)
            return Error{Code::invalid_argument,
                         fmt::format("would have its stems in {} as {} has (the song's name says "
                                     "where) separate them into different folders",
                                     s.folder, other->second),
                         s.path};
    }
    return all;
}

}  // namespace sluice::cli
