// Opening objects and following paths.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/object.h"

#include <fmt/format.h>

#include <filesystem>

#include "format/hdf5/object/beside.h"

namespace sluice::hdf5::object {
namespace {

// As libhdf5 counts soft and external links on one way.
constexpr int most_hops = 16;
constexpr std::size_t longest_path = 1 << 16;

/// Takes the first name off a path; "." and empty names stand for where one is.
std::string_view next_name(std::string_view& path) {
    while (!path.empty()) {
        std::size_t const end = std::min(path.find('/'), path.size());
        std::string_view const name = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        if (!name.empty() && name != ".") return name;
    }
    return {};
}

/// Follows paths; `hops_` counts the soft and external links that it went through.
class Way {
  public:
    Result<std::optional<Object>> find(Object const& from, std::string_view path) {
        if (path.size() > longest_path)
            return from.source().corrupt("a path has over 65536 letters", from.address());
        Object here = from;
        if (path.starts_with('/') && from.address() != from.source().sb().root) {
            SLUICE_TRY(here, Object::root_of(from.shared_source()));
        }
        while (true) {
            std::string_view const name = next_name(path);
            if (name.empty()) return std::optional(std::move(here));
            SLUICE_TRY(auto const link, link_named(here.source(), here.header(), name));
            if (!link) return std::optional<Object>{};
            SLUICE_TRY(here, follow(here, *link));
        }
    }

    Result<Object> follow(Object const& group, Link const& link) {
        std::string const path = (group.path() == "/" ? "" : group.path()) + "/" + link.name;
        if (link.kind == LinkKind::hard)
            return Object::at(group.shared_source(), link.address, path);
        if (link.kind == LinkKind::other)
            return Error{Code::unsupported,
                         fmt::format("the link {} is of a kind that only the "
                                     "program that wrote it can follow",
                                     path),
                         group.file()};
        if (++hops_ > most_hops)
            return Error{Code::unsupported,
                         fmt::format("the link {} leads through over {} others (do they run in a "
                                     "circle?); name the dataset itself",
                                     path, most_hops),
                         group.file()};
        return link.kind == LinkKind::soft ? through(group, link.target, path, group.file())
                                           : outside(group, link, path);
    }

  private:
    Result<Object> through(Object const& from, std::string const& target, std::string const& link,
                           std::string const& file) {
        SLUICE_TRY(auto found, find(from, target));
        if (found) return *std::move(found);
        return Error{Code::not_found,
                     fmt::format("the link {} leads to {}{}, which is not there; was it renamed or "
                                 "left out of the copy?",
                                 link, target, from.file() == file ? "" : " of " + from.file()),
                     file};
    }

    Result<Object> outside(Object const& group, Link const& link, std::string const& path) {
        std::string const file = find_beside(folder_of(group.file()), link.file);
        if (file.empty())
            return Error{Code::not_found,
                         fmt::format("the link {} leads to the file {}, which is missing; copy it "
                                     "beside this one",
                                     path, link.file),
                         group.file()};
        SLUICE_TRY(auto source, Source::open(file, group.source().budget()));
        SLUICE_TRY(Object const root, Object::root_of(std::move(source)));
        return through(root, link.target, path, group.file());
    }

    int hops_ = 0;
};

}  // namespace

Result<Object> Object::open_file(std::string const& path) {
    SLUICE_TRY(auto source, Source::open(path));
    return root_of(std::move(source));
}

Result<Object> Object::root_of(Source::Pointer source) {
    std::uint64_t const root = source->sb().root;
    return at(std::move(source), root, "/");
}

Result<Object> Object::at(Source::Pointer source, std::uint64_t address, std::string path) {
    Object o;
    SLUICE_TRY(auto header, read_header(*source, address));
    o.source_ = std::move(source);
    o.address_ = address;
    o.path_ = std::move(path);
    o.header_ = std::make_shared<Header const>(std::move(header));
    return o;
}

bool Object::is_dataset() const {
    return header_->find(MessageType::layout) != nullptr &&
           header_->find(MessageType::dataspace) != nullptr &&
           header_->find(MessageType::datatype) != nullptr;
}

std::pair<std::string, std::uint64_t> Object::identity() const {
    std::error_code e;
    auto const whole = std::filesystem::weakly_canonical(file(), e);
    return {e ? file() : whole.string(), address_};
}

Result<std::optional<Object>> Object::find(std::string_view path) const {
    return Way().find(*this, path);
}

Result<Object> Object::follow(Link const& link) const {
    return Way().follow(*this, link);
}

Result<std::optional<Link>> Object::find_link(std::string_view path) const {
    std::size_t const slash = path.find_last_of('/');
    std::string_view const name = slash == path.npos ? path : path.substr(slash + 1);
    std::string_view const before = slash == path.npos ? "" : path.substr(0, slash + 1);
    SLUICE_TRY(auto const group, Way().find(*this, before));
    if (!group || name.empty()) return std::optional<Link>{};
    return link_named(group->source(), group->header(), name);
}

}  // namespace sluice::hdf5::object
