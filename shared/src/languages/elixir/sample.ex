defmodule Plug.Conn do
  @moduledoc """
  The connection.
  """
  alias Plug.Conn.Query
  use GenServer

  @doc "Assigns."
  @spec assign(t, atom) :: t
  def assign(conn, key) when is_atom(key) do
    conn
  end

  def assign(conn, key), do: conn

  defp helper(x), do: x
  defmacro wrap(x) do
    x
  end

  def bare do
    1
  end
end

defimpl Inspect, for: Plug.Conn do
  def inspect(conn, _), do: conn
end

defprotocol Size do
  def size(x)
end
