// The network that tensors belong to, by their shapes.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "domain/music/other_networks.h"
#include "sluice/music.h"

namespace sluice::music {
namespace {

constexpr index most_levels = 16, most_blocks = 64;
// Of any dimension of a weight: products of four are far from overflow in double.
constexpr index most_extent = 1 << 20;

std::string text_of(std::vector<index> const& shape) {
    return fmt::format("({})", fmt::join(shape, ", "));
}

class Finder {
  public:
    Finder(std::vector<TensorShape> const& tensors, std::string const& file) : file_(file) {
        for (TensorShape const& t : tensors) shapes_.emplace(t.name, &t.shape);
    }

    Result<Network> find() {
        if (auto const other = other_network(shapes_))
            return wrong(
                fmt::format("this is a {} (only MDX23C, a TFC-TDF U-Net of version 3, is "
                            "read) give such a model",
                            *other));
        SLUICE_CHECK(find_sizes());
        SLUICE_CHECK(find_stems());
        SLUICE_CHECK(check());
        return n_;
    }

  private:
    std::string const& file_;
    std::map<std::string_view, std::vector<index> const*> shapes_;
    Network n_;

    Error wrong(std::string text) const { return {Code::unsupported, std::move(text), file_}; }

    bool has(std::string_view name) const { return shapes_.contains(name); }

    Result<std::vector<index>> shape(std::string_view name, std::size_t dimensions) const {
        auto const found = shapes_.find(name);
        if (found == shapes_.end())
            return wrong(
                fmt::format("tensor '{}' is missing (the file is not an MDX23C, a TFC-TDF U-Net of "
                            "version 3) give such a model",
                            name));
        std::vector<index> const& s = *found->second;
        bool good = s.size() == dimensions;
        for (index const e : s) good = good && e > 0 && e <= most_extent;
        if (!good)
            return wrong(
                fmt::format("tensor '{}' has the shape {}; {} dimensions of 1 to {} are "
                            "needed",
                            name, text_of(s), dimensions, most_extent));
        return s;
    }

    // Layers are narrower by a factor, and rounded down: the largest factor that no level excludes,
    // which is the right one where nothing was rounded. Where the levels contradict each other,
    // check() says which tensor does.
    index bottleneck() const {
        index most = most_extent;
        bool there = true;
        for (index level = 0; level <= most_levels && there; ++level)
            there = limit(fmt::format("encoder_blocks.{}.tfc_tdf.", level), most);
        limit("bottleneck_block.", most);
        return most;
    }
    bool limit(std::string const& stack, index& factor) const {
        auto const found = shapes_.find(stack + "blocks.0.tdf.2.weight");
        if (found == shapes_.end() || found->second->size() != 2) return false;
        index const narrow = (*found->second)[0], wide = (*found->second)[1];
        if (narrow < 1 || wide < 1) return false;
        factor = std::min(factor, wide / narrow);
        return true;
    }

    Status find_sizes() {
        SLUICE_TRY(auto const first, shape("first_conv.weight", 4));
        SLUICE_TRY(auto const down, shape("encoder_blocks.0.downscale.conv.2.weight", 4));
        SLUICE_TRY(auto const tdf, shape("encoder_blocks.0.tfc_tdf.blocks.0.tdf.2.weight", 2));
        n_.channels = first[0];
        if (first[1] % 4 != 0)
            return wrong(
                fmt::format("'first_conv.weight' has {} inputs, which are not sub-bands of two "
                            "channels of complex numbers (a multiple of 4)",
                            first[1]));
        n_.subbands = first[1] / 4;
        n_.growth = down[0] - n_.channels;
        n_.scale = {down[2], down[3]};
        n_.bins = tdf[1];
        n_.bottleneck = bottleneck();
        if (n_.growth < 0 || n_.bottleneck < 1)
            return wrong(
                "the network becomes narrower from level to level, which no TFC-TDF U-Net does");
        while (n_.scales <= most_levels && has(fmt::format("encoder_blocks.{}.downscale.conv.2."
                                                           "weight",
                                                           n_.scales)))
            ++n_.scales;
        while (n_.blocks <= most_blocks &&
               has(fmt::format("bottleneck_block.blocks.{}.tfc1.2.weight", n_.blocks)))
            ++n_.blocks;
        if (n_.scales > most_levels || n_.blocks < 1 || n_.blocks > most_blocks)
            return wrong(fmt::format("{} levels of {} blocks; 1 to {} of 1 to {} are read",
                                     n_.scales, n_.blocks, most_levels, most_blocks));
        index narrow = n_.bins;
        for (index i = 0; i < n_.scales; ++i, narrow /= n_.scale[1])
            if (narrow % n_.scale[1] != 0)
                return wrong(fmt::format("{} bins cannot be divided by {} at each of {} levels",
                                         n_.bins, n_.scale[1], n_.scales));
        if (narrow / n_.bottleneck < 1)
            return wrong(fmt::format("{} bins are too few for {} levels", n_.bins, n_.scales));
        std::string const norm = "encoder_blocks.0.tfc_tdf.blocks.0.tfc1.0.";
        n_.norm = has(norm + "running_mean") ? Norm::batch
                  : has(norm + "weight")     ? Norm::per_channel
                                             : Norm::none;
        return {};
    }

    Status find_stems() {
        SLUICE_TRY(auto const last, shape("final_conv.2.weight", 4));
        n_.stems = last[0] / n_.inputs();
        if (n_.stems * n_.inputs() == last[0]) return {};
        return wrong(
            fmt::format("'final_conv.2.weight' has {} outputs, which are not stems of {} each",
                        last[0], n_.inputs()));
    }

    // Every place needs a tensor, and every tensor a place.
    Status check() {
        for (TensorShape const& place : places(n_)) {
            auto const found = shapes_.find(place.name);
            if (found == shapes_.end())
                return wrong(
                    fmt::format("tensor '{}' of shape {} is missing (the other tensors "
                                "need it) the file may be of another network",
                                place.name, text_of(place.shape)));
            if (*found->second != place.shape)
                return wrong(
                    fmt::format("tensor '{}' has the shape {} where the others need {}; "
                                "the file may be of another network",
                                place.name, text_of(*found->second), text_of(place.shape)));
            shapes_.erase(found);
        }
        if (shapes_.empty()) return {};
        return wrong(
            fmt::format("tensor '{}' and {} others have no place in a TFC-TDF U-Net of "
                        "version 3; the file may be of another network",
                        shapes_.begin()->first, shapes_.size() - 1));
    }
};

}  // namespace

Result<Network> network_of(std::vector<TensorShape> const& tensors, std::string const& file) {
    return Finder(tensors, file).find();
}

}  // namespace sluice::music
