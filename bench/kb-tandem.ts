// A runtime with a knowledge base, in its own folder.
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { openRuntime } from '../packages/runtime/src/runtime.ts'

export async function openBase(folder: string, embeddings: 'off' | 'bundled') {
  const [home, workspace] = [join(folder, 'home'), join(folder, 'workspace')]
  mkdirSync(workspace, { recursive: true })
  const runtime = openRuntime({
    ...{ home, workspace, log: () => undefined },
    environment: { PATH: process.env.PATH, HOME: process.env.HOME, TANDEM_MEMORY_MODEL: 'off' },
  })
  async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
    const answer = await runtime.commands.call(name, params)
    if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
    return answer.value
  }
  await call('runtime_set_settings', { sections: [{ section: 'recall', setting: 'embeddings', value: embeddings }] })
  let source_id = ''

  async function settled(): Promise<void> {
    for (;;) {
      const { state } = (await call('kb_get', { source_id })).source
      if (state === 'ready') return
      if (state === 'failed' || state === 'canceled') throw new Error(`the source is ${state}`)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }

  return {
    async add(path: string) {
      source_id = (await call('kb_add', { path, owner: { kind: 'everyone' }, watch: false })).source.source_id
      await settled()
    },
    async reindex() {
      await call('kb_reindex', { source_id })
      await settled()
    },
    source: async () => (await call('kb_get', { source_id })).source,
    /** How many passages get a vector in this time, and how many there are. */
    async embedded(most_ms: number) {
      const database = new DatabaseSync(join(home, 'kb.db'), { readOnly: true })
      const { passages } = (await call('kb_get', { source_id })).source
      const began = performance.now()
      try {
        for (;;) {
          const vectors = Number(database.prepare('SELECT count(*) AS n FROM vectors').get()?.n)
          const took_ms = performance.now() - began
          if (vectors >= passages || took_ms > most_ms) return { vectors, passages, took_ms }
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      } finally {
        database.close()
      }
    },
    async timed(work: () => Promise<void>) {
      const began = performance.now()
      await work()
      return performance.now() - began
    },
    fileBytes: () => statSync(join(home, 'kb.db')).size,
    stop: () => runtime.stop(),
  }
}
