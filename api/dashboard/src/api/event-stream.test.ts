import { describe, expect, it } from "vitest";
import { readEvents, type ServerEvent } from "./event-stream";

function streamOf(chunks: Uint8Array[]) {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function read(chunks: Uint8Array[]) {
  const events: ServerEvent[] = [];
  for await (const event of readEvents(streamOf(chunks))) events.push(event);
  return events;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const stream = ': keep-alive\n\nevent: progress\ndata: {"name":"größe 🦀"}\n\nevent: done\ndata: one\ndata: two\n\n';
const events = [
  { event: "progress", data: '{"name":"größe 🦀"}' },
  { event: "done", data: "one\ntwo" },
];

describe("readEvents", () => {
  it("reads events and skips comments", async () => {
    expect(await read([bytes(stream)])).toEqual(events);
  });

  it("does not care where chunks end, not even inside a character", async () => {
    const whole = bytes(stream);
    for (let cut = 1; cut < whole.length; cut += 1) {
      expect(await read([whole.slice(0, cut), whole.slice(cut)])).toEqual(events);
    }
  });

  it("reads one byte at a time, with any line ending", async () => {
    for (const ending of ["\n", "\r\n", "\r"]) {
      const whole = bytes(stream.replaceAll("\n", ending));
      expect(await read([...whole].map((byte) => Uint8Array.of(byte)))).toEqual(events);
    }
  });

  it("drops an event that was cut off", async () => {
    expect(await read([bytes("event: progress\ndata: half")])).toEqual([]);
  });

  it("calls an event without a name a message", async () => {
    expect(await read([bytes("data:x\n\n")])).toEqual([{ event: "message", data: "x" }]);
  });

  it("cancels the stream when the reader stops early", async () => {
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes("data: x\n\n")),
      cancel: () => void (cancelled = true),
    });
    for await (const event of readEvents(endless)) if (event.data === "x") break;
    expect(cancelled).toBe(true);
  });
});
