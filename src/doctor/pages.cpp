// First touches of fresh memory, counted by the system's page faults.
// SPDX-License-Identifier: Apache-2.0
#include "doctor/pages.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "base/system.h"
#include "doctor/rate.h"
#include "sluice/view.h"

namespace sluice::doctor {
namespace {

constexpr std::size_t large = std::size_t{2} << 20;

long faults() {
    rusage u{};
    ::getrusage(RUSAGE_SELF, &u);
    return u.ru_minflt;
}

// Fresh memory, given back at the end. Large pages need addresses that are multiples of their size.
class Fresh {
  public:
    Fresh(std::size_t bytes, bool large_pages) : all_(bytes + large) {
        void* const at =
            ::mmap(nullptr, all_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) return;
        map_ = static_cast<char*>(at);
        std::size_t const over = reinterpret_cast<std::uintptr_t>(at) % large;
        begin_ = map_ + (over > 0 ? large - over : 0);
        if (large_pages)
            use_large_pages(begin_, bytes);
        else
            ::madvise(begin_, bytes, MADV_NOHUGEPAGE);
    }
    Fresh(Fresh const&) = delete;
    Fresh& operator=(Fresh const&) = delete;
    ~Fresh() {
        if (map_) ::munmap(map_, all_);
    }
    char* begin() const { return begin_; }

  private:
    std::size_t all_;
    char *map_ = nullptr, *begin_ = nullptr;
};

struct Touched {
    MeasuredRate bytes;
    double faults_per_page = 0;
};

Touched touch(std::size_t bytes, int rounds, bool large_pages) {
    auto const page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    std::vector<double> rates;
    bench::Lap all;
    long counted = 0;
    for (int i = 0; i < rounds; ++i) {
        Fresh const fresh(bytes, large_pages);
        if (!fresh.begin()) return {};
        long const before = faults();
        bench::Stopwatch const watch;
        for (std::size_t at = 0; at < bytes; at += page)
            *static_cast<char volatile*>(fresh.begin() + at) = 1;
        bench::Lap const lap = watch.lap();
        counted += faults() - before;
        if (lap.wall_s > 0) rates.push_back(static_cast<double>(bytes) / lap.wall_s);
        all.wall_s += lap.wall_s;
        all.waited_s += lap.waited_s;
    }
    auto const per_round = static_cast<index>(bytes / page);
    double const pages = static_cast<double>(per_round) * rounds;
    return {rate_of(std::move(rates), all, 1), static_cast<double>(counted) / pages};
}

}  // namespace

PageRates measure_pages(std::size_t bytes, int rounds) {
    PageRates out;
    Touched small = touch(bytes, rounds, false);
    auto const page = static_cast<double>(::sysconf(_SC_PAGESIZE));
    for (double* const value :
         {&small.bytes.per_s.min, &small.bytes.per_s.median, &small.bytes.per_s.max,
          &small.bytes.per_s.lower_quartile, &small.bytes.per_s.upper_quartile})
        *value /= page;
    out.small = small.bytes;
    Touched const big = touch(bytes, rounds, true);
    out.large_bytes = big.bytes;
    // Each fault that is left brought one small page.
    out.large_given = std::clamp(1 - big.faults_per_page, 0.0, 1.0);
    return out;
}

}  // namespace sluice::doctor
