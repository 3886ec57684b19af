import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface InViewProps {
  /** Says the same in one line, at the top of the window. */
  line: ComponentChildren;
  children: ComponentChildren;
}

/** Keeps what its children say in view: once they are above the window, a line takes their place. */
export function InView({ line, children }: InViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const isAbove = useSignal(false);
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    const observer = new IntersectionObserver(([entry]) => {
      isAbove.value =
        entry !== undefined && !entry.isIntersecting && entry.boundingClientRect.top < 0;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      {isAbove.value && (
        // A screen reader has the answer itself.
        <div class="in-view" aria-hidden="true">
          <div class="wrap">{line}</div>
        </div>
      )}
      <div ref={place}>{children}</div>
    </>
  );
}
