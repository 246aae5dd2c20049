// The OpenAPI document of this server, rendered by Swagger UI. Requests are tried out as the signed-in user.
import "swagger-ui-react/swagger-ui.css";
import "./api-docs.css";
import { useLingui } from "@lingui/react/macro";
import { useComputedColorScheme } from "@mantine/core";
import { useEffect } from "react";
import SwaggerUI from "swagger-ui-react";
import { session } from "@/api/session";
import { Page } from "@/components/Page";

const DOCUMENT = "/api/openapi.json";

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
