// A zip's directory is read once, and its members are found by their names.
// SPDX-License-Identifier: Apache-2.0
#include "zarr/zip_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <list>
#include <mutex>

namespace sluice::zarr {
namespace {

namespace fs = std::filesystem;

// A packed member is unpacked whole.
constexpr std::uint64_t most_unpacked = std::uint64_t{1} << 31;
// Zips that are kept open: those of the arrays that are being read.
constexpr std::size_t most_open = 8;

/// A stretch of a file as a file of its own.
class Stretch final : public Source {
  public:
    Stretch(std::shared_ptr<Source const> file, std::string name, zip::Member const& m)
        : file_(std::move(file)), name_(std::move(name)), at_(m.at), size_(m.size) {}
    std::string const& name() const override { return name_; }
    std::uint64_t size() const override { return size_; }
    Status read(std::uint64_t offset, std::span<std::byte> out) const override {
        if (offset <= size_ && out.size() <= size_ - offset) return file_->read(at_ + offset, out);
        return Error{Code::truncated, "a member of the zip file ends here", name_, size_};
    }

  private:
    std::shared_ptr<Source const> file_;
    std::string name_;
    std::uint64_t at_, size_;
};

/// The zips that were opened last.
class OpenZips {
  public:
    Result<std::shared_ptr<ZipFolder const>> get(std::string const& path) {
        std::string const stamp = stamp_of(path);
        std::lock_guard const lock(mutex_);
        std::erase_if(kept_, [&](Kept const& k) { return k.path == path && k.stamp != stamp; });
        auto const found = std::ranges::find(kept_, path, &Kept::path);
        if (found != kept_.end()) {
            kept_.splice(kept_.begin(), kept_, found);
            return found->zip;
        }
        SLUICE_TRY(auto const file, open_source(path));
        SLUICE_TRY(ZipFolder zip, ZipFolder::open(file));
        kept_.push_front({path, stamp, std::make_shared<ZipFolder const>(std::move(zip))});
        if (kept_.size() > most_open) kept_.pop_back();
        return kept_.front().zip;
    }

  private:
    struct Kept {
        std::string path, stamp;
        std::shared_ptr<ZipFolder const> zip;
    };
    std::mutex mutex_;
    std::list<Kept> kept_;
};

bool is_root(std::vector<zip::Member> const& members, std::string const& folder) {
    return std::ranges::any_of(members, [&](zip::Member const& m) {
        return m.name == folder + "zarr.json" || m.name == folder + ".zgroup" ||
               m.name == folder + ".zarray";
    });
}

// A folder that was packed with its own name: that name goes.
void drop_common_folder(std::vector<zip::Member>& members) {
    if (members.empty() || is_root(members, "")) return;
    std::string const folder = members.front().name.substr(0, members.front().name.find('/') + 1);
    auto const within = [&](zip::Member const& m) { return m.name.starts_with(folder); };
    if (folder.empty() || !std::ranges::all_of(members, within) || !is_root(members, folder))
        return;
    for (zip::Member& m : members) m.name.erase(0, folder.size());
}

std::string as_folder(std::string const& path) {
    return path.empty() ? path : path + "/";
}

}  // namespace

Result<ZipFolder> ZipFolder::open(std::shared_ptr<Source const> file) {
    ZipFolder z;
    SLUICE_TRY(z.members_, zip::zip_members(*file, zip::Packing::deflated_too, zip::Twice::newest));
    drop_common_folder(z.members_);
    // Members of folders themselves say nothing.
    std::erase_if(z.members_,
                  [](zip::Member const& m) { return m.name.empty() || m.name.ends_with('/'); });
    std::ranges::sort(z.members_, {}, &zip::Member::name);
    z.file_ = std::move(file);
    return z;
}

zip::Member const* ZipFolder::find(std::string const& path) const {
    auto const m = std::ranges::lower_bound(members_, path, {}, &zip::Member::name);
    return m != members_.end() && m->name == path ? &*m : nullptr;
}

std::size_t ZipFolder::first_below(std::string const& folder) const {
    auto const m = std::ranges::lower_bound(members_, folder, {}, &zip::Member::name);
    return static_cast<std::size_t>(m - members_.begin());
}

bool ZipFolder::has(std::string const& path) const {
    if (path.empty() || find(path)) return true;
    std::string const folder = as_folder(path);
    std::size_t const at = first_below(folder);
    return at < members_.size() && members_[at].name.starts_with(folder);
}

Result<std::shared_ptr<Source const>> ZipFolder::open_file(std::string const& path) const {
    std::string const name = file_->name() + "/" + path;
    zip::Member const* const m = find(path);
    if (!m) return Error{Code::not_found, "is not in the zip file", name};
    if (!m->deflated)
        return std::shared_ptr<Source const>(std::make_shared<Stretch>(file_, name, *m));
    SLUICE_TRY(auto bytes, zip::read_member(*file_, *m, most_unpacked));
    return memory_source(name, std::move(bytes));
}

std::vector<Below> ZipFolder::list_folder(std::string const& path) const {
    std::string const folder = as_folder(path);
    std::vector<Below> out;
    for (std::size_t i = first_below(folder);
         i < members_.size() && members_[i].name.starts_with(folder); ++i) {
        std::string const rest = members_[i].name.substr(folder.size());
        auto const slash = rest.find('/');
        Below b{rest.substr(0, slash), slash != rest.npos, members_[i].size};
        if (b.folder) b.bytes = 0;
        if (out.empty() || out.back().name != b.name) out.push_back(std::move(b));
    }
    return out;
}

std::vector<Below> ZipFolder::list_files(std::string const& path) const {
    std::string const folder = as_folder(path);
    std::vector<Below> out;
    for (std::size_t i = first_below(folder);
         i < members_.size() && members_[i].name.starts_with(folder); ++i)
        out.push_back({members_[i].name.substr(folder.size()), false, members_[i].packed});
    return out;
}

Result<std::optional<InZip>> in_zip(std::string const& path) {
    static OpenZips zips;
    for (std::string way = path;;) {
        std::error_code none;
        auto const status = fs::status(way, none);
        if (fs::is_directory(status)) return std::optional<InZip>();
        if (fs::is_regular_file(status)) {
            // A path that ends with a file is that file, unless it is a zip that is looked into.
            bool const named =
                way.ends_with(".zip") || way.ends_with(".zarr") || way.ends_with(".zspy");
            if (!named) return std::optional<InZip>();
            SLUICE_TRY(auto zip, zips.get(way));
            std::string rest = path.substr(way.size());
            while (rest.starts_with('/')) rest.erase(0, 1);
            while (rest.ends_with('/')) rest.pop_back();
            return std::optional(InZip{std::move(zip), std::move(rest)});
        }
        auto const slash = way.rfind('/');
        if (slash == way.npos || slash == 0) return std::optional<InZip>();
        way.resize(slash);
    }
}

}  // namespace sluice::zarr
