// Preloaded with `node -r`: it runs before any module is parsed, so old Nodes reach it too.
const found = process.versions.node;
if (Number(found.split(".")[0]) < 20) {
  console.error(`error: found Node ${found}, edgeflake needs Node 20 or newer`);
  process.exit(1);
}
