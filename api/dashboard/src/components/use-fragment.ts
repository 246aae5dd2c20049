// The part of the address behind `#`, which browsers never send to a server: where links carry their secret.
import { useLocation } from "@tanstack/react-router";

export function useFragment() {
  return useLocation({ select: (location) => location.hash.replace(/^#/, "") });
}
