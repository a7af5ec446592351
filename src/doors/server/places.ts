import { serverError } from "./errors.ts";

/** A bounded number of things that go on at once; the next one is refused, with the reason. */
export interface Places {
  /** Throws `too_many`. What it returns gives the place back. */
  enter(): () => void;
}

export function openPlaces(max: number, why: string): Places {
  let taken = 0;
  return {
    enter() {
      if (taken >= max)
        throw serverError("too_many", `Cannot begin: ${why} at once; close some and try again`, {
          retryable: true,
        });
      taken++;
      let isIn = true;
      return () => {
        if (isIn) taken--;
        isIn = false;
      };
    },
  };
}
