// Lets `admin` notify the leased generators in the same isolate without importing their module.

type Listener = (
  task: "create" | "status" | "shrink" | "destroy",
  authority: object,
  sequencer: { name: string; incarnation: number },
) => void;

const listeners = new Set<Listener>();

/** Adds a listener that is called whenever `admin` has completed a task. */
export const onDone = (listener: Listener) => listeners.add(listener);

export const done: Listener = (...event) => {
  for (const listener of listeners) listener(...event);
};
