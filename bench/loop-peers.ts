// The peers of the loop benchmark, each in its own process: `agents` and `agents-streaming` store nothing, `langgraph` uses SQLite.

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Jobs, serveJobs, threadPrompts } from './loop-job.ts'
import { timeNow, toolFunction } from './loop-tool.ts'

const [url = '', folder = '', kind = ''] = process.argv.slice(2)
const require = createRequire(join(folder, 'package.json'))
const { OpenAI } = require('openai')
const client = new OpenAI({ baseURL: url, apiKey: 'bench', maxRetries: 0 })

const start = { agents: () => agents(false), 'agents-streaming': () => agents(true), langgraph }[kind]
if (!start) throw new Error(`there is no peer "${kind}"`)
serveJobs(start())

function agents(stream: boolean): Jobs {
  const { Agent, run, setDefaultOpenAIClient, setOpenAIAPI, setTracingDisabled, tool } = require('@openai/agents')
  setDefaultOpenAIClient(client)
  setOpenAIAPI('chat_completions')
  setTracingDisabled(true)
  let made = 0
  const execute = async () => {
    made += 1
    return JSON.stringify(timeNow())
  }
  const parameters = { ...toolFunction.parameters, required: [] }
  const time = tool({ ...toolFunction, parameters, strict: false, execute })
  const agent = new Agent({ name: 'Bench', instructions: 'You are an assistant.', model: 'bench', tools: [time] })
  return {
    steps: async (count) => async () => {
      made = 0
      const result = await run(agent, `bench: steps ${count}`, { stream, maxTurns: count + 10 })
      if (stream) await result.completed
      if (made !== count || result.finalOutput !== 'Done.') throw new Error(`${made} calls were made: ${result.finalOutput}`)
    },
  }
}

interface State {
  readonly messages: readonly { readonly role: string; readonly content: string | null; readonly tool_calls?: readonly { id: string }[] }[]
}

function langgraph(): Jobs {
  const { Annotation, END, START, StateGraph } = require('@langchain/langgraph')
  const { SqliteSaver } = require('@langchain/langgraph-checkpoint-sqlite')
  const home = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
  const tools = [{ type: 'function', function: toolFunction }]
  const open = (name: string) => {
    const file = join(home, name)
    const saver = SqliteSaver.fromConnString(file)
    const messages = Annotation({ reducer: (left: unknown[], right: unknown[]) => [...left, ...right], default: () => [] })
    const graph = new StateGraph(Annotation.Root({ messages }))
      .addNode('model', async (state: State) => {
        const { choices } = await client.chat.completions.create({ model: 'bench', messages: state.messages, tools })
        return { messages: [choices[0].message] }
      })
      .addNode('tool', async (state: State) => {
        const calls = state.messages.at(-1)?.tool_calls ?? []
        return { messages: calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: JSON.stringify(timeNow()) })) }
      })
      .addEdge(START, 'model')
      .addConditionalEdges('model', (state: State) => (state.messages.at(-1)?.tool_calls ? 'tool' : END))
      .addEdge('tool', 'model')
      .compile({ checkpointer: saver })
    return { file, saver, graph }
  }
  const steady = open('steps.db')
  let threads = 0
  const say = async ({ graph }: ReturnType<typeof open>, thread_id: string, content: string): Promise<State> =>
    await graph.invoke({ messages: [{ role: 'user', content }] }, { configurable: { thread_id }, recursionLimit: 100_000 })

  return {
    steps: async (count) => async () => {
      threads += 1
      const { messages } = await say(steady, `thread ${threads}`, `bench: steps ${count}`)
      if (messages.length !== 2 * count + 2) throw new Error(`${messages.length} messages were exchanged`)
    },
    async thread() {
      const one = open('thread.db')
      for (const text of threadPrompts) await say(one, 'thread', text)
      one.saver.db.pragma('wal_checkpoint(TRUNCATE)')
      one.saver.db.close()
      return statSync(one.file).size
    },
    stop: async () => rmSync(home, { recursive: true, force: true }),
  }
}
