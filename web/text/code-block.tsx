import { useEffect, useState } from "preact/hooks";
import type { CodeWord } from "../../src/conversation/highlight.ts";
import { copyText } from "../parts/copy.tsx";
import { Icon } from "../parts/icon.tsx";
import { findColours } from "./find-colours.ts";

/** Code, in colours as soon as they are found: they change nothing of its size. */
export function CodeBlock({ text, language }: { text: string; language: string | undefined }) {
  return (
    <div class="code-block">
      <div class="code-head">
        <span class="third">{language}</span>
        <button
          type="button"
          class="button is-quiet is-icon push"
          aria-label="Copy the code"
          title="Copy"
          onClick={() => void copyText(text)}
        >
          <Icon name="copy" />
        </button>
      </div>
      <pre tabIndex={0} role="group" aria-label={language ? `Code, ${language}` : "Code"}>
        <code>
          <Coloured text={text} language={language} />
        </code>
      </pre>
    </div>
  );
}

export function Coloured({ text, language }: { text: string; language: string | undefined }) {
  const [words, setWords] = useState<{ of: string; words: CodeWord[] }>();
  useEffect(() => {
    if (language === undefined) return;
    let isWanted = true;
    void findColours(text, language).then(
      (found) => isWanted && found && setWords({ of: text, words: found }),
    );
    return () => {
      isWanted = false;
    };
  }, [text, language]);
  if (words?.of !== text) return <>{text}</>;
  return (
    <>
      {words.words.map(({ text: word, kind }, index) =>
        kind === undefined ? (
          word
        ) : (
          <span key={index} class={`code-${kind.replace(/[^\w-]/g, "")}`}>
            {word}
          </span>
        ),
      )}
    </>
  );
}
