// What counts as used, for the check of unused code.
import { readFileSync } from 'node:fs'

/** What the package of `npm pack` needs: the packages of the workspace use it, and scripts/packed.test.js compares the lists. */
const packed = Object.keys(JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')).dependencies)

export default {
  workspaces: {
    '.': {
      entry: ['scripts/*.js', 'scripts/local-schema.ts', 'bench/*.ts', 'bench/learning-history/collect.ts', 'e2e/**/*.test.ts'],
      project: ['scripts/**/*.{js,ts}', 'bench/**/*.ts', 'e2e/**/*.ts'],
      ignoreDependencies: [
        ...packed,
        'openai',
        '@openai/agents',
        '@langchain/langgraph',
        '@langchain/langgraph-checkpoint-sqlite',
        '@langchain/langgraph-supervisor',
        '@langchain/openai',
        '@mastra/core',
        '@mastra/libsql',
        'zod',
      ],
    },
    'packages/contract': {
      entry: ['src/*/index.ts', 'src/*/schema.ts'],
      project: ['src/**/*.ts', 'test/**/*.ts'],
    },
    'packages/server': {
      project: ['src/**/*.ts', 'test/**/*.ts'],
      entry: ['test/**/*.test.ts'],
    },
    'packages/runtime': {
      entry: [
        'src/**/*-process.ts',
        'src/**/*-main.ts',
        'src/**/*-worker.ts',
        'test/**/*.test.ts',
        'test/support/**/*-{child,process,preload,server,swapper,probe}.ts',
      ],
      project: ['src/**/*.ts', 'test/**/*.ts'],
      ignoreDependencies: [
        'tree-sitter-bash',
        '@modelcontextprotocol/server-everything',
        '@modelcontextprotocol/server-filesystem',
        '@modelcontextprotocol/server-memory',
      ],
    },
    'packages/desktop': {
      project: ['src/**/*.{ts,tsx,css}', 'test/**/*.ts'],
    },
    'packages/cli': {
      entry: ['src/main.ts', 'test/**/*.test.ts'],
      project: ['src/**/*.ts', 'test/**/*.ts'],
    },
  },
  ignoreBinaries: ['tandem', 'redis-server', 'apt-get', 'script', 'taskset', 'mkfifo', 'mount', 'umount', 'unshare', 'bwrap', 'pgrep'],
  ignoreExportsUsedInFile: {
    interface: true,
    type: true,
  },
}
