// The providers, outermost first.
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { ModalsProvider } from "@mantine/modals";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { nonce } from "./nonce";
import { queryClient } from "./query-client";
import { router } from "./router";
import { cssVariables, theme } from "./theme";

const colorSchemes = localStorageColorSchemeManager({ key: "quarry-color-scheme" });

export function App() {
  return (
    <I18nProvider i18n={i18n}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        getStyleNonce={nonce}
        colorSchemeManager={colorSchemes}
        defaultColorScheme="auto"
      >
        <QueryClientProvider client={queryClient}>
          <ModalsProvider>
            <Notifications position="bottom-right" limit={4} />
            <RouterProvider router={router} />
          </ModalsProvider>
        </QueryClientProvider>
      </MantineProvider>
    </I18nProvider>
  );
}
