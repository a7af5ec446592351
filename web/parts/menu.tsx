import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

/** A button with more actions behind it. Closes on a choice, Escape, or a click elsewhere. */
export function Menu({
  label,
  icon = "more",
  children,
}: {
  label: string;
  icon?: IconName;
  children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: Event): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", close);
    box.current?.querySelector<HTMLElement>(".menu-list > *")?.focus();
    return () => document.removeEventListener("pointerdown", close);
  }, [isOpen]);
  const onKey = (event: KeyboardEvent): void => {
    if (!isOpen) return;
    const items = [...box.current!.querySelectorAll<HTMLElement>(".menu-list > *")];
    const at = items.indexOf(document.activeElement as HTMLElement);
    if (event.key === "Escape") {
      setOpen(false);
      box.current!.querySelector("button")!.focus();
    } else if (event.key === "ArrowDown") items[(at + 1) % items.length]?.focus();
    else if (event.key === "ArrowUp") items.at(at - 1)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="menu" ref={box} onKeyDown={onKey}>
      <button
        type="button"
        class="button is-quiet is-icon"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={icon} />
      </button>
      {isOpen && (
        <div class="menu-list" role="menu" onClick={() => setOpen(false)}>
          {children}
        </div>
      )}
    </div>
  );
}

export function MenuItem({
  onChoose,
  isDanger = false,
  children,
}: {
  onChoose: () => void;
  isDanger?: boolean;
  children: ComponentChildren;
}) {
  return (
    <button type="button" role="menuitem" class={isDanger ? "is-danger" : ""} onClick={onChoose}>
      {children}
    </button>
  );
}
