// The look: neutral surfaces, one accent, semantic colours for state only. 14 px base, 8 px grid.
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";
import alert from "./Alert.module.css";
import table from "./Table.module.css";

const indigo: MantineColorsTuple = [
  "#eef0ff", "#dde1fb", "#b9c1f3", "#949fec", "#7482e5", "#5f6fe0", "#5161d8", "#4352c4", "#3a48ad", "#2f3b91",
];
const dark: MantineColorsTuple = [
  "#d5d7dd", "#b3b7c0", "#9499a5", "#6c717d", "#3a3e47", "#2c3038", "#22252c", "#17191e", "#121418", "#0d0e11",
];
const gray: MantineColorsTuple = [
  "#f8f9fa", "#f2f3f5", "#e8eaed", "#dcdfe4", "#c8ccd3", "#9ba1ac", "#646b78", "#4a505c", "#33373f", "#1f2228",
];

export const MONOSPACE =
  'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace';

export const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: 6,
  autoContrast: true,
  colors: { indigo, dark, gray },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: MONOSPACE,
  fontSizes: { xs: "0.75rem", sm: "0.875rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.25rem", lineHeight: "1.4" },
      h2: { fontSize: "1rem", lineHeight: "1.5" },
      h3: { fontSize: "0.875rem", lineHeight: "1.5" },
    },
  },
  defaultRadius: "sm",
  radius: { xs: "3px", sm: "5px", md: "7px", lg: "10px" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Alert: { defaultProps: { variant: "outline" }, classNames: { root: alert.root, title: alert.title, message: alert.message, icon: alert.icon } },
    Button: { defaultProps: { size: "xs", fw: 500 } },
    TextInput: { defaultProps: { size: "sm" } },
    Badge: { defaultProps: { variant: "light", radius: "sm" }, styles: { label: { textTransform: "none", fontWeight: 500 } } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Table: { defaultProps: { verticalSpacing: 8, horizontalSpacing: 12, highlightOnHoverColor: "var(--quarry-raised)" }, classNames: { th: table.th } },
    Modal: { defaultProps: { transitionProps: { duration: 120 }, centered: true } },
    Menu: { defaultProps: { transitionProps: { duration: 100 } } },
  },
});

/** Tokens of our own, for both schemes, so that style sheets never branch on the scheme. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#5c6370",
    "--mantine-color-placeholder": "#6d7482",
    "--quarry-surface": "#ffffff",
    "--quarry-sunken": "#f8f9fa",
    "--quarry-raised": "#f2f3f5",
    "--quarry-border": "#e3e5e9",
    "--quarry-mark": "#ffe9a8",
    "--quarry-selected": "#eef0ff",
    "--quarry-line-lit": "#fff6d9",
    "--code-text": "#1f2328",
    "--code-comment": "#5f6773",
    "--code-keyword": "#9a2f8f",
    "--code-string": "#1b6b3a",
    "--code-number": "#9a4a06",
    "--code-type": "#0b5f8a",
    "--code-name": "#3d4bb5",
  },
  dark: {
    "--mantine-color-body": "#121418",
    "--mantine-color-anchor": "#949fec",
    "--mantine-color-dimmed": "#9ba1ad",
    "--mantine-color-placeholder": "#8b909c",
    "--quarry-surface": "#121418",
    "--quarry-sunken": "#0d0e11",
    "--quarry-raised": "#1b1e24",
    "--quarry-border": "#282c34",
    "--quarry-mark": "#4d3d0e",
    "--quarry-selected": "#1d2140",
    "--quarry-line-lit": "#2b2715",
    "--code-text": "#d5d7dd",
    "--code-comment": "#9299a5",
    "--code-keyword": "#d39be0",
    "--code-string": "#8fc79a",
    "--code-number": "#e0a878",
    "--code-type": "#7dc0de",
    "--code-name": "#a3affa",
  },
});
