// edgeflake's Worker, as its users have it.
export { Authority, Directory, default } from "edgeflake/worker";
