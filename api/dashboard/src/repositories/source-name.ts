import type { RepositorySource } from "@/api/types";

/** The name that people would give it: the last part of the address, without `.git`. */
export function nameOfSource(source: RepositorySource): string {
  const address = source.kind === "git" ? source.url : source.path;
  const path = address.replace(/[?#].*$/, "").replace(/[/\\]+$/, "").replace(/[/\\]\.git$/, "");
  return path.split(/[/\\:]/).at(-1)?.replace(/\.git$/, "") ?? "";
}
