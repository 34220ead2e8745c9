#pragma once

#include "analysis/failure_analysis.hpp"

#include <array>
#include <cstdio>
#include <string>

// The side of !analyze in the contract with its plug-ins: takes tags and their names. Real debuggers have more; the engine's package has none.
class AnalysisHost final : public dumpext::FailureAnalysis, private dumpext::AnalysisTags {
public:
    virtual ~AnalysisHost() = default;

    const std::string& text() const { return text_; }

    STDMETHODIMP QueryInterface(REFIID, void** object) override {
        *object = nullptr;
        return E_NOINTERFACE;
    }
    STDMETHODIMP_(ULONG) AddRef() override { return 1; }
    STDMETHODIMP_(ULONG) Release() override { return 1; }

    STDMETHODIMP_(dumpext::AnalysisEntry*) SetString(dumpext::AnalysisTag tag, PCSTR text) override { return add("set", tag, text); }
    STDMETHODIMP_(dumpext::AnalysisEntry*) AddString(dumpext::AnalysisTag tag, PCSTR text) override { return add("add", tag, text); }
    STDMETHODIMP_(dumpext::AnalysisEntry*) SetExtensionCommand(dumpext::AnalysisTag tag, PCSTR text) override { return add("command", tag, text); }
    STDMETHODIMP_(dumpext::AnalysisEntry*) AddExtensionCommand(dumpext::AnalysisTag tag, PCSTR text) override { return add("command", tag, text); }
    STDMETHODIMP GetDebugFATagControl(dumpext::AnalysisTags** tags) override {
        *tags = this;
        return S_OK;
    }
    STDMETHODIMP SetProperties(dumpext::AnalysisTag tag, PCSTR name, PCSTR description, ULONG) override {
        add(name, tag, description);
        return S_OK;
    }
    STDMETHODIMP SetType(dumpext::AnalysisTag, dumpext::AnalysisEntryType) override { return S_OK; }

    // What a plug-in of ours does not call.
    STDMETHODIMP_(ULONG) GetFailureClass() override { return 0; }
    STDMETHODIMP_(int) GetFailureType() override { return 0; }
    STDMETHODIMP_(ULONG) GetFailureCode() override { return 0; }
    STDMETHODIMP_(dumpext::AnalysisEntry*) Get(dumpext::AnalysisTag) override { return nullptr; }
    STDMETHODIMP_(dumpext::AnalysisEntry*) GetNext(dumpext::AnalysisEntry*, dumpext::AnalysisTag, dumpext::AnalysisTag) override { return nullptr; }
    STDMETHODIMP_(dumpext::AnalysisEntry*) GetString(dumpext::AnalysisTag, PSTR, ULONG) override { return nullptr; }
    STDMETHODIMP_(dumpext::AnalysisEntry*) GetBuffer(dumpext::AnalysisTag, PVOID, ULONG) override { return nullptr; }
    STDMETHODIMP_(dumpext::AnalysisEntry*) GetUlong(dumpext::AnalysisTag, PULONG) override { return nullptr; }
    STDMETHODIMP_(dumpext::AnalysisEntry*) GetUlong64(dumpext::AnalysisTag, PULONG64) override { return nullptr; }
    STDMETHODIMP_(dumpext::AnalysisEntry*) NextEntry(dumpext::AnalysisEntry*) override { return nullptr; }
    STDMETHODIMP_(dumpext::AnalysisEntry*) SetUlong(dumpext::AnalysisTag, ULONG) override { return nullptr; }
    STDMETHODIMP_(dumpext::AnalysisEntry*) SetUlong64(dumpext::AnalysisTag, ULONG64) override { return nullptr; }
    STDMETHODIMP_(dumpext::AnalysisEntry*) SetBuffer(dumpext::AnalysisTag, dumpext::AnalysisEntryType, LPCVOID, ULONG) override { return nullptr; }
    STDMETHODIMP_(dumpext::AnalysisEntry*) AddUlong(dumpext::AnalysisTag, ULONG) override { return nullptr; }
    STDMETHODIMP_(dumpext::AnalysisEntry*) AddUlong64(dumpext::AnalysisTag, ULONG64) override { return nullptr; }
    STDMETHODIMP_(dumpext::AnalysisEntry*) AddBuffer(dumpext::AnalysisTag, dumpext::AnalysisEntryType, LPCVOID, ULONG) override { return nullptr; }
    STDMETHODIMP GetAnalysisXml(void**) override { return E_NOTIMPL; }
    STDMETHODIMP AddStructuredAnalysisData(dumpext::AnalysisTag, dumpext::FailureAnalysis*) override { return E_NOTIMPL; }
    STDMETHODIMP_(dumpext::AnalysisEntryType) GetType(dumpext::AnalysisTag) override { return dumpext::AnalysisEntryType::none; }
    STDMETHODIMP GetProperties(dumpext::AnalysisTag, PSTR, PULONG, PSTR, PULONG, PULONG) override { return E_NOTIMPL; }
    STDMETHODIMP GetTagByName(PCSTR, PCSTR, dumpext::AnalysisTag*) override { return E_NOTIMPL; }
    STDMETHODIMP_(BOOL) IsValidTagToSet(dumpext::AnalysisTag) override { return TRUE; }

private:
    dumpext::AnalysisEntry* add(PCSTR what, dumpext::AnalysisTag tag, PCSTR text) {
        std::array<char, 32> number{};
        std::snprintf(number.data(), number.size(), " 0x%lx: ", static_cast<unsigned long>(tag));
        text_ += std::string("tag ") + what + number.data() + text + "\n";
        return nullptr;
    }

    std::string text_;
};
