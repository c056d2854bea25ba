#include "rootleaf/vector/dispatch.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <string>

#include "rootleaf/base/error.hpp"

#if defined(ROOTLEAF_HAS_AVX2) && defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

namespace rootleaf::vector {

namespace {

#ifdef ROOTLEAF_HAS_AVX2
struct Support {
    bool avx2 = false;
    bool avx512 = false;
};

/// What the CPU has and the operating system saves when it switches threads.
Support detect() noexcept {
#if defined(_MSC_VER) && !defined(__clang__)
    constexpr int kOsUsesXsave = 1 << 27;              // leaf 1, ECX
    constexpr int kAvx2 = 1 << 5;                      // leaf 7, EBX
    constexpr int kAvx512f = 1 << 16;                  // leaf 7, EBX
    constexpr unsigned long long kAvxState = 0x06;     // XCR0: XMM and YMM
    constexpr unsigned long long kAvx512State = 0xE6;  // and the masks, and ZMM
    int registers[4] = {};
    __cpuid(registers, 0);
    if (registers[0] < 7) {
        return {};
    }
    __cpuidex(registers, 1, 0);
    if ((registers[2] & kOsUsesXsave) == 0) {
        return {};
    }
    const unsigned long long state = _xgetbv(0);
    __cpuidex(registers, 7, 0);
    return {(registers[1] & kAvx2) != 0 && (state & kAvxState) == kAvxState,
            (registers[1] & kAvx512f) != 0 && (state & kAvx512State) == kAvx512State};
#else
    __builtin_cpu_init();
    // An int for one compiler, a bool for another: only a condition takes either.
    Support support;
    if (__builtin_cpu_supports("avx2")) {
        support.avx2 = true;
    }
    if (__builtin_cpu_supports("avx512f")) {
        support.avx512 = true;
    }
    return support;
#endif
}
#endif

/// Kernels from the narrowest to the widest.
struct KernelList {
    std::array<const Kernel*, 4> kernels{};
    std::size_t count = 0;

    KernelList() noexcept {
        add(kScalarKernel, true);
#ifdef ROOTLEAF_HAS_SSE2
        add(kSse2Kernel, true);
#endif
#ifdef ROOTLEAF_HAS_AVX2
        const Support support = detect();
        add(kAvx2Kernel, support.avx2);
        add(kAvx512Kernel, support.avx512);
#endif
#ifdef ROOTLEAF_HAS_NEON
        add(kNeonKernel, true);
#endif
    }

private:
    void add(const Kernel& kernel, bool is_supported) noexcept {
        if (is_supported) {
            kernels[count++] = &kernel;
        }
    }
};

std::atomic<const Kernel*>& forced() noexcept {
    static std::atomic<const Kernel*> kernel = nullptr;
    return kernel;
}

}  // namespace

std::span<const Kernel* const> available_kernels() noexcept {
    static const KernelList list;
    return {list.kernels.data(), list.count};
}

const Kernel& active_kernel() noexcept {
    const Kernel* kernel = forced().load(std::memory_order_acquire);
    return kernel != nullptr ? *kernel : *available_kernels().back();
}

void force_isa(std::string_view isa) {
    if (isa.empty()) {
        forced().store(nullptr, std::memory_order_release);
        return;
    }
    const std::span<const Kernel* const> kernels = available_kernels();
    const auto kernel =
        std::ranges::find_if(kernels, [&](const Kernel* each) { return each->isa == isa; });
    if (kernel == kernels.end()) {
        std::string message =
            "the instruction set '" + std::string(isa) + "' cannot be used here; these can:";
        for (const Kernel* each : kernels) {
            message.append(" ").append(each->isa);
        }
        throw Error(ErrorCode::invalid_input, message);
    }
    forced().store(*kernel, std::memory_order_release);
}

}  // namespace rootleaf::vector
