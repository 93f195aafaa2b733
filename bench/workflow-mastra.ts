// Mastra in the workflow benchmark, in its own process: a snapshot is stored in LibSQL after each step, as it does by default.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { timeNow } from './loop-tool.ts'
import { serveWorkflows, spent } from './workflow-job.ts'

const [folder = '', peer = ''] = process.argv.slice(2)
const require = createRequire(join(peer, 'package.json'))
const { Mastra } = require('@mastra/core')
const { createStep, createWorkflow } = require('@mastra/core/workflows')
const { LibSQLStore } = require('@mastra/libsql')
const { z } = require('zod')

let called = 0
let lastCalled = 0
const any = { inputSchema: z.any(), outputSchema: z.any() }

const tickStep = (id: string) =>
  createStep({
    ...{ id, ...any },
    execute: async () => {
      called += 1
      return timeNow()
    },
  })

const itemsStep = createStep({
  ...{ id: 'items', ...any },
  execute: async ({ inputData }: { inputData: { count: number } }) => Array.from({ length: inputData.count }, (_, item) => item),
})

const askStep = createStep({
  ...{ id: 'ask', ...any, resumeSchema: z.any(), suspendSchema: z.any() },
  execute: async ({ resumeData, suspend }: { resumeData: unknown; suspend: (data: object) => Promise<unknown> }) =>
    resumeData === undefined ? await suspend({}) : {},
})

const lastStep = createStep({
  ...{ id: 'last', ...any },
  execute: async () => {
    lastCalled = performance.now()
    return {}
  },
})

function chainOf(nodes: number) {
  let workflow = createWorkflow({ id: `chain-${nodes}`, ...any })
  for (let at = 0; at < nodes; at += 1) workflow = workflow.then(tickStep(`n${at}`))
  return workflow.commit()
}

const loopOf = (id: string) =>
  createWorkflow({ id, ...any })
    .then(itemsStep)
    .foreach(tickStep('tick'), { concurrency: 8 })

const storage = new LibSQLStore({ id: 'bench', url: `file:${join(folder, 'mastra.db')}` })
const mastra = new Mastra({
  ...{ storage, logger: false },
  workflows: {
    'chain-100': chainOf(100),
    'chain-400': chainOf(400),
    each: loopOf('each').commit(),
    long: loopOf('long').then(askStep).then(lastStep).commit(),
  },
})
await storage.init()

async function measured(name: string, count: number) {
  const run = await mastra.getWorkflow(name).createRun()
  called = 0
  const taken = await spent(async () => {
    const { status } = await run.start({ inputData: { count } })
    if (status !== 'success') throw new Error(`${name} ended with ${status}`)
  })
  if (called !== count) throw new Error(`${called} steps were called`)
  return taken
}

serveWorkflows({
  chain: (nodes) => measured(`chain-${nodes}`, nodes),
  forEach: (items) => measured('each', items),
  async prepare(items) {
    const run = await mastra.getWorkflow('long').createRun()
    const { status } = await run.start({ inputData: { count: items } })
    if (status !== 'suspended') throw new Error(`the workflow is ${status}`)
    return run.runId
  },
  async resume(runId) {
    const began = performance.now()
    const run = await mastra.getWorkflow('long').createRun({ runId })
    await run.resume({ step: 'ask', resumeData: { approved: true } })
    return lastCalled - began
  },
  stop: async () => await storage.close?.(),
})
