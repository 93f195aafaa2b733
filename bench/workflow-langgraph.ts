// LangGraph in the workflow benchmark, in its own process: its SQLite saver, and every step on disk before the next one starts.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { timeNow } from './loop-tool.ts'
import { serveWorkflows, spent } from './workflow-job.ts'

const [folder = '', peer = ''] = process.argv.slice(2)
const require = createRequire(join(peer, 'package.json'))
const { Annotation, Command, END, interrupt, Send, START, StateGraph } = require('@langchain/langgraph')
const { SqliteSaver } = require('@langchain/langgraph-checkpoint-sqlite')
const saver = SqliteSaver.fromConnString(join(folder, 'langgraph.db'))

let called = 0
let lastCalled = 0
const tick = async () => {
  called += 1
  return timeNow()
}

/** The state has only the last result: it does not grow with the nodes. */
function chainGraph(nodes: number) {
  const graph = new StateGraph(Annotation.Root({ last: Annotation() }))
  for (let at = 0; at < nodes; at += 1) graph.addNode(`n${at}`, async () => ({ last: await tick() }))
  graph.addEdge(START, 'n0')
  for (let at = 1; at < nodes; at += 1) graph.addEdge(`n${at - 1}`, `n${at}`)
  return graph.addEdge(`n${nodes - 1}`, END).compile({ checkpointer: saver })
}

function loopGraph(items: number) {
  const results = Annotation({ reducer: (left: unknown[], right: unknown[]) => [...left, ...right], default: () => [] })
  return new StateGraph(Annotation.Root({ results }))
    .addNode('tick', async () => ({ results: [await tick()] }))
    .addNode('ask', async () => {
      interrupt('Continue?')
      return {}
    })
    .addNode('last', async () => {
      lastCalled = performance.now()
      return {}
    })
    .addConditionalEdges(START, () => Array.from({ length: items }, (_, item) => new Send('tick', { item })))
    .addEdge('ask', 'last')
    .addEdge('last', END)
}

const forEachGraph = (items: number) => loopGraph(items).addEdge('tick', END).compile({ checkpointer: saver })
const longGraph = (items: number) => loopGraph(items).addEdge('tick', 'ask').compile({ checkpointer: saver })

const graphs = new Map<string, ReturnType<typeof chainGraph>>()

function graphOf(name: string, make: () => ReturnType<typeof chainGraph>) {
  const graph = graphs.get(name) ?? make()
  graphs.set(name, graph)
  return graph
}

let threads = 0

function configOf(thread_id: string) {
  return { configurable: { thread_id }, recursionLimit: 100_000, maxConcurrency: 8, durability: 'sync' }
}

async function measured(graph: ReturnType<typeof chainGraph>, count: number) {
  threads += 1
  const config = configOf(`thread ${threads}`)
  called = 0
  const taken = await spent(() => graph.invoke({}, config))
  if (called !== count) throw new Error(`${called} nodes were called`)
  return taken
}

serveWorkflows({
  chain: (nodes) =>
    measured(
      graphOf(`chain ${nodes}`, () => chainGraph(nodes)),
      nodes,
    ),
  forEach: (items) =>
    measured(
      graphOf(`each ${items}`, () => forEachGraph(items)),
      items,
    ),
  async prepare(items) {
    threads += 1
    const name = `long ${items} ${threads}`
    await longGraph(items).invoke({}, configOf(name))
    return name
  },
  async resume(name) {
    const graph = longGraph(Number(name.split(' ')[1]))
    const began = performance.now()
    await graph.invoke(new Command({ resume: 'approve' }), configOf(name))
    return lastCalled - began
  },
  stop: async () => saver.db.close(),
})
