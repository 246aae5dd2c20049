using System;
using Alias = System.Collections;

namespace A.B
{
    /// <summary>Maps rows.</summary>
    [Serializable]
    public static partial class Mapper<T> : Base where T : class
    {
        private const int MAX = 1;
        private int _count = 1;
        public int Count { get; set; }
        public event EventHandler Changed;
        public Mapper(int size) { }
        public async Task<int> Query(string sql) => 1;
        public static Mapper<T> operator +(Mapper<T> a) => a;
        public int this[int i] => 1;
    }

    public record Row(int X);
    public struct Pair { }
    public interface IStore { void Load(); }
    public enum State { Open, Closed }
    public delegate int Callback(int x);
}
