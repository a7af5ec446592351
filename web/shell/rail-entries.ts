import type { IconName } from "../parts/icon.tsx";
import type { PageName } from "../routing/routes.ts";

interface Entry {
  page: PageName;
  href: string;
  icon: IconName;
  label: string;
  /** On a phone it is behind "More". */
  isMore?: boolean;
}

export const railEntries: Entry[] = [
  { page: "now", href: "/", icon: "now", label: "Now" },
  { page: "tasks", href: "/tasks", icon: "tasks", label: "Tasks" },
  { page: "sessions", href: "/sessions", icon: "sessions", label: "Sessions" },
  { page: "search", href: "/search", icon: "search", label: "Search" },
  { page: "usage", href: "/usage", icon: "usage", label: "Usage", isMore: true },
  { page: "recover", href: "/recover", icon: "recover", label: "Recover", isMore: true },
  { page: "fleet", href: "/fleet", icon: "fleet", label: "Fleet", isMore: true },
  { page: "doctor", href: "/doctor", icon: "doctor", label: "Doctor", isMore: true },
  { page: "settings", href: "/settings", icon: "settings", label: "Settings", isMore: true },
];
