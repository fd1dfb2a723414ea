// Values out of the elements of MAT files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/mat/elements.h"
#include "format/mat/mat.h"

namespace sluice::mat {

/// What a file may become in memory.
inline constexpr std::size_t most_inflated = 256 << 20;

/// What stands before the content of an array.
struct ArrayHead {
    std::uint32_t kind = 0;
    bool complex = false;
    std::vector<index> sides = {};
    std::string name = {};
};

/// Makes values of elements; counts what they take.
class Tree {
  public:
    /// `file` is what errors call it.
    explicit Tree(std::string const& file) : file_(file) {}

    Error wrong(std::string const& text) const;
    Result<ArrayHead> head(Elements& in) const;
    Result<Value> value(Elements in, int depth);

  private:
    std::string const& file_;
    std::size_t values_ = 0, numbers_ = 0;

    Result<Value> numbers(Value v, Elements& in);
    Result<Value> text(Value v, Elements& in) const;
    Result<Value> cells(Value v, Elements& in, int depth);
    Result<Value> structures(Value v, Elements& in, int depth);
    Status add_items(Value& v, std::size_t n, Elements& in, int depth);
};

}  // namespace sluice::mat
