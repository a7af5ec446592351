import { signal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** The dialog that is open, if any: one at a time. */
const open = signal<VNode | null>(null);

export function showDialog(dialog: VNode): void {
  open.value = dialog;
}

export function closeDialog(): void {
  open.value = null;
}

/** Asks the page: the event that says that it was closed comes some time later, and keys would be lost meanwhile. */
export function isDialogOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

export function DialogPlace() {
  return open.value;
}

/** A window over the page. Escape and a click beside it close it; the focus goes back to where it was. */
export function Dialog({
  label,
  children,
  class: name,
}: {
  label: string;
  children: ComponentChildren;
  class?: string;
}) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    box.current!.showModal();
    return () => before?.focus?.();
  }, []);
  return (
    <dialog
      ref={box}
      class={name}
      aria-label={label}
      onClose={closeDialog}
      onClick={(event) => event.target === box.current && closeDialog()}
    >
      {children}
    </dialog>
  );
}
