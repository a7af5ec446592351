// Runs in a page before anything else, and says when something is in sight, how fast it scrolls, and what it holds.
globalThis.benchProbe = (() => {
  const LONG_TASK_SETTLE_MS = 200;
  let longTasks = [];
  let nodesMax = 0;
  let watched;
  new PerformanceObserver((list) => longTasks.push(...list.getEntries())).observe({ type: "longtask" });

  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  // A message that is posted before a frame is painted arrives after it.
  const painted = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener("message", () => resolve(performance.now()));
      port1.start();
      port2.postMessage(0);
    });

  function isInSight(element) {
    const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
    const isInside = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    return isInside && width > 0 && height > 0;
  }

  function shows(pattern) {
    const root = document.getElementById("page") ?? document.getElementById("root") ?? document.body;
    if (!root) return false;
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
      if (pattern.test(texts.currentNode.data) && isInSight(texts.currentNode.parentElement)) return true;
    return false;
  }

  /** The time, since the page began, at which a text was painted. */
  async function sight(source) {
    const pattern = new RegExp(source);
    do await nextFrame();
    while (!shows(pattern));
    return painted();
  }

  function countNodes() {
    nodesMax = Math.max(nodesMax, document.querySelectorAll("*").length);
  }

  function largestScroller() {
    const all = [...document.body.querySelectorAll("*")].filter(
      ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight,
    );
    return all.reduce((largest, each) => (each.scrollHeight > largest.scrollHeight ? each : largest));
  }

  return {
    /** Looks out for a text from now on; `seen` tells when it was painted, by the clock of the machine. */
    watch(source) {
      watched = sight(source);
    },
    async seen() {
      return performance.timeOrigin + (await watched);
    },
    /** For what is looked out for since the page began; with the page's own files that were loaded until then. */
    async seenSinceStart() {
      const ms = await watched;
      const files = [
        ...performance.getEntriesByType("navigation"),
        ...performance.getEntriesByType("resource"),
      ].filter(({ name }) => !new URL(name).pathname.startsWith("/api/"));
      const bytes = files.reduce((sum, { transferSize }) => sum + transferSize, 0);
      return { ms, filesKb: bytes / 1000 };
    },
    /** Goes to another address as a click would. */
    open(path, source) {
      const from = performance.now();
      history.pushState({}, "", path);
      dispatchEvent(new PopStateEvent("popstate", { state: {} }));
      return sight(source).then((at) => at - from);
    },
    nodesMax() {
      countNodes();
      return nodesMax;
    },
    /** Scrolls up from the end, fast, and then to places all over it. Every frame counts. */
    async scroll({ frames, px, jumps, framesAJump }) {
      const box = largestScroller();
      const gaps = [];
      let missing = 0;
      await pause(LONG_TASK_SETTLE_MS);
      longTasks = [];
      let last = await nextFrame();
      const frame = async () => {
        const at = await nextFrame();
        gaps.push(at - last);
        last = at;
        if ([...box.querySelectorAll(".is-missing")].some(isInSight)) missing++;
        if (gaps.length % 10 === 0) countNodes();
      };
      for (let count = 0; count < frames; count++) {
        box.scrollTop -= px;
        await frame();
      }
      for (let count = 1; count <= jumps; count++) {
        box.scrollTop = (box.scrollHeight * ((count * 7919) % jumps)) / jumps;
        for (let step = 0; step < framesAJump; step++) await frame();
      }
      await pause(LONG_TASK_SETTLE_MS);
      const sorted = gaps.toSorted((one, other) => one - other);
      return {
        frameP95Ms: sorted[Math.floor(0.95 * (sorted.length - 1))],
        longTasks: longTasks.length,
        longestTaskMs: Math.max(0, ...longTasks.map(({ duration }) => duration)),
        missingPercent: (missing / gaps.length) * 100,
      };
    },
    /** Back to where it follows. */
    toEnd() {
      const box = largestScroller();
      box.scrollTop = box.scrollHeight;
    },
  };
})();
