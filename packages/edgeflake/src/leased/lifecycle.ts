// Lets `admin` notify the leased generators in its isolate, without importing their module.

type Task = "create" | "status" | "shrink" | "destroy";
type Listener = (
  task: Task,
  authority: object,
  sequencer: { name: string; incarnation: number },
) => void;

const listeners = new Set<Listener>();

/** Adds a listener that is called whenever `admin` has completed a task. */
export function onDone(listener: Listener) {
  listeners.add(listener);
}

export const done: Listener = (task, authority, sequencer) => {
  for (const listener of listeners) listener(task, authority, sequencer);
};
