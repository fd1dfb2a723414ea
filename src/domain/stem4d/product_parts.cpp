// Products of a scan in parts, for several processes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/work_parts.h"
#include "sluice/stem4d_parts.h"

namespace sluice::stem4d {

struct ProductParts::State {
    WorkParts parts;
};

ProductParts::ProductParts(std::unique_ptr<State> state) : state_(std::move(state)) {}
ProductParts::ProductParts(ProductParts&&) noexcept = default;
ProductParts& ProductParts::operator=(ProductParts&&) noexcept = default;
ProductParts::~ProductParts() = default;

Result<ProductParts> ProductParts::begin(Scan const& scan, Wanted const& wanted,
                                         Options const& given) {
    Options options = given;
    SLUICE_CHECK(WorkParts::check(options.device));
    SLUICE_TRY(ProductWork work, ProductWork::begin(scan, wanted, options));
    return ProductParts(
        std::unique_ptr<State>(new State{{scan, std::move(options), std::move(work)}}));
}

index ProductParts::groups() const {
    return state_->parts.groups();
}

Result<std::vector<std::byte>> ProductParts::part(index first, index count) {
    return state_->parts.part(first, count);
}

Status ProductParts::add(Bytes packed) {
    return state_->parts.add(packed);
}

Result<Products> ProductParts::finish() && {
    WorkParts& parts = state_->parts;
    SLUICE_TRY(AllProducts::Result found, parts.found());
    return std::move(parts.work()).finish(std::move(found), parts.scan(), parts.options());
}

}  // namespace sluice::stem4d
