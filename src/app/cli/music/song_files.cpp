// Songs out of files and folders.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/music/song_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include "audio/format.h"
#include "base/unfinished.h"
#include "domain/music/file_name.h"

namespace sluice::cli {
namespace {

namespace fs = std::filesystem;

// In folders the name tells what is a song; a file that is named itself may have any name.
bool sounds(fs::path const& file) {
    return audio::has_ending_of_sound(file.string()) && !is_unfinished(file.filename().string());
}

/// Without links, as far as it exists: what tells whether two paths are one place.
fs::path place_of(fs::path const& path) {
    std::error_code failed;
    fs::path const place = fs::weakly_canonical(fs::absolute(path), failed);
    return failed ? fs::absolute(path).lexically_normal() : place;
}

bool lies_in(fs::path const& path, fs::path const& folder) {
    auto const [rest, ignored] =
        std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    // A folder's path can end with a slash, which is an empty last part.
    return rest == folder.end() || (rest->empty() && std::next(rest) == folder.end());
}

struct Found {
    std::vector<fs::path> songs;
    int left_out = 0;  ///< sound files that lie in `out`
};

Result<Found> songs_below(std::string const& folder, fs::path const& out) {
    if (place_of(folder) == out)
        return Error{Code::invalid_argument,
                     "is --out, too (stems among songs would be songs next time) choose another "
                     "--out; it may lie in the folder",
                     folder};
    Found found;
    std::error_code failed;
    fs::recursive_directory_iterator at(folder, failed);
    for (fs::recursive_directory_iterator const end; !failed && at != end; at.increment(failed)) {
        std::error_code ignored;
        if (at->is_directory(ignored) && is_unfinished(at->path().filename().string()))
            at.disable_recursion_pending();
        if (!at->is_regular_file(ignored) || !sounds(at->path())) continue;
        if (lies_in(place_of(at->path()), out))
            ++found.left_out;
        else
            found.songs.push_back(at->path());
    }
    if (failed) return Error{Code::io, failed.message(), folder};
    if (found.songs.empty())
        return Error{Code::not_found,
                     found.left_out > 0
                         ? "has no sound files but those in --out, which are stems; give another "
                           "folder or --out"
                         : "has no sound files (the endings of their names tell) give files, or "
                           "another folder",
                     folder};
    std::ranges::sort(found.songs);
    return found;
}

// Songs of one name: the first has the folder. One file that is given twice is one song, and named
// if it was named once.
void find_collisions(std::vector<SongFile>& songs) {
    std::map<std::string, std::size_t> seen;
    std::vector<SongFile> all;
    for (SongFile& s : songs) {
        if (!s.problem) s.folder = fs::path(s.folder).lexically_normal().string();
        auto const at = s.problem ? seen.end() : seen.find(s.folder);
        if (at == seen.end()) {
            if (!s.problem) seen.emplace(s.folder, all.size());
            all.push_back(std::move(s));
            continue;
        }
        SongFile& other = all[at->second];
        if (place_of(s.path) == place_of(other.path)) {
            other.named = other.named || s.named;
            continue;
        }
        s.problem =
            Error{Code::invalid_argument,
                  fmt::format("would have its stems in {} as {} has (the song's name says where) "
                              "separate them into different folders",
                              s.folder, other.path),
                  s.path};
        all.push_back(std::move(s));
    }
    songs = std::move(all);
}

}  // namespace

SongFiles song_files(std::vector<std::string> const& songs, std::string const& out) {
    SongFiles all;
    fs::path const place = place_of(out);
    auto const add = [&](fs::path const& song, fs::path const& below, bool named) {
        all.songs.push_back({song.string(), (fs::path(out) / below / song.stem()).string(), named});
    };
    for (std::string const& song : songs) {
        std::error_code ignored;
        if (!fs::is_directory(song, ignored)) {
            add(song, {}, true);
            continue;
        }
        auto const found = songs_below(song, place);
        if (!found) {
            all.songs.push_back({song, {}, true, found.error()});
            continue;
        }
        for (fs::path const& f : found->songs)
            add(f, f.parent_path().lexically_relative(song), false);
        if (found->left_out > 0)
            all.notes.push_back(
                fmt::format("{}: {} sound files in {} were left out: --out is for "
                            "stems",
                            song, found->left_out, out));
    }
    find_collisions(all.songs);
    return all;
}

void leave_out_stems(SongFiles& files, std::vector<std::string> const& stems) {
    std::set<std::string> names;
    for (SongFile const& s : files.songs) names.insert(fs::path(s.path).stem().string());
    auto const is_stem = [&](SongFile const& s) {
        fs::path const path(s.path);
        std::string const name = path.stem().string();
        return !s.named && names.contains(path.parent_path().filename().string()) &&
               std::ranges::any_of(
                   stems, [&](auto const& stem) { return music::are_one_file(name, stem); });
    };
    for (SongFile const& s : files.songs)
        if (is_stem(s))
            files.notes.push_back(
                fmt::format("{} was left out: it is a stem of an earlier "
                            "separation by its name and its folder's (name the "
                            "file to separate it)",
                            s.path));
    std::erase_if(files.songs, is_stem);
}

}  // namespace sluice::cli
