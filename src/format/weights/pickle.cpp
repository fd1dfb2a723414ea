// The machine of pickles: a stack, a memo and the opcodes that PyTorch writes (protocols 2 to 5).
// SPDX-License-Identifier: Apache-2.0
#include "format/weights/pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/bytes.h"
#include "codec/zip/quoted.h"
#include "format/weights/pickle_calls.h"
#include "format/weights/pickle_names.h"

namespace sluice::weights {
namespace {

using Kind = Value::Kind;

constexpr std::size_t most_values = 4'000'000;
constexpr std::string_view save_again =
    "load the model where it was made, and save its state_dict with torch.save";

class Machine {
  public:
    Machine(Bytes bytes, std::string const& name, std::uint64_t at)
        : bytes_(bytes), name_(name), file_at_(at) {}

    Result<Pickle> run() {
        for (bool ended = false; !ended;) {
            begun_ = at_;
            SLUICE_TRY(std::uint64_t const op, number(1));
            if (op == '.')
                ended = true;
            else
                SLUICE_CHECK(step(static_cast<std::uint8_t>(op)));
            if (std::max(out_.values.size(), memo_.size()) > most_values)
                return wrong(fmt::format("the pickle has more than {} values (a checkpoint of this "
                                         "many tensors is not expected) save its state_dict alone",
                                         most_values),
                             Code::unsupported);
        }
        if (stack_.size() != 1 || !marks_.empty())
            return wrong("the pickle ends with more or less than one value");
        out_.root = stack_.back();
        out_.size = at_;
        return std::move(out_);
    }

  private:
    Bytes bytes_;
    std::string const& name_;
    std::uint64_t file_at_;
    std::size_t at_ = 0, begun_ = 0;
    Pickle out_;
    std::vector<std::uint32_t> stack_;
    std::vector<std::size_t> marks_;
    std::unordered_map<std::uint64_t, std::uint32_t> memo_;
    StorageKeys keys_;

    Error wrong(std::string const& text, Code code = Code::corrupt) const {
        return {code, text, name_, file_at_ + begun_};
    }

    void push(Value value) {
        stack_.push_back(static_cast<std::uint32_t>(out_.values.size()));
        out_.values.push_back(std::move(value));
    }

    Result<Bytes> take(std::uint64_t size) {
        if (size > bytes_.size() - at_)
            return wrong(fmt::format("the pickle ends within a value of {} bytes (the file was not "
                                     "copied whole, or the pickle is larger than {} MiB) copy it "
                                     "again, or save the state_dict alone",
                                     size, most_pickle >> 20),
                         Code::truncated);
        at_ += size;
        return bytes_.subspan(at_ - size, size);
    }

    /// Little-endian, of 1 to 8 bytes.
    Result<std::uint64_t> number(std::size_t size) {
        SLUICE_TRY(Bytes const b, take(size));
        std::uint64_t n = 0;
        for (std::size_t i = size; i-- > 0;) n = n << 8 | std::to_integer<std::uint64_t>(b[i]);
        return n;
    }

    Result<std::string_view> sized(std::size_t size_of_size) {
        SLUICE_TRY(std::uint64_t const size, number(size_of_size));
        SLUICE_TRY(Bytes const b, take(size));
        return std::string_view(reinterpret_cast<char const*>(b.data()), b.size());
    }

    Result<std::string_view> line() {
        std::string_view const rest(reinterpret_cast<char const*>(bytes_.data()) + at_,
                                    bytes_.size() - at_);
        std::size_t const end = rest.find('\n');
        if (end == std::string_view::npos)
            return wrong("the pickle ends within a name", Code::truncated);
        at_ += end + 1;
        return rest.substr(0, end);
    }

    Result<std::uint32_t> pop() {
        if (stack_.empty() || (!marks_.empty() && marks_.back() == stack_.size()))
            return wrong("the pickle takes a value where there is none");
        std::uint32_t const top = stack_.back();
        stack_.pop_back();
        return top;
    }

    Result<std::vector<std::uint32_t>> pop_some(std::size_t count) {
        std::vector<std::uint32_t> out(count);
        for (std::size_t i = count; i-- > 0;) {
            SLUICE_TRY(out[i], pop());
        }
        return out;
    }

    Result<std::vector<std::uint32_t>> pop_to_mark() {
        if (marks_.empty()) return wrong("the pickle goes back to a mark where there is none");
        auto const from = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
        std::vector<std::uint32_t> out(from, stack_.end());
        stack_.erase(from, stack_.end());
        marks_.pop_back();
        return out;
    }

    Status step(std::uint8_t op) {
        switch (op) {
            case 0x80:
                return protocol();
            case 0x95:
                return number(8) ? Status() : wrong("the pickle ends", Code::truncated);
            case '(':
                marks_.push_back(stack_.size());
                return {};
            case 'N':
                push({Kind::none});
                return {};
            case 0x88:
                push({Kind::boolean, 1});
                return {};
            case 0x89:
                push({Kind::boolean, 0});
                return {};
            case ')':
                push({Kind::tuple});
                return {};
            case ']':
            case 0x8f:
                push({Kind::list});
                return {};
            case '}':
                push({Kind::dict});
                return {};
            case 0x85:
                return tuple(1);
            case 0x86:
                return tuple(2);
            case 0x87:
                return tuple(3);
            case 't':
                return gather();
            case 'a':
                return append(1);
            case 'e':
            case 0x90:
                return append({});
            case 's':
                return set_items(2);
            case 'u':
                return set_items({});
            case 'c':
                return global();
            case 0x93:
                return stack_global();
            case 'Q':
                return storage();
            case 'R':
                return reduce();
            case 'b':
                return build();
            case 0x81:
                return new_object(2);
            case 0x92:
                return new_object(3);
            case '0':
                return pop() ? Status() : wrong("the pickle drops a value where there is none");
            default:
                return scalar(op);
        }
    }

    Status scalar(std::uint8_t op) {
        switch (op) {
            case 'K':
                return integer(1);
            case 'M':
                return integer(2);
            case 'J':
                return integer(4);
            case 0x8a:
                return long_integer(1);
            case 0x8b:
                return long_integer(4);
            case 'G': {
                SLUICE_TRY(auto const bits, number(8));
                push({Kind::real, static_cast<std::int64_t>(bits)});
                return {};
            }
            case 0x8c:
            case 'U':
                return text(1, Kind::text);
            case 'X':
            case 'T':
                return text(4, Kind::text);
            case 0x8d:
                return text(8, Kind::text);
            case 'C':
                return text(1, Kind::opaque);
            case 'B':
                return text(4, Kind::opaque);
            case 0x8e:
                return text(8, Kind::opaque);
            case 'q':
                return put(1);
            case 'r':
                return put(4);
            case 0x94:
                return memorize(memo_.size());
            case 'h':
                return get(1);
            case 'j':
                return get(4);
            default:
                return wrong(fmt::format("the pickle has the opcode {:#04x} (PyTorch does not "
                                         "write it for weights, and it is not followed) {}",
                                         op, save_again),
                             Code::unsupported);
        }
    }

    Status protocol() {
        SLUICE_TRY(std::uint64_t const version, number(1));
        if (version < 2 || version > 5)
            return wrong(
                fmt::format("a pickle of protocol {} (2 to 5 are read) {}", version, save_again),
                Code::unsupported);
        return {};
    }

    Status integer(std::size_t size) {
        SLUICE_TRY(std::uint64_t const n, number(size));
        push({Kind::integer,
              size == 4 ? static_cast<std::int32_t>(n) : static_cast<std::int64_t>(n)});
        return {};
    }

    Status long_integer(std::size_t size_of_size) {
        SLUICE_TRY(std::string_view const digits, sized(size_of_size));
        if (digits.size() > 8) {
            push({Kind::opaque, 0, digits});
            return {};
        }
        std::uint64_t n = !digits.empty() && (digits.back() & 0x80) != 0 ? ~std::uint64_t{0} : 0;
        for (std::size_t i = digits.size(); i-- > 0;)
            n = n << 8 | static_cast<std::uint8_t>(digits[i]);
        push({Kind::integer, static_cast<std::int64_t>(n)});
        return {};
    }

    Status text(std::size_t size_of_size, Kind kind) {
        SLUICE_TRY(std::string_view const s, sized(size_of_size));
        push({kind, 0, s});
        return {};
    }

    Status memorize(std::uint64_t key) {
        if (stack_.empty()) return wrong("the pickle keeps a value where there is none");
        memo_[key] = stack_.back();
        return {};
    }
    Status put(std::size_t size) {
        SLUICE_TRY(std::uint64_t const key, number(size));
        return memorize(key);
    }
    Status get(std::size_t size) {
        SLUICE_TRY(std::uint64_t const key, number(size));
        auto const found = memo_.find(key);
        if (found == memo_.end())
            return wrong(fmt::format("the pickle takes value {}, which it never kept", key));
        stack_.push_back(found->second);
        return {};
    }

    Status tuple(std::size_t size) {
        SLUICE_TRY(auto items, pop_some(size));
        push({Kind::tuple, 0, {}, std::move(items)});
        return {};
    }
    Status gather() {
        SLUICE_TRY(auto items, pop_to_mark());
        push({Kind::tuple, 0, {}, std::move(items)});
        return {};
    }

    // Whether the top is an object that is never made: it takes no values and no attributes.
    bool top_is_opaque() const {
        return !stack_.empty() && out_.values[stack_.back()].kind == Kind::opaque;
    }

    // What stands on top of the stack, of one kind.
    Result<Value*> top(Kind kind) {
        if (stack_.empty() || out_.values[stack_.back()].kind != kind)
            return wrong("the pickle adds to a value that is not a list, set or dictionary");
        return &out_.values[stack_.back()];
    }

    Status append(std::optional<std::size_t> count) {
        SLUICE_TRY(auto const items, count ? pop_some(*count) : pop_to_mark());
        if (top_is_opaque()) return {};
        SLUICE_TRY(Value* const list, top(Kind::list));
        list->items.insert(list->items.end(), items.begin(), items.end());
        return {};
    }

    Status set_items(std::optional<std::size_t> count) {
        SLUICE_TRY(auto const items, count ? pop_some(*count) : pop_to_mark());
        if (items.size() % 2 != 0) return wrong("the pickle has a key without a value");
        if (top_is_opaque()) return {};
        SLUICE_TRY(Value* const dict, top(Kind::dict));
        dict->items.insert(dict->items.end(), items.begin(), items.end());
        return {};
    }

    Status name(std::string_view module, std::string_view word) {
        auto const n = number_of_name(module, word);
        std::string const whole = std::string(module) + "." + std::string(word);
        if (auto const network = network_of_module(module); !n && !network.empty())
            return wrong(fmt::format("the checkpoint is of {}: it asks for {} (only MDX23C is "
                                     "read) give an MDX23C model",
                                     network, zip::in_quotes(whole)),
                         Code::unsupported);
        if (!n)
            return wrong(fmt::format("the pickle asks for {} (only the parts of tensors are read, "
                                     "and nothing is ever run) {}",
                                     zip::in_quotes(whole), save_again),
                         Code::unsupported);
        if (name_of_number(*n).meaning == Meaning::ignored) ignore(whole);
        push({Kind::name, *n});
        return {};
    }
    // Names of the list below it are told, however often they occur.
    void ignore(std::string const& name) {
        constexpr std::size_t most_told = 8;
        auto& all = out_.ignored;
        if (all.size() < most_told && std::ranges::find(all, name) == all.end())
            all.push_back(name);
    }
    Status global() {
        SLUICE_TRY(std::string_view const module, line());
        SLUICE_TRY(std::string_view const word, line());
        return name(module, word);
    }
    Status stack_global() {
        SLUICE_TRY(auto const words, pop_some(2));
        Value const &module = out_.values[words[0]], &word = out_.values[words[1]];
        if (module.kind != Kind::text || word.kind != Kind::text)
            return wrong("the pickle asks for a name that is not a text");
        return name(module.text, word.text);
    }

    Status storage() {
        SLUICE_TRY(std::uint32_t const id, pop());
        auto made = storage_of(out_, id, keys_);
        if (!made) return wrong(made.error().message, made.error().code);
        push(*std::move(made));
        return {};
    }
    Status reduce() {
        SLUICE_TRY(auto const parts, pop_some(2));
        auto made = call(out_, parts[0], parts[1]);
        if (!made) return wrong(made.error().message, made.error().code);
        push(*std::move(made));
        return {};
    }
    // Objects of Python 2.3 and later: of names that are ignored, so that nothing is made.
    Status new_object(std::size_t parts) {
        SLUICE_TRY(auto const values, pop_some(parts));
        Value const& type = out_.values[values[0]];
        if (type.kind != Kind::name || name_of_number(type.number).meaning != Meaning::ignored)
            return wrong(
                fmt::format("the pickle makes an object (nothing is ever run) {}", save_again),
                Code::unsupported);
        push({Kind::opaque});
        return {};
    }
    // A state_dict has a version for each module as its attribute: nothing asks for it.
    Status build() {
        SLUICE_TRY(std::uint32_t const state, pop());
        if (top_is_opaque()) return {};
        if (out_.values[state].kind != Kind::dict)
            return wrong("the pickle sets attributes with a value that is not a dictionary");
        return top(Kind::dict)
                   ? Status()
                   : wrong("the pickle sets attributes of a value that is not a dictionary");
    }
};

}  // namespace

Result<Pickle> read_pickle(Bytes bytes, std::string const& name, std::uint64_t at) {
    return Machine(bytes, name, at).run();
}

}  // namespace sluice::weights
