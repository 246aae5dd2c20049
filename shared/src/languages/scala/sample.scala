package cats
package data

import cats.kernel.{Eq, Order}

/** A chain. */
sealed abstract class Chain[A](size: Int) extends Base {
  val name = "a"
  type Out = Int

  /** First element. */
  def head: Option[A] = {
    val local = 1
    None
  }

  // after head
  def tail: Chain[A]
}

object Chain {
  implicit def order[A]: Order[A] = ???
}

trait Monad[F[_]] {
  def flatMap[A](fa: F[A]): F[A]
}

enum Color { case Red, Green }
