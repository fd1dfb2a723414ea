// Result<T>: a value, or an Error that says what is wrong, where, and what to do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace sluice {

enum class Code : std::uint8_t {
    invalid_argument,  ///< the caller asked for something that makes no sense
    not_found,         ///< a file, dataset or name that is not there
    unsupported,       ///< a valid input that this version cannot read
    corrupt,           ///< bytes that break the rules of their format
    truncated,         ///< a file that ends before its own sizes say
    incomplete,        ///< an acquisition with frames missing
    out_of_memory,     ///< more than the machine, or the limit given, has
    io,                ///< the operating system refused
    cancelled,         ///< stopped by the user
    unavailable,       ///< a device that this machine does not have
};

/// What went wrong. `message` reads: problem (why it is one) what to do.
struct Error {
    Code code = Code::invalid_argument;
    std::string message;
    std::string file = {};                 ///< the file it was found in, if any
    std::optional<std::uint64_t> at = {};  ///< byte offset in `file`

    /// "file at byte N: message", as the command line prints it.
    std::string text() const;
};

/// Checks a contract between two pieces of code; ends the program when it is broken, because then
/// the program is wrong and not its input.
void expects(bool condition, char const* file = __builtin_FILE(), int line = __builtin_LINE());

/// Throws std::runtime_error with the error's text: the one place of the library that throws.
[[noreturn]] void throw_error(Error const& error);

template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    bool has_value() const { return state_.index() == 0; }
    explicit operator bool() const { return has_value(); }
    T& operator*() & { return std::get<0>(state_); }
    T const& operator*() const& { return std::get<0>(state_); }
    T&& operator*() && { return std::get<0>(std::move(state_)); }
    T* operator->() { return &std::get<0>(state_); }
    T const* operator->() const { return &std::get<0>(state_); }
    Error& error() & { return std::get<1>(state_); }
    Error const& error() const& { return std::get<1>(state_); }
    Error&& error() && { return std::get<1>(std::move(state_)); }

    /// The value, or a std::runtime_error: for scripts and examples.
    T value() && {
        if (!has_value()) throw_error(error());
        return std::get<0>(std::move(state_));
    }

  private:
    std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    bool has_value() const { return !error_; }
    explicit operator bool() const { return has_value(); }
    Error& error() & { return *error_; }
    Error const& error() const& { return *error_; }
    Error&& error() && { return *std::move(error_); }
    void value() const {
        if (error_) throw_error(*error_);
    }

  private:
    std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace sluice

#define SLUICE_JOIN_(a, b) a##b
#define SLUICE_JOIN(a, b) SLUICE_JOIN_(a, b)

/// SLUICE_TRY(auto header, parse(bytes)); declares `header`, or returns the error.
#define SLUICE_TRY(declaration, expression)                           \
    auto SLUICE_JOIN(sluice_try_, __LINE__) = (expression);           \
    if (!SLUICE_JOIN(sluice_try_, __LINE__))                          \
        return std::move(SLUICE_JOIN(sluice_try_, __LINE__)).error(); \
    declaration = *std::move(SLUICE_JOIN(sluice_try_, __LINE__))

/// SLUICE_CHECK(write(file)); returns the error of a Status, if it is one.
#define SLUICE_CHECK(expression)                               \
    do {                                                       \
        if (auto sluice_status = (expression); !sluice_status) \
            return std::move(sluice_status).error();           \
    } while (false)
