import type { SeededRandom } from "../support/seeded-random.ts";

/**
 * A command line as an adversary would write it: valid constructs around programs called `good`, `fine` and `bad`, in every
 * dress, and then a few characters put in anywhere, where parser and shell may disagree.
 */
export function randomCommand(random: SeededRandom): string {
  const line = list(random, 3);
  return random.next() < 0.3 ? mutated(line, random) : line;
}

type Maker = (random: SeededRandom, depth: number) => string;

const pick = <T>(random: SeededRandom, items: readonly T[]): T => items[random.between(0, items.length - 1)]!;

const list: Maker = (random, depth) => {
  const count = random.between(1, depth > 1 ? 3 : 1);
  const parts = Array.from({ length: count }, () => compound(random, depth));
  return parts.join(pick(random, ["; ", " && ", " || ", " | ", "\n", " & ", ";", " |& "]));
};

const compounds: readonly Maker[] = [
  (random, depth) => `(${list(random, depth)})`,
  (random, depth) => `{ ${list(random, depth)}; }`,
  (random, depth) =>
    `if ${list(random, depth)}; then ${list(random, depth)}; else ${list(random, depth)}; fi`,
  (random, depth) => `for f in ${word(random, depth)} a; do ${list(random, depth)}; done`,
  (random, depth) => `until good; do ${list(random, depth)}; done`,
  (random, depth) => `case ${word(random, depth)} in *) ${list(random, depth)};; esac`,
  (random, depth) => `f() { ${list(random, depth)}; }; f`,
  (random, depth) => `! ${simple(random, depth)}`,
  (random, depth) => `time ${simple(random, depth)}`,
  (random, depth) => `good <<E\n${word(random, depth)}\nE`,
  (random, depth) => `[[ ${word(random, depth)} == a ]] && ${simple(random, depth)}`,
  (random, depth) => `[ ${word(random, depth)} ${word(random, depth)} ]`,
  (random, depth) => `x=${word(random, depth)}; ${simple(random, depth)}`,
];

const compound: Maker = (random, depth) =>
  depth > 1 && random.next() < 0.3 ? pick(random, compounds)(random, depth - 1) : simple(random, depth);

const simple: Maker = (random, depth) => {
  const wrapper = random.next() < 0.25 ? pick(random, wrapping)(random, depth) : "";
  const prefix =
    random.next() < 0.08 ? pick(random, ["a=1 ", "PATH=. ", "x=good ", "BASH_ENV=good ", ">ok/a "]) : "";
  const args = Array.from({ length: random.between(0, 2) }, () => ` ${word(random, depth)}`).join("");
  const redirect = random.next() < 0.12 ? pick(random, redirects)(random, depth) : "";
  if (/(?:-c |eval |<<< )$/.test(wrapper))
    return `${prefix}${wrapper}'${name(random)}${args.replaceAll("'", "")}'`;
  return `${prefix}${wrapper}${name(random)}${args}${redirect}`;
};

const name = (random: SeededRandom): string =>
  random.next() < 0.75
    ? pick(random, ["good", "good", "good", "fine one", "fine one", "echo", "cat", "printf"])
    : pick(random, [
        "bad",
        "b''ad",
        '"bad"',
        "\\bad",
        "$x",
        "${x}",
        "./good",
        "b\\\nad",
        "$'bad'",
        "fine two",
        "fine $one",
        "{bad,x}",
        "b?d",
      ]);

const wrapping: readonly Maker[] = [
  [
    "env ",
    "env -i ",
    "nohup ",
    "nice -n 1 ",
    "timeout 5 ",
    "command ",
    "builtin ",
    "exec ",
    "setsid ",
    "stdbuf -oL ",
  ],
  [
    "sh -c ",
    "bash -c ",
    "eval ",
    "bash <<< ",
    "echo bad | xargs ",
    "echo a | xargs -I{} ",
    "echo bad | ",
    "trap ",
  ],
]
  .flat()
  .map(
    (text): Maker =>
      () =>
        text,
  );

const redirects: readonly Maker[] = [
  [
    " > ok/a",
    " >> ok/a",
    " 2>&1",
    " > /dev/null",
    " > out",
    " &> out",
    " >| out",
    " <> out",
    " > ok/../out",
    " > $x",
  ],
  [" < secret", " > ok/$x", " 2> out", " >& out", " {fd}> out", " 3> out"],
]
  .flat()
  .map(
    (text): Maker =>
      () =>
        text,
  );

const words: readonly Maker[] = [
  [
    "a",
    "one",
    "two",
    "'a b'",
    '"a b"',
    "$x",
    '"$x"',
    "${y}",
    "$((y))",
    "$((1+1))",
    "${x@P}",
    "${w@P}",
    "${!x}",
    "-v",
    "$z",
  ],
  [
    "'a[$(bad)]'",
    "*",
    "se*",
    "secret",
    "sec''ret",
    "{a,b}",
    "~",
    "#",
    "\\;",
    "-exec",
    "${x:-bad}",
    "${a[$y]}",
    "$?",
    "--",
    "{}",
  ],
]
  .flat()
  .map(
    (text): Maker =>
      () =>
        text,
  );
const nested: readonly Maker[] = [
  (random, depth) => `$(${list(random, depth)})`,
  (random, depth) => `"$(${list(random, depth)})"`,
  (random) => `\`${simple(random, 0).replaceAll("`", "")}\``,
  (random, depth) => `<(${list(random, depth)})`,
  (random, depth) => `\${q:-$(${list(random, depth)})}`,
  (random, depth) => `$((1+$(${list(random, depth)})))`,
];
const word: Maker = (random, depth) =>
  depth > 1 && random.next() < 0.15
    ? pick(random, nested)(random, depth - 2)
    : pick(random, words)(random, depth);

const NOISE = Array.from("\"'`$(){}[]<>|&;\\\n #!*?~=-,").concat([
  "bad",
  "$(bad)",
  "`bad`",
  ";bad",
  "&bad\n",
  "<<E",
  "$'",
  '$"',
  "((",
  "[[",
]);

function mutated(line: string, random: SeededRandom): string {
  let text = line;
  for (let left = random.between(1, 3); left > 0; left--) {
    const at = random.between(0, text.length);
    const gone = random.next() < 0.3 ? 1 : 0;
    text = text.slice(0, at) + pick(random, NOISE) + text.slice(at + gone);
  }
  return text;
}
