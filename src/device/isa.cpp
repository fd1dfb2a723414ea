// Asks the processor what it has.
// SPDX-License-Identifier: Apache-2.0
#include "device/isa.h"

#include <array>
#include <cstdlib>
#include <optional>
#include <string>

namespace sluice {
namespace {

#ifdef SLUICE_X86
constexpr std::array compiled{Isa::baseline, Isa::avx2, Isa::avx512};
#else
constexpr std::array compiled{Isa::baseline};
#endif

std::optional<Isa> wish() {
    char const* text = std::getenv("SLUICE_ISA");
    if (!text) return {};
    for (Isa isa : compiled)
        if (name_of(isa) == text && runs_here(isa)) return isa;
    return {};
}

}  // namespace

std::string_view name_of(Isa isa) {
    switch (isa) {
        case Isa::baseline:
            return "baseline";
        case Isa::avx2:
            return "avx2";
        case Isa::avx512:
            return "avx512";
    }
    return "?";
}

std::span<Isa const> compiled_isas() {
    return compiled;
}

bool runs_here(Isa isa) {
#ifdef SLUICE_X86
    __builtin_cpu_init();
    switch (isa) {
        case Isa::baseline:
            return true;
        case Isa::avx2:
            return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
                   __builtin_cpu_supports("fma");
        case Isa::avx512:
            return runs_here(Isa::avx2) && __builtin_cpu_supports("avx512f") &&
                   __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd") &&
                   __builtin_cpu_supports("avx512vpopcntdq") &&
                   __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vnni") &&
                   __builtin_cpu_supports("gfni");
    }
    return false;
#else
    return isa == Isa::baseline;
#endif
}

Isa chosen_isa() {
    static Isa const isa = [] {
        if (auto wished = wish()) return *wished;
        Isa best = Isa::baseline;
        for (Isa i : compiled)
            if (runs_here(i)) best = i;
        return best;
    }();
    return isa;
}

Status check_isa_wish() {
    char const* text = std::getenv("SLUICE_ISA");
    if (!text || wish()) return {};
    std::string names;
    for (Isa isa : compiled)
        if (runs_here(isa)) names += " " + std::string(name_of(isa));
    return Error{Code::unavailable, "SLUICE_ISA=" + std::string(text) +
                                        " cannot run on this processor; it has:" + names};
}

}  // namespace sluice
