// The journal of an unfinished conversion: its source and options, and the checksum of every
// finished file. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/ngff/pixels.h"
#include "domain/slide/ngff/plan.h"

namespace sluice::slide::ome {

inline constexpr std::string_view journal_name = "sluice-convert.journal";

/// A file of a level, as it was handed to the system.
struct FileRecord {
    int level = 0;
    std::array<index, 5> at = {};  ///< its place among the level's files
    zarr::Written written;
};

/// A tile that could not be read and was filled.
struct FilledTile {
    std::int32_t tile = 0;
    std::string reason;
};

/// What one step wrote and saw. Steps are counted from 0, over all images.
struct StepRecord {
    index step = 0;
    index image = 0;
    std::vector<FileRecord> files = {};
    std::map<index, Range> ranges = {};  ///< of the components it saw
    index chunks = 0, chunks_empty = 0;
    std::vector<FilledTile> filled = {};
    double filled_with = 0;  ///< where tiles were filled
};

struct JournalText {
    std::string of;                     ///< the source and the options, as text to compare
    std::map<index, StepRecord> steps;  ///< that are done, and were not taken back
};

/// The source by its name, size, GUID and time, how it was opened, the options that shape the
/// output, and the version of the program.
std::string identity_of(Slide const& slide, ConvertOptions const& options);

/// Lines that are appended as steps end, each with its hash: a line that was cut or damaged counts
/// as not written.
class Journal {
  public:
    /// Begins a journal in a folder, in place of the one that is there.
    static Result<Journal> create(std::string const& folder, std::string const& of);
    /// Goes on with one.
    static Result<Journal> append_to(std::string const& folder);
    Journal(Journal&& other) noexcept : path_(std::move(other.path_)), fd_(other.fd_) {
        other.fd_ = -1;
    }
    Journal& operator=(Journal&& other) noexcept;
    ~Journal();

    Status add(StepRecord const& step);
    /// Marks a wrong step, which is then done again.
    Status take_back(index step);

  private:
    Journal() = default;
    Status append(std::string const& json);
    std::string path_;
    int fd_ = -1;
};

/// An error where there is no journal, or where its first line is invalid.
Result<JournalText> read_journal(std::string const& folder);

}  // namespace sluice::slide::ome
