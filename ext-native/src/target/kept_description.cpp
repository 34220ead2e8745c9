#include "target/kept_description.hpp"

#include <cstdint>
#include <memory>

#include "target/target_changes.hpp"

namespace dumpext {

namespace {

/// A description, and what must be as it was for it to be true.
struct KeptDescription {
    KeptDescription(const Debugger& debugger, ULONG process_id, std::uint64_t change_count)
        : process(process_id), changes(change_count), description(describe_process(debugger)) {}

    ULONG process;
    std::uint64_t changes;
    ProcessDescription description;
    std::vector<StandingThread> threads;
};

// Not a variable of a function, for the reason told in engine_session.cpp.
constinit std::unique_ptr<KeptDescription> kept;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): one for the whole debugger is the point

}

const ProcessDescription& describe_standing_process(
    const Debugger& debugger, const DebugTarget& target, const std::vector<StandingThread>& threads, bool is_told) {
    ULONG process = 0;
    const bool is_known = is_told && SUCCEEDED(debugger.objects->GetCurrentProcessSystemId(&process));
    const std::uint64_t changes = target_change_count();
    if (!is_known || !kept || kept->process != process || kept->changes != changes || kept->threads != threads) {
        kept.reset();
        kept = std::make_unique<KeptDescription>(debugger, process, changes);
        // The debugger's own writer writes registers back that it has changed.
        kept->threads = find_standing_threads(debugger, target);
    }

    return kept->description;
}

void forget_description() noexcept { kept.reset(); }

}
