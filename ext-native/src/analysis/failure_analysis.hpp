#pragma once

#include "system/debugger_headers.hpp"

// The contract between !analyze and its plug-ins, as far as it is used here: Microsoft's documentation of extsfns.h ("Writing an Analysis Extension Plug-in to
// Extend !analyze"). The header itself comes with the Debugging Tools for Windows only. The order of the methods is that of the published metadata of the Windows SDK.

namespace dumpext {

/// Phases of an analysis (FA_EXTENSION_PLUGIN_PHASE).
enum class AnalysisPhase : int { initialization = 1, stack_analysis = 2, before_bucketing = 4, after_bucketing = 8 };

/// A tag of an analysis (DEBUG_FLR_PARAM_TYPE). Plug-ins may use those from 0xA0000000 to 0xB0000000.
enum class AnalysisTag : ULONG { verdict = 0xA0D00001, command = 0xA0D00002 };

/// Kind of a tag's data (FA_ENTRY_TYPE).
enum class AnalysisEntryType : int { none = 0, text = 5, command = 7 };

struct AnalysisEntry;

/// Names and kinds of tags (IDebugFAEntryTags); not derived from IUnknown.
struct AnalysisTags {
    virtual AnalysisEntryType STDMETHODCALLTYPE GetType(AnalysisTag tag) = 0;
    virtual HRESULT STDMETHODCALLTYPE SetType(AnalysisTag tag, AnalysisEntryType type) = 0;
    virtual HRESULT STDMETHODCALLTYPE GetProperties(AnalysisTag tag, PSTR name, PULONG name_size, PSTR description, PULONG description_size, PULONG flags) = 0;
    virtual HRESULT STDMETHODCALLTYPE SetProperties(AnalysisTag tag, PCSTR name, PCSTR description, ULONG flags) = 0;
    virtual HRESULT STDMETHODCALLTYPE GetTagByName(PCSTR plugin, PCSTR name, AnalysisTag* tag) = 0;
    virtual BOOL STDMETHODCALLTYPE IsValidTagToSet(AnalysisTag tag) = 0;

protected:
    ~AnalysisTags() = default;
};

/// An analysis (IDebugFailureAnalysis2).
struct FailureAnalysis : IUnknown {
    virtual ULONG STDMETHODCALLTYPE GetFailureClass() = 0;
    virtual int STDMETHODCALLTYPE GetFailureType() = 0;
    virtual ULONG STDMETHODCALLTYPE GetFailureCode() = 0;
    virtual AnalysisEntry* STDMETHODCALLTYPE Get(AnalysisTag tag) = 0;
    virtual AnalysisEntry* STDMETHODCALLTYPE GetNext(AnalysisEntry* entry, AnalysisTag tag, AnalysisTag mask) = 0;
    virtual AnalysisEntry* STDMETHODCALLTYPE GetString(AnalysisTag tag, PSTR text, ULONG size) = 0;
    virtual AnalysisEntry* STDMETHODCALLTYPE GetBuffer(AnalysisTag tag, PVOID buffer, ULONG size) = 0;
    virtual AnalysisEntry* STDMETHODCALLTYPE GetUlong(AnalysisTag tag, PULONG value) = 0;
    virtual AnalysisEntry* STDMETHODCALLTYPE GetUlong64(AnalysisTag tag, PULONG64 value) = 0;
    virtual AnalysisEntry* STDMETHODCALLTYPE NextEntry(AnalysisEntry* entry) = 0;
    virtual AnalysisEntry* STDMETHODCALLTYPE SetString(AnalysisTag tag, PCSTR text) = 0;
    virtual AnalysisEntry* STDMETHODCALLTYPE SetExtensionCommand(AnalysisTag tag, PCSTR command) = 0;
    virtual AnalysisEntry* STDMETHODCALLTYPE SetUlong(AnalysisTag tag, ULONG value) = 0;
    virtual AnalysisEntry* STDMETHODCALLTYPE SetUlong64(AnalysisTag tag, ULONG64 value) = 0;
    virtual AnalysisEntry* STDMETHODCALLTYPE SetBuffer(AnalysisTag tag, AnalysisEntryType type, LPCVOID buffer, ULONG size) = 0;
    virtual AnalysisEntry* STDMETHODCALLTYPE AddString(AnalysisTag tag, PCSTR text) = 0;
    virtual AnalysisEntry* STDMETHODCALLTYPE AddExtensionCommand(AnalysisTag tag, PCSTR command) = 0;
    virtual AnalysisEntry* STDMETHODCALLTYPE AddUlong(AnalysisTag tag, ULONG value) = 0;
    virtual AnalysisEntry* STDMETHODCALLTYPE AddUlong64(AnalysisTag tag, ULONG64 value) = 0;
    virtual AnalysisEntry* STDMETHODCALLTYPE AddBuffer(AnalysisTag tag, AnalysisEntryType type, LPCVOID buffer, ULONG size) = 0;
    virtual HRESULT STDMETHODCALLTYPE GetDebugFATagControl(AnalysisTags** tags) = 0;
    virtual HRESULT STDMETHODCALLTYPE GetAnalysisXml(void** element) = 0;
    virtual HRESULT STDMETHODCALLTYPE AddStructuredAnalysisData(AnalysisTag tag, FailureAnalysis* analysis) = 0;

protected:
    ~FailureAnalysis() = default;
};

}
