using System.Collections.Immutable;
using System.Security.Cryptography;
using System.Text;
using Dump.Model.Text;
using Dump.Readers.Files;

namespace Dump.Readers.Symbols.Portable;

/// <summary>
/// The checksum of a module's portable PDB, from an entry of its debug directory (PE-COFF.md, "PDB Checksum Debug Directory Entry"): over all bytes of the
/// file, with zeros in place of its id.
/// </summary>
/// <param name="Algorithm">Name of the hash, as the module has it; not cleaned.</param>
/// <param name="Value">The checksum.</param>
internal sealed record PdbChecksum(string Algorithm, ImmutableArray<byte> Value)
{
    /// <summary>Reads the data of an entry; null when they are none.</summary>
    public static PdbChecksum? Parse(ReadOnlySpan<byte> data) =>
        data.IndexOf((byte)0) is > 0 and var end && end + 1 < data.Length
            ? new PdbChecksum(Encoding.UTF8.GetString(data[..end]), [.. data[(end + 1)..]])
            : null;

    /// <summary>Why a file is not the PDB that a module names, by its id and its checksums, as a clause; null when it is.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="identity">Which file the module asks for.</param>
    /// <param name="checksums">All that the module has. One of a hash that is not known decides nothing beside one that is.</param>
    public static string? Problem(string path, PortablePdbIdentity identity, ImmutableArray<PdbChecksum> checksums)
    {
        if (PortablePdb.Open(path, identity, out string? reason) is not { } pdb)
        {
            return reason;
        }

        if (checksums.IsEmpty)
        {
            return null;
        }

        try
        {
            byte[] bytes = File.ReadAllBytes(path);
            bytes.AsSpan(pdb.IdOffset, PortablePdbLayout.IdSize).Clear();
            bool?[] fits = [.. checksums.Select(c => c.Fits(bytes))];
            return fits.Contains(false) ? "its content has another checksum than the module names"
                : fits.Contains(true) ? null
                : $"its checksum is of a kind that is not known here ({SafeText.Clean(checksums[0].Algorithm, 64)})";
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return "it cannot be read";
        }
    }

    /// <summary>Whether bytes have this checksum; null when its hash is not known here.</summary>
    private bool? Fits(ReadOnlySpan<byte> bytes) => Algorithm switch
    {
        "SHA256" => Sha256.HashData(bytes).AsSpan().SequenceEqual(Value.AsSpan()),
        _ when SystemCryptography.Unavailable is not null => null,
        "SHA384" => SHA384.HashData(bytes).AsSpan().SequenceEqual(Value.AsSpan()),
        "SHA512" => SHA512.HashData(bytes).AsSpan().SequenceEqual(Value.AsSpan()),
        _ => null,
    };
}
