using System.Security.Cryptography;
using Dump.Fetching.Packages;
using Dump.Fetching.Signatures;

namespace Dump.Fetching.Tests.Packages;

/// <summary>Signatures by certificates of the test's own, each with one thing wrong.</summary>
public sealed class AuthorSignatureTests
{
    [Fact]
    public void Signature_with_all_that_it_needs_gives_the_hash()
    {
        using SignatureMaker maker = new();
        SignedHash hash = AuthorSignature.Check(maker.Sign(), maker.Author);
        Assert.Equal(ObjectIdentifiers.Sha256, hash.Algorithm);
        Assert.Equal(SHA256.HashData(SignatureMaker.Package), hash.Value);
    }

    [Fact]
    public void Certificate_of_another_root_does_not_count()
    {
        using SignatureMaker maker = new();
        using SignatureMaker other = new();
        Refused("leads to none of the roots", maker.Sign(), other.Author);
        Refused("certificate of its author leads to none of the roots", maker.Sign(), maker.Author with { SigningRoots = other.Author.SigningRoots });
        Refused("certificate of its time stamp leads to none of the roots", maker.Sign(), maker.Author with { TimestampRoots = other.Author.TimestampRoots });
    }

    [Theory]
    [InlineData("CN=Somebody Else, O=Author, C=XX")]
    [InlineData("CN=Author, O=Author, OU=More, C=XX")]
    [InlineData("CN=Author, C=XX")]
    public void Certificate_of_another_subject_does_not_count(string subject)
    {
        using SignatureMaker maker = new() { Subject = subject };
        Refused("it is signed by", maker);
    }

    [Fact]
    public void Repository_is_no_author()
    {
        using SignatureMaker maker = new() { Commitment = "1.2.840.113549.1.9.16.6.2" };
        Refused("signed by a repository alone", maker);
    }

    [Fact]
    public void Commitment_must_be_there()
    {
        using SignatureMaker maker = new() { Commitment = null };
        Refused("says nothing of what its signer commits to", maker);
    }

    [Fact]
    public void Certificate_must_be_named_by_the_signature()
    {
        using SignatureMaker maker = new() { NamesCertificate = false };
        Refused("names another certificate", maker);
    }

    [Fact]
    public void Certificate_must_be_made_for_signing_code()
    {
        using SignatureMaker maker = new() { Usage = ObjectIdentifiers.TimeStamping };
        Refused("certificate of its author is not made for that", maker);
    }

    [Fact]
    public void Certificate_of_the_time_stamp_must_be_made_for_that()
    {
        using SignatureMaker maker = new() { ServiceUsage = ObjectIdentifiers.CodeSigning };
        Refused("time stamp", maker);
    }

    [Fact]
    public void Time_stamp_must_be_there()
    {
        using SignatureMaker maker = new() { Stamped = null };
        Refused("no time stamp", maker);
    }

    [Fact]
    public void Time_stamp_must_be_of_this_signature()
    {
        using SignatureMaker maker = new() { StampsSomethingElse = true };
        Refused("time stamp is not that of its signature", maker);
    }

    [Theory]
    [InlineData(-400)]
    [InlineData(400)]
    public void Certificate_must_have_been_valid_when_it_signed(int days)
    {
        using SignatureMaker maker = new() { Stamped = SignatureMaker.Moment.AddDays(days) };
        Refused("signed when its author's certificate was not valid", maker);
    }

    [Fact]
    public void Changed_signature_does_not_count()
    {
        using SignatureMaker maker = new();
        byte[] signature = maker.Sign();
        int hash = signature.AsSpan().IndexOf("-Hash:"u8);
        signature[hash + 8] = signature[hash + 8] == 'A' ? (byte)'B' : (byte)'A';
        Refused("its signature is not valid", signature, maker.Author);
    }

    [Theory]
    [InlineData("Version:2\n\n2.16.840.1.101.3.4.2.1-Hash:AAAA\n\n")]
    [InlineData("Version:1\n\n2.16.840.1.101.3.4.2.1-Hash:AAAA\n\n")]
    [InlineData("Version:1\n\n1.3.14.3.2.26-Hash:AAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n")]
    [InlineData("\n")]
    public void Other_texts_are_no_hash(string text)
    {
        using SignatureMaker maker = new() { Text = text };
        Refused("in a form that this version does not know", maker);
    }

    [Fact]
    public void Bytes_that_are_no_signature_are_refused()
    {
        using SignatureMaker maker = new();
        Refused("its signature is not valid", new byte[100], maker.Author);
        Refused("its signature is not valid", [], maker.Author);
    }

    private static void Refused(string reason, SignatureMaker maker) => Refused(reason, maker.Sign(), maker.Author);

    private static void Refused(string reason, byte[] signature, TrustedAuthor author) =>
        Assert.Contains(reason, Assert.Throws<UnverifiedException>(() => AuthorSignature.Check(signature, author)).Message, StringComparison.Ordinal);
}
