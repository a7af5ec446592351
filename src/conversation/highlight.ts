import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import makefile from "highlight.js/lib/languages/makefile";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";

/** A piece of code, and what it is in its language: `keyword`, `string`. */
export interface CodeWord {
  text: string;
  kind: string | undefined;
}

type Node = ReturnType<typeof lowlight.highlight>["children"][number];

// What agents write most. A grammar takes as much room as a command of ours, so that not all are here.
const lowlight = createLowlight({
  bash,
  c,
  cpp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  makefile,
  python,
  ruby,
  rust,
  shell,
  sql,
  typescript,
  xml,
  yaml,
});

/** The code in pieces, in order and complete; undefined when the language is not known. */
export function highlight(code: string, language: string): CodeWord[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  return lowlight.highlight(language, code).children.flatMap((node) => wordsOf(node, undefined));
}

function wordsOf(node: Node, kind: string | undefined): CodeWord[] {
  if (node.type === "text") return [{ text: node.value, kind }];
  if (node.type !== "element") return [];
  const [name = ""] = node.properties["className"] as string[];
  return node.children.flatMap((child) => wordsOf(child, name.replace(/^hljs-/, "")));
}
