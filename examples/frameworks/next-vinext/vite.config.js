import { cloudflare } from "@cloudflare/vite-plugin";
import vinext from "vinext";
import { defineConfig } from "vite";

const viteEnvironment = { name: "rsc", childEnvironments: ["ssr"] };

export default defineConfig({ plugins: [vinext(), cloudflare({ viteEnvironment })] });
