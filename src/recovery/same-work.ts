/** By what work is recognised. */
export interface NamedWork {
  fingerprint: string;
  branch?: string;
  model?: string;
}

/** Only these keys, of whatever has them. */
export function namedWork({ fingerprint, branch, model }: NamedWork): NamedWork {
  return {
    fingerprint,
    ...(branch !== undefined && { branch }),
    ...(model !== undefined && { model }),
  };
}

/** Whether two launches are of the same work. What only one of them says of itself is no difference. */
export function isSameWork(one: NamedWork, other: NamedWork): boolean {
  if (one.fingerprint === "" || one.fingerprint !== other.fingerprint) return false;
  return mayBeEqual(one.branch, other.branch) && mayBeSameModel(one.model, other.model);
}

/** The groups of several that are the same work. */
export function groupSameWork<Item extends NamedWork>(items: readonly Item[]): Item[][] {
  const groups = Map.groupBy(items, ({ fingerprint }) => fingerprint);
  return [...groups.values()].flatMap(dividedBySaid).filter(({ length }) => length > 1);
}

function dividedBySaid<Item extends NamedWork>(items: readonly Item[]): Item[][] {
  const groups: Item[][] = [];
  for (const item of items) {
    const group = groups.find((each) => each.every((member) => isSameWork(member, item)));
    if (group) group.push(item);
    else groups.push([item]);
  }
  return groups;
}

function mayBeEqual(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}

// One may be named by its family, without its date or with the size of its context: `haiku`, `claude-haiku-4-5[1m]`.
function mayBeSameModel(one: string | undefined, other: string | undefined): boolean {
  const [first, second] = [plainModel(one), plainModel(other)];
  const isFamilyOf = (family = "", model = ""): boolean => model.split("-").includes(family);
  return mayBeEqual(first, second) || isFamilyOf(first, second) || isFamilyOf(second, first);
}

// `inherit` is that of whoever launches it, which is not known.
function plainModel(model: string | undefined): string | undefined {
  return model === "inherit" ? undefined : model?.replace(/\[.*\]$/, "").replace(/-\d{8}$/, "");
}
