export { Authority, Directory, default } from "edgeflake/worker";
