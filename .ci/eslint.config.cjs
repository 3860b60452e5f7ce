// What the JavaScript of the page and of the report is held to beside its types, which .ci/tsconfig.json has checked.

const js = require("@eslint/js");
const globals = require("globals");

const STATE = "a variable of a module is state that no test can set: put it into an object that functions are given";

module.exports = [
  js.configs.recommended,
  {
    languageOptions: {ecmaVersion: "latest", sourceType: "module", globals: globals.browser},
    linterOptions: {reportUnusedDisableDirectives: "error"},
    rules: {
      "eqeqeq": "error",
      "no-implicit-globals": "error",
      "no-restricted-syntax": ["error",
        {selector: "Program > VariableDeclaration[kind=/let|var/]", message: STATE},
        {selector: "ExportNamedDeclaration > VariableDeclaration[kind=/let|var/]", message: STATE}],
      "no-shadow": "error",
      "no-undef": "off",  // the types say it
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  {files: ["**/*.mjs"], languageOptions: {globals: globals.node}},
];
