// Items behind a lock, and their description for the page.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "store/plan.h"

namespace sluice::app {
namespace {

char const* name_of(State state) {
    char const* const names[] = {"waiting", "preview",    "ready",  "streaming",
                                 "stopped", "incomplete", "failed", "live"};
    return names[static_cast<std::size_t>(state)];
}

std::string name_of(SeriesFacts const& facts) {
    return fmt::format("series {}, {}", facts.series, facts.began);
}

Json json_of(SeriesFacts const& facts) {
    return {{"address", facts.address},
            {"series", facts.series},
            {"began", facts.began},
            {"running", facts.running},
            {"disk_points", facts.disk_points},
            {"problems", facts.problems}};
}

// Bytes in memory.
std::uint64_t resident(Item const& item) {
    if (item.live && item.live->scan().kept()) return item.live->scan().kept()->bytes();
    std::uint64_t bytes = 0;
    for (auto const& scan : {item.full, item.preview})
        if (scan) bytes += scan->memory().resident;
    return bytes;
}

std::string file_name(std::string const& path) {
    std::string const whole = path.substr(path.rfind('/') + 1);
    return whole.empty() ? path : whole;
}

Scan const* best_of(Item const& item) {
    for (auto const* scan : {&item.full, &item.preview, &item.files})
        if (*scan) return scan->get();
    return nullptr;
}

index step_of(Item const& item) {
    if (item.full && item.full->resident()) return 1;
    return item.preview ? item.step : 0;
}

// "a.h5" and "./a.h5" are one file.
std::string one_name(std::string const& path) {
    std::error_code failed;
    auto const canonical = std::filesystem::weakly_canonical(path, failed);
    return failed ? path : canonical.string();
}

Json description(Item const& item) {
    Scan const* const scan = best_of(item);
    Json j{{"id", item.id},
           {"name", item.series ? name_of(*item.series) : file_name(item.path)},
           {"path", item.path},
           {"state", name_of(item.state)},
           {"read", item.read},
           {"awaited", item.awaited},
           {"message", item.message},
           {"scan", item.scan},
           {"detector", item.detector},
           {"step", step_of(item)}};
    j["dtype"] = scan ? sluice::name_of(scan->dtype()) : "";
    // That of the subset is wider.
    j["scan_step_nm"] = item.files ? item.files->scan_step_nm() : 0.0;
    j["energy_kv"] = item.dataset ? item.dataset->energy_kv : 0.0;
    j["changed"] = item.changed;
    j["detector_step_mrad"] = scan ? scan->detector_step_mrad() : 0.0;
    // What the page draws on are the arrays as loaded; here is where they lie on the detector.
    stem4d::PixelGrid const grid = scan ? stem4d::pixel_grid(*scan) : stem4d::PixelGrid{};
    j["grid"] = {{"origin", {grid.origin.row, grid.origin.col}}, {"bin", grid.bin}};
    j["units"] = {{"pixel", scan ? stem4d::pixel_unit(*scan) : "counts"},
                  {"sum", scan ? stem4d::sum_unit(*scan) : "counts"}};
    j["disk"] = Json();
    if (item.disk) {
        stem4d::Disk const disk = stem4d::to_array(*item.disk, grid);
        j["disk"] = {{"row", disk.center.row}, {"col", disk.center.col}, {"radius", disk.radius}};
        j["disk"]["quality"] = disk.quality ? Json(*disk.quality) : Json();
    }
    j["layout"] = item.full && item.full->resident() ? item.full->layout() : "";
    Memory const memory = item.full ? item.full->memory() : scan ? scan->memory() : Memory{};
    j["bytes"] = {{"resident", item.full ? memory.resident : 0},
                  {"source", memory.source},
                  {"float32", memory.float32}};
    j["frames"] = item.dataset ? item.dataset->frames : 0;
    j["missing"] = item.dataset ? item.dataset->missing : 0;
    // How much has come changes all the time.
    bool const comes = item.state == State::live && item.dataset;
    j["notes"] = comes ? item.dataset->notes : scan ? scan->notes() : std::vector<std::string>{};
    j["live"] = item.series ? json_of(*item.series) : Json();
    j["metadata"] = Json::array();
    if (item.dataset)
        for (MetaField const& f : all_fields(*item.dataset))
            j["metadata"].push_back({{"name", f.name}, {"value", f.value}, {"unit", f.unit}});
    return j;
}

}  // namespace

std::string Catalog::add(std::string const& path, std::string message) {
    Item item;
    item.one_name = one_name(path);
    item.awaited = !message.empty();
    item.message = std::move(message);
    item.path = path;
    return add(std::move(item));
}

std::string Catalog::add(Dataset dataset, std::shared_ptr<Scan const> scan) {
    Item item;
    item.path = dataset.path;
    // The page tells datasets apart by their paths, and arrays may have one name.
    auto const taken = [&] {
        std::lock_guard lock(mutex_);
        return std::ranges::any_of(items_, [&](Item const& i) { return i.path == item.path; });
    };
    for (int n = 2; taken(); ++n) item.path = fmt::format("{} ({})", dataset.path, n);
    item.given = std::move(dataset);
    item.given_scan = std::move(scan);
    return add(std::move(item));
}

std::string Catalog::add(SeriesFacts facts, Dataset const& dataset,
                         std::shared_ptr<LiveSeries> live) {
    Item item;
    // Series of one stream have one path: what is calibrated of one holds for the next.
    item.path = item.one_name = facts.address;
    item.state = State::live;
    item.series = std::move(facts);
    item.dataset = dataset;
    item.dataset->feed = {};
    item.dataset->source = {};
    item.scan = dataset.scan;
    item.detector = {dataset.rows, dataset.cols};
    item.live = std::move(live);
    if (item.live) {
        auto const part = item.live->so_far();
        item.scan = part.scan->scan_shape();
        item.detector = part.scan->detector_shape();
    }
    return add(std::move(item));
}

std::string Catalog::add(Item item) {
    std::lock_guard lock(mutex_);
    item.id = fmt::format("d{}", ++added_);
    items_.push_back(std::move(item));
    return items_.back().id;
}

void Catalog::remove(std::string const& id) {
    {
        std::lock_guard lock(mutex_);
        std::erase_if(items_, [&](Item const& i) { return i.id == id; });
    }
    on_change(id);
}

bool Catalog::holds(std::string const& path) const {
    std::string const wanted = one_name(path);
    std::lock_guard lock(mutex_);
    return std::ranges::any_of(items_, [&](Item const& i) { return i.one_name == wanted; });
}

std::vector<std::string> Catalog::ids() const {
    std::lock_guard lock(mutex_);
    std::vector<std::string> ids;
    for (Item const& item : items_) ids.push_back(item.id);
    return ids;
}

std::optional<Item> Catalog::get(std::string const& id) const {
    std::lock_guard lock(mutex_);
    auto const it = std::ranges::find(items_, id, &Item::id);
    return it == items_.end() ? std::optional<Item>{} : *it;
}

std::optional<Item> Catalog::now(std::string const& id) const {
    auto item = get(id);
    // Before its first points are shown nothing of it is.
    if (!item || !item->live || !item->full) return item;
    auto const part = item->live->so_far();
    item->files = item->full = part.scan;
    item->seen = part.seen;
    return item;
}

bool Catalog::edit(std::string const& id, std::function<void(Item&)> const& edit) {
    std::lock_guard lock(mutex_);
    auto const it = std::ranges::find(items_, id, &Item::id);
    if (it == items_.end()) return false;
    edit(*it);
    return true;
}

void Catalog::change(std::string const& id, std::function<void(Item&)> const& edit) {
    if (this->edit(id, edit)) on_change(id);
}

void Catalog::touch(std::string const& id) {
    std::lock_guard lock(mutex_);
    auto const it = std::ranges::find(items_, id, &Item::id);
    if (it != items_.end()) it->last_used = ++uses_;
}

std::uint64_t Catalog::resident_bytes(std::string const& id) const {
    std::lock_guard lock(mutex_);
    std::uint64_t bytes = 0;
    for (Item const& item : items_)
        if (item.id != id) bytes += resident(item);
    return bytes;
}

bool Catalog::evict(std::string const& keep) {
    std::shared_ptr<Scan const> freed;  // its memory goes after the lock
    std::string id;
    {
        std::lock_guard lock(mutex_);
        Item* oldest = nullptr;
        for (Item& item : items_)
            if (item.id != keep && !item.given_scan && !item.series && item.full &&
                item.full->resident() && (!oldest || item.last_used < oldest->last_used))
                oldest = &item;
        if (!oldest) return false;
        freed.swap(oldest->full);
        id = oldest->id;
        oldest->state = State::stopped;
        oldest->code = Code::unavailable;
        oldest->message =
            "left memory to make room for another dataset; choose it to load it again";
    }
    freed.reset();
    on_change(id);
    return true;
}

std::size_t Catalog::series() const {
    std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(
        std::ranges::count_if(items_, [](Item const& item) { return item.series.has_value(); }));
}

std::uint64_t Catalog::memory_for_series(std::uint64_t limit) const {
    std::lock_guard lock(mutex_);
    std::uint64_t others = 0, series = 0;
    for (Item const& item : items_) (item.series ? series : others) += resident(item);
    if (limit == 0) return store::memory_to_spare() + series;
    return limit > others ? limit - others : 1;  // 0 would be no limit at all
}

bool Catalog::short_of_memory(std::uint64_t limit, std::uint64_t need) const {
    constexpr std::uint64_t least = std::uint64_t{64} << 20;
    if (limit > 0) return resident_bytes({}) + need > limit;
    return store::memory_to_spare() < std::max(need, least);
}

bool Catalog::drop_oldest_series(std::string const& keep) {
    std::optional<Item> dropped;  // its memory goes after the lock
    {
        std::lock_guard lock(mutex_);
        std::uint64_t newest_use = 0;
        for (Item const& item : items_) newest_use = std::max(newest_use, item.last_used);
        auto const may_go = [&](Item const& item) {
            return item.series && !item.live && item.id != keep;
        };
        auto oldest = std::ranges::find_if(items_, [&](Item const& item) {
            return may_go(item) && (item.last_used == 0 || item.last_used < newest_use);
        });
        if (oldest == items_.end()) oldest = std::ranges::find_if(items_, may_go);
        if (oldest == items_.end()) return false;
        dropped = std::move(*oldest);
        items_.erase(oldest);
    }
    on_change(dropped->id);
    return true;
}

Json Catalog::describe(std::string const& id) const {
    std::optional<Item> const item = get(id);
    return item ? description(*item) : Json();
}

Json Catalog::describe_all() const {
    Json all = Json::array();
    for (std::string const& id : ids())
        if (Json one = describe(id); !one.is_null()) all.push_back(std::move(one));
    return all;
}

}  // namespace sluice::app
