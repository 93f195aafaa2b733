// The layers of the packages, lowest first, and the rules that follow from them. ARCHITECTURE.md describes each module.
// A module is a folder below `src`, or a file there if its name has an extension. Files of `src` that are in no layer assemble the
// package: they may import everything, and nothing below imports them.

const runtime = {
  layers: [
    ['store', 'event', 'clock', 'scheduler', 'path', 'thread'],
    ['journal', 'model', 'account', 'settings', 'recall'],
    ['call', 'feature'],
    ['policy', 'sandbox', 'checkpoint', 'approval', 'question'],
    ['pipeline'],
    ['tools', 'todo', 'agent', 'mcp', 'skill', 'memory', 'kb', 'executor', 'catalog'],
    ['run'],
    ['workflow', 'cooperation'],
    ['learning', 'evolution', 'sync', 'task'],
    ['commands', 'cloud', 'deletion'],
    ['host'],
  ],
  /** Layers whose modules do not import each other. */
  apart: [5, 8],
}

/** Every file next to the folders has a layer as well, so that the table is complete (docs/decisions/0049). */
const server = {
  layers: [
    ['certificate-file.ts', 'closers.ts', 'make-folder.ts', 'operation.ts', 'version.ts'],
    ['config'],
    ['blobs', 'cache', 'database', 'logger.ts'],
    ['token', 'start-problem.ts'],
    ['services.ts', 'parts.ts'],
    ['http'],
    ['account', 'device', 'file', 'health', 'llm', 'log', 'openapi', 'realtime', 'sync', 'task', 'workflow'],
    ['retention', 'app.ts'],
    ['serve.ts', 'worker-metrics.ts'],
    ['workers.ts'],
    ['main.ts'],
  ],
  apart: [0, 2, 3, 4, 6, 7],
}

const desktop = {
  layers: [
    ['address.ts', 'theme.ts', 'language'],
    ['connection'],
    ['store', 'strings'],
    ['client', 'text'],
    ['part'],
    ['markdown', 'tour'],
    ['result'],
    // Below the cards: the card of a run shows what the run taught.
    ['learning', 'evolution'],
    ['card'],
    ['dock'],
    // Below the chat: a message opens the correction of a memory, its header the changes and the folder.
    ['memory', 'changes', 'folder'],
    ['chat', 'recovery', 'agents', 'knowledge', 'workflows', 'skill', 'mcp', 'cloud', 'runs', 'team', 'todos', 'settings', 'diagnostics'],
    ['shell'],
    ['app.tsx'],
    ['main.tsx'],
  ],
  apart: [0, 2, 3, 5, 11],
}

export const layeredPackages = { runtime, server, desktop }

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
const patternOf = (module) => (module.includes('.') ? `${module.replaceAll('.', '\\.')}$` : `${module}/`)
const below = (name, modules) => `^packages/${name}/src/(?:${modules.map(patternOf).join('|')})`

/** What the layers of a package forbid. `tests` are exempt from the rules about modules of one layer. */
export function layerRules(name, { layers, apart }, tests) {
  const listedFiles = layers.flat().filter((module) => module.includes('.'))
  const top = listedFiles.length === 0 ? '' : `(?!(?:${listedFiles.map(patternOf).join('|')}))`
  return [
    ...layers.map((modules, layer) =>
      rule(
        `${name}-layer-${layer}-imports-only-down`,
        `${modules.join(', ')}: what they need of a higher layer belongs in theirs or below, or is handed in by a function`,
        { path: below(name, modules), pathNot: tests },
        { path: [...layers.slice(layer + 1).map((above) => below(name, above)), `^packages/${name}/src/${top}[^/]+\\.tsx?$`] },
      ),
    ),
    ...apart.map((layer) =>
      rule(
        `${name}-layer-${layer}-modules-apart`,
        'modules of this layer are put together above it; what two of them need belongs in a lower layer',
        {
          path: `^packages/${name}/src/(${layers[layer].map((module) => module.replaceAll('.', '\\.')).join('|')})(?:/|$)`,
          pathNot: tests,
        },
        { path: below(name, layers[layer]), pathNot: `^packages/${name}/src/$1(?:/|$)` },
      ),
    ),
  ]
}

/** For each of these rules, files that violate it, by a type import only. */
export function layerViolations(name, { layers, apart }) {
  const file = (module, base) => `packages/${name}/src/${module.includes('.') ? module : `${module}/${base}.ts`}`
  const importing = (from, to) => ({
    [file(from, 'breach')]: `import type { Above } from '${relative(from, to)}'\nexport type { Above }`,
    [file(to, 'above')]: 'export type Above = 1',
  })
  return Object.fromEntries([
    ...layers.map((modules, layer) => [
      `${name}-layer-${layer}-imports-only-down`,
      importing(folderOf(modules), layers[layer + 1] ? folderOf(layers[layer + 1]) : 'top.ts'),
    ]),
    ...apart.map((layer) => [
      `${name}-layer-${layer}-modules-apart`,
      importing(...layers[layer].toSorted((one, other) => Number(one.includes('.')) - Number(other.includes('.'))).slice(0, 2)),
    ]),
  ])
}

const folderOf = (modules) => modules.find((module) => !module.includes('.')) ?? modules[0]

function relative(from, to) {
  const up = from.includes('.') ? './' : '../'
  return `${up}${to.includes('.') ? to : `${to}/above.ts`}`
}

/** Whether a file below `src` is in a folder that no layer lists. */
export function isOutsideLayers(path) {
  const [, name, module] = /^packages\/([^/]+)\/src\/([^/]+)\//.exec(path) ?? []
  const table = layeredPackages[name]
  return table !== undefined && !table.layers.flat().includes(module)
}
