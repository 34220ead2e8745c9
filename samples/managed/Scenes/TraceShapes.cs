namespace Dump.Samples.Managed.Scenes;

/// <summary>More methods in which a thread of <see cref="TraceScenes"/> stands: generic ones, and those that the compiler makes and nobody has written.</summary>
internal static class TraceShapes
{
    private delegate int Converter<in T>(T value);

    private interface IShape
    {
        int Area(Stage stage, int position)
        {
            TraceScenes.Next(stage, position);
            return position;
        }
    }

    /// <summary>One step for each shape.</summary>
    public static Action<Stage, int>[] Steps =>
    [
        NestedGeneric, GenericOfStructs, InterfaceDefault, Indexer, Operator, Conversion, Subscribe, Dispose, LocalInLambda, LambdaInGeneric, StartValue,
        AsyncLocal, ExtensionMethod, VirtualGeneric,
    ];

    private static void NestedGeneric(Stage stage, int position) => new Outer<string>.Inner<int>(stage).Go(position, "text");

    private static void GenericOfStructs(Stage stage, int position)
    {
        Pair<long, Guid> pair = new(stage);
        stage.Keep(pair.Swap(
            position));
    }

    private static void InterfaceDefault(Stage stage, int position)
    {
        IShape shape = new Square();
        stage.Keep(shape.Area(stage, position));
    }

    private static void Indexer(Stage stage, int position)
    {
        Outer<int> outer = new(stage);
        outer[position]++;
    }

    private static void Operator(Stage stage, int position)
    {
        Number one = new(stage, position), two = new(stage, position);
        stage.Keep(one
            + two);
    }

    private static void Conversion(Stage stage, int position)
    {
        int plain = new Number(stage, position);
        stage.Keep(plain);
    }

    private static void Subscribe(Stage stage, int position)
    {
        Source source = new();
        source.Raised += (_, number) => TraceScenes.Next(stage, number);
        source.Raise(position);
    }

    private static void Dispose(Stage stage, int position)
    {
        using Ending ending = new(stage, position);
        stage.Keep(position);
    }

    private static void LocalInLambda(Stage stage, int position)
    {
        Func<int, int> outer = number =>
        {
            return Twice(number) / 2;

            int Twice(int value)
            {
                TraceScenes.Next(stage, position);
                return value * 2;
            }
        };
        stage.Keep(outer(position));
    }

    private static void LambdaInGeneric(Stage stage, int position) => stage.Keep(Convert(stage, position, "text"));

    private static int Convert<T>(Stage stage, int position, T value)
        where T : class
    {
        Converter<T> converter = kept =>
        {
            stage.Keep(kept);
            TraceScenes.Next(stage, position);
            return kept.GetHashCode();
        };
        return converter(value);
    }

    private static void StartValue(Stage stage, int position)
    {
        ValueTask<int> task = ValueAsync(stage, position);
        stage.Keep(task.AsTask());
    }

    private static async ValueTask<int> ValueAsync(Stage stage, int position)
    {
        if (position < 0)
        {
            await Task.Yield();
        }

        TraceScenes.Next(stage, position);
        return position;
    }

    private static void AsyncLocal(Stage stage, int position)
    {
        stage.Keep(RunAsync("text"));

        async Task RunAsync(string text)
        {
            await Task.CompletedTask;
            stage.Keep(text);
            TraceScenes.Next(stage, position);
        }
    }

    private static void ExtensionMethod(Stage stage, int position) => stage.Keep(stage.Extended(position));

    private static int Extended(this Stage stage, int position)
    {
        TraceScenes.Next(stage, position); stage.Keep(position);
        return position;
    }

    private static void VirtualGeneric(Stage stage, int position)
    {
        Base shape = new Derived();
        stage.Keep(shape.Make(stage, position, 1.5));
        stage.Keep(shape);
    }

    private sealed class Outer<T>(Stage stage)
    {
        public int this[int position]
        {
            get
            {
                TraceScenes.Next(stage, position);
                return position;
            }
            set => stage.Keep(value);
        }

        public sealed class Inner<TOther>(Stage stage)
        {
            public void Go<TThird>(int position, TThird third)
            {
                stage.Keep((typeof(T), typeof(TOther), third));
                TraceScenes.Next(stage, position);
            }
        }
    }

    private readonly struct Pair<TFirst, TSecond>(Stage stage)
        where TFirst : struct
        where TSecond : struct
    {
        public Type Swap(int position)
        {
            TraceScenes.Next(stage, position);
            return position < 0 ? typeof(TFirst) : typeof(TSecond);
        }
    }

    private sealed class Square : IShape;

    private sealed class Source
    {
        public event EventHandler<int>? Raised;

        public void Raise(int number)
        {
            Raised?.Invoke(this, number);
        }
    }

    private sealed class Ending(Stage stage, int position) : IDisposable
    {
        public void Dispose() => TraceScenes.Next(stage, position);
    }

    private class Base
    {
        public virtual T? Make<T>(Stage stage, int position, T value) => default;
    }

    private sealed class Derived : Base
    {
        public override T Make<T>(Stage stage, int position, T value)
        {
            TraceScenes.Next(stage, position);
            return value;
        }
    }

    private readonly struct Number(Stage stage, int position)
    {
        private Stage Stage { get; } = stage;

        private int Position { get; } = position;

        public static implicit operator int(Number number)
        {
            TraceScenes.Next(number.Stage, number.Position);
            return number.Position;
        }

        public static Number operator +(Number left, Number right)
        {
            TraceScenes.Next(left.Stage, left.Position);
            return right;
        }
    }
}
