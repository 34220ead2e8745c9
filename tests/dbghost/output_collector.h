#pragma once

#include "system/debugger_headers.hpp"
#include "utf8.h"

#include <string>
#include <utility>

// Collects the engine's output, as text or as the markup (DML) that a host with links would show. Lives as long as the process, so it counts no references.
class OutputCollector final : public IDebugOutputCallbacks2 {
public:
    explicit OutputCollector(bool takes_markup) : takes_markup_(takes_markup) {}
    virtual ~OutputCollector() = default;

    STDMETHODIMP QueryInterface(REFIID id, void** object) override {
        bool known = IsEqualIID(id, IID_IDebugOutputCallbacks2) || IsEqualIID(id, IID_IDebugOutputCallbacks) || IsEqualIID(id, kUnknown);
        *object = known ? this : nullptr;
        return known ? S_OK : E_NOINTERFACE;
    }
    STDMETHODIMP_(ULONG) AddRef() override { return 1; }
    STDMETHODIMP_(ULONG) Release() override { return 1; }

    // Never called: the interest is in the calls below.
    STDMETHODIMP Output(ULONG, PCSTR) override { return S_OK; }

    STDMETHODIMP GetInterestMask(PULONG mask) override {
        *mask = takes_markup_ ? DEBUG_OUTCBI_DML : DEBUG_OUTCBI_TEXT;
        return S_OK;
    }

    STDMETHODIMP Output2(ULONG which, ULONG, ULONG64, PCWSTR text) override {
        if ((which == DEBUG_OUTCB_TEXT || which == DEBUG_OUTCB_DML) && text != nullptr)
            text_ += to_utf8(text);
        return S_OK;
    }

    std::string take() { return std::exchange(text_, {}); }

private:
    // IID_IUnknown, spelled out to need no import library.
    static constexpr GUID kUnknown = {0, 0, 0, {0xC0, 0, 0, 0, 0, 0, 0, 0x46}};
    bool takes_markup_;
    std::string text_;
};
