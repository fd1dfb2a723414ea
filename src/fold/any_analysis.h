// AnyAnalysis: an analysis of any type, so that analyses can stand in a list.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <memory>
#include <string_view>
#include <vector>

#include "fold/packed.h"

namespace sluice::fold {

/// Holds an analysis of items of one type; its partial results and its answer are held by std::any.
/// The extra cost of a call is paid once for a batch of items.
template <class ItemType>
class AnyAnalysis {
  public:
    template <Packable A>
    requires std::same_as<typename A::Item, ItemType> AnyAnalysis(A analysis)
        : held_(std::make_shared<Held<A> const>(std::move(analysis))) {}

    std::string_view name() const { return held_->name(); }
    std::any begin(Range items) const { return held_->begin(items); }
    void add(std::any& partial, std::span<ItemType const> items) const {
        held_->add(partial, items);
    }
    void merge(std::any& partial, std::any const& later) const { held_->merge(partial, later); }
    std::any finish(std::any partial) const { return held_->finish(partial); }
    bool merges_exactly() const { return held_->merges_exactly(); }
    std::vector<index> sizes() const { return held_->sizes(); }
    void pack(std::any const& partial, Packer& out) const { held_->pack(partial, out); }
    Status unpack(Unpacker& in, Range items, std::any& partial) const {
        return held_->unpack(in, items, partial);
    }

  private:
    struct Base {
        virtual ~Base() = default;
        virtual std::string_view name() const = 0;
        virtual std::any begin(Range items) const = 0;
        virtual void add(std::any& partial, std::span<ItemType const> items) const = 0;
        virtual void merge(std::any& partial, std::any const& later) const = 0;
        virtual std::any finish(std::any& partial) const = 0;
        virtual bool merges_exactly() const = 0;
        virtual std::vector<index> sizes() const = 0;
        virtual void pack(std::any const& partial, Packer& out) const = 0;
        virtual Status unpack(Unpacker& in, Range items, std::any& partial) const = 0;
    };

    template <class A>
    struct Held final : Base {
        using Partial = typename A::Partial;
        explicit Held(A a) : analysis(std::move(a)) {}

        std::string_view name() const override { return A::name; }
        std::any begin(Range items) const override {
            return std::make_any<Partial>(analysis.begin(items));
        }
        void add(std::any& partial, std::span<ItemType const> items) const override {
            analysis.add(*std::any_cast<Partial>(&partial), items);
        }
        void merge(std::any& partial, std::any const& later) const override {
            analysis.merge(*std::any_cast<Partial>(&partial), *std::any_cast<Partial>(&later));
        }
        std::any finish(std::any& partial) const override {
            return std::make_any<typename A::Result>(
                analysis.finish(std::move(*std::any_cast<Partial>(&partial))));
        }
        bool merges_exactly() const override { return fold::merges_exactly(analysis); }
        std::vector<index> sizes() const override { return analysis.sizes(); }
        void pack(std::any const& partial, Packer& out) const override {
            analysis.pack(*std::any_cast<Partial>(&partial), out);
        }
        Status unpack(Unpacker& in, Range items, std::any& partial) const override {
            SLUICE_TRY(partial, analysis.unpack(in, items));
            return {};
        }

        A analysis;
    };

    std::shared_ptr<Base const> held_;
};

}  // namespace sluice::fold
