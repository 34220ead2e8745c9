#include "model/hang_function.hpp"

#include <atomic>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/model_implementation.hpp"
#include "model/model_objects.hpp"
#include "model/unheard_answer.hpp"
#include "system/wide_text.hpp"
#include "system/windows_error.hpp"

namespace dumpext {

template <>
const IID& identity_of<IModelMethod>() { return IID_IModelMethod; }

namespace {

/// What a debugger shows for a verdict or one of its sentences: its confidence stands behind it.
std::string shown(const JsonValue& value, const std::string& text) { return text + " [" + member_text(value, "confidence") + "]"; }

/// The elements of an array, each with its own line: a claim's has a confidence, a chain's has none.
ModelObject make_lines(IDataModelManager& manager, const JsonValue& values) {
    std::vector<ModelObject> objects;
    for (const JsonValue& value : values) {
        const std::string text = member_text(value, "text");
        objects.push_back(make_value(manager, value));
        set_display_text(objects.back(), find_member(value, "confidence") == nullptr ? text : shown(value, text));
    }

    return make_array(manager, std::move(objects));
}

ModelObject make_verdict(IDataModelManager& manager, const JsonValue& verdict) {
    ModelObject object = make_value(manager, verdict);
    set_display_text(object, shown(verdict, member_text(verdict, "id") + " " + member_text(verdict, "title")));
    set_member(object, "Claims", make_lines(manager, member_array(verdict, "claims")));
    set_member(object, "Chain", make_lines(manager, member_array(verdict, "chain")));
    return object;
}

ModelObject make_verdicts(IDataModelManager& manager, const JsonValue& report) {
    std::vector<ModelObject> verdicts;
    for (const JsonValue& verdict : member_array(report, "verdicts")) {
        if (verdict.is_object()) {
            verdicts.push_back(make_verdict(manager, verdict));
        }
    }

    const std::size_t count = verdicts.size();
    ModelObject object = make_array(manager, std::move(verdicts));
    set_display_text(object, count == 0 ? "no verdict" : std::to_string(count) + (count == 1 ? " verdict" : " verdicts"));
    if (const JsonValue* undecidable = find_member(report, "undecidable")) {
        set_member(object, "Undecidable", make_value(manager, *undecidable));
    }

    return object;
}

/// The function.
class HangFunction final : public ModelImplementation<IModelMethod> {
public:
    explicit HangFunction(IDataModelManager& manager) : manager_(manager) { ++living; }
    ~HangFunction() override { --living; }
    HangFunction(const HangFunction&) = delete;
    HangFunction& operator=(const HangFunction&) = delete;

    static inline std::atomic<int> living{0};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): counts

    STDMETHODIMP Call(IModelObject*, ULONG64 count, IModelObject**, IModelObject** result, IKeyStore** metadata) noexcept override {
        *result = nullptr;
        if (metadata != nullptr) {
            *metadata = nullptr;
        }

        try {
            *result = call(count).release();
            return S_OK;
        } catch (const std::exception& error) {
            return fail(error.what(), result);
        } catch (...) {
            return E_FAIL;
        }
    }

private:
    ModelObject call(ULONG64 count) {
        if (count != 0) {
            throw CommandError("this function takes no arguments");
        }

        const ComPointer<IDebugClient> client = make_client();
        return make_verdicts(manager_, collect_unheard_report(client.get()));
    }

    HRESULT fail(const char* text, IModelObject** result) noexcept {
        try {
            manager_.CreateErrorObject(E_FAIL, to_wide("dumpext: " + std::string(text)).c_str(), result);
        } catch (...) {
            *result = nullptr;
        }

        return E_FAIL;
    }

    // The session's one manager outlives the functions in it.
    IDataModelManager& manager_;
};

}

ComPointer<IModelMethod> make_hang_function(IDataModelManager& manager) { return ComPointer<IModelMethod>::adopt(new HangFunction(manager)); }

bool lives_hang_function() noexcept { return HangFunction::living.load() != 0; }

ComPointer<IDebugClient> make_client() {
    using DebugCreateFunction = HRESULT(STDAPICALLTYPE*)(REFIID, PVOID*);
    // The debugger that loaded this library is there; it is not to be looked for in the file system.
    HMODULE engine = GetModuleHandleW(L"dbgeng.dll");
    auto create = engine == nullptr ? nullptr : reinterpret_cast<DebugCreateFunction>(reinterpret_cast<void*>(GetProcAddress(engine, "DebugCreate")));
    void* client = nullptr;
    return create != nullptr && SUCCEEDED(create(IID_IDebugClient, &client))
        ? ComPointer<IDebugClient>::adopt(static_cast<IDebugClient*>(client))
        : ComPointer<IDebugClient>();
}

}
