// Nothing of the shell is shown without a session; a reload gets it back through the refresh cookie.
import { redirect } from "@tanstack/react-router";
import type { Session } from "@/api/session";

export async function requireSession({ session }: { session: Session }, href: string) {
  if (session.accessToken) return;
  const restored = await session.refresh().catch(() => false);
  if (!restored) throw redirect({ to: "/login", search: href === "/" ? {} : { redirect: href } });
}
