/** A rule of the settings: a tool, and what of its input; all of it when there is no pattern. */
export interface Rule {
  tool: string;
  pattern: string | undefined;
}

/** The rules that can be read; one that cannot says nothing. */
export function readRules(rules: readonly string[]): Rule[] {
  return rules.flatMap((rule) => {
    const [, tool, pattern] = /^([^()]+?)(?:\(([\s\S]*)\))?$/.exec(rule.trim()) ?? [];
    if (tool === undefined) return [];
    const isAll = pattern === undefined || /^(?:\*|:\*)?$/.test(pattern.trim());
    return [{ tool, pattern: isAll ? undefined : pattern.trim() }];
  });
}
