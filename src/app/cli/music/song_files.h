// The songs that a command line names, and the folder of each one's stems.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sluice/result.h"

namespace sluice::cli {

struct SongFile {
    std::string path, folder;
    bool named = true;                  ///< by the command line, not found in a folder
    std::optional<Error> problem = {};  ///< why it is not separated, and the others are
};

struct SongFiles {
    std::vector<SongFile> songs;
    std::vector<std::string> notes;  ///< what was left out
};

/// A file's stems go to OUT/NAME, NAME being its name without the ending. Of a folder, all sound
/// files in it and below count, sorted; their stems lie in OUT as they lie in the folder. What lies
/// in OUT is left out, so that stems are not separated again. Problems of songs: a folder that
/// cannot be read, has no sound files or is OUT itself, two songs with one folder.
SongFiles song_files(std::vector<std::string> const& songs, std::string const& out);

/// Leaves out files of folders that are stems of an earlier run, wherever that put them: NAME/STEM
/// where a song is called NAME, and `stems` has STEM. Files that were named stay.
void leave_out_stems(SongFiles& files, std::vector<std::string> const& stems);

}  // namespace sluice::cli
