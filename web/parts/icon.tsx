/** The page's own signs, each drawn on 16 by 16. */
const paths = {
  now: "M2 8h3l2-5 3 10 2-5h2",
  tasks: "M2.5 3h11v10h-11zM5 6.5 7 8 5 9.5M8.5 10h2.5",
  sessions: "M2.5 3h11v7.5H7L4 13v-2.5H2.5z",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.3 10.3 14 14",
  usage: "M3 13V8M6.5 13V4M10 13V6.5M13.5 13V2.5",
  recover: "M3 8a5 5 0 1 0 1.6-3.7M3 2.5V5h2.6M8 5.5V8l2 1.4",
  fleet:
    "M8 2.5v3M8 5.500 3.500 10M8 5.500 12.500 10M8 1.500a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3M3.500 9.500a1.700 1.700 0 1 0 0 3.400 1.700 1.700 0 0 0 0-3.400M12.500 9.500a1.700 1.700 0 1 0 0 3.400 1.700 1.700 0 0 0 0-3.400",
  doctor:
    "M8 13.500S2.500 10 2.500 6.300A2.900 2.900 0 0 1 8 5a2.900 2.900 0 0 1 5.500 1.300C13.500 10 8 13.500 8 13.500z",
  settings: "M2.500 4.500h6M11.500 4.500h2M2.500 11.500h2M7.500 11.500h6M10 3v3M6 10v3",
  more: "M3.500 8h.01M8 8h.01M12.500 8h.01",
  back: "M10 3 5 8l5 5",
  down: "M8 3v9M4 8.500 8 12.500l4-4",
  up: "M8 13V4M4 7.500 8 3.500l4 4",
  right: "M6 3l5 5-5 5",
  unfolded: "M3 6l5 5 5-5",
  close: "M4 4l8 8M12 4l-8 8",
  copy: "M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3",
  check: "M3 8.500 6.500 12 13 4.500",
  cross: "M4 4l8 8M12 4l-8 8",
  diamond: "M8 2l6 6-6 6-6-6z",
  stop: "M4 4h8v8H4z",
  lost: "M5.500 6a2.500 2.500 0 1 1 3.700 2.200c-.800.450-1.200.900-1.200 1.800M8 12.800h.01",
  queued: "M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11M8 5v3.200l2 1.300",
  plus: "M8 3v10M3 8h10",
  send: "M2.500 8 13.500 3 10 13.500 7.500 9z",
  file: "M4 2.500h5L12.500 6v7.500H4zM9 2.500V6h3.500",
  fork: "M5 2.500v4c0 2 6 1.500 6 4v3M5 6.500v7M11 2.500v3",
  trash: "M3 4.500h10M6 4.500v-2h4v2M4.500 4.500l.6 9h5.800l.6-9",
  bell: "M4 11V7.500a4 4 0 0 1 8 0V11l1.500 1.500h-11zM6.800 14h2.400",
  panel: "M2.500 3h11v10h-11zM10 3v10",
  info: "M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11M8 7.500v3M8 5.200h.01",
  warn: "M8 2.500 14 13H2zM8 6.500v3M8 11.300h.01",
  agent: "M4 6h8v6.500H4zM8 6V3.500M6.500 3.500h3M6.300 9h.01M9.700 9h.01",
  machine: "M2.500 3.500h11v7h-11zM6 13.500h4M8 10.500v3",
  open: "M6 3.500H3v9.500h9.500V10M9 2.500h4.500V7M13.500 2.500 7.500 8.500",
} as const;

export type IconName = keyof typeof paths;

/** A sign; what it means is said beside it, so it is hidden from readers. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        stroke-width={name === "more" || name === "lost" ? 1.9 : 1.5}
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
