using System.Security.Cryptography;
using Dump.Model.Text;

namespace Dump.Reports.Tests;

/// <summary>The program's own SHA-256 against the system's, in one piece, in several, and from a stream.</summary>
public sealed class Sha256Tests
{
    [Fact]
    public void Hashes_of_every_length_are_those_of_the_system()
    {
        Random random = new(1);
        for (int length = 0; length < 300; length++)
        {
            byte[] bytes = new byte[length];
            random.NextBytes(bytes);
            byte[] expected = SHA256.HashData(bytes);
            Assert.Equal(expected, Sha256.HashData(bytes));
            Sha256 pieces = new();
            for (int done = 0; done < length;)
            {
                int piece = Math.Min(random.Next(1, 100), length - done);
                pieces.Append(bytes.AsSpan(done, piece));
                done += piece;
            }

            Assert.Equal(expected, pieces.Finish());
        }
    }

    [Fact]
    public void A_stream_is_hashed_to_its_end()
    {
        byte[] bytes = new byte[1_000_003];
        new Random(2).NextBytes(bytes);
        using MemoryStream stream = new(bytes);
        Assert.Equal(SHA256.HashData(bytes), Sha256.HashData(stream));
    }
}
