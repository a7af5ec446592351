// What we use of highlight.js, in place of its own declarations: these bring the types of a browser's page along, in which
// much of what Node has is something else.
declare module "highlight.js" {
  export type LanguageFn = (hljs: unknown) => object;
  export type Emitter = object;
  export type HLJSOptions = object;
  export type HighlightResult = object;
}

declare module "highlight.js/lib/languages/*" {
  import type { LanguageFn } from "highlight.js";
  const language: LanguageFn;
  export default language;
}
