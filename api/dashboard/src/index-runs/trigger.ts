import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { IndexRunResponse } from "@/api/types";

export const TRIGGERS: Record<IndexRunResponse["trigger"], MessageDescriptor> = {
  added: msg`repository added`,
  manual: msg`by hand`,
  schedule: msg`schedule`,
  webhook: msg`push`,
};
