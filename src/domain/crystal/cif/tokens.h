// The words of a CIF, one after the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "sluice/result.h"

namespace sluice::crystal::cif {

struct Token {
    enum class Kind : std::uint8_t { end, block, loop, name, value };
    Kind kind = Kind::end;
    std::string_view text;  ///< of a value without its quotes; of a block what is behind data_
};

/// Reads a text that outlives it. CIF 1.1 and what of CIF 2 looks the same.
class Tokens {
  public:
    explicit Tokens(std::string_view text) : text_(text) {
        if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
    }
    /// Fails where a quote or a text field does not end.
    Result<Token> next();
    /// Where the last token began, for errors.
    std::size_t line() const;

  private:
    void skip_space();
    Result<Token> field();
    Result<Token> quoted();
    Token bare();

    std::string_view text_;
    std::size_t at_ = 0, begun_ = 0;
};

/// Without regard to the case of ASCII letters.
bool begins_with(std::string_view text, std::string_view small_letters);
std::string small_letters(std::string_view text);

}  // namespace sluice::crystal::cif
