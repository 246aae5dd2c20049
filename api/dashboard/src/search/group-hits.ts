import type { SearchHit } from "@/api/types";

export interface FileHits {
  key: string;
  hits: SearchHit[];
  first: SearchHit;
}

/** Hits of one file together, files in the order of their best hit. */
export function groupByFile(hits: SearchHit[]): FileHits[] {
  const files = new Map<string, FileHits>();
  for (const hit of hits) {
    const key = `${hit.repository_id}\0${hit.branch}\0${hit.path}`;
    const file = files.get(key);
    if (file) file.hits.push(hit);
    else files.set(key, { key, hits: [hit], first: hit });
  }
  return [...files.values()];
}
