import { useRef } from "react";
import type { SearchHit } from "@/api/types";
import { useListKeys } from "@/components/use-list-keys";
import { FileHitsCard } from "./FileHitsCard";
import { groupByFile } from "./group-hits";

interface Props {
  hits: SearchHit[];
  selected: string | undefined;
  onSelect: (id: string) => void;
}

export function HitList({ hits, selected, onSelect }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useListKeys(list);
  return (
    <div ref={list}>
      {groupByFile(hits).map((file) => (
        <FileHitsCard key={file.key} file={file} selected={selected} onSelect={onSelect} />
      ))}
    </div>
  );
}
