#include "model/model_objects.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "model/model_implementation.hpp"
#include "system/wide_text.hpp"
#include "system/windows_error.hpp"

namespace dumpext {

template <>
const IID& identity_of<IUnknown>() { return IID_IUnknown; }

template <>
const IID& identity_of<IIndexableConcept>() { return IID_IIndexableConcept; }

template <>
const IID& identity_of<IIterableConcept>() { return IID_IIterableConcept; }

template <>
const IID& identity_of<IModelIterator>() { return IID_IModelIterator; }

template <>
const IID& identity_of<IStringDisplayableConcept>() { return IID_IStringDisplayableConcept; }

namespace {

// E_BOUNDS of winerror.h, which mingw's lacks.
constexpr auto out_of_bounds = static_cast<HRESULT>(0x8000000BL);

void check(HRESULT result) {
    if (FAILED(result)) {
        throw CommandError("the debugger's data model refuses a value: " + describe_error(static_cast<DWORD>(result)));
    }
}

ModelObject make_intrinsic(IDataModelManager& manager, VARIANT& value) {
    ModelObject object;
    check(manager.CreateIntrinsicObject(ObjectIntrinsic, &value, object.receive()));
    return object;
}

ModelObject make_number(IDataModelManager& manager, std::uint64_t number) {
    VARIANT value{};
    value.vt = VT_UI8;
    value.ullVal = number;
    return make_intrinsic(manager, value);
}

BSTR copy_text(std::string_view text) {
    const std::wstring wide = to_wide(text);
    return SysAllocStringLen(wide.c_str(), static_cast<UINT>(wide.size()));
}

using Values = std::vector<ModelObject>;

/// Walks an array.
class ArrayIterator final : public ModelImplementation<IModelIterator> {
public:
    ArrayIterator(IDataModelManager& manager, std::shared_ptr<const Values> values) : manager_(manager), values_(std::move(values)) {}

    STDMETHODIMP Reset() noexcept override {
        next_ = 0;
        return S_OK;
    }

    STDMETHODIMP GetNext(IModelObject** object, ULONG64 dimensions, IModelObject** indexers, IKeyStore** metadata) noexcept override {
        *object = nullptr;
        if (metadata != nullptr) {
            *metadata = nullptr;
        }

        if (next_ >= values_->size()) {
            return out_of_bounds;
        }

        try {
            if (dimensions == 1 && indexers != nullptr) {
                *indexers = make_number(manager_, next_).release();
            }
        } catch (...) {
            return E_FAIL;
        }

        *object = ModelObject((*values_)[next_]).release();
        next_++;
        return S_OK;
    }

private:
    IDataModelManager& manager_;
    std::shared_ptr<const Values> values_;
    std::size_t next_ = 0;
};

/// What makes an object an array.
class ArrayConcept final : public ModelImplementation<IIterableConcept, IIndexableConcept> {
public:
    ArrayConcept(IDataModelManager& manager, Values values) : manager_(manager), values_(std::make_shared<const Values>(std::move(values))) {}

    STDMETHODIMP GetDefaultIndexDimensionality(IModelObject*, ULONG64* dimensionality) noexcept override { return GetDimensionality(nullptr, dimensionality); }

    STDMETHODIMP GetIterator(IModelObject*, IModelIterator** iterator) noexcept override {
        try {
            *iterator = new ArrayIterator(manager_, values_);
            return S_OK;
        } catch (...) {
            *iterator = nullptr;
            return E_OUTOFMEMORY;
        }
    }

    STDMETHODIMP GetDimensionality(IModelObject*, ULONG64* dimensionality) noexcept override {
        *dimensionality = 1;
        return S_OK;
    }

    STDMETHODIMP GetAt(IModelObject*, ULONG64 count, IModelObject** indexers, IModelObject** object, IKeyStore** metadata) noexcept override {
        *object = nullptr;
        if (metadata != nullptr) {
            *metadata = nullptr;
        }

        VARIANT index{};
        if (count != 1 || FAILED(indexers[0]->GetIntrinsicValueAs(VT_UI8, &index)) || index.ullVal >= values_->size()) {
            return out_of_bounds;
        }

        *object = ModelObject((*values_)[index.ullVal]).release();
        return S_OK;
    }

    STDMETHODIMP SetAt(IModelObject*, ULONG64, IModelObject**, IModelObject*) noexcept override { return E_NOTIMPL; }

private:
    // The session's one manager outlives what it made.
    IDataModelManager& manager_;
    std::shared_ptr<const Values> values_;
};

/// What a debugger shows in one line.
class DisplayText final : public ModelImplementation<IStringDisplayableConcept> {
public:
    explicit DisplayText(std::string_view text) : text_(text) {}

    STDMETHODIMP ToDisplayString(IModelObject*, IKeyStore*, BSTR* text) noexcept override {
        try {
            *text = copy_text(text_);
        } catch (...) {
            *text = nullptr;
        }

        return *text == nullptr ? E_OUTOFMEMORY : S_OK;
    }

private:
    std::string text_;
};

template <typename Concept>
void set_concept(const ModelObject& object, Concept* implementation) {
    check(object->SetConcept(identity_of<Concept>(), implementation, nullptr));
}

std::string member_name(std::string_view name) {
    std::string result(name);
    if (!result.empty() && result[0] >= 'a' && result[0] <= 'z') {
        result[0] = static_cast<char>(result[0] - 'a' + 'A');
    }

    return result;
}

ModelObject make_nothing(IDataModelManager& manager) {
    ModelObject object;
    check(manager.CreateNoValue(object.receive()));
    return object;
}

ModelObject make_truth(IDataModelManager& manager, bool truth) {
    VARIANT value{};
    value.vt = VT_BOOL;
    value.boolVal = truth ? VARIANT_TRUE : VARIANT_FALSE;
    return make_intrinsic(manager, value);
}

ModelObject make_negative(IDataModelManager& manager, std::int64_t number) {
    VARIANT value{};
    value.vt = VT_I8;
    value.llVal = number;
    return make_intrinsic(manager, value);
}

ModelObject make_fraction(IDataModelManager& manager, double number) {
    VARIANT value{};
    value.vt = VT_R8;
    value.dblVal = number;
    return make_intrinsic(manager, value);
}

/// What says in one line what an object of the report is; empty when none of its members does.
std::string one_line(const JsonValue& members) {
    for (const std::string_view name : {"text", "title", "code", "role", "description", "function", "name", "what", "module", "id"}) {
        if (std::string text = member_text(members, name); !text.empty()) {
            return text;
        }
    }

    return {};
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than the reader of JSON lets values be
ModelObject make_elements(IDataModelManager& manager, const JsonValue& array) {
    Values values;
    values.reserve(array.size());
    for (const JsonValue& value : array) {
        values.push_back(make_value(manager, value));
    }

    return make_array(manager, std::move(values));
}

// NOLINTNEXTLINE(misc-no-recursion)
ModelObject make_members(IDataModelManager& manager, const JsonValue& members) {
    ModelObject object;
    check(manager.CreateSyntheticObject(nullptr, object.receive()));
    for (const auto& [name, value] : members.items()) {
        set_member(object, member_name(name), make_value(manager, value));
    }

    if (const std::string text = one_line(members); !text.empty()) {
        set_display_text(object, text);
    }

    return object;
}

}

std::atomic<long>& model_object_count() noexcept {
    static std::atomic<long> count{0};
    return count;
}

ModelObject make_text(IDataModelManager& manager, std::string_view text) {
    VARIANT value{};
    value.vt = VT_BSTR;
    value.bstrVal = copy_text(text);
    ModelObject object;
    const HRESULT result = manager.CreateIntrinsicObject(ObjectIntrinsic, &value, object.receive());
    SysFreeString(value.bstrVal);
    check(result);
    return object;
}

// NOLINTNEXTLINE(misc-no-recursion)
ModelObject make_value(IDataModelManager& manager, const JsonValue& value) {
    switch (value.type()) {
    case JsonValue::value_t::boolean:
        return make_truth(manager, value.get<bool>());
    case JsonValue::value_t::number_unsigned:
        // Unsigned, so that debuggers show it in their own base: most numbers here are ids of threads.
        return make_number(manager, value.get<std::uint64_t>());
    case JsonValue::value_t::number_integer:
        return make_negative(manager, value.get<std::int64_t>());
    case JsonValue::value_t::number_float:
        return make_fraction(manager, value.get<double>());
    case JsonValue::value_t::string:
        return make_text(manager, value.get_ref<const std::string&>());
    case JsonValue::value_t::array:
        return make_elements(manager, value);
    case JsonValue::value_t::object:
        return make_members(manager, value);
    default:
        return make_nothing(manager);
    }
}

ModelObject make_array(IDataModelManager& manager, std::vector<ModelObject> values) {
    ModelObject object;
    check(manager.CreateSyntheticObject(nullptr, object.receive()));
    auto* implementation = new ArrayConcept(manager, std::move(values));
    const auto iterable = ComPointer<IIterableConcept>::adopt(implementation);
    set_concept<IIterableConcept>(object, implementation);
    set_concept<IIndexableConcept>(object, implementation);
    return object;
}

void set_member(const ModelObject& object, std::string_view name, const ModelObject& value) { check(object->SetKey(to_wide(name).c_str(), value.get(), nullptr)); }

void set_display_text(const ModelObject& object, std::string_view text) {
    const auto implementation = ComPointer<IStringDisplayableConcept>::adopt(new DisplayText(text));
    set_concept<IStringDisplayableConcept>(object, implementation.get());
}

}
