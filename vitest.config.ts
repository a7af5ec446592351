import { defineConfig, type ViteUserConfig } from "vitest/config";

// Forks, not threads: tests change umask, kill processes and look at their own descriptors.
const config: ViteUserConfig = defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "web/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: ["test/support/setup.ts"],
    reporters: ["default", "./scripts/plain-reporter.mjs"],
  },
});
export default config;
