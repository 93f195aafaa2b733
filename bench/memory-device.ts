// The memory of a device with everything it needs, and nothing else: the commands, the prompt section and the recall index.
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { openModelAccess } from '../packages/runtime/src/account/model-access.ts'
import { openAgents } from '../packages/runtime/src/agent/agents.ts'
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import { openCommands } from '../packages/runtime/src/commands/layer.ts'
import { openFeatureContext } from '../packages/runtime/src/feature/open-feature-context.ts'
import type { RunRecord } from '../packages/runtime/src/journal/run-record.ts'
import { openMemoryFeature } from '../packages/runtime/src/memory/feature.ts'
import { openRecall } from '../packages/runtime/src/recall/recall.ts'
import { agentCount, type BenchConversation } from './memory-data.ts'

export type MemoryDevice = ReturnType<typeof openMemoryDevice>

/** `url`: where its embedder is. No model reads the messages. */
export function openMemoryDevice(home: string, url: string) {
  const environment = { TANDEM_MODEL_URL: url, TANDEM_MODEL: 'bench', TANDEM_MEMORY_MODEL: 'off' }
  const ground = openFeatureContext({ home, environment, clock: systemClock, life: 'resident', log: (line) => console.error(line) })
  const { store, journal } = ground
  const models = openModelAccess(ground)
  const recall = openRecall({ ...ground, model: models.current, address: () => models.known()?.base_url ?? null })
  const agents = openAgents(store, ground.records, ground.lifecycle)
  for (let no = agents.list().length; no < agentCount; no += 1) agents.create({ name: `Agent ${no}` })
  const compacted = { tokens_before: 1, tokens_after: 1, through_seq: 0, summary: 'No model was asked.' }
  const { prompt, commands, ...memory } = openMemoryFeature(ground, {
    ...models,
    recall,
    agents,
    compact: async () => ({ ok: true, value: compacted }),
    isRunActive: () => false,
    verdictOf: () => null,
    corrected: () => undefined,
    skillText: () => null,
    attachment: () => undefined,
    eraseCopies: () => undefined,
  })
  if (!prompt) throw new Error('memory has no prompt section')
  const layer = openCommands({ others: commands ?? {} }, ground)
  ground.settings.write({
    sections: [
      { section: 'recall', setting: 'embeddings', value: 'model' },
      { section: 'recall', setting: 'embeddings_model', value: 'bench' },
    ],
  })
  // Nothing else keeps the process alive while it waits.
  const alive = setInterval(() => undefined, 1_000)

  function start(conversation: number, agent_id: string, text: string): RunRecord {
    const message_id = journal.messages.write({ conversation, run: null, role: 'user', author: 'person', text })
    return journal.start({ conversation, agent_id, title: 'Bench', model: 'bench', sandbox_mode: 'workspace', message_id })
  }

  return {
    store,
    recall,
    agents: agents.list().map(({ agent_id }) => agent_id),
    agent: (agent_id: string) => agents.get(agent_id)?.agent,
    journal,
    async call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
      const answer = await layer.call(name, params)
      if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
      return answer.value
    },
    conversation: (agent_id: string, workspace: string) => journal.conversations.create({ agent_id, title: 'Bench', workspace }),
    /** A run for a request, in a conversation of its own. */
    ask: (agent_id: string, text: string) =>
      store.transaction(() => start(journal.conversations.create({ agent_id, title: 'Bench', workspace: '/bench' }).no, agent_id, text)),
    prompt: (run: RunRecord) => prompt.text(run, prompt.max_tokens),
    /** Messages that no flush has read. */
    say(agent_id: string, conversation: number, { messages }: BenchConversation) {
      store.transaction(() => {
        let run: RunRecord | null = null
        for (const { author, text } of messages) {
          if (author === 'person') run = start(conversation, agent_id, text)
          else if (run) {
            const message_id = journal.messages.write({ conversation, run: run.no, role: 'assistant', author: 'agent', text })
            journal.append(run.run_id, { kind: 'message.completed', message_id })
          }
        }
      })
    },
    async stop() {
      clearInterval(alive)
      await ground.scheduler.stop()
      await memory.stop?.()
      await recall.stop()
      models.close()
      store.close()
    },
  }
}
