#include "target/snapshot_plan.hpp"

#include <utility>

#include "target/module_images.hpp"

namespace dumpext {

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
// For lists of modules, handles and regions.
constexpr std::uint64_t overhead = 16 * mebibyte;
// A stack's touched part and what it refers to.
constexpr std::uint64_t most_for_thread = 4 * mebibyte;
constexpr int most_regions = 1'000'000;

/// Bytes of the target that exist: all, or those of images only.
std::uint64_t committed_bytes(const Debugger& debugger, bool only_images) {
    std::uint64_t sum = 0;
    std::uint64_t address = 0;
    MEMORY_BASIC_INFORMATION64 region{};
    for (int i = 0; i < most_regions && SUCCEEDED(debugger.memory->QueryVirtual(address, &region)); i++) {
        if (region.State == MEM_COMMIT && (!only_images || region.Type == MEM_IMAGE)) {
            sum += region.RegionSize;
        }

        const std::uint64_t next = region.BaseAddress + region.RegionSize;
        if (next <= address) {
            break;
        }

        address = next;
    }

    return sum;
}

}

SnapshotPlan plan_snapshot(const Debugger& debugger, const DebugTarget& target) {
    if (!target.is_on_this_machine || has_managed_runtime(debugger)) {
        return {};
    }

    auto directories = find_image_directories(debugger);
    return directories ? SnapshotPlan{SnapshotContent::threads_and_locks, std::move(*directories)} : SnapshotPlan{};
}

std::uint64_t largest_size(const Debugger& debugger, SnapshotContent content) {
    ULONG threads = 0;
    debugger.objects->GetNumberThreads(&threads);
    const std::uint64_t for_threads = threads * most_for_thread;
    if (content == SnapshotContent::description) {
        return overhead + for_threads;
    }

    const bool is_small = content == SnapshotContent::threads_and_locks;
    const std::uint64_t bytes = committed_bytes(debugger, is_small);
    return bytes == 0 ? 0 : bytes + overhead + (is_small ? for_threads : 0);
}

}
