using System.Collections.Immutable;

namespace Dump.Store.Schema;

/// <summary>
/// The tables of a store, the same in each database. A version that was released is never changed: what is new is a further step. The views, which people rely
/// on, stand in <c>docs/store.md</c>.
/// </summary>
internal static class StoreSchema
{
    /// <summary>The version that this program writes and reads.</summary>
    public static int Version => Steps[^1].Version;

    /// <summary>All steps, from an empty database on.</summary>
    public static ImmutableArray<SchemaStep> Steps { get; } =
    [
        new SchemaStep(1,
        [
            """
            CREATE TABLE stored_record (
                sequence {key},
                identity {text} NOT NULL UNIQUE,
                run {text},
                written {text} NOT NULL,
                outcome {text} NOT NULL,
                path {text} NOT NULL,
                member {text},
                size {number},
                reason {text},
                tool {text} NOT NULL,
                captured {text},
                day {text},
                process {text},
                machine {text},
                system {text},
                answer {text} NOT NULL,
                lacking {text} NOT NULL,
                bucket {text})
            """,
            "CREATE TABLE stored_document (sequence {number} NOT NULL PRIMARY KEY, packed {bytes} NOT NULL)",
            """
            CREATE TABLE stored_finding (
                sequence {number} NOT NULL,
                position {number} NOT NULL,
                detector {text} NOT NULL,
                title {text} NOT NULL,
                confidence {text} NOT NULL,
                PRIMARY KEY (sequence, position))
            """,
            """
            CREATE TABLE stored_module (
                module {key},
                name {text} NOT NULL,
                version {text} NOT NULL,
                build {text} NOT NULL,
                vendor {text} NOT NULL,
                system {text} NOT NULL,
                UNIQUE (name, version, build, vendor, system))
            """,
            "CREATE TABLE stored_load (sequence {number} NOT NULL, module {number} NOT NULL, PRIMARY KEY (sequence, module)){compact}",
            "CREATE TABLE stored_bucket (bucket {text} NOT NULL PRIMARY KEY, kind {text} NOT NULL, detector {text}, title {text}, signature {text} NOT NULL)",
            """
            CREATE TABLE stored_run (
                run {text} NOT NULL PRIMARY KEY,
                machine {text},
                inputs {text} NOT NULL,
                shard {text},
                started {text},
                ended {text},
                summary {bytes})
            """,
            "CREATE INDEX stored_record_bucket ON stored_record (bucket, answer, captured, identity)",
            "CREATE INDEX stored_record_machine ON stored_record (machine, answer, captured)",
            "CREATE INDEX stored_record_day ON stored_record (day, answer)",
            "CREATE INDEX stored_record_answer ON stored_record (answer, lacking)",
            "CREATE INDEX stored_load_module ON stored_load (module, sequence)",
            "CREATE INDEX stored_finding_detector ON stored_finding (detector, sequence)",
            .. StoreViews.Statements,
        ]),

        // What an overview of many records needs: modules counted up to a record, and what a bucket is asked for.
        new SchemaStep(2,
        [
            "CREATE TABLE stored_count (module {number} NOT NULL PRIMARY KEY, dumps {number} NOT NULL)",
            "CREATE TABLE stored_counted (sequence {number} NOT NULL PRIMARY KEY)",
            "CREATE INDEX stored_record_bucket_process ON stored_record (bucket, process)",
            "CREATE INDEX stored_record_bucket_machine ON stored_record (bucket, machine)",
        ]),
    ];

    /// <summary>The names of the tables of a version.</summary>
    public static IEnumerable<string> TablesOf(int version) => Steps.Where(s => s.Version <= version).SelectMany(s => s.Statements)
        .Where(s => s.StartsWith("CREATE TABLE ", StringComparison.Ordinal)).Select(s => s.Split([' ', '\n'], 4, StringSplitOptions.RemoveEmptyEntries)[2]);
}
