// The icons, drawn in a square of 24.

const PATHS = {
  back: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6v1",
  check: "m5 13 4.5 4.5L19 7",
  chevron: "m9 6 6 6-6 6",
  clear: "m6 6 12 12M18 6 6 18",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  download: "M12 4v11m-5-4 5 5 5-5M5 20h14",
  file: "M6 3h8l5 5v13H6zM14 3v5h5",
  link: "M10 14a4 4 0 0 0 5.7 0l3.6-3.6a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.6 3.6a4 4 0 0 0 5.7 5.7l1.6-1.6",
  pause: "M8 5v14M16 5v14",
  play: "m8 5 11 7-11 7z",
  plus: "M12 5v14M5 12h14",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
