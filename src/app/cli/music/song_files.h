// The songs that a command line names, and the folder of each one's stems.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/result.h"

namespace sluice::cli {

struct SongFile {
    std::string path, folder;
};

/// A file's stems go to OUT/NAME, NAME being its name without the ending. Of a folder, all sound
/// files in it and below count, sorted; their stems lie in OUT as they lie in the folder. Errors:
/// a folder without sound files, two songs with one folder.
Result<std::vector<SongFile>> song_files(std::vector<std::string> const& songs,
                                         std::string const& out);

}  // namespace sluice::cli
