import type { FileResponse } from "@/api/types";
import { shortCommit } from "@/format/number";
import { formatLines, type LineRange } from "./address";

/** `service/src/auth/token.rs:12-20 @ 1a2b3c4`, then the lines: what people paste into a review. */
export function citationOf(file: FileResponse, lines: LineRange | null, address: string): string {
  const place = `${file.repository_name}/${file.path}${lines ? `:${formatLines(lines)}` : ""} @ ${shortCommit(file.commit)}`;
  if (!lines) return `${place}\n${address}`;
  const quoted = file.text.split("\n").slice(lines.start - file.start_line, lines.end - file.start_line + 1);
  return `${place}\n${address}\n\n\`\`\`${file.language ?? ""}\n${quoted.join("\n")}\n\`\`\``;
}
