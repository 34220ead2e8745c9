using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Dump.Packaging.Profiles;

/// <summary>The signature of a method, written again with references of the metadata that is being written.</summary>
/// <param name="references">These references.</param>
internal sealed class SignatureCopy(TypeReferences references) : ISignatureTypeProvider<ImmutableArray<byte>, object?>
{
    /// <summary>The signature of a method as its declaration has it: with its type parameters, not with arguments.</summary>
    public BlobBuilder Of(MetadataReader metadata, MethodDefinition method) => Write(method.DecodeSignature(this, null));

    public ImmutableArray<byte> GetPrimitiveType(PrimitiveTypeCode typeCode) => [(byte)typeCode];

    public ImmutableArray<byte> GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) =>
        TypeReferences.Encode(references.Reference(reader, handle), rawTypeKind == (byte)SignatureTypeKind.ValueType);

    public ImmutableArray<byte> GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) =>
        TypeReferences.Encode(references.Reference(reader, handle), rawTypeKind == (byte)SignatureTypeKind.ValueType);

    public ImmutableArray<byte> GetTypeFromSpecification(MetadataReader reader, object? genericContext, TypeSpecificationHandle handle, byte rawTypeKind) =>
        reader.GetTypeSpecification(handle).DecodeSignature(this, genericContext);

    public ImmutableArray<byte> GetSZArrayType(ImmutableArray<byte> elementType) => [(byte)SignatureTypeCode.SZArray, .. elementType];

    public ImmutableArray<byte> GetPointerType(ImmutableArray<byte> elementType) => [(byte)SignatureTypeCode.Pointer, .. elementType];

    public ImmutableArray<byte> GetByReferenceType(ImmutableArray<byte> elementType) => [(byte)SignatureTypeCode.ByReference, .. elementType];

    public ImmutableArray<byte> GetPinnedType(ImmutableArray<byte> elementType) => [(byte)SignatureTypeCode.Pinned, .. elementType];

    public ImmutableArray<byte> GetGenericInstantiation(ImmutableArray<byte> genericType, ImmutableArray<ImmutableArray<byte>> typeArguments) =>
        TypeReferences.EncodeInstance(genericType, typeArguments);

    public ImmutableArray<byte> GetGenericTypeParameter(object? genericContext, int index) => Parameter(SignatureTypeCode.GenericTypeParameter, index);

    public ImmutableArray<byte> GetGenericMethodParameter(object? genericContext, int index) => Parameter(SignatureTypeCode.GenericMethodParameter, index);

    public ImmutableArray<byte> GetFunctionPointerType(MethodSignature<ImmutableArray<byte>> signature) =>
        [(byte)SignatureTypeCode.FunctionPointer, .. Write(signature).ToImmutableArray()];

    /// <summary>A modifier is a bare reference: without the byte that says what kind of type it is.</summary>
    public ImmutableArray<byte> GetModifiedType(ImmutableArray<byte> modifier, ImmutableArray<byte> unmodifiedType, bool isRequired) =>
        [(byte)(isRequired ? SignatureTypeCode.RequiredModifier : SignatureTypeCode.OptionalModifier), .. modifier[1..], .. unmodifiedType];

    public ImmutableArray<byte> GetArrayType(ImmutableArray<byte> elementType, ArrayShape shape)
    {
        BlobBuilder blob = new();
        blob.WriteByte((byte)SignatureTypeCode.Array);
        blob.WriteBytes(elementType);
        blob.WriteCompressedInteger(shape.Rank);
        blob.WriteCompressedInteger(shape.Sizes.Length);
        foreach (int size in shape.Sizes)
        {
            blob.WriteCompressedInteger(size);
        }

        blob.WriteCompressedInteger(shape.LowerBounds.Length);
        foreach (int bound in shape.LowerBounds)
        {
            blob.WriteCompressedSignedInteger(bound);
        }

        return blob.ToImmutableArray();
    }

    private static ImmutableArray<byte> Parameter(SignatureTypeCode code, int index)
    {
        BlobBuilder blob = new();
        blob.WriteByte((byte)code);
        blob.WriteCompressedInteger(index);
        return blob.ToImmutableArray();
    }

    private static BlobBuilder Write(MethodSignature<ImmutableArray<byte>> signature)
    {
        BlobBuilder blob = new();
        blob.WriteByte(signature.Header.RawValue);
        if (signature.Header.IsGeneric)
        {
            blob.WriteCompressedInteger(signature.GenericParameterCount);
        }

        blob.WriteCompressedInteger(signature.ParameterTypes.Length);
        blob.WriteBytes(signature.ReturnType);
        foreach (ImmutableArray<byte> parameter in signature.ParameterTypes)
        {
            blob.WriteBytes(parameter);
        }

        return blob;
    }
}
