// What the loader looks at between loads: folders that get files, and files that change.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include "app/view/stem4d/loader.h"
#include "app/view/stem4d/signature.h"

namespace sluice::app {
namespace {

constexpr int most_retries = 16;  // at one look

}  // namespace

void Loader::look_at_folders() {
    bool news = false;
    for (std::string const& folder : options_.folders) {
        auto const files = list_members(folder, options_.open);
        if (!files) continue;  // empty so far, or gone for now: it is looked at again
        for (std::string const& file : *files) {
            if (catalog_.holds(file)) continue;
            // It is opened when its files stand still.
            std::string const id = catalog_.add(file, "waits for its files, which are written now");
            Seen& seen = seen_.try_emplace(id, options_.look_every).first->second;
            seen.files = {file};
            seen.found = true;
            seen.patience.appeared(Clock::now());
            news = true;
        }
    }
    if (news) options_.added();
}

void Loader::look_at_files() {
    Look look;
    int retries = 0;
    bool news = false;
    for (std::string const& id : catalog_.ids()) {
        std::optional<Item> const item = catalog_.get(id);
        auto const seen = seen_.find(id);
        if (!item || item->given || item->path.starts_with("synthetic:") || seen == seen_.end())
            continue;
        if (forgets(*item, seen->second)) {
            news = true;
            seen_.erase(seen);
            catalog_.remove(id);
        } else if (!item->full && (item->awaited || item->state == State::incomplete ||
                                   item->state == State::failed)) {
            // The others have their turn at the next look.
            if (retries < most_retries && is_due(*item, seen->second, look)) {
                ++retries;
                std::lock_guard lock(mutex_);
                if (std::ranges::find(tasks_, id, &Task::id) == tasks_.end())
                    tasks_.push_back({id, false});
            }
        } else if (item->state != State::waiting) {  // else it is in the queue
            look_at(*item, seen->second);
        }
    }
    if (news) options_.added();
}

// A file that came and went without being read, under the name that a copy has until it is whole.
bool Loader::forgets(Item const& item, Seen const& seen) {
    std::error_code failed;
    bool const tried = item.awaited || item.state == State::failed;
    return seen.found && item.read == 0 && tried && !std::filesystem::exists(item.path, failed) &&
           !failed;
}

bool Loader::is_due(Item const& item, Seen& seen, Look& look) {
    auto const now = Clock::now();
    std::string folder = Look::folder_of(item.path);
    if (folder != seen.folder && item.awaited) seen.patience.hope(now);
    seen.folder = std::move(folder);
    bool const unseen = item.awaited || item.state == State::incomplete;
    return seen.patience.due(look.family_of(item.path, seen.files), now, unseen);
}

void Loader::look_at(Item const& item, Seen& seen) {
    std::string const now = signature_of(seen.files);
    if (now == seen.last) return;
    seen.last = now;
    catalog_.change(item.id, [&](Item& i) {
        i.changed = now != seen.read;
        bool const gone = now.find("gone;") != std::string::npos;
        i.message = !i.changed ? ""
                    : gone && i.full && i.full->resident()
                        ? "a file of this dataset is gone; what is in memory can still be looked at"
                    : gone ? "a file of this dataset is gone; it cannot be read until it is back"
                           : "the files changed since they were read; load them again to see that";
    });
}

}  // namespace sluice::app
