/** A clock's face with its second hand, and a paler hand at an earlier time. */
export function Dial({ time, before }: { time: number; before?: number }) {
  return (
    <svg class="dial" viewBox="-12 -12 24 24" aria-hidden="true">
      <circle r="11" />
      <path d="M0-10v2M10 0h-2M0 10v-2M-10 0h2" />
      {before !== undefined && <Hand time={before} name="before" />}
      <Hand time={time} name="hand" />
    </svg>
  );
}

// The angle is not cut to a turn, so that the hand never takes the long way round.
const Hand = ({ time, name }: { time: number; name: string }) => (
  <path class={name} d="M0 0v-9" style={{ rotate: `${time * 6}deg` }} />
);
