// Walking the tree of nodes, which are groups that say what they are.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/emd.h"

#include "format/hdf5/object/value.h"

namespace sluice::hdf5 {
namespace {

using object::Object;

// Trees of people have a handful of nodes; links of a damaged file may run in circles.
constexpr int deepest = 8;
constexpr int most_groups = 10'000;

class Tree {
  public:
    explicit Tree(std::string_view wanted) : wanted_(wanted) {}

    Status below(Object const& group, int depth) {
        if (depth > deepest) return {};
        SLUICE_TRY(auto const links, group.links());
        for (object::Link const& link : links) {
            if (link.kind != object::LinkKind::hard) continue;
            if (++groups_ > most_groups) return {};
            SLUICE_TRY(Object const child, group.follow(link));
            if (!child.is_group()) continue;
            SLUICE_TRY(auto const type, object::attribute_text(child, "emd_group_type"));
            if (!type || (depth == 0 && *type != "root")) continue;
            SLUICE_TRY(auto const its_class, object::attribute_text(child, "python_class"));
            if (its_class && *its_class == wanted_) found.push_back(child);
            SLUICE_CHECK(below(child, depth + 1));
        }
        return {};
    }

    std::vector<Object> found = {};

  private:
    std::string_view wanted_;
    int groups_ = 0;
};

}  // namespace

Result<std::vector<Object>> emd_nodes(Object const& root, std::string_view python_class) {
    SLUICE_TRY(auto const type, object::attribute_text(root, "emd_group_type"));
    if (!type || *type != "file") return std::vector<Object>{};
    Tree tree(python_class);
    SLUICE_CHECK(tree.below(root, 0));
    return std::move(tree.found);
}

}  // namespace sluice::hdf5
