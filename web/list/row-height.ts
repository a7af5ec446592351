import { useEffect, useState } from "preact/hooks";

/** The height of a row of two lines, as the style sheet has it for this screen and density. */
export function useRowHeight(): number {
  const [height, setHeight] = useState(52);
  useEffect(() => {
    const wanted = Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue("--row"), 10);
    if (wanted > 0) setHeight(wanted);
  });
  return height;
}
