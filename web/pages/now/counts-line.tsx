import { counts } from "../../live/live-rows.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";

/** "2 need you · 5 run · 3 ended unseen · 1 lost", each a filter. */
export function CountsLine() {
  const { needsYou, running, unseen, lost } = counts.value;
  const parts: { count: number; text: string; href: string; icon: IconName; status: string }[] = [
    {
      count: needsYou,
      text: needsYou === 1 ? "needs you" : "need you",
      href: "/tasks?status=attention",
      icon: "diamond",
      status: "needs-you",
    },
    {
      count: running,
      text: running === 1 ? "runs" : "run",
      href: "/tasks?status=running",
      icon: "queued",
      status: "running",
    },
    { count: unseen, text: "ended unseen", href: "/tasks?status=attention", icon: "bell", status: "second" },
    { count: lost, text: "lost", href: "/tasks?status=lost", icon: "lost", status: "lost" },
  ];
  const shown = parts.filter(({ count }) => count > 0);
  if (shown.length === 0) return <p class="second">Nothing runs, and nothing waits for you.</p>;
  return (
    <div class="counts" role="group" aria-label="How things stand">
      {shown.map(({ count, text, href, icon, status }) => (
        <a key={text} href={href}>
          <span class={`status is-${status}`}>
            <Icon name={icon} />
          </span>
          <b>{count}</b> {text}
        </a>
      ))}
    </div>
  );
}
