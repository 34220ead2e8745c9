using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Dump.Model.Text;
using Dump.Reports.Html.Elements;

namespace Dump.Reports.Html;

/// <summary>
/// Data that a page carries for its script. A block of data is no script; its text is written so that it can end neither the block nor a string.
/// </summary>
internal static class PageData
{
    /// <summary>Writes rows of texts as a block.</summary>
    /// <param name="page">Where to write.</param>
    /// <param name="id">Identifier of the block.</param>
    /// <param name="rows">Rows; texts may hold anything.</param>
    public static void Write(HtmlWriter page, string id, IEnumerable<string[]> rows)
    {
        // The default encoder writes <, >, &, ' and everything outside of printable ASCII as escape sequences.
        using MemoryStream bytes = new();
        using (Utf8JsonWriter json = new(bytes, new JsonWriterOptions { Encoder = JavaScriptEncoder.Default }))
        {
            json.WriteStartArray();
            foreach (string[] row in rows)
            {
                json.WriteStartArray();
                foreach (string text in row)
                {
                    json.WriteStringValue(SafeText.Clean(text));
                }

                json.WriteEndArray();
            }

            json.WriteEndArray();
        }

        page.Start("script", ("type", "application/json"), ("id", id)).Constant(Encoding.UTF8.GetString(bytes.ToArray())).End("script");
    }
}
