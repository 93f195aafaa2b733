// The peers of the team benchmark, each in its own process: an agent of @openai/agents that has another as a tool, and a supervisor of
// LangGraph that stores each step in SQLite.
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leadPrompt, serveTeams, type TeamJobs } from './team-job.ts'

const [url = '', folder = '', kind = ''] = process.argv.slice(2)
const require = createRequire(join(folder, 'package.json'))
const instructions = 'You are an assistant.'

const start = { agents, langgraph }[kind]
if (!start) throw new Error(`there is no peer "${kind}"`)
serveTeams(start())

function agents(): TeamJobs {
  const { Agent, run, setDefaultOpenAIClient, setOpenAIAPI, setTracingDisabled } = require('@openai/agents')
  const { OpenAI } = require('openai')
  setDefaultOpenAIClient(new OpenAI({ baseURL: url, apiKey: 'bench', maxRetries: 0 }))
  setOpenAIAPI('chat_completions')
  setTracingDisabled(true)
  let answered = 0
  const member = new Agent({ name: 'Member', instructions, model: 'bench' })
  const customOutputExtractor = ({ finalOutput }: { readonly finalOutput: string }) => {
    answered += 1
    return finalOutput
  }
  const tool = member.asTool({ toolName: 'delegate', toolDescription: 'Gives a task to a member.', customOutputExtractor })
  const lead = new Agent({ name: 'Lead', instructions, model: 'bench', tools: [tool] })
  return {
    async delegate() {
      answered = 0
      const { finalOutput } = await run(lead, leadPrompt('delegate'))
      if (answered !== 1 || finalOutput !== 'Done.') throw new Error(`the member answered ${answered} times: ${finalOutput}`)
    },
  }
}

interface Message {
  readonly name?: string
  readonly content: unknown
}

function langgraph(): TeamJobs {
  const { SqliteSaver } = require('@langchain/langgraph-checkpoint-sqlite')
  const { createReactAgent } = require('@langchain/langgraph/prebuilt')
  const { createSupervisor } = require('@langchain/langgraph-supervisor')
  const { ChatOpenAI } = require('@langchain/openai')
  const home = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
  const saver = SqliteSaver.fromConnString(join(home, 'langgraph.db'))
  const llm = new ChatOpenAI({ model: 'bench', apiKey: 'bench', maxRetries: 0, configuration: { baseURL: url } })
  const member = createReactAgent({ name: 'member', llm, tools: [], prompt: instructions })
  const graph = createSupervisor({ agents: [member], llm, prompt: instructions }).compile({ checkpointer: saver })
  let threads = 0
  return {
    async delegate() {
      threads += 1
      const config = { configurable: { thread_id: `thread ${threads}` }, durability: 'sync' }
      const { messages }: { messages: readonly Message[] } = await graph.invoke(
        { messages: [{ role: 'user', content: leadPrompt('delegate') }] },
        config,
      )
      const answered = messages.filter(({ name, content }) => name === 'member' && content === 'Done.').length
      if (answered !== 1) throw new Error(`the member answered ${answered} times`)
    },
    async stop() {
      saver.db.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
