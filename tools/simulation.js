/**
 * The arguments of cargo that build the simulation, or build and run it.
 *
 * @param {"build" | "run"} what
 */
export function simulation(what) {
  const only = what === "build" ? ["--no-run", "--message-format=json-render-diagnostics"] : [];
  const which = ["--package=edgeflake", "--test=simulation", "--profile=simulation"];
  return ["test", "--quiet", ...which, ...only];
}
