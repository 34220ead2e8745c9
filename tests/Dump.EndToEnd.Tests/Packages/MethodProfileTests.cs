using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using Dump.Packaging.Profiles;
using Dump.Testing;

namespace Dump.EndToEnd.Tests.Packages;

/// <summary>
/// The profile by which the archives hold compiled what an analysis calls, read back as its reader does: tokens in the bodies of methods that nobody runs.
/// What the compiler makes of it, <see cref="LinuxArchiveTests"/> counts.
/// </summary>
public sealed class MethodProfileTests : IDisposable
{
    private const string Library = "System.Private.CoreLib";
    private readonly string _folder = Directory.CreateTempSubdirectory("dump-profile-").FullName;

    [Theory]
    [InlineData($"{Library}!System.String::Trim/0", "System.String::Trim", 1)]
    [InlineData($"{Library}!System.String::Insert/2", "System.String::Insert", 1)]
    [InlineData($"{Library}!System.Collections.Generic.List`1[System.ValueTuple`2[System.__Canon,System.Int32]]::Add/1", "List`1::Add", 1)]
    [InlineData($"{Library}!System.Collections.Generic.Dictionary`2+KeyCollection[System.UInt64,System.String[]]::get_Count/0", "KeyCollection::get_Count", 1)]
    [InlineData($"{Library}!System.Array::IndexOf[System.DayOfWeek]/2", "System.Array::IndexOf<>", 1)]
    [InlineData($"{Library}!System.Array::IndexOf/2", "System.Array::IndexOf", 1)]
    [InlineData($"{Library}!System.MathF::Max/2", "System.MathF::Max", 1)]
    [InlineData($"{Library}!System.Math::Max/2", "System.Math::Max", 13)]
    public void Method_is_named(string line, string expected, int overloads)
    {
        (IReadOnlyList<string> named, MethodProfile profile) = Write(line);
        Assert.Equal((1, 0), (profile.Found, profile.Missing));
        Assert.Equal(Enumerable.Repeat(expected, overloads), named);
    }

    [Theory]
    [InlineData($"{Library}!System.String::NoSuchMethod/0")]
    [InlineData($"{Library}!System.String::Trim/7")]
    [InlineData($"{Library}!System.NoSuchType::Trim/0")]
    [InlineData("No.Such.Assembly!System.String::Trim/0")]
    [InlineData($"{Library}!System.Collections.Generic.List`1[Dump.NoSuchType]::Add/1")]
    [InlineData($"{Library}!System.Array::IndexOf[Dump.NoSuchType]/2")]
    public void What_the_assemblies_do_not_have_is_left_out_and_counted(string line)
    {
        (IReadOnlyList<string> named, MethodProfile profile) = Write(line);
        Assert.Equal((0, 1), (profile.Found, profile.Missing));
        Assert.Empty(named);
    }

    [Theory]
    [InlineData("")]
    [InlineData("System.String::Trim/0")]
    [InlineData("A!B::C")]
    [InlineData("A!B::C/-1")]
    [InlineData("A!B[::C/1")]
    [InlineData("A!B::C[D/1/x")]
    public void Line_of_another_form_is_none(string line) => Assert.Null(UsedMethod.Of(line));

    /// <summary>Lists grow old: what most lines name must still be there, else the list was not made again for too long.</summary>
    [Fact]
    public void Committed_list_is_of_this_program()
    {
        string[] lines = File.ReadAllLines(Path.Combine(Repository.Root, "packaging", "start-methods.txt"));
        Assert.Equal(lines.Distinct().Order(StringComparer.Ordinal), lines);
        Assert.DoesNotContain(null, lines.Select(UsedMethod.Of));
        (_, MethodProfile profile) = Write(lines);
        Assert.InRange(profile.Missing, 0, lines.Length / 10);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private (IReadOnlyList<string> Named, MethodProfile Profile) Write(params string[] lines)
    {
        string runtime = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        using AssemblySet assemblies = new(Directory.EnumerateFiles(runtime, "*.dll").Concat(Directory.EnumerateFiles(Verdicts.DumpAnalyze.BuildFolder, "*.dll")));
        MethodProfile profile = new(lines.Select(l => UsedMethod.Of(l)!), assemblies);
        string file = Path.Combine(_folder, "start.mibc");
        profile.Write(file);
        using PEReader image = new(File.OpenRead(file));
        MetadataReader metadata = image.GetMetadataReader();
        MethodDefinition[] methods = [.. metadata.MethodDefinitions.Select(metadata.GetMethodDefinition)];
        Assert.Equal("AssemblyDictionary", metadata.GetString(methods[0].Name));
        return ([.. methods[1..].SelectMany(m => Tokens(image.GetMethodBody(m.RelativeVirtualAddress).GetILReader()).Select(t => Name(metadata, t)))], profile);
    }

    /// <summary>The tokens of <c>ldtoken</c>, each of which is dropped.</summary>
    private static IEnumerable<EntityHandle> Tokens(BlobReader code)
    {
        List<EntityHandle> tokens = [];
        while (code.ReadByte() is var operation && operation != (byte)ILOpCode.Ret)
        {
            Assert.Equal((byte)ILOpCode.Ldtoken, operation);
            tokens.Add((EntityHandle)MetadataTokens.Handle(code.ReadInt32()));
            Assert.Equal((byte)ILOpCode.Pop, code.ReadByte());
        }

        return tokens;
    }

    private static string Name(MetadataReader metadata, EntityHandle token)
    {
        if (token.Kind == HandleKind.MethodSpecification)
        {
            return $"{Name(metadata, metadata.GetMethodSpecification((MethodSpecificationHandle)token).Method)}<>";
        }

        MemberReference member = metadata.GetMemberReference((MemberReferenceHandle)token);
        TypeReference type;
        if (member.Parent.Kind == HandleKind.TypeSpecification)
        {
            BlobReader signature = metadata.GetBlobReader(metadata.GetTypeSpecification((TypeSpecificationHandle)member.Parent).Signature);
            Assert.Equal(SignatureTypeCode.GenericTypeInstance, signature.ReadSignatureTypeCode());
            signature.ReadByte();
            type = metadata.GetTypeReference((TypeReferenceHandle)signature.ReadTypeHandle());
            return $"{metadata.GetString(type.Name)}::{metadata.GetString(member.Name)}";
        }

        type = metadata.GetTypeReference((TypeReferenceHandle)member.Parent);
        return $"{metadata.GetString(type.Namespace)}.{metadata.GetString(type.Name)}::{metadata.GetString(member.Name)}";
    }
}
