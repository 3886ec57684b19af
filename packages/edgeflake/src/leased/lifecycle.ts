// `admin` tells the holders of the same isolate what it has done. Neither needs the other's module.

type Task = "create" | "status" | "shrink" | "destroy";
type Listener = (
  task: Task,
  authority: object,
  sequencer: { name: string; incarnation: number },
) => void;

const listeners = new Set<Listener>();

/** Has a listener called when a task of `admin` is done. */
export function onDone(listener: Listener) {
  listeners.add(listener);
}

export const done: Listener = (task, authority, sequencer) => {
  for (const listener of listeners) listener(task, authority, sequencer);
};
