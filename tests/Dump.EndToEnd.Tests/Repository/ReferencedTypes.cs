using System.Collections.Immutable;
using System.Reflection.Metadata;

namespace Dump.EndToEnd.Tests.RepositoryRules;

/// <summary>Collects the types of the assembly itself that signatures name; the values that decoding passes around mean nothing.</summary>
internal sealed class ReferencedTypes : ISignatureTypeProvider<bool, object?>
{
    private readonly HashSet<TypeDefinitionHandle> _types = [];

    public IReadOnlyCollection<TypeDefinitionHandle> Types => _types;

    public void Clear() => _types.Clear();

    public bool GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) => _types.Add(handle);

    public bool GetTypeFromSpecification(MetadataReader reader, object? genericContext, TypeSpecificationHandle handle, byte rawTypeKind) =>
        reader.GetTypeSpecification(handle).DecodeSignature(this, genericContext);

    public bool GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) => false;

    public bool GetArrayType(bool elementType, ArrayShape shape) => false;

    public bool GetByReferenceType(bool elementType) => false;

    public bool GetFunctionPointerType(MethodSignature<bool> signature) => false;

    public bool GetGenericInstantiation(bool genericType, ImmutableArray<bool> typeArguments) => false;

    public bool GetGenericMethodParameter(object? genericContext, int index) => false;

    public bool GetGenericTypeParameter(object? genericContext, int index) => false;

    public bool GetModifiedType(bool modifier, bool unmodifiedType, bool isRequired) => false;

    public bool GetPinnedType(bool elementType) => false;

    public bool GetPointerType(bool elementType) => false;

    public bool GetPrimitiveType(PrimitiveTypeCode typeCode) => false;

    public bool GetSZArrayType(bool elementType) => false;
}
