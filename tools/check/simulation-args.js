/**
 * The arguments of cargo that build a simulation, or build and run it.
 *
 * @param {"build" | "run"} what
 * @param {"simulation" | "scale" | "proof"} [name]
 */
export function simulation(what, name = "simulation") {
  const only = what === "build" ? ["--no-run", "--message-format=json-render-diagnostics"] : [];
  const which = ["--package=edgeflake", `--test=${name}`, "--profile=simulation"];
  return ["test", "--quiet", ...which, ...only];
}
