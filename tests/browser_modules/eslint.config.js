import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2025, sourceType: "module", globals: globals.browser },
    rules: {
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      "no-empty": ["error", { allowEmptyCatch: true }],
      "max-len": ["error", { code: 140 }],
    },
  },
  { files: ["**/site/assets/*.js"], languageOptions: { sourceType: "script", globals: { THINGS: "readonly" } } },
  { files: ["**/browser_modules/*.js"], languageOptions: { globals: globals.node } },
];
