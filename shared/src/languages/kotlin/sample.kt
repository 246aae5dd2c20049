package a.b

import x.y.Z

const val LIMIT = 3

/** Keeps values. */
@Stable
public abstract class Cache<T>(val size: Int) : Base() {
    companion object {
        const val DEFAULT = 1
    }

    val name: String get() = "a"

    constructor(x: String) : this(1)

    suspend fun load(key: Int): Int {
        val local = 1
        return local
    }
}

fun <T> List<T>.second(): T = this[1]

interface Store {
    fun load()
}

object Registry
enum class State { OPEN, CLOSED }
typealias Callback = () -> Unit
