// Catalog: the datasets that the viewer shows, and how far each has been loaded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "app/view/stem4d/live/live_series.h"
#include "app/view/wire.h"
#include "sluice/stem4d.h"

namespace sluice::app {

enum class State : std::uint8_t {
    waiting,
    preview,
    ready,
    streaming,
    stopped,
    incomplete,
    failed,
    live,  ///< it is being measured
};

/// One dataset. The scans are immutable and shared with whoever computes on them.
struct Item {
    std::string id, path;
    std::string one_name = {};  ///< the path without links and dots
    State state = State::waiting;
    std::string message = {};
    Code code = Code::unavailable;  ///< of the message, where the state is one of those that ended
    bool awaited = false;           ///< it waits for its files, and not just for its turn
    /// How often its files were read: the scans below are of that reading.
    std::uint64_t read = 0;
    std::optional<Dataset> dataset = {};       ///< once it could be opened
    std::shared_ptr<Scan const> files = {};    ///< streamed: single frames while it loads
    std::shared_ptr<Scan const> preview = {};  ///< every step-th point of it
    index step = 1;
    std::shared_ptr<Scan const> full = {};  ///< in memory, or streamed where it does not fit
    std::optional<stem4d::Disk> disk = {};  ///< on the full detector
    std::array<index, 2> scan = {}, detector = {};  ///< of the whole, after regions and binning
    bool changed = false;                           ///< its files are not those that were read
    std::uint64_t last_used = 0;
    /// What a program gave in place of a path: a dataset that is open, and its scan where that is
    /// loaded. No file of it is looked at.
    std::optional<Dataset> given = {};
    std::shared_ptr<Scan const> given_scan = {};
    std::optional<SeriesFacts> series = {};  ///< it came from a detector, and is in no file
    std::shared_ptr<LiveSeries> live = {};   ///< while it comes
    std::uint64_t seen = 0;                  ///< of now(): points of `full` while it comes
};

/// Nothing more comes of it unless somebody asks, or its files change.
inline bool settled(Item const& item) {
    return item.state == State::failed || item.state == State::incomplete ||
           item.state == State::stopped || item.awaited;
}

class Catalog {
  public:
    /// Called without a lock after an item changed; the argument is its id.
    std::function<void(std::string const&)> on_change = [](std::string const&) {};

    /// Adds a dataset that is not there yet; its id. `message`: why it waits for its files.
    std::string add(std::string const& path, std::string message = {});
    /// Adds one that a program opened, and loaded where there is a scan.
    std::string add(Dataset dataset, std::shared_ptr<Scan const> scan);
    /// Adds a series that begins; null: it cannot be kept.
    std::string add(SeriesFacts facts, Dataset const& dataset, std::shared_ptr<LiveSeries> live);
    bool holds(std::string const& path) const;
    /// Forgets an item, then tells.
    void remove(std::string const& id);
    std::vector<std::string> ids() const;
    /// A copy: scans are shared, so that they outlive what the catalog does meanwhile.
    std::optional<Item> get(std::string const& id) const;
    /// The same; of a scan that comes `full` is what has come by now.
    std::optional<Item> now(std::string const& id) const;
    /// Changes an item under the lock; false where there is none.
    bool edit(std::string const& id, std::function<void(Item&)> const& edit);
    /// The same, then tells.
    void change(std::string const& id, std::function<void(Item&)> const& edit);
    /// Marks an item as looked at.
    void touch(std::string const& id);
    /// Bytes in memory of all scans but `id`.
    std::uint64_t resident_bytes(std::string const& id) const;
    /// Frees the memory of the resident scan that nobody looked at for longest, other than `keep`
    /// and what was given; false when there is none.
    bool evict(std::string const& keep);

    // Series of detectors. `limit`: bytes that all scans may take; 0: what the machine can spare.

    /// How many there are.
    std::size_t series() const;
    /// What one may take when all others have left.
    std::uint64_t memory_for_series(std::uint64_t limit) const;
    /// Whether there is no room for so many bytes more.
    bool short_of_memory(std::uint64_t limit, std::uint64_t need) const;
    /// Forgets the oldest that does not come any more, other than `keep`: the one that was looked
    /// at last is the last to go. False: there is none.
    bool drop_oldest_series(std::string const& keep);

    Json describe(std::string const& id) const;
    Json describe_all() const;

  private:
    std::string add(Item item);

    mutable std::mutex mutex_;
    std::vector<Item> items_;
    std::uint64_t uses_ = 0, added_ = 0;
};

}  // namespace sluice::app
