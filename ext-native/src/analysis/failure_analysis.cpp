#include "analysis/failure_analysis.hpp"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "analysis/verdict_tags.hpp"
#include "commands/commands.hpp"

namespace {

using namespace dumpext;

/// Gives the tags their names, where the host lets them have some.
void name_tags(FailureAnalysis& analysis) {
    AnalysisTags* tags = nullptr;
    if (FAILED(analysis.GetDebugFATagControl(&tags)) || tags == nullptr) {
        return;
    }

    tags->SetType(AnalysisTag::verdict, AnalysisEntryType::text);
    tags->SetProperties(AnalysisTag::verdict, "DUMPEXT_VERDICT", "Why the process hangs", 0);
    tags->SetType(AnalysisTag::command, AnalysisEntryType::command);
    tags->SetProperties(AnalysisTag::command, "DUMPEXT_COMMAND", "Shows the whole verdict", 0);
}

}

extern "C" {

/// Called by !analyze in each phase.
/// @returns S_OK when tags were added, S_FALSE when not.
/// Nothing leaves it as an exception, as the contract demands.
HRESULT CALLBACK _EFN_Analyze(PDEBUG_CLIENT4 client, AnalysisPhase phase, FailureAnalysis* analysis) noexcept {  // NOLINT(clang-diagnostic-reserved-identifier): the name that !analyze looks for
    if (phase != AnalysisPhase::stack_analysis || analysis == nullptr) {
        return S_FALSE;
    }

    try {
        const std::vector<std::string> tags = verdict_tags(collect_report(reinterpret_cast<PDEBUG_CLIENT>(client)));
        if (tags.empty()) {
            return S_FALSE;
        }

        name_tags(*analysis);
        for (const std::string& tag : tags) {
            analysis->AddString(AnalysisTag::verdict, tag.c_str());
        }

        analysis->SetExtensionCommand(AnalysisTag::command, "!dumpext.verdict");
        return S_OK;
    } catch (...) {
        // !analyze shows no text for a plug-in without an answer; !verdict says why there is none.
        return S_FALSE;
    }
}

}
