export { Generator, Layout } from "edgeflake/inline";
