// Reading everything there is in a file, for tests and fuzz targets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>
#include <vector>

#include "format/hdf5/object/lists.h"
#include "format/hdf5/object/mapping.h"
#include "format/hdf5/object/raw.h"
#include "format/hdf5/object/value.h"

namespace sluice::hdf5::object {

/// One line for each attribute, dataset and group below an object; errors are lines, too.
class Walk {
  public:
    std::vector<std::string> lines = {};
    std::size_t errors = 0;

    void object(Object const& o, std::string const& path, int depth = 0) {
        // A ring of links in a damaged file shows the same objects again and again.
        if (lines.size() > 20000 || depth > 100) return;
        attributes(o, path);
        if (o.is_dataset()) return dataset(o, path);
        if (!o.is_group() || !seen_.insert(o.identity()).second) return;
        auto const links = o.links();
        if (!links) return failed(path, links.error());
        lines.push_back(fmt::format("{} group of {}", path, links->size()));
        for (Link const& link : *links) {
            auto const child = o.follow(link);
            std::string const name = path + "/" + link.name;
            if (child)
                object(*child, name, depth + 1);
            else
                failed(name, child.error());
        }
    }

  private:
    void failed(std::string const& path, Error const& e) {
        ++errors;
        lines.push_back(path + " fails: " + e.text());
    }

    std::string values(Object const& o, Elements const& e) {
        auto const texts = texts_of(o.source(), e);
        if (!texts) return " fails: " + texts.error().text();
        if (!texts->empty()) return fmt::format(" {}", fmt::join(*texts, "|"));
        std::string all;
        for (double const v : numbers_of(e)) all += fmt::format(" {}", v);
        return all;
    }

    void attributes(Object const& o, std::string const& path) {
        auto all = attributes_of(o);
        if (!all) return failed(path, all.error());
        std::sort(all->begin(), all->end(),
                  [](Attribute const& a, Attribute const& b) { return a.name < b.name; });
        for (Attribute const& a : *all)
            lines.push_back(fmt::format("{}@{} [{}]{}", path, a.name,
                                        fmt::join(a.value.space.extent, "x"), values(o, a.value)));
    }

    void dataset(Object const& o, std::string const& path) {
        auto const d = dataset_info(o);
        if (!d) return failed(path, d.error());
        std::string line =
            fmt::format("{} dataset [{}] chunk [{}]", path, fmt::join(d->space.extent, "x"),
                        fmt::join(d->layout.chunks.chunk, "x"));
        if (d->layout.kind == LayoutClass::mapped) {
            auto const mappings = virtual_mappings(o.source(), d->layout);
            if (!mappings) return failed(path, mappings.error());
            line += fmt::format(" {} mappings", mappings->size());
        } else {
            auto const e = read_elements(o, std::uint64_t{1} << 20);
            if (!e) return failed(path, e.error());
            line += values(o, *e);
            if (d->type.kind == TypeClass::variable && !d->type.variable_text) line += lists(o);
        }
        lines.push_back(line);
    }

    std::string lists(Object const& o) {
        auto const all = Lists::open(o);
        if (!all) return " lists fail: " + all.error().text();
        double sum = 0;
        auto const done = all->read([&](std::uint64_t, Bytes entries) {
            for (std::size_t i = 0; i < entries.size(); i += all->compound().size)
                for (Member const& m : all->compound().members)
                    sum += number_of(m.type, entries.data() + i + m.offset);
        });
        if (!done) return " lists fail: " + done.error().text();
        return fmt::format(" {} entries, {}", all->total(), sum);
    }

    std::set<std::pair<std::string, std::uint64_t>> seen_;
};

/// Bytes as a file of their own.
class HeldBytes final : public ReadAt {
  public:
    explicit HeldBytes(Bytes bytes) : bytes_(bytes.begin(), bytes.end()) {}
    std::uint64_t size() const override { return bytes_.size(); }
    Status read(std::uint64_t at, std::span<std::byte> out) const override {
        return ReadMemory(bytes_).read(at, out);
    }

  private:
    std::vector<std::byte> bytes_;
};

/// Walks what the bytes of a file hold; the walk is empty if it does not open.
inline Walk walk_bytes(Bytes bytes, Sums sums) {
    Walk walk;
    auto source = Source::open(std::make_unique<HeldBytes>(bytes), "/nowhere/x.h5", {}, sums);
    if (!source) return walk;
    auto const root = Object::root_of(*source);
    if (root) walk.object(*root, "");
    return walk;
}

/// How many errors there are where the dataset "data" of a file's bytes is read as lists.
inline std::size_t read_lists_of(Bytes bytes, Sums sums) {
    auto source = Source::open(std::make_unique<HeldBytes>(bytes), "/nowhere/x.h5", {}, sums);
    if (!source) return 1;
    auto const root = Object::root_of(*source);
    if (!root) return 1;
    auto const data = root->find("data");
    if (!data || !*data) return 1;
    auto const lists = Lists::open(**data);
    if (!lists) return 1;
    return lists->read([](std::uint64_t, Bytes) {}) ? 0 : 1;
}

}  // namespace sluice::hdf5::object
