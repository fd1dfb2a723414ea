// TablesFile: the file of tables beside a scan, read stretch by stretch and never trusted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "base/file.h"
#include "format/beside.h"
#include "scan/tables_key.h"
#include "store/rules.h"

namespace sluice {

/// Bytes of the file that are read together, and their digest.
struct Stretch {
    std::uint64_t at = 0, bytes = 0, digest = 0;
};

/// What stands at the beginning of the file.
struct TablesHead {
    TablesKey key = {};
    index frames = 0, rows = 0, cols = 0;
    store::Tally tally = {};    ///< what the pass met
    std::uint64_t largest = 0;  ///< sum of a frame
    bool chosen = false;        ///< the layout was chosen by the content: planes
    std::uint64_t planes_bytes = 0;
    /// The bright-field disk as find_disk() found it: row, column, radius, quality (NaN: none).
    std::optional<std::array<double, 4>> disk = {};
    std::array<double, 2> center = {};  ///< of the rings
    Stretch moments = {};               ///< [frame]{sum, row, column} of 8 bytes each
    Stretch rings = {};                 ///< [row][col], 2 bytes; of no bytes: there are no rings
    std::vector<Stretch> below = {}, own = {};         ///< as RingSums has them, [frame]
    std::array<std::vector<Stretch>, 2> squares = {};  ///< as PatternSums has them

    std::vector<std::byte> packed() const;
    static Result<TablesHead> parse(Bytes bytes);
};

class TablesFile {
  public:
    /// Where it lies when nobody says otherwise.
    static std::string usual_path(Dataset const& dataset) {
        return without_slashes(dataset.path) + std::string(tables_ending);
    }

    /// Reads and checks the head. Code::not_found: there is no such file.
    static Result<TablesFile> open(std::string const& path);
    /// The same of bytes in memory, for tests.
    static Result<TablesHead> parse(Bytes file);
    /// Whether the bytes at the beginning of a file say that it is one.
    static bool begins(Bytes head);

    TablesHead const& head() const { return head_; }
    std::string const& path() const { return file_.path(); }
    /// The bytes of a stretch; an error where their digest is another one. Threads may share it.
    Result<std::vector<std::byte>> read(Stretch const& stretch) const;

  private:
    TablesFile(File file, TablesHead head) : file_(std::move(file)), head_(std::move(head)) {}
    File file_;
    TablesHead head_;
};

/// Writes such a file: it appears whole or not at all.
class TablesWriter {
  public:
    /// `head` has as many stretches as there will be; the file begins with room for it.
    static Result<TablesWriter> create(std::string const& path, TablesHead const& head);
    /// Appends the bytes, and says where they are.
    Result<Stretch> add(Bytes bytes);
    Status commit(TablesHead const& head);

  private:
    TablesWriter(NewFile file, std::uint64_t at) : file_(std::move(file)), at_(at) {}
    NewFile file_;
    std::uint64_t at_;
};

}  // namespace sluice
