using Dump.Fuzz.Inputs;
using Dump.Fuzz.Oracles;
using Dump.Triage;
using Dump.Triage.Archives;
using Dump.Triage.Discovery;

namespace Dump.Fuzz.Targets;

/// <summary>Archives as triage opens them: their list of members, each member's content within a limit, what is wrong with it.</summary>
internal sealed class ArchiveTarget : FuzzTarget, IDisposable
{
    private const long MostUnpacked = 1 << 20;
    private const long MostBytes = 32L << 20;
    private readonly ScratchFile _file = new();
    private readonly Sample[] _samples;
    private readonly Func<string, IPackedFile?> _open;

    private ArchiveTarget(string name, string what, Sample[] samples, Func<string, IPackedFile?> open)
        : base(name, what) => (_samples, _open) = (samples, open);

    /// <summary>gzip.</summary>
    public static ArchiveTarget OfGzip() => new("gzip", "gzip files", ArchiveSamples.Gzip(),
        path => new GzipFile(path, "a.dmp.gz", new FileInfo(path).Length, CancellationToken.None));

    /// <summary>zip, and programs that unpack themselves.</summary>
    public static ArchiveTarget OfZip() => new("zip", "zip archives, also behind programs", ArchiveSamples.Zip(), path =>
        ContentSignature.Of(File.ReadAllBytes(path).AsSpan(0, (int)Math.Min(new FileInfo(path).Length, ContentSignature.Length))) == ContentKind.Zip
            || EmbeddedArchive.Find(path, File.ReadAllBytes(path)) == ContentKind.Zip
            ? ZipFile.Open(path, UnpackLimits.Default)
            : null);

    /// <summary>Cabinets.</summary>
    public static ArchiveTarget OfCabinets() => new("cabinet", "cabinets", ArchiveSamples.Cabinets(), path => CabinetFile.Open(path, "a.cab"));

    /// <inheritdoc/>
    public override byte[] Input(Random random) => ByteMutator.Damage(_samples, random);

    // A window and buffers for each member; a damaged list may name a member a thousand times.
    /// <inheritdoc/>
    public override long MostAllocated(int length) => MostBytes + 4_096L * length;

    /// <inheritdoc/>
    public override string Execute(byte[] input)
    {
        if (input.Length == 0)
        {
            return "empty";
        }

        try
        {
            using IPackedFile? archive = _open(_file.Write(input, "input.zip"));
            return archive is null ? "other" : string.Join(' ', archive.Members.Take(20).Select(m => Unpack(archive, m)).Append($"{archive.Members.Count}"));
        }
        catch (Exception error) when (error is IOException or InvalidDataException or NotSupportedException)
        {
            return error.Message;
        }
    }

    public void Dispose() => _file.Dispose();

    private static string Unpack(IPackedFile archive, ArchiveMember member)
    {
        if (member.IsEncrypted)
        {
            return "encrypted";
        }

        try
        {
            using BoundedStream content = new(archive.Open(member), MostUnpacked, CancellationToken.None);
            DumpIdentity.OfStream(content, out long size);
            Oracle.Holds(size <= MostUnpacked, $"{size} bytes came, and {MostUnpacked} are allowed");
            return archive.FlawOf(member, size, content.Checksum) is { } flaw ? Oracle.IsSentence(flaw.Text) : "whole";
        }
        catch (Exception error) when (error is IOException or InvalidDataException or NotSupportedException or RefusedMemberException)
        {
            return error.Message;
        }
    }
}
