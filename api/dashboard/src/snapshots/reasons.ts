// Why a file is not indexed, as people say it. Unknown reasons are shown as the server names them.
import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

const REASONS: Record<string, MessageDescriptor> = {
  dependency: msg`inside a folder of dependencies`,
  build_output: msg`build output`,
  binary: msg`binary file`,
  minified: msg`minified file`,
  too_large: msg`over the size limit`,
  too_many_lines: msg`too many lines`,
  secret: msg`may hold a secret`,
  encoding: msg`unknown text encoding`,
  symlink: msg`symbolic link`,
  submodule: msg`submodule`,
  lfs_pointer: msg`Git LFS pointer`,
  lock_file: msg`lock file of a package manager`,
  empty: msg`empty file`,
  unreadable: msg`could not be read`,
  limit_reached: msg`processing ran into a limit`,
};

export function reasonLabel(reason: string, translate: (message: MessageDescriptor) => string): string {
  const known = REASONS[reason];
  return known ? translate(known) : reason.replaceAll("_", " ");
}
