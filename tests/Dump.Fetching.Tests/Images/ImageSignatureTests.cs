using System.Buffers.Binary;
using System.Text;
using System.Text.RegularExpressions;
using Dump.Fetching.Signatures;
using Dump.Fetching.Tests.Packages;

namespace Dump.Fetching.Tests.Images;

/// <summary>Images signed by certificates of the test's own, each with one thing wrong.</summary>
public sealed class ImageSignatureTests : IDisposable
{
    private static readonly byte[] s_image = File.ReadAllBytes(typeof(ImageSignatureTests).Assembly.Location);
    private static readonly int s_optional = BitConverter.ToInt32(s_image, 0x3C) + 24;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dump-images-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void Image_with_all_that_it_needs_counts()
    {
        using SignatureMaker maker = new();
        Check(maker.SignImage(s_image), maker.Author);
    }

    [Fact]
    public void Image_without_a_signature_does_not_count() => Refused("it is not signed", s_image, TrustedAuthor.MicrosoftDataAccess);

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(63)]
    [InlineData(4_000)]
    public void What_is_no_image_does_not_count(int size)
    {
        Refused("it is no image", s_image[..size] is { Length: 4_000 } head ? [0, .. head] : s_image[..size], TrustedAuthor.MicrosoftDataAccess);
    }

    [Fact]
    public void Changed_image_does_not_count()
    {
        using SignatureMaker maker = new();
        byte[] signed = maker.SignImage(s_image);
        int[] places =
        [
            2, s_optional - 16, s_optional + 62, s_optional + 68, s_optional + 96 + 3 * 8, s_optional + 96 + 5 * 8, s_image.Length / 2, s_image.Length - 1,
        ];
        foreach (int place in places)
        {
            byte[] changed = [.. signed];
            changed[place] ^= 1;
            Refused("its content is not what was signed", changed, maker.Author);
        }
    }

    /// <summary>The loader of Windows checks the sum of drivers only; tools write it after signing.</summary>
    [Fact]
    public void Checksum_is_not_signed()
    {
        using SignatureMaker maker = new();
        byte[] signed = maker.SignImage(s_image);
        signed[s_optional + 64] ^= 1;
        Check(signed, maker.Author);
    }

    [Fact]
    public void Bytes_behind_the_signature_do_not_count()
    {
        using SignatureMaker maker = new();
        byte[] signed = maker.SignImage(s_image);
        Refused("its signature does not end the file", [.. signed, 1, 2, 3, 4, 5, 6, 7, 8], maker.Author);
        Refused("its signature does not end the file", signed[..^8], maker.Author);

        // Within the table, behind the signature.
        byte[] longer = [.. signed, .. new byte[16]];
        BitConverter.GetBytes(BitConverter.ToInt32(longer, s_optional + 96 + 4 * 8 + 4) + 16).CopyTo(longer, s_optional + 96 + 4 * 8 + 4);
        Refused("it has several signatures, or none of a known kind", longer, maker.Author);
    }

    /// <summary>A table that begins within the image would leave the rest of it out of the hash.</summary>
    [Fact]
    public void Table_over_the_image_does_not_count()
    {
        using SignatureMaker maker = new();
        byte[] signed = maker.SignImage(s_image);
        BitConverter.GetBytes(64).CopyTo(signed, s_optional + 96 + 4 * 8);
        BitConverter.GetBytes(signed.Length - 64).CopyTo(signed, s_optional + 96 + 4 * 8 + 4);
        Refused("its signature does not end the file", signed, maker.Author);
    }

    [Theory]
    [InlineData("CN=Somebody Else, O=Author, C=XX", "it is signed by Somebody Else, and only Author count here")]
    [InlineData("CN=Author, O=Author, OU=More, C=XX", "it is signed by Author, and only Author count here")]
    public void Image_of_another_author_does_not_count(string subject, string reason)
    {
        using SignatureMaker maker = new() { Subject = subject };
        Refused(reason, maker.SignImage(s_image), maker.Author);
    }

    [Fact]
    public void Certificate_of_another_root_does_not_count()
    {
        using SignatureMaker maker = new();
        using SignatureMaker other = new();
        byte[] signed = maker.SignImage(s_image);
        Refused("certificate of its author leads to none of the roots", signed, maker.Author with { SigningRoots = other.Author.SigningRoots });
        Refused("certificate of its time stamp leads to none of the roots", signed, maker.Author with { TimestampRoots = other.Author.TimestampRoots });

        // Microsoft's root is at hand, but nothing leads to it.
        Refused("leads to none of the roots", signed, maker.Author with { SigningRoots = TrustedAuthor.MicrosoftDataAccess.SigningRoots });
    }

    [Fact]
    public void Certificate_must_be_made_for_what_the_author_signs()
    {
        using SignatureMaker maker = new();
        Refused("is not made for that", maker.SignImage(s_image), maker.Author with { Usage = ObjectIdentifiers.DataAccessLibrary });
        using SignatureMaker other = new() { Usage = "1.3.6.1.5.5.7.3.1" };
        Refused("is not made for that", other.SignImage(s_image), other.Author);
    }

    [Fact]
    public void Time_stamp_must_be_that_of_the_signature_and_of_the_right_time()
    {
        using SignatureMaker none = new() { Stamped = null };
        Refused("has no time stamp", none.SignImage(s_image), none.Author);
        using SignatureMaker another = new() { StampsSomethingElse = true };
        Refused("time stamp is not that of its signature", another.SignImage(s_image), another.Author);
        using SignatureMaker late = new() { Stamped = SignatureMaker.Moment.AddDays(400) };
        Refused("when its author's certificate was not valid", late.SignImage(s_image), late.Author);
    }

    /// <summary>No moment comes behind it.</summary>
    [Fact]
    public void Time_stamp_at_the_end_of_time_does_not_count()
    {
        using SignatureMaker maker = new() { Stamped = SignatureMaker.Last, Accuracy = 5_000_000 };
        Refused("when its author's certificate was not valid", maker.SignImage(s_image), maker.Author);
    }

    [Fact]
    public void Signature_must_be_about_an_image_and_have_a_strong_hash()
    {
        using SignatureMaker other = new() { Signed = "1.3.6.1.4.1.311.2.1.30" };
        Refused("none of an image", other.SignImage(s_image), other.Author);
        using SignatureMaker weak = new() { Hash = "1.3.14.3.2.26" };
        Refused("or has a weak hash", weak.SignImage(s_image), weak.Author);
    }

    /// <summary>
    /// Whatever the bytes of the signature are, it is refused, and in no other way; but for those that nothing rests on. Each place that was found to pass was
    /// looked at, and belongs to one of the structures of <see cref="Unused"/>.
    /// </summary>
    [Fact]
    public void Damaged_signature_is_refused()
    {
        using SignatureMaker maker = new();
        byte[] signed = maker.SignImage(s_image);
        int table = BitConverter.ToInt32(signed, s_optional + 96 + 4 * 8);
        (int Start, int Length)[] unused = [.. Unused(signed, table, maker.Root)];
        Assert.Equal(6, unused.Length);
        List<int> passed = [];
        for (int place = table; place < signed.Length; place += 7)
        {
            byte[] changed = [.. signed];
            changed[place] ^= 0x55;
            if (Refusal(changed, maker.Author) is null)
            {
                passed.Add(place);
            }
        }

        Assert.Empty(passed.Where(p => !unused.Any(u => p >= u.Start && p < u.Start + u.Length)).Select(p => p - table));
        Assert.True(passed.Count < (signed.Length - table) / 7 / 4, $"{passed.Count} pass");
    }

    /// <summary>
    /// Bytes of a signature that are not needed to tell whose it is: versions of structures, the list of hashes that signed data begin with, a hint for whoever reads
    /// them as a stream (RFC 5652 5.1), both in the signature and in its time stamp; the second copy of the root, in the time stamp, because that of the signature
    /// serves both; and the bytes that fill up the table.
    /// </summary>
    private static IEnumerable<(int Start, int Length)> Unused(byte[] signed, int table, byte[] root)
    {
        const string VersionAndHashes = "\x02\x01\x03\x31\x0D\x30\x0B\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01";
        const int VersionLength = 3;
        string text = Encoding.Latin1.GetString(signed, table, signed.Length - table);
        foreach (Match match in Regex.Matches(text, VersionAndHashes, RegexOptions.Singleline, TimeSpan.FromMinutes(1)))
        {
            yield return (table + match.Index, match.Length);
        }

        // The version of a signer, before the issuer of its certificate, which is the root.
        foreach (Match match in Regex.Matches(text, "\x02\x01\x01\x30.\x30\x34\x31\x32", RegexOptions.Singleline, TimeSpan.FromMinutes(1)))
        {
            yield return (table + match.Index, VersionLength);
        }

        yield return (signed.AsSpan().LastIndexOf(root), root.Length);
        int end = table + 8 + 4 + BinaryPrimitives.ReadUInt16BigEndian(signed.AsSpan(table + 8 + 2));
        yield return (end, signed.Length - end);
    }

    private void Refused(string reason, byte[] image, TrustedAuthor author) => Assert.Contains(reason, Refusal(image, author), StringComparison.Ordinal);

    private string? Refusal(byte[] image, TrustedAuthor author)
    {
        try
        {
            Check(image, author);
            return null;
        }
        catch (UnverifiedException error)
        {
            return error.Message;
        }
    }

    private void Check(byte[] image, TrustedAuthor author)
    {
        string path = Path.Combine(_folder.FullName, "image.dll");
        File.WriteAllBytes(path, image);
        ImageSignature.Check(path, author);
    }
}
