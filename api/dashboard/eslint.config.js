import js from "@eslint/js";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", "src/api/schema.d.ts", "test-results"] },
  js.configs.recommended,
  {
    files: ["src/**/*.{ts,tsx}"],
    extends: [...tseslint.configs.strict, reactHooks.configs.flat.recommended, jsxA11y.flatConfigs.recommended],
    languageOptions: { globals: globals.browser },
    rules: {
      "max-lines": ["error", 300],
      "@typescript-eslint/no-explicit-any": "error",
    },
  },
  { files: ["**/*.mjs", "*.{js,ts}"], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
  { files: ["*.ts"], extends: [...tseslint.configs.recommended] },
);
