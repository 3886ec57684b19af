export { Authority, Directory } from "edgeflake/authority";
export { default } from "vinext/server/fetch-handler";
