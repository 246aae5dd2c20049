import { useLingui } from "@lingui/react/macro";
import { Page } from "@/components/Page";

export function ApiDocsPage() {
  const { t } = useLingui();
  return <Page title={t`API`}>{null}</Page>;
}
