// edgeflake's Worker, as its users export it.
export { Authority, Directory, default } from "edgeflake/worker";
