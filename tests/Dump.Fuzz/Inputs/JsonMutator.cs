using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Dump.Fuzz.Inputs;

/// <summary>
/// Damages JSON documents: members go, come twice, are of another kind, too many, too deep or of another document; names and texts are no text at all.
/// </summary>
internal sealed class JsonMutator
{
    // Written as it stands, then replaced: no serializer writes half of a character.
    private const string HalfMark = "half-of-a-character";
    private const string NumberMark = "\"a-number-without-end\"";
    private const int MostChanges = 4;
    private const int MostElements = 2_000;
    private static readonly string[] s_texts =
        ["", "\u001b[31m", "\u202ename", HalfMark, "0x7fffffffffffffff", "-1", "NaN", "2026-13-45T99:99:99Z", "..\\..\\a", "<b>"];
    private readonly Sample[] _samples;
    private readonly JsonNode[] _documents;

    public JsonMutator(params IReadOnlyList<(string Name, string Text)> documents)
    {
        _samples = [.. documents.Select(d => Sample.Of(d.Name, Encoding.UTF8.GetBytes(d.Text)))];
        _documents = [.. documents.Select(d => JsonNode.Parse(d.Text)!)];
    }

    /// <summary>A damaged document; one in six is damaged as bytes.</summary>
    public byte[] Damage(Random random)
    {
        if (random.Next(6) == 0)
        {
            return ByteMutator.Damage(_samples, random);
        }

        JsonNode document = _documents[random.Next(_documents.Length)].DeepClone();
        for (int changes = random.Next(3) > 0 ? 1 : 1 + random.Next(MostChanges); changes > 0; changes--)
        {
            Change(document, random);
        }

        string text = document.ToJsonString().Replace(HalfMark, "\\ud800", StringComparison.Ordinal)
            .Replace(NumberMark, random.Next(2) == 0 ? "1e999" : "123456789012345678901234567890", StringComparison.Ordinal);
        return Encoding.UTF8.GetBytes(random.Next(20) == 0 ? Deep(text, random) : text);
    }

    private void Change(JsonNode document, Random random)
    {
        JsonNode place = Any(document, random);
        if (place is JsonValue plain && random.Next(2) == 0)
        {
            // Another value of the same kind, which a strict reader takes.
            Put(place, Like(plain, random));
            return;
        }

        switch (random.Next(8))
        {
            case 0:
                Put(place, null);
                break;
            case 1:
                Put(place, Value(random));
                break;
            case 2 when place.Parent is JsonObject members:
                members.Remove(place.GetPropertyName());
                break;
            case 3 when place is JsonArray list && list.Count > 0:
                JsonNode? element = list[random.Next(list.Count)];
                for (int i = random.Next(1 << random.Next(1, 7)); i > 0 && list.Count < MostElements; i--)
                {
                    list.Add(element?.DeepClone());
                }

                break;
            case 4:
                Put(place, Any(_documents[random.Next(_documents.Length)], random).DeepClone());
                break;
            case 5 when place is JsonObject group:
                group[s_texts[random.Next(s_texts.Length)]] = Value(random);
                break;
            case 6 when place is JsonValue value && value.TryGetValue(out string? text):
                int cut = random.Next(text.Length + 1);
                Put(place, text[..cut] + s_texts[random.Next(s_texts.Length)] + text[cut..]);
                break;
            default:
                Put(place, random.Next(2) == 0 ? new JsonArray((JsonNode?)null) : new JsonObject());
                break;
        }
    }

    private static JsonNode? Like(JsonValue value, Random random) => value.GetValueKind() switch
    {
        JsonValueKind.String when random.Next(3) == 0 => new string('x', 1 << random.Next(14)),
        JsonValueKind.String => s_texts[random.Next(s_texts.Length)],
        JsonValueKind.Number => random.Next(4) switch
        {
            0 => 0,
            1 => uint.MaxValue,
            2 => random.NextInt64(long.MinValue, long.MaxValue),
            _ => random.Next(20),
        },
        _ => random.Next(2) == 0,
    };

    private static JsonNode? Value(Random random) => random.Next(9) switch
    {
        0 => null,
        1 => true,
        2 => random.Next(-2, 3),
        3 => random.NextInt64(long.MinValue, long.MaxValue),
        4 => 1.5,
        5 => new JsonArray(),
        6 => JsonValue.Create(NumberMark.Trim('"')),
        7 => new string('x', 1 << random.Next(16)),
        _ => s_texts[random.Next(s_texts.Length)],
    };

    /// <summary>Any node, near the root as likely as far from it.</summary>
    private static JsonNode Any(JsonNode document, Random random)
    {
        JsonNode node = document;
        while (random.Next(5) > 0)
        {
            JsonNode? next = node switch
            {
                JsonObject { Count: > 0 } members => members.GetAt(random.Next(members.Count)).Value,
                JsonArray { Count: > 0 } list => list[random.Next(list.Count)],
                _ => null,
            };
            if (next is null)
            {
                break;
            }

            node = next;
        }

        return node;
    }

    private static void Put(JsonNode place, JsonNode? value)
    {
        if (place.Parent is JsonArray list)
        {
            list[place.GetElementIndex()] = value;
        }
        else if (place.Parent is JsonObject members)
        {
            members[place.GetPropertyName()] = value;
        }
    }

    /// <summary>A document that is nested deeply somewhere.</summary>
    private static string Deep(string text, Random random)
    {
        int depth = 1 << random.Next(4, 15), at = text.IndexOf(':', random.Next(text.Length));
        return at < 0 ? new string('[', depth) : $"{text[..(at + 1)]}{new string('[', depth)}{new string(']', depth)}{text[(at + 1)..]}";
    }
}
