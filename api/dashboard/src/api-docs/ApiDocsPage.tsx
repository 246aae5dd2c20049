// The OpenAPI document of this server, rendered by Swagger UI. Requests are tried out as the signed-in user.
import "swagger-ui-react/swagger-ui.css";
import "./api-docs.css";
import { useLingui } from "@lingui/react/macro";
import { useComputedColorScheme } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import SwaggerUI from "swagger-ui-react";
import { session } from "@/api/session";
import { Page } from "@/components/Page";

const DOCUMENT = "/api/openapi.json";

/**
 * Parts of the library that are hard to read: a link inside the button that opens an operation, which no screen reader
 * can make sense of, and examples in colours of too little contrast.
 */
const plainParts = {
  wrapComponents: {
    DeepLink: () => ({ text }: { text: string }) => <span>{text}</span>,
    SyntaxHighlighter: () => ({ children }: { children: ReactNode }) => <pre className="microlight">{children}</pre>,
  },
};
const PLUGINS = [() => plainParts];

export function ApiDocsPage() {
  const { t } = useLingui();
  const scheme = useComputedColorScheme("light");

  useEffect(() => {
    // The class that Swagger UI looks for.
    document.documentElement.classList.toggle("dark-mode", scheme === "dark");
    return () => document.documentElement.classList.remove("dark-mode");
  }, [scheme]);

  return (
    <Page title={t`API`}>
      <SwaggerUI
        url={DOCUMENT}
        docExpansion="list"
        deepLinking
        plugins={PLUGINS}
        defaultModelsExpandDepth={0}
        displayOperationId={false}
        requestInterceptor={(request) => {
          if (session.accessToken) request.headers.Authorization = `Bearer ${session.accessToken}`;
          return request;
        }}
      />
    </Page>
  );
}
