// Reads server-sent events from a fetch body. `EventSource` cannot send the bearer header.

export interface ServerEvent {
  event: string;
  data: string;
}

/** Yields the events of a stream; comments are skipped, and a chunk may end anywhere, even inside a character. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let pending = "";
  let fields = emptyFields();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      pending += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const { lines, rest } = splitLines(pending, done);
      pending = rest;
      for (const line of lines) {
        if (line === "") {
          if (fields.data.length > 0) yield { event: fields.event, data: fields.data.join("\n") };
          fields = emptyFields();
        } else {
          readField(line, fields);
        }
      }
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

interface Fields {
  event: string;
  data: string[];
}

function emptyFields(): Fields {
  return { event: "message", data: [] };
}

/** Complete lines, and what is left. A final `\r` is left too: its `\n` may be in the next chunk. */
function splitLines(text: string, done: boolean) {
  const held = !done && text.endsWith("\r") ? 1 : 0;
  const lines = text.slice(0, text.length - held).split(/\r\n|\n|\r/);
  const rest = (lines.pop() ?? "") + text.slice(text.length - held);
  return { lines, rest };
}

function readField(line: string, fields: Fields) {
  if (line.startsWith(":")) return;
  const colon = line.indexOf(":");
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
  if (name === "event") fields.event = value;
  if (name === "data") fields.data.push(value);
}
